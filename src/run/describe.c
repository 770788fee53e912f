#include "run/describe.h"

#include <stdlib.h>

#include "base/array.h"

static char *copy(const char *text, bool *bad)
{
	char *out;

	if (text == NULL)
		return NULL;
	out = cd_strdup(text);
	*bad |= out == NULL;
	return out;
}

int cd_describe_command(struct cd_report *report,
			const struct capdiff_options *options)
{
	bool bad = false;

	report->command =
	    calloc(options->n_command + 1, sizeof(*report->command));
	if (report->command == NULL)
		return -1;
	report->n_command = options->n_command;
	for (size_t i = 0; i < options->n_command; i++)
		report->command[i] = copy(options->command[i], &bad);
	return bad ? -1 : 0;
}

static void describe_iface(struct cd_report_iface *out,
			   const struct cd_iface *in, bool *bad)
{
	char name[64];

	*out = (struct cd_report_iface){
	    .section = in->section,
	    .id = in->id,
	    .linktype = in->linktype,
	    .snaplen = in->snaplen,
	    .linktype_name = copy(
		cd_linktype_name(in->linktype, name, sizeof(name)), bad),
	    .name = copy(in->name, bad),
	    .description = copy(in->description, bad),
	    .filter = copy(in->filter, bad),
	    .os = copy(in->os, bad),
	    .hardware = copy(in->hardware, bad),
	    .tick_ps = cd_resolution_ps(in->resolution),
	    .packets = in->packets,
	    .received = in->received,
	    .dropped = in->dropped,
	    .os_dropped = in->os_dropped,
	};
}

/* Decimals that a tick of this many ps needs, 12 at most. */
static int decimals_of(int64_t tick_ps)
{
	int digits = 12;

	while (digits > 0 && tick_ps % 10 == 0) {
		tick_ps /= 10;
		digits--;
	}
	return digits;
}

static void describe_times(struct cd_report_capture *out,
			   const struct cd_point *point)
{
	int64_t tick = point->unit_ps > 0 ? point->unit_ps : 1;

	out->time_digits = decimals_of(tick);
	out->has_times = point->has_times;
	if (!point->has_times)
		return;
	out->first = cd_instant_add(point->base,
				    (struct cd_span){point->first_ps});
	out->last =
	    cd_instant_add(point->base, (struct cd_span){point->last_ps});
}

static void describe_file(struct cd_report_file *out,
			  const struct cd_member *in, bool *bad)
{
	const struct cd_error *stop = in->stop;

	*out = (struct cd_report_file){
	    .path = copy(in->path, bad),
	    .format = copy(in->format, bad),
	    .packets = in->packets,
	    .bytes = in->bytes,
	};
	if (in->format != NULL)
		out->compression =
		    copy(cd_compression_name(in->compression), bad);
	if (stop == NULL)
		return;
	out->cut_short = stop->fault == CD_E_TRUNCATED;
	out->damaged = !out->cut_short;
	out->stop_offset = stop->offset;
}

static void describe_files(struct cd_report_capture *out,
			   const struct cd_point *point, bool *bad)
{
	uint64_t first = 1;

	if (point->members == NULL)
		return;
	out->files = calloc(point->n_members + 1, sizeof(*out->files));
	*bad |= out->files == NULL;
	if (out->files == NULL)
		return;
	out->n_files = point->n_members;
	for (size_t i = 0; i < out->n_files; i++) {
		describe_file(&out->files[i], &point->members[i], bad);
		out->files[i].first = first;
		first += out->files[i].packets;
	}
}

static void describe_capture(struct cd_report_capture *out,
			     const struct cd_point *point, bool *bad)
{
	out->label = copy(point->label, bad);
	out->path = copy(point->path, bad);
	out->format = copy(point->format, bad);
	out->compression = copy(cd_compression_name(point->compression), bad);
	out->hardware = copy(point->hardware, bad);
	out->os = copy(point->os, bad);
	out->application = copy(point->application, bad);
	out->comment = copy(point->comment, bad);
	out->packets = point->packets;
	out->bytes = point->bytes;
	out->cut_short = point->stop.fault == CD_E_TRUNCATED;
	out->damaged = point->stop.fault != CD_OK && !out->cut_short;
	out->stop_offset = point->stop.offset;
	describe_times(out, point);
	describe_files(out, point, bad);
	out->ifaces = calloc(point->n_ifaces + 1, sizeof(*out->ifaces));
	*bad |= out->ifaces == NULL;
	if (out->ifaces == NULL)
		return;
	out->n_ifaces = point->n_ifaces;
	for (size_t i = 0; i < point->n_ifaces; i++)
		describe_iface(&out->ifaces[i], &point->ifaces[i], bad);
}

int cd_describe_captures(struct cd_report *report,
			 const struct cd_point *points, size_t n)
{
	bool bad = false;

	report->captures = calloc(n, sizeof(*report->captures));
	if (report->captures == NULL)
		return -1;
	report->n_captures = n;
	for (size_t i = 0; i < n; i++) {
		report->captures[i].reference = i == report->reference;
		describe_capture(&report->captures[i], &points[i], &bad);
	}
	return bad ? -1 : 0;
}

/* Share of a capture's packets that carry a number of this stamp. */
static double share_stamped(const struct cd_point *point)
{
	uint64_t stamped = 0, all = point->packets - point->filtered;

	for (size_t i = 0; i < point->n_streams; i++)
		stamped += point->streams[i].packets +
			   point->streams[i].control;
	return all == 0 ? 0 : (double)stamped / (double)all;
}

static char *in_words(void (*words)(const struct cd_stamp_spec *, struct cd_str *),
		   const struct cd_stamp_spec *spec, bool *bad)
{
	struct cd_str text = {0};
	char *out;

	words(spec, &text);
	*bad |= text.bad;
	out = copy(cd_str_text(&text), bad);
	cd_str_release(&text);
	return out;
}

int cd_describe_stamp(struct cd_report *report, const struct cd_point *points,
		      size_t n, const struct cd_ingest_result *result,
		      bool detected)
{
	const struct cd_stamp_format *format = result->spec.format;
	bool bad = false;

	if (format == NULL)
		return 0;
	report->stamp_detected = detected;
	report->stamp_format = copy(format->name, &bad);
	report->stamp_title = in_words(cd_stamp_title, &result->spec, &bad);
	report->stamp_where = in_words(format->where, &result->spec, &bad);
	if (format->spell != NULL)
		report->stamp_spec = in_words(format->spell, &result->spec, &bad);
	report->stamp_hits = calloc(n, sizeof(*report->stamp_hits));
	if (report->stamp_hits == NULL)
		return -1;
	for (size_t i = 0; i < n; i++)
		report->stamp_hits[i] = share_stamped(&points[i]);
	return bad ? -1 : 0;
}
