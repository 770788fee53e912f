#include "sim/point.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "capture/writer.h"
#include "sim/build.h"
#include "sim/clock.h"
#include "sim/generator.h"
#include "sim/nic.h"
#include "sim/picker.h"
#include "sim/random.h"
#include "sim/ring.h"
#include "sim/shuffle.h"
#include "sim/stamper.h"

#define LINKTYPE_ETHERNET 1

struct cd_point {
	const struct cd_scenario *scenario;
	const struct cd_point_spec *spec;
	size_t index;
	struct cd_truth *truth;
	struct cd_point_truth *counts;
	struct cd_picker loss, late, corrupt, duplicate, swap;
	struct cd_random noise, damage;
	/* a packet that comes late, and how many pass it still */
	struct cd_packet late_packet;
	bool has_late;
	uint64_t late_left;
	int64_t previous_ps; /* the last arrival */
	struct cd_nic nic;
	struct cd_ring ring;
	struct cd_instant last_stamp;
	bool has_stamp;
	/* an item held back by a swap */
	struct cd_item swapped;
	bool has_swapped;
	uint64_t swap_left;
	struct cd_queues queues;
	uint64_t drops_told; /* in epb_dropcount so far */
	struct cd_writer *writer;
	struct cd_builder builder;
};

char *cd_point_file_name(const struct cd_point_spec *spec)
{
	return cd_strf("%s.%s%s", spec->name, spec->pcap ? "pcap" : "pcapng",
		       spec->gzip ? ".gz" : "");
}

/* ---- into the file ---- */

/* XOR that turns a number into one a quarter to three quarters of its range
 * away, which no reader can take for a neighbour. */
static uint64_t draw_damage(struct cd_point *p,
			    const struct cd_stream_spec *stream,
			    uint64_t index)
{
	unsigned bits = cd_stamper_bits(stream);
	uint64_t mask, number, wrong;

	if (bits == 0)
		return 0;
	mask = UINT64_MAX >> (64 - bits);
	number = cd_build_number(stream, index);
	wrong = number + mask / 4 + cd_random_below(&p->damage, mask / 2 + 1);
	return (number ^ wrong) & mask;
}

/* As it will be read back: floored to the file's resolution. */
static struct cd_instant written_time(const struct cd_point_spec *spec,
				      struct cd_instant t)
{
	struct cd_resolution r = spec->resolution;
	unsigned __int128 ticks, per_second = 1;

	if (r.base == 10 && r.exponent >= 12)
		return t;
	for (unsigned i = 0; i < r.exponent && per_second >> 64 == 0; i++)
		per_second *= r.base;
	ticks = (unsigned __int128)t.ps * per_second / CD_PS_PER_S;
	t.ps = (int64_t)(ticks * CD_PS_PER_S / per_second);
	return t;
}

static uint64_t untold_drops(struct cd_point *p, uint64_t drops)
{
	uint64_t untold = drops > p->drops_told ? drops - p->drops_told : 0;

	p->drops_told += untold;
	return untold;
}

static int write_item(void *context, const struct cd_item *item,
		      struct cd_error *error)
{
	struct cd_point *p = context;
	const struct cd_point_spec *spec = p->spec;
	const struct cd_packet *packet = &item->packet;
	struct cd_writer_packet out = {.time = item->stamp};
	struct cd_built frame;
	uint64_t damage = 0;

	if (cd_picker_hit(&p->corrupt, packet->index))
		damage = draw_damage(
		    p, &p->scenario->streams[packet->stream], packet->index);
	frame = cd_build_frame(&p->builder, packet, damage);
	out.data = frame.data;
	out.origlen = out.caplen = frame.length;
	if (spec->snaplen > 0 && out.caplen > spec->snaplen)
		out.caplen = (uint32_t)spec->snaplen;
	if (spec->drop_counts) {
		out.drops = untold_drops(p, item->drops);
		out.has_drops = out.drops > 0;
	}
	if (cd_writer_packet(p->writer, &out, error))
		return -1;
	return cd_truth_record(p->truth, p->index, packet,
			       written_time(spec, item->stamp), damage != 0,
			       error);
}

/* Hold one item back, let `by` others pass, then write it. */
static int write_swapped(struct cd_point *p, const struct cd_item *item,
			 struct cd_error *error)
{
	bool hit = cd_picker_hit(&p->swap, item->packet.index);

	if (hit && !p->has_swapped) {
		p->swapped = *item;
		p->has_swapped = true;
		p->swap_left = p->spec->swap.by;
		return 0;
	}
	if (cd_queues_add(&p->queues, item, error))
		return -1;
	if (!p->has_swapped || --p->swap_left > 0)
		return 0;
	p->has_swapped = false;
	return cd_queues_add(&p->queues, &p->swapped, error);
}

static int write_copies(struct cd_point *p, const struct cd_item *item,
			struct cd_error *error)
{
	struct cd_item copy = *item;

