#include "metric/loss.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "metric/edges.h"
#include "metric/file.h"
#include "metric/lanes.h"
#include "metric/words.h"
#include "report/codes.h"

/* Per lane, beside the lane's own counts. */
struct lane_extra {
	int64_t excluded_ps;
	uint64_t all_miss;
	bool foreign; /* D alone has it, and nothing ties it to this run */
};

/* ---- streams that only one capture has ------------------------------------
 */

/* Do two streams look like parts of one run: the same hosts or port? */
static bool is_sibling(const struct cd_stream_key *a,
		       const struct cd_stream_key *b)
{
	if (a->protocol != b->protocol || a->address_bytes != b->address_bytes)
		return false;
	return memcmp(a->src, b->src, sizeof(a->src)) == 0 ||
	       memcmp(a->dst, b->dst, sizeof(a->dst)) == 0;
}

/* Streams in common that a foreign one is compared with. */
#define COMPARED_MAX 1024

/* A stream of D alone may be any traffic that carries numbers. */
static bool is_foreign(const struct cd_pair *pair, const struct cd_lane *lane)
{
	size_t compared = 0;

	if (lane->ref != NULL || pair->alone || lane->ref_stream != NULL)
		return false;
	for (size_t i = 0; i < pair->n_lanes && compared < COMPARED_MAX; i++) {
		if (pair->lanes[i].both_have == 0)
			continue;
		if (is_sibling(&lane->dut_stream->key,
			       &pair->lanes[i].dut_stream->key))
			return false;
		compared++;
	}
	return true;
}

static void say_only(struct cd_analysis *analysis, const struct cd_pair *pair,
		     uint64_t n, uint32_t first, bool here)
{
	const char *what = analysis->report->streams[first].what;
	const char *who = here ? "this capture" : "the reference";

	if (n == 0)
		return;
	if (n == 1)
		cd_report_finding(
		    analysis->report, CD_WARNING,
		    here ? "stream_only_here" : "stream_only_in_reference",
		    (int)pair->dut, "only %s has the stream %s", who, what);
	else
		cd_report_finding(
		    analysis->report, CD_WARNING,
		    here ? "stream_only_here" : "stream_only_in_reference",
		    (int)pair->dut,
		    "only %s has %" PRIu64 " of the streams (the first is %s)",
		    who, n, what);
}

static void say_streams(struct cd_analysis *analysis,
			const struct cd_pair *pair)
{
	uint64_t here = 0, there = 0;
	uint32_t first_here = 0, first_there = 0;

	for (size_t i = 0; i < pair->n_lanes; i++) {
		const struct cd_lane *lane = &pair->lanes[i];

		if (i > 0 && pair->lanes[i - 1].stream == lane->stream)
			continue;
		if (lane->ref_stream == NULL && here++ == 0)
			first_here = lane->stream;
		if (lane->dut_stream == NULL && there++ == 0)
			first_there = lane->stream;
	}
	say_only(analysis, pair, here, first_here, true);
	say_only(analysis, pair, there, first_there, false);
}

/* ---- missing in every capture ---------------------------------------------
 */

/* The tracks of this epoch in the reference and all compared captures. */
static size_t gather_tracks(const struct cd_analysis *analysis,
			    const struct cd_lane *lane,
			    const struct cd_track **tracks)
{
	size_t n = 0;

	tracks[n++] = lane->ref;
	for (size_t p = 0; p < analysis->n_pairs; p++) {
		const struct cd_pair *pair = &analysis->pairs[p];

		for (size_t i = 0; i < pair->n_lanes; i++)
			if (pair->lanes[i].ref == lane->ref &&
			    pair->lanes[i].dut != NULL)
				tracks[n++] = pair->lanes[i].dut;
	}
	return n;
}

static int count_all_miss(const struct cd_analysis *analysis,
			  const struct cd_lane *lane, uint64_t *all_miss)
{
	const struct cd_track *tracks[CD_POINTS_MAX];
	struct cd_rows_options options = {
	    .tracks = tracks,
	    .from = lane->a,
	    .to = lane->b,
	    .mode = CD_ROWS_UNION,
	};
	struct cd_rows_block block;
	struct cd_rows *rows;

	*all_miss = lane->both_miss;
	if (analysis->n_points <= 2 || *all_miss == 0)
		return 0;
	options.n = gather_tracks(analysis, lane, tracks);
	rows = cd_rows_new(&options);
	if (rows == NULL)
		return -1;
	*all_miss = (uint64_t)lane->b - (uint64_t)lane->a + 1;
	while (cd_rows_next(rows, &block))
		*all_miss -= block.n;
	cd_rows_free(rows);
	return 0;
}

/* ---- lanes ----------------------------------------------------------------
 */

static int complete_lanes(const struct cd_analysis *analysis,
			  struct cd_pair *pair, struct lane_extra *extra)
{
	const double *theta = cd_edges_theta(pair);

