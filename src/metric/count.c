#include "metric/count.h"

#include <stdlib.h>
#include <string.h>

#include "metric/lanes.h"
#include "metric/put.h"

/* Rows are looked at in chunks of this many: most hold nothing special. */
#define CHUNK 64

struct counter {
	struct cd_row_count *out;
	struct cd_gap_scan gaps;
	const struct cd_lane_rows *rows;
	bool alone;	  /* D without reference: numbers absent are gaps */
	bool times_valid; /* no invalid time in either stream */
	bool any;	  /* a number was seen */
	int64_t last_seq;
};

static void note_ref_time(struct cd_row_count *out, int64_t ps)
{
	if (ps == CD_TIME_NONE)
		return;
	if (out->ref_from_ps == CD_TIME_NONE)
		out->ref_from_ps = ps;
	out->ref_to_ps = ps;
}

static void note_match(struct cd_row_count *out, int64_t ref_ps, int64_t dut_ps)
{
	int64_t offset;

	if (ref_ps == CD_TIME_NONE || dut_ps == CD_TIME_NONE)
		return;
	out->matched++;
	if (!out->same_offset)
		return;
	offset = cd_minus(dut_ps, ref_ps);
	if (out->matched == 1)
		out->offset_ps = offset;
	out->same_offset = offset == out->offset_ps;
}

/* ---- one row --------------------------------------------------------------
 */

static void count_paired(struct counter *c, size_t i)
{
	const struct cd_lane_rows *rows = c->rows;
	int64_t seq = rows->block.seq[i];

	switch (cd_lane_rows_mask(rows, i)) {
	case CD_HAS_REF | CD_HAS_DUT:
		c->out->both++;
		note_ref_time(c->out, rows->ref_ps[i]);
		note_match(c->out, rows->ref_ps[i], rows->dut_ps[i]);
		cd_gap_received(&c->gaps, 1, rows->ref_ps[i], rows->ref_ps[i]);
		break;
	case CD_HAS_REF:
		c->out->ref_only++;
		note_ref_time(c->out, rows->ref_ps[i]);
		cd_gap_lost(&c->gaps, seq, 1, rows->ref_ps[i]);
		break;
	default:
		c->out->dut_only++;
		cd_gap_received(&c->gaps, 1, CD_TIME_NONE, CD_TIME_NONE);
	}
}

static void count_alone(struct counter *c, size_t i)
{
	const struct cd_lane_rows *rows = c->rows;
	int64_t seq = rows->block.seq[i], ps = rows->dut_ps[i];

	uint64_t n = (uint64_t)seq - (uint64_t)c->last_seq - 1;

	if (c->any && n > 0) {
		cd_gap_lost(&c->gaps, c->last_seq + 1, n, CD_TIME_NONE);
		c->out->ref_only += n;
	}
	c->any = true;
	c->last_seq = seq;
	c->out->dut_only++;
	note_ref_time(c->out, ps);
	cd_gap_received(&c->gaps, 1, ps, ps);
}

/* ---- many rows at once ----------------------------------------------------
 */

/* Are the rows from..from+n-1 in both captures? Any 64 masks are enough to
 * decide with one branch. */
static bool all_have(const uint64_t *mask, size_t n)
{
	uint64_t all = CD_HAS_REF | CD_HAS_DUT;

	for (size_t i = 0; i < n; i++)
		all &= mask[i];
	return all == (CD_HAS_REF | CD_HAS_DUT);
}

/* Offsets of a chunk against the first one. */
static void compare_offsets(struct cd_row_count *out, const int64_t *ref_ps,
			    const int64_t *dut_ps, size_t n)
{
	if (out->matched == 0 && n > 0)
		out->offset_ps = cd_minus(dut_ps[0], ref_ps[0]);
	for (size_t i = 0; i < n && out->same_offset; i++)
		out->same_offset =
		    cd_minus(dut_ps[i], ref_ps[i]) == out->offset_ps;
}

static void count_full_chunk(struct counter *c, size_t at, size_t n)
{
	const int64_t *ref_ps = c->rows->ref_ps + at;
	const int64_t *dut_ps = c->rows->dut_ps + at;

	compare_offsets(c->out, ref_ps, dut_ps, n);
	c->out->both += n;
	c->out->matched += n;
	note_ref_time(c->out, ref_ps[0]);
	note_ref_time(c->out, ref_ps[n - 1]);
	cd_gap_received(&c->gaps, n, ref_ps[0], ref_ps[n - 1]);
}

static bool is_full_chunk(const struct counter *c, size_t at, size_t n)
{
	return c->rows->both && c->times_valid &&
	       all_have(c->rows->block.mask + at, n);
}

/* Numbers without a gap, also not to those before. */
static bool is_unbroken_chunk(const struct counter *c, size_t at, size_t n)
{
	const int64_t *seq = c->rows->block.seq + at;

	return c->any && (uint64_t)seq[0] - (uint64_t)c->last_seq == 1 &&
	       (uint64_t)seq[n - 1] - (uint64_t)seq[0] == n - 1;
}

static void count_unbroken_chunk(struct counter *c, size_t at, size_t n)
{
	const int64_t *ps = c->rows->dut_ps + at;

	c->last_seq = c->rows->block.seq[at + n - 1];
	c->out->dut_only += n;
	for (size_t i = 0; i < n; i++)
		note_ref_time(c->out, ps[i]);
	cd_gap_received(&c->gaps, n, ps[0], ps[n - 1]);
}

