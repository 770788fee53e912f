/*
 * How the capture points handled the same packets: headers put around them or
 * taken off, FCS kept or not, padding, frames cut. No judgement hangs on it; it
 * explains lengths, and says what the points do to traffic.
 */
#include <inttypes.h>

#include "base/str.h"
#include "frame/frame.h"
#include "metric/metric.h"
#include "metric/put.h"
#include "metric/words.h"

/* ---- values ------------------------------------------------------------- */

/* Of several streams. */
struct handled {
	uint64_t packets, encapsulated, fcs, padded;
	uint16_t any, all;
};

static void add(struct handled *sum, const struct cd_stream *stream)
{
	if (stream->packets == 0)
		return;
	sum->all = sum->packets == 0 ? stream->encaps_all
				     : sum->all & stream->encaps_all;
	sum->any |= stream->encaps_any;
	sum->packets += stream->packets;
	sum->encapsulated += stream->encapsulated;
	sum->fcs += stream->fcs;
	sum->padded += stream->padded;
}

static void put(const struct cd_place *place, const struct handled *handled)
{
	cd_put_count(place, "stream.encapsulated", handled->encapsulated);
	cd_put_count(place, "stream.fcs", handled->fcs);
	cd_put_count(place, "stream.padded", handled->padded);
}

static void put_all(struct cd_analysis *analysis, uint32_t k)
{
	const struct cd_point *point = &analysis->points[k];
	size_t n = analysis->report->n_streams;
	struct handled sum = {0};

	for (size_t i = 0; i < point->n_streams; i++)
		add(&sum, &point->streams[i]);
	put(&(struct cd_place){analysis->report, k, CD_NO_STREAM}, &sum);
	for (uint32_t id = 0; id < n; id++) {
		const struct cd_stream *stream = analysis->streams[k * n + id];
		struct handled one = {0};

		if (stream == NULL || !analysis->shown[id])
			continue;
		add(&one, stream);
		put(&(struct cd_place){analysis->report, k, id}, &one);
	}
}

/* ---- findings of one capture -------------------------------------------- */

/* "VLAN tag, GRE header and VXLAN header" of CD_ENCAP_* bits, not 0. */
static void name_encaps(struct cd_str *out, unsigned encaps)
{
	const char *between = "";

	for (unsigned bit = 1; encaps != 0; bit <<= 1) {
		if ((encaps & bit) == 0)
			continue;
		encaps &= ~bit;
		cd_str_addf(out, "%s%s", between, cd_encap_name(bit));
		between = (encaps & (encaps - 1)) == 0 ? " and " : ", ";
	}
}

static void say_encaps(struct cd_report *report, const char *code, uint32_t k,
		       unsigned encaps, const char *text)
{
	struct cd_str names = {0};

	if (encaps == 0)
		return;
	name_encaps(&names, encaps);
	report->bad |= names.bad;
	cd_report_finding(report, CD_NOTE, code, (int)k, "%s %s",
			  cd_str_text(&names), text);
	cd_str_release(&names);
}

/* Both directions through one port often differ: one is copied before the
 * port's own hardware takes the FCS off. */
static void say_fcs(struct cd_report *report, uint32_t k,
		    const struct cd_point *point)
{
	size_t with = 0, without = 0;
	struct handled sum = {0};

	for (size_t i = 0; i < point->n_streams; i++) {
		const struct cd_stream *stream = &point->streams[i];

		if (stream->packets == 0)
			continue;
		add(&sum, stream);
		with += stream->fcs == stream->packets;
		without += stream->fcs == 0;
	}
	if (sum.fcs == 0 || sum.fcs == sum.packets)
		return;
	if (with + without == point->n_streams)
		cd_report_finding(
		    report, CD_NOTE, "fcs_in_part", (int)k,
		    "frame check sequence kept in %zu of %zu streams only",
		    with, point->n_streams);
	else
		cd_report_finding(
		    report, CD_NOTE, "fcs_in_part", (int)k,
		    "frame check sequence kept in %s of %" PRIu64 " only",
		    cd_count_words(sum.fcs, "frame").text, sum.packets);
}