	if (write_swapped(p, item, error))
		return -1;
	if (!cd_picker_hit(&p->duplicate, item->packet.index))
		return 0;
	copy.stamp = cd_instant_add(
	    copy.stamp, (struct cd_span){p->spec->duplicate.after_ps});
	return write_swapped(p, &copy, error);
}

/* ---- the time stamp ---- */

static int64_t glitch_of(const struct cd_point_spec *spec, uint64_t index)
{
	int64_t by = 0;

	for (size_t i = 0; i < spec->glitches.n; i++)
		if (spec->glitches.items[i].index == index)
			by += spec->glitches.items[i].by_ps;
	return by;
}

/* One unit of the file after the last stamp, if time would not rise (bump),
 * or the same (clamp). */
static struct cd_instant keep_rising(struct cd_point *p, struct cd_instant t)
{
	const struct cd_point_spec *spec = p->spec;
	int order;

	if (p->has_stamp && spec->monotonic != CD_MONOTONIC_NO) {
		order = cd_instant_compare(t, p->last_stamp);
		if (order < 0)
			t = p->last_stamp;
		if (order <= 0 && spec->monotonic == CD_MONOTONIC_BUMP)
			t = cd_instant_add(
			    p->last_stamp,
			    (struct cd_span){
				cd_resolution_ps(spec->resolution)});
	}
	p->last_stamp = t;
	p->has_stamp = true;
	return t;
}

static int take_stamp(struct cd_point *p, const struct cd_arrival *a,
		      struct cd_error *error)
{
	const struct cd_point_spec *spec = p->spec;
	int64_t t = spec->hardware_stamps ? a->arrival_ps : a->service_ps;
	struct cd_item item = {.packet = a->packet};

	t += cd_noise_draw(&spec->noise, &p->noise);
	t += glitch_of(spec, a->packet.index);
	item.stamp = keep_rising(p, cd_clock_read(spec, t));
	item.drops = a->drops + p->ring.dropped;
	if (!cd_ring_offer(&p->ring, a->service_ps))
		return 0;
	cd_truth_stamped(p->truth, p->index, &a->packet, t);
	return write_copies(p, &item, error);
}

/* ---- from the wire ---- */

static int arrive(struct cd_point *p, const struct cd_packet *packet,
		  int64_t t, struct cd_error *error)
{
	struct cd_arrival taken;

	while (cd_nic_take(&p->nic, t, &taken))
		if (take_stamp(p, &taken, error))
			return -1;
	if (cd_nic_arrive(&p->nic, packet, t, error) < 0)
		return -1;
	p->previous_ps = t;
	return 0;
}

/* The held packet comes halfway between the last arrival and the next. */
static int release_late(struct cd_point *p, int64_t next_ps,
			struct cd_error *error)
{
	int64_t t = p->previous_ps + (next_ps - p->previous_ps) / 2;

	p->has_late = false;
	return arrive(p, &p->late_packet, t, error);
}

static int arrive_late(struct cd_point *p, const struct cd_packet *packet,
		       int64_t t, struct cd_error *error)
{
	bool hit = cd_picker_hit(&p->late, packet->index);

	if (p->has_late && p->late_left == 0 && release_late(p, t, error))
		return -1;
	if (hit && !p->has_late) {
		p->late_packet = *packet;
		p->has_late = true;
		p->late_left = p->spec->late.by;
		return 0;
	}
	if (p->has_late)
		p->late_left--;
	return arrive(p, packet, t, error);
}

static bool is_cut(struct cd_point *p, const struct cd_packet *packet,
		   int64_t t)
{
	const struct cd_stream_spec *stream =
	    &p->scenario->streams[packet->stream];
	struct cd_tally *tally = &p->counts->tallies[packet->stream];

	if (t < p->spec->start_ps || packet->index < p->spec->head) {
		tally->cut_head++;
		return true;
	}
	if (t > p->spec->stop_ps ||
	    stream->packets - packet->index <= p->spec->tail) {
		tally->cut_tail++;
		return true;
	}
	return false;
}

int cd_point_offer(struct cd_point *p, const struct cd_packet *packet,
		   struct cd_error *error)
{
	const struct cd_point_spec *spec = p->spec;
	int64_t t = packet->wire_ps + spec->delay_ps;

	if (spec->ignore != NULL &&
	    strcmp(p->scenario->streams[packet->stream].name,
		   spec->ignore) == 0)
		return 0;
	if (spec->edge_end)
		t += cd_generator_bytes_ps(p->scenario, packet->size);
	if (is_cut(p, packet, t))
		return 0;
	if (cd_picker_hit(&p->loss, packet->index)) {
		p->counts->lost_on_way++;
		return 0;
	}
	return arrive_late(p, packet, t, error);
}

/* ---- beginning and end ---- */