static void count_chunk(struct counter *c, size_t at, size_t n)
{
	if (is_full_chunk(c, at, n)) {
		count_full_chunk(c, at, n);
	} else if (!c->alone) {
		for (size_t i = at; i < at + n; i++)
			count_paired(c, i);
	} else if (is_unbroken_chunk(c, at, n)) {
		count_unbroken_chunk(c, at, n);
	} else {
		for (size_t i = at; i < at + n; i++)
			count_alone(c, i);
	}
}

static void count_block(struct counter *c)
{
	size_t n = c->rows->block.n;

	for (size_t at = 0; at < n; at += CHUNK)
		count_chunk(c, at, n - at < CHUNK ? n - at : CHUNK);
}

int cd_count_rows(const struct cd_lane *lane, int64_t from, int64_t to,
		  struct cd_histogram *spacing, struct cd_row_count *count)
{
	struct cd_lane_rows rows;
	struct counter c = {
	    .out = count,
	    .rows = &rows,
	    .alone = lane->ref == NULL && lane->common,
	    .times_valid = lane->ref_stream != NULL &&
			   lane->dut_stream != NULL &&
			   lane->ref_stream->invalid_times == 0 &&
			   lane->dut_stream->invalid_times == 0,
	};

	*count = (struct cd_row_count){
	    .ref_from_ps = CD_TIME_NONE,
	    .ref_to_ps = CD_TIME_NONE,
	    .same_offset = true,
	};
	cd_gap_scan_init(&c.gaps, &count->gaps, spacing);
	if (cd_lane_rows_open(&rows, lane, from, to, CD_COLUMN_TIME))
		return -1;
	while (cd_lane_rows_next(&rows))
		count_block(&c);
	cd_lane_rows_close(&rows);
	cd_gap_scan_end(&c.gaps);
	count->same_offset &= count->matched > 0;
	return 0;
}

/* ---- the metric -----------------------------------------------------------
 */

static void fill_lane(struct cd_lane *lane, const struct cd_row_count *count)
{
	uint64_t numbers = (uint64_t)lane->b - (uint64_t)lane->a + 1;

	lane->matched = count->matched;
	lane->both_have = count->both;
	lane->dut_has = count->both + count->dut_only;
	lane->missing = count->ref_only;
	lane->ref_from_ps = count->ref_from_ps;
	lane->ref_to_ps = count->ref_to_ps;
	lane->gaps = count->gaps;
	if (lane->ref == NULL) {
		lane->expected = numbers;
		return;
	}
	lane->ref_has = count->both + count->ref_only;
	lane->expected = lane->ref_has;
	lane->ref_miss = count->dut_only;
	lane->both_miss =
	    numbers - count->both - count->ref_only - count->dut_only;
}

static void put_spacing(struct cd_report *report, uint32_t point,
			const struct cd_histogram *spacing)
{
	uint64_t n = spacing->moments.n;
	double p10, p50, p90;

	if (n < 10) {
		cd_report_null(report, point, "loss.run_spacing_p50_ns",
			       "n<10");
		cd_report_null(report, point, "loss.run_spacing_spread",
			       "n<10");
		return;
	}
	p10 = (double)cd_histogram_percentile(spacing, 10000);
	p50 = (double)cd_histogram_percentile(spacing, 50000);
	p90 = (double)cd_histogram_percentile(spacing, 90000);
	cd_put_n(cd_report_span(report, point, "loss.run_spacing_p50_ns",
				cd_histogram_percentile(spacing, 50000)),
		 n);
	cd_report_real(report, point, "loss.run_spacing_spread",
		       (p90 - p10) / p50);
}

static void say_same_capture(struct cd_analysis *analysis,
			     const struct cd_pair *pair)
{
	cd_report_finding(analysis->report, CD_WARNING, "same_capture",
			  (int)pair->dut,
			  "every offset is exactly zero: the two files may be "
			  "the same capture");
}

/* Number of packets, and whether every one of them has both stamps alike. */
struct sameness {
	bool same;
	uint64_t matched;
};

static void judge_sameness(struct sameness *sameness,
			   const struct cd_row_count *count, int64_t base_ps)
{
	sameness->matched += count->matched;
	if (count->both > 0 &&
	    (!count->same_offset || cd_plus(count->offset_ps, base_ps) != 0))
		sameness->same = false;
}

static int count_lanes(struct cd_analysis *analysis, struct cd_pair *pair,
		       struct cd_histogram *spacing)
{
	struct sameness sameness = {.same = true};
	int64_t base = cd_base_between(&analysis->points[pair->ref],
				       &analysis->points[pair->dut]);

	for (size_t i = 0; i < pair->n_lanes; i++) {
		struct cd_lane *lane = &pair->lanes[i];
		struct cd_row_count count;

		if (!lane->common)
			continue;
		if (cd_count_rows(lane, lane->a, lane->b, spacing, &count))
			return -1;
		fill_lane(lane, &count);
		judge_sameness(&sameness, &count, base);
		pair->matched += lane->matched;
		pair->both_have += lane->both_have;
		pair->expected += lane->expected;
		pair->missing += lane->missing;
	}
	if (sameness.same && sameness.matched >= 2)
		say_same_capture(analysis, pair);
	return 0;
}

static int run_count(struct cd_analysis *analysis, struct cd_error *error)
{
	struct cd_histogram spacing;
	int result = 0;

	for (size_t i = 0; result == 0 && i < analysis->n_pairs; i++) {
		struct cd_pair *pair = &analysis->pairs[i];

		if (cd_histogram_init(&spacing, 7))
			return cd_error_memory(error);
		result = count_lanes(analysis, pair, &spacing);
		put_spacing(analysis->report, pair->dut, &spacing);
		cd_histogram_release(&spacing);
	}
	return result == 0 ? 0 : cd_error_memory(error);
}

const struct cd_metric cd_metric_count = {"count", run_count};
