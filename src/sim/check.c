/* What can only be judged when a whole scenario is known. */
#include <string.h>

#include "sim/build.h"
#include "sim/scenario.h"
#include "sim/stamper.h"

typedef unsigned __int128 u128;

#define LONGEST_PS ((u128)40 * 86400 * (u128)CD_PS_PER_S)

static uint32_t smallest_size(const struct cd_sizes *sizes)
{
	uint32_t least = sizes->bytes[0];

	for (size_t i = 1; i < sizes->n; i++)
		if (sizes->bytes[i] < least)
			least = sizes->bytes[i];
	return least;
}

static void fill_defaults(struct cd_stream_spec *stream)
{
	const struct cd_stamper *stamp = stream->stamp;

	if (!stream->has_first)
		stream->first = stamp->first;
	if (!stream->has_flow)
		stream->flow = 1;
	if (!stream->source.has_port)
		stream->source.port = 40000;
	if (!stream->destination.has_port)
		stream->destination.port = stamp->port;
	if (stream->protocol == 0)
		stream->protocol = stamp->protocol;
	if (stream->protocol == CD_PROTOCOL_ICMP && stream->destination.v6)
		stream->protocol = 58;
}

static int check_numbers(const struct cd_stream_spec *stream,
			 struct cd_error *error)
{
	unsigned bits = cd_stamper_bits(stream);

	if (stream->packets == 0 || stream->repeat == 0 || stream->burst == 0)
		return cd_error_set(error, CD_E_USAGE,
				    "%s: packets, repeat and burst begin at 1",
				    stream->name);
	if (stream->repeat > 1 && stream->restarts.n > 0)
		return cd_error_set(error, CD_E_USAGE,
				    "%s: repeat and restart exclude each other",
				    stream->name);
	if (stream->stamp->protocol == CD_PROTOCOL_ICMP &&
	    stream->protocol != CD_PROTOCOL_ICMP && stream->protocol != 58)
		return cd_error_set(error, CD_E_USAGE,
				    "%s: the %s stamp is in ICMP packets",
				    stream->name, stream->stamp->name);
	if (stream->width < 1)
		return cd_error_set(error, CD_E_USAGE,
				    "%s: a field of 0 bytes", stream->name);
	if (bits > 0 && bits < 64 && stream->first >> bits != 0)
		return cd_error_set(error, CD_E_USAGE,
				    "%s: first does not fit %u bits",
				    stream->name, bits);
	if (stream->first % (uint64_t)(stream->step < 0 ? -stream->step
							: stream->step) != 0)
		return cd_error_set(error, CD_E_USAGE,
				    "%s: first is no multiple of step",
				    stream->name);
	if (stream->step < 0 && stream->first > INT64_MAX)
		return cd_error_set(error, CD_E_USAGE,
				    "%s: first is too large", stream->name);
	return 0;
}

/* The stamp must lie inside the smallest frame. */
static int check_room(const struct cd_stream_spec *stream,
		      struct cd_error *error)
{
	uint32_t size = smallest_size(&stream->sizes);
	uint32_t header = cd_build_header_bytes(stream);
	int64_t room = (int64_t)size - CD_FCS_BYTES - header;
	int64_t l3 = 14 + (stream->vlan != 0 ? 4 : 0);
	int64_t l4 = l3 + (stream->destination.v6 ? 40 : 20);
	const int64_t base[] = {0, l3, l4, header, size - CD_FCS_BYTES};
	int64_t from = base[stream->place] + stream->at;

	if (room < (int64_t)stream->stamp->room)
		return cd_error_set(
		    error, CD_E_USAGE,
		    "%s: %s needs frames of %u bytes at least, not %u",
		    stream->name, stream->stamp->name,
		    header + stream->stamp->room + CD_FCS_BYTES, size);
	if (stream->stamp->bits == 0 &&
	    (from < 0 ||
	     from + (int64_t)stream->width > base[CD_PLACE_END]))
		return cd_error_set(error, CD_E_USAGE,
				    "%s: the field lies outside frames of "
				    "%u bytes", stream->name, size);
	return 0;
}

static u128 mean_l1_bits_times(const struct cd_sizes *sizes, u128 factor)
{
	u128 sum = 0, weights = 0;

	for (size_t i = 0; i < sizes->n; i++) {
		sum += (u128)sizes->weight[i] *
		       (sizes->bytes[i] + CD_L1_OVERHEAD) * 8;
		weights += sizes->weight[i];
	}
	return sum * factor / weights;
}

/* Mean time between packets in ps. */
static u128 mean_spacing(const struct cd_scenario *s,
			 const struct cd_stream_spec *stream)
{
	if (stream->rate_mpps != 0)
		return (u128)CD_PS_PER_S * 1000 / stream->rate_mpps;
	if (stream->load != 0)
		return mean_l1_bits_times(&stream->sizes,
					  (u128)CD_PS_PER_S) *
		       CD_SHARE_ONE / stream->load / s->link_bps;
	return (u128)stream->spacing_ps;
}

static int check_pace(const struct cd_scenario *s,
		      const struct cd_stream_spec *stream,
		      struct cd_error *error)
{
	u128 spacing = mean_spacing(s, stream);
	u128 least = mean_l1_bits_times(&stream->sizes, (u128)CD_PS_PER_S) /
		     s->link_bps;

	if (stream->rate_mpps == 0 && stream->load == 0 &&
	    stream->spacing_ps == 0)
		return cd_error_set(error, CD_E_USAGE,
				    "%s: rate, spacing or load is missing",
				    stream->name);
	if (spacing < least)
		return cd_error_set(
		    error, CD_E_USAGE,
		    "%s: more than the link carries (a packet every %llu ps, "
		    "%llu on the wire)", stream->name,
		    (unsigned long long)spacing, (unsigned long long)least);
	if (spacing * stream->packets + (uint64_t)stream->begin_ps > LONGEST_PS)
		return cd_error_set(error, CD_E_USAGE,
				    "%s: lasts more than 40 days",
				    stream->name);
	return 0;
}