static int open_writer(struct cd_point *p, const char *dir,
		       struct cd_error *error)
{
	const struct cd_point_spec *spec = p->spec;
	struct cd_writer_options options = {
	    .format = spec->pcap ? CD_WRITE_PCAP : CD_WRITE_PCAPNG,
	    .gzip = spec->gzip,
	    .big_endian = spec->big_endian,
	    .resolution = spec->resolution,
	    .linktype = LINKTYPE_ETHERNET,
	    .snaplen = (uint32_t)spec->snaplen,
	    .fcs_bytes = spec->fcs == CD_FCS_DECLARED ? (int)CD_FCS_BYTES : -1,
	    .hardware = spec->hardware,
	    .os = spec->os,
	    .application = spec->application,
	    .offset_s = spec->tsoffset_s,
	};
	char *name = cd_point_file_name(spec);
	char *path = name == NULL ? NULL : cd_strf("%s/%s", dir, name);

	if (path == NULL)
		cd_error_memory(error);
	else
		p->writer = cd_writer_open(path, &options, error);
	free(path);
	free(name);
	return p->writer == NULL ? -1 : 0;
}

static void init_pickers(struct cd_point *p)
{
	const struct cd_point_spec *s = p->spec;
	uint64_t seed = p->scenario->seed;

	p->loss = cd_picker_init(&s->loss, seed, s->name, "loss");
	p->late = cd_picker_init(&s->late, seed, s->name, "late");
	p->corrupt = cd_picker_init(&s->corrupt, seed, s->name, "corrupt");
	p->duplicate = cd_picker_init(&s->duplicate, seed, s->name,
				      "duplicate");
	p->swap = cd_picker_init(&s->swap, seed, s->name, "swap");
	p->noise = cd_random_init(seed, s->name, "noise");
	p->damage = cd_random_init(seed, s->name, "damage");
}

struct cd_point *cd_point_open(const struct cd_scenario *scenario,
			       size_t index, const char *dir,
			       struct cd_truth *truth, struct cd_error *error)
{
	const struct cd_point_spec *spec = &scenario->points[index];
	struct cd_point *p = calloc(1, sizeof(*p));

	if (p == NULL) {
		cd_error_memory(error);
		return NULL;
	}
	p->scenario = scenario;
	p->spec = spec;
	p->index = index;
	p->truth = truth;
	p->counts = &truth->points[index];
	p->builder.scenario = scenario;
	p->builder.point = spec;
	init_pickers(p);
	cd_nic_init(&p->nic, spec);
	if (cd_ring_init(&p->ring, spec, error) ||
	    cd_queues_init(&p->queues, spec, write_item, p, error) ||
	    open_writer(p, dir, error)) {
		cd_point_close(p, false, NULL);
		return NULL;
	}
	return p;
}

/* When the capture program stops: as told, or a second after the last packet
 * came by. */
static int64_t end_time(const struct cd_point *p)
{
	int64_t end = p->previous_ps;

	if (p->spec->stop_ps != CD_FOREVER)
		return p->spec->stop_ps;
	for (size_t i = 0; i < p->scenario->n_streams; i++)
		if (p->truth->last_ps[i] > end)
			end = p->truth->last_ps[i];
	return end + CD_PS_PER_S;
}

static int write_statistics(struct cd_point *p, struct cd_error *error)
{
	const struct cd_point_spec *spec = p->spec;
	struct cd_writer_statistics s = {.has_start = spec->run_times,
					 .has_end = spec->run_times,
					 .received = p->counts->records,
					 .dropped = p->nic.dropped,
					 .os_dropped = p->ring.dropped};

	if (spec->counting == CD_COUNTS_NONE)
		return 0;
	if (spec->counting == CD_COUNTS_SAID) {
		s.dropped = spec->drops_said;
		s.os_dropped = 0;
	}
	s.received += s.dropped + s.os_dropped;
	s.start = cd_clock_read(spec, spec->start_ps);
	s.end = cd_clock_read(spec, end_time(p));
	s.time = s.end;
	return cd_writer_statistics(p->writer, &s, error);
}

int cd_point_finish(struct cd_point *p, struct cd_error *error)
{
	struct cd_arrival taken;

	if (p->has_late &&
	    release_late(p, p->previous_ps + 2 * CD_PS_PER_NS, error))
		return -1;
	while (cd_nic_take(&p->nic, CD_FOREVER, &taken))
		if (take_stamp(p, &taken, error))
			return -1;
	if (p->has_swapped && cd_queues_add(&p->queues, &p->swapped, error))
		return -1;
	if (cd_queues_flush(&p->queues, error))
		return -1;
	p->counts->ring_drops = p->nic.dropped;
	p->counts->buffer_drops = p->ring.dropped;
	return write_statistics(p, error);
}

int cd_point_close(struct cd_point *p, bool keep, struct cd_error *error)
{
	int status = 0;

	if (p == NULL)
		return 0;
	if (keep)
		status = cd_writer_close(p->writer, error);
	else
		cd_writer_discard(p->writer);
	cd_nic_release(&p->nic);
	cd_ring_release(&p->ring);
	cd_queues_release(&p->queues);
	free(p);
	return status;
}