	pair->expected = pair->missing = 0;
	for (size_t i = 0; i < pair->n_lanes; i++) {
		struct cd_lane *lane = &pair->lanes[i];
		struct cd_edges edges = {0};

		if (!pair->numbered)
			continue;
		extra[i].foreign = is_foreign(pair, lane);
		if (cd_edges_count(analysis, pair, theta, lane,
				   extra[i].foreign, &edges))
			return -1;
		extra[i].excluded_ps = edges.excluded_ps;
		if (lane->common && lane->ref != NULL &&
		    count_all_miss(analysis, lane, &extra[i].all_miss))
			return -1;
		pair->expected += lane->expected;
		pair->missing += lane->missing;
	}
	return 0;
}

static void add_lanes(const struct cd_pair *pair,
		      const struct lane_extra *extra, uint32_t stream,
		      struct cd_loss *loss)
{
	*loss = (struct cd_loss){0};
	for (size_t i = 0; i < pair->n_lanes; i++)
		if (stream == CD_NO_STREAM || pair->lanes[i].stream == stream)
			cd_loss_add(loss, &pair->lanes[i], extra[i].excluded_ps,
				    extra[i].all_miss);
}

/* ---- the file's own counters ----------------------------------------------
 */

static void put_counters(struct cd_analysis *analysis,
			 const struct cd_pair *pair, const struct cd_loss *loss)
{
	struct cd_place place = {analysis->report, pair->dut, CD_NO_STREAM};
	const struct cd_point *point = &analysis->points[pair->dut];
	struct cd_file_counter drops = cd_file_drops(point);
	uint64_t cut = 0;

	for (size_t i = 0; i < point->n_streams; i++)
		cut += point->streams[i].cut;
	cd_put_count(&place, "loss.cut", cut);
	cd_put_real(&place, "limit.loss_ratio", analysis->options->loss_ratio);
	if (drops.sum == CD_COUNT_NONE) {
		cd_put_null(&place, "loss.reported_by_file", drops.reason);
		cd_put_null(&place, "loss.unreported", drops.reason);
		return;
	}
	cd_put_count(&place, "loss.reported_by_file", drops.sum);
	if (loss->ambiguous || !pair->numbered)
		cd_put_null(&place, "loss.unreported", "loss not known");
	else
		cd_put_count(
		    &place, "loss.unreported",
		    loss->missing > drops.sum ? loss->missing - drops.sum : 0);
}

/* ---- findings -------------------------------------------------------------
 */

static void say_packets(struct cd_report *report, enum cd_severity severity,
			const char *code, const struct cd_pair *pair,
			uint64_t n, const char *text)
{
	if (n > 0)
		cd_report_finding(report, severity, code, (int)pair->dut,
				  "%s %s", cd_count_words(n, "packet").text,
				  text);
}

static void say_edges(struct cd_report *report, const struct cd_pair *pair,
		      const struct cd_loss *loss)
{
	say_packets(report, CD_NOTE, "head_excluded", pair, loss->head_excluded,
		    "of the reference left out before the common interval: "
		    "nothing shows that this capture was already running");
	say_packets(report, CD_NOTE, "tail_excluded", pair, loss->tail_excluded,
		    "of the reference left out after the common interval: "
		    "nothing shows that this capture was still running");
	say_packets(report, CD_WARNING, "head_lost", pair, loss->head_lost,
		    "before the capture's first one counted as missing: it "
		    "was already running");
	say_packets(report, CD_WARNING, "tail_lost", pair, loss->tail_lost,
		    "after the capture's last one counted as missing: it was "
		    "still running");
}

static void say_reference(struct cd_report *report, const struct cd_pair *pair,
			  const struct cd_loss *loss)
{
	say_packets(report, CD_WARNING, "reference_incomplete", pair,
		    loss->ref_miss,
		    "of this capture missing in the reference itself");
	if (loss->all_miss > 0)
		cd_report_finding(
		    report, CD_NOTE, "missing_everywhere", (int)pair->dut,
		    "%s missing in every capture: probably never sent, or "
		    "lost before the first of them",
		    cd_count_words(loss->all_miss, "number").text);
}

/* Can merging on receipt explain what is missing? A merged frame holds at most
 * 64 KiB of payloads, of which one is matched. */
static bool merge_explains(const struct cd_pair *pair,
			   const struct cd_loss *loss)
{
	uint64_t most = 0;

	for (size_t i = 0; i < pair->n_lanes; i++) {
		const struct cd_stream *r = pair->lanes[i].ref_stream;
		const struct cd_stream *d = pair->lanes[i].dut_stream;

		if (r == NULL || d == NULL || d->offload <= r->offload)
			continue;
		if (i > 0 && pair->lanes[i - 1].dut_stream == d)
			continue;
		most += d->offload *
			(65536 / (r->payload_bytes > 0 ? r->payload_bytes : 1));
	}
	return loss->missing > 0 && loss->missing <= most;
}