static int check_stream(const struct cd_scenario *s,
			struct cd_stream_spec *stream,
			struct cd_error *error)
{
	if (stream->source.v6 != stream->destination.v6)
		return cd_error_set(error, CD_E_USAGE,
				    "%s: source and destination are of "
				    "different IP versions", stream->name);
	fill_defaults(stream);
	if (check_numbers(stream, error) || check_room(stream, error))
		return -1;
	return check_pace(s, stream, error);
}

/* Windows that leave less than a tenth of the time free would stop the point
 * for very long. */
static bool leaves_time(const struct cd_windows *windows)
{
	u128 busy = 0;

	for (size_t i = 0; i < windows->n; i++) {
		const struct cd_window *w = &windows->items[i];

		if (w->every_ps > 0)
			busy += (u128)w->length_ps * CD_SHARE_ONE /
				(u128)w->every_ps;
	}
	return busy <= CD_SHARE_ONE / 10 * 9;
}

/* Work that lasts for weeks: packets times kernel cost, or times drain. */
static bool keeps_up(const struct cd_scenario *s,
		     const struct cd_point_spec *point)
{
	u128 packets = 0, each = (u128)point->cost_ps;

	for (size_t i = 0; i < s->n_streams; i++)
		packets += s->streams[i].packets;
	if (point->drain_mpps > 0)
		each += (u128)CD_PS_PER_S * 1000 / point->drain_mpps;
	return packets * each <= LONGEST_PS / 20;
}

static bool has_stream(const struct cd_scenario *s, const char *name)
{
	for (size_t i = 0; i < s->n_streams; i++)
		if (strcmp(s->streams[i].name, name) == 0)
			return true;
	return false;
}

/* pcapng counts ticks in 64 bits: finer than 10^-10 s, today is too far from
 * 1970, so the interface gets an offset, a day before the clock's start. */
static void set_offset(struct cd_point_spec *point)
{
	u128 ticks = 2 * (u128)(point->epoch_s > 0 ? point->epoch_s : 0);

	for (unsigned i = 0; i < point->resolution.exponent; i++)
		if (ticks >> 64 == 0)
			ticks *= point->resolution.base;
	if (ticks >> 64 != 0 && point->tsoffset_s == 0)
		point->tsoffset_s = point->epoch_s - 86400;
}

static int check_point(const struct cd_scenario *s,
		       struct cd_point_spec *point, struct cd_error *error)
{
	if (!point->has_epoch)
		point->epoch_s = s->epoch_s;
	set_offset(point);
	if (point->pcap && (point->resolution.base != 10 ||
			    (point->resolution.exponent != 6 &&
			     point->resolution.exponent != 9)))
		return cd_error_set(error, CD_E_USAGE,
				    "%s: pcap has resolutions us and ns only",
				    point->name);
	if (point->ignore != NULL && !has_stream(s, point->ignore))
		return cd_error_set(error, CD_E_USAGE,
				    "%s: no stream is called '%s'",
				    point->name, point->ignore);
	if (point->stop_ps < point->start_ps)
		return cd_error_set(error, CD_E_USAGE,
				    "%s: stops before it starts",
				    point->name);
	if (!leaves_time(&point->stalls) || !leaves_time(&point->pauses))
		return cd_error_set(error, CD_E_USAGE,
				    "%s: stall or pause leaves less than a "
				    "tenth of the time",
				    point->name);
	if (!keeps_up(s, point))
		return cd_error_set(error, CD_E_USAGE,
				    "%s: cost and drain make it work for more "
				    "than 2 days", point->name);
	if (point->buffer == 0 &&
	    (point->drain_mpps > 0 || point->pauses.n > 0))
		return cd_error_set(error, CD_E_USAGE,
				    "%s: drain and pause need a buffer",
				    point->name);
	if (point->frames > 0 && point->coalescing == CD_COALESCE_NONE)
		return cd_error_set(error, CD_E_USAGE,
				    "%s: frames needs coalesce",
				    point->name);
	return 0;
}

/* What all streams of one direction need of the link. */
static int check_link(const struct cd_scenario *s, bool reverse,
		      struct cd_error *error)
{
	u128 share = 0;

	for (size_t i = 0; i < s->n_streams; i++) {
		const struct cd_stream_spec *stream = &s->streams[i];

		if (stream->reverse == reverse)
			share += mean_l1_bits_times(&stream->sizes,
						    (u128)CD_PS_PER_S) *
				 CD_SHARE_ONE / s->link_bps /
				 mean_spacing(s, stream);
	}
	if (share > CD_SHARE_ONE + s->n_streams)
		return cd_error_set(error, CD_E_USAGE,
				    "the streams together are more than the "
				    "link carries");
	return 0;
}

int cd_scenario_check(struct cd_scenario *s, struct cd_error *error)
{
	if (s->n_streams == 0 || s->n_points == 0)
		return cd_error_set(error, CD_E_USAGE,
				    "a scenario needs a [stream] and a "
				    "[point NAME]");
	for (size_t i = 0; i < s->n_streams; i++)
		if (check_stream(s, &s->streams[i], error))
			return -1;
	if (check_link(s, false, error) || check_link(s, true, error))
		return -1;
	for (size_t i = 0; i < s->n_points; i++)
		if (check_point(s, &s->points[i], error))
			return -1;
	return 0;
}