static void say_cut(struct cd_report *report, uint32_t k,
		    const struct cd_point *point)
{
	uint64_t wire = point->wire_bytes, held = point->bytes;

	if (wire <= held)
		return;
	cd_report_finding(report, CD_NOTE, "packets_cut", (int)k,
			  "packets were cut (snapshot length): %" PRIu64
			  " of %" PRIu64 " bytes are in the file",
			  held, wire);
}

static void say_point(struct cd_analysis *analysis, uint32_t k)
{
	const struct cd_point *point = &analysis->points[k];
	struct handled sum = {0};

	for (size_t i = 0; i < point->n_streams; i++)
		add(&sum, &point->streams[i]);
	say_encaps(analysis->report, "headers_in_part", k, sum.any & ~sum.all,
		   "around some packets, not around others");
	say_fcs(analysis->report, k, point);
	say_cut(analysis->report, k, point);
}

/* ---- findings of a pair ------------------------------------------------- */

/* The streams of the lanes in which both have packets, each once. */
static void sum_pair(const struct cd_pair *pair, struct handled *ref,
		     struct handled *dut)
{
	const struct cd_stream *r = NULL, *d = NULL;

	for (size_t i = 0; i < pair->n_lanes; i++) {
		const struct cd_lane *lane = &pair->lanes[i];

		if (lane->both_have == 0)
			continue;
		if (lane->ref_stream != r)
			add(ref, lane->ref_stream);
		if (lane->dut_stream != d)
			add(dut, lane->dut_stream);
		r = lane->ref_stream;
		d = lane->dut_stream;
	}
}

static void say_pair_fcs(struct cd_report *report, uint32_t k,
			 const struct handled *r, const struct handled *d)
{
	if (d->fcs == d->packets && r->fcs == 0)
		cd_report_finding(report, CD_NOTE, "fcs_differs", (int)k,
				  "frame check sequence kept, not so in the "
				  "reference");
	else if (d->fcs == 0 && r->fcs == r->packets)
		cd_report_finding(report, CD_NOTE, "fcs_differs", (int)k,
				  "no frame check sequence, kept in the "
				  "reference");
}

static void say_pair_padding(struct cd_report *report, uint32_t k,
			     const struct handled *r, const struct handled *d)
{
	if (d->padded == d->packets && r->padded == 0)
		cd_report_finding(report, CD_NOTE, "padding_differs", (int)k,
				  "padding or a trailer behind every packet, "
				  "none in the reference");
	else if (d->padded == 0 && r->padded == r->packets)
		cd_report_finding(report, CD_NOTE, "padding_differs", (int)k,
				  "no padding or trailer behind packets, in "
				  "the reference behind every one");
}

static void say_pair(struct cd_analysis *analysis, const struct cd_pair *pair)
{
	struct cd_report *report = analysis->report;
	struct handled r = {0}, d = {0};
	uint32_t k = pair->dut;

	sum_pair(pair, &r, &d);
	if (r.packets == 0 || d.packets == 0)
		return;
	say_encaps(report, "headers_added", k, d.all & ~r.any,
		   "added, compared with the reference");
	say_encaps(report, "headers_removed", k, r.all & ~d.any,
		   "removed, compared with the reference");
	say_pair_fcs(report, k, &r, &d);
	say_pair_padding(report, k, &r, &d);
}

static int run_handling(struct cd_analysis *analysis, struct cd_error *error)
{
	(void)error;
	for (uint32_t k = 0; k < analysis->n_points; k++) {
		put_all(analysis, k);
		say_point(analysis, k);
	}
	for (size_t i = 0; i < analysis->n_pairs; i++)
		if (!analysis->pairs[i].alone)
			say_pair(analysis, &analysis->pairs[i]);
	return 0;
}

const struct cd_metric cd_metric_handling = {"handling", run_handling};