static void say_merged(struct cd_report *report, const struct cd_pair *pair,
		       const struct cd_loss *loss)
{
	uint64_t frames = 0;

	for (size_t i = 0; i < pair->n_lanes; i++) {
		const struct cd_stream *d = pair->lanes[i].dut_stream;

		if (d != NULL && (i == 0 || pair->lanes[i - 1].dut_stream != d))
			frames += d->offload;
	}
	if (frames == 0)
		return;
	if (merge_explains(pair, loss))
		cd_report_finding(
		    report, CD_WARNING, CD_CODE_OFFLOAD_MERGE, (int)pair->dut,
		    "%s larger than any on a wire or without IP length: "
		    "receive offload merged packets, which hides their "
		    "numbers and may be all that is missing (switch it off: "
		    "ethtool -K IFACE gro off lro off)",
		    cd_count_words(frames, "frame").text);
	else
		cd_report_finding(
		    report, CD_NOTE, "offload_frames", (int)pair->dut,
		    "%s larger than any on a wire or without IP length: "
		    "segmentation offload at the capture point",
		    cd_count_words(frames, "frame").text);
}

/* The same packets with other lengths: tags, tunnels, padding and FCS differ
 * between points. */
static void say_lengths(struct cd_analysis *analysis,
			const struct cd_pair *pair)
{
	for (size_t i = 0; i < pair->n_lanes; i++) {
		const struct cd_lane *lane = &pair->lanes[i];
		const struct cd_stream *r = lane->ref_stream;
		const struct cd_stream *d = lane->dut_stream;

		if (lane->both_have == 0 || !r->one_size || !d->one_size ||
		    r->frame_bytes == d->frame_bytes)
			continue;
		cd_report_finding(
		    analysis->report, CD_NOTE, "frame_lengths_differ",
		    (int)pair->dut,
		    "frames of %" PRIu32 " bytes here have %" PRIu32
		    " in the reference, whose lengths are used: a VLAN tag, "
		    "tunnel, padding or FCS at one point only",
		    d->frame_bytes, r->frame_bytes);
		return;
	}
}

static void say_numbers(struct cd_analysis *analysis,
			const struct cd_pair *pair, const struct cd_loss *loss)
{
	const struct cd_value *cut =
	    cd_report_find(analysis->report, pair->dut, "loss.cut");

	if (cut != NULL)
		say_packets(analysis->report, CD_WARNING, CD_CODE_NUMBERS_CUT,
			    pair, (uint64_t)cut->integer,
			    "cut before the number (snapshot length too "
			    "short): whether packets are missing cannot be "
			    "known");
	if (loss->ambiguous)
		cd_report_finding(
		    analysis->report, CD_WARNING, CD_CODE_WRAP_AMBIGUOUS,
		    (int)pair->dut,
		    "a gap is so long that the numbers may have wrapped "
		    "around in it: how many packets are missing cannot be "
		    "known");
}

/* ---- the metric -----------------------------------------------------------
 */

static int put_streams(struct cd_analysis *analysis, const struct cd_pair *pair,
		       const struct lane_extra *extra)
{
	for (uint32_t id = 0; id < analysis->report->n_streams; id++) {
		struct cd_place place = {analysis->report, pair->dut, id};
		struct cd_loss loss;

		if (!analysis->shown[id])
			continue;
		add_lanes(pair, extra, id, &loss);
		if (loss.lanes > 0 &&
		    cd_loss_put(&place, analysis, pair, &loss))
			return -1;
	}
	return 0;
}

static int judge_pair(struct cd_analysis *analysis, struct cd_pair *pair)
{
	struct cd_place place = {analysis->report, pair->dut, CD_NO_STREAM};
	struct lane_extra *extra = calloc(pair->n_lanes + 1, sizeof(*extra));
	struct cd_loss loss;
	int result = -1;

	if (extra == NULL || complete_lanes(analysis, pair, extra))
		goto out;
	add_lanes(pair, extra, CD_NO_STREAM, &loss);
	if (cd_loss_put(&place, analysis, pair, &loss) ||
	    put_streams(analysis, pair, extra))
		goto out;
	put_counters(analysis, pair, &loss);
	if (!pair->alone && pair->numbered) {
		say_streams(analysis, pair);
		say_reference(analysis->report, pair, &loss);
		say_merged(analysis->report, pair, &loss);
		say_lengths(analysis, pair);
	}
	say_edges(analysis->report, pair, &loss);
	say_numbers(analysis, pair, &loss);
	result = 0;
out:
	free(extra);
	return result;
}

static int run_loss(struct cd_analysis *analysis, struct cd_error *error)
{
	for (size_t i = 0; i < analysis->n_pairs; i++)
		if (judge_pair(analysis, &analysis->pairs[i]))
			return cd_error_memory(error);
	return 0;
}

const struct cd_metric cd_metric_loss = {"loss", run_loss};
