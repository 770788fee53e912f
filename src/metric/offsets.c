#include "metric/offsets.h"

#include <stdlib.h>

#include "align/track.h"
#include "base/time.h"
#include "metric/lanes.h"
#include "report/series.h"
#include "stat/order.h"

#define SAMPLES 128

/* Of more than SAMPLES packets every 2nd, every 4th ... stands for the median.
 */
struct cd_offset_bucket {
	uint64_t n;
	uint32_t every, kept;
	int64_t low, high;
	int64_t samples[SAMPLES];
};

/* ---- range of time --------------------------------------------------------
 */

struct range {
	int64_t from, to;
};

static void widen(struct range *range, int64_t ps)
{
	if (ps == CD_TIME_NONE)
		return;
	range->from = ps < range->from ? ps : range->from;
	range->to = ps > range->to ? ps : range->to;
}

/* Reference times inside the common interval, whatever their order. */
static int scan_lane(const struct cd_lane *lane, struct range *range)
{
	struct cd_track_reader *reader =
	    cd_track_reader_new(lane->ref, CD_ORDER_SEQ, CD_COLUMN_TIME);
	struct cd_block block;

	if (reader == NULL)
		return -1;
	cd_track_reader_seek(reader, lane->a);
	while (cd_track_reader_next(reader, &block) == 1 &&
	       block.seq[0] <= lane->b)
		for (size_t i = 0; i < block.n && block.seq[i] <= lane->b; i++)
			widen(range, block.time_ps[i]);
	cd_track_reader_free(reader);
	return 0;
}

int cd_offsets_init(struct cd_offsets *offsets, const struct cd_pair *pair)
{
	uint64_t n = pair->matched;
	struct range range = {INT64_MAX, INT64_MIN};
	int64_t span;

	*offsets = (struct cd_offsets){
	    .pair = pair,
	    .n = n < CD_SERIES_MAX ? (size_t)n : CD_SERIES_MAX,
	};
	offsets->buckets = calloc(offsets->n + 1, sizeof(*offsets->buckets));
	if (offsets->buckets == NULL)
		return -1;
	for (size_t i = 0; i < pair->n_lanes; i++)
		if (pair->lanes[i].matched > 0 &&
		    scan_lane(&pair->lanes[i], &range))
			return -1;
	if (range.from > range.to)
		range.from = range.to = pair->clock.x0_ps;
	span = cd_minus(range.to, range.from);
	offsets->from_x_ps = cd_minus(range.from, pair->clock.x0_ps);
	offsets->width_ps = span / (int64_t)(offsets->n + (n == 0)) + 1;
	return 0;
}

void cd_offsets_release(struct cd_offsets *offsets)
{
	free(offsets->buckets);
	*offsets = (struct cd_offsets){0};
}

/* ---- rows -----------------------------------------------------------------
 */

/* Every second one goes where there is no room for more. */
static void thin_out(struct cd_offset_bucket *b)
{
	for (size_t i = 0; i < SAMPLES / 2; i++)
		b->samples[i] = b->samples[2 * i];
	b->kept = SAMPLES / 2;
	b->every *= 2;
}

static void keep(struct cd_offset_bucket *b, int64_t ps)
{
	if (b->kept == SAMPLES) {
		thin_out(b);
		if ((b->n & (b->every - 1)) != 0)
			return;
	}
	b->samples[b->kept++] = ps;
}

static void add(struct cd_offset_bucket *b, int64_t ps)
{
	if (b->n == 0) {
		b->low = b->high = ps;
		b->every = 1;
	}
	b->low = ps < b->low ? ps : b->low;
	b->high = ps > b->high ? ps : b->high;
	if ((b->n & (b->every - 1)) == 0)
		keep(b, ps);
	b->n++;
}

static size_t bucket_of(const struct cd_offsets *offsets, int64_t x_ps)
{
	int64_t at = cd_minus(x_ps, offsets->from_x_ps) / offsets->width_ps;

	return at < (int64_t)offsets->n ? (size_t)at : offsets->n - 1;
}

/* Steps up to x, together. */
static double steps_at(const struct cd_clock *clock, size_t segment)
{
	double step = 0;

	for (size_t i = 0; i < segment; i++)
		step += clock->steps[i].size_ps;
	return step;
}

/* Each lane's own offset at x = 0 is its zero: that of a stream whose packets
 * take longer is no matter of the clock. One that begins after a step has none
 * there, but for what the steps since then were. */
static int64_t zero_of(const struct cd_pair *pair,
		       const struct cd_walk_block *block)
{
	size_t segment = cd_clock_segment(&pair->clock, block->x_ps[0]);

	return cd_round_ps(pair->lanes[block->lane].theta_ps[segment] -
			   steps_at(&pair->clock, segment));
}

void cd_offsets_add(struct cd_offsets *offsets,
		    const struct cd_walk_block *block)
{
	int64_t zero;

	if (block->row == 0)
		offsets->zero_ps = zero_of(offsets->pair, block);
	zero = offsets->zero_ps;
	for (size_t i = 0; i < block->n;) {
		size_t at = bucket_of(offsets, block->x_ps[i]);
		struct cd_offset_bucket *b = &offsets->buckets[at];
		int64_t from =
		    offsets->from_x_ps + (int64_t)at * offsets->width_ps;

		do
			add(b, cd_minus(block->d_ps[i], zero));
		while (++i < block->n && block->x_ps[i] >= from &&
		       block->x_ps[i] - from < offsets->width_ps);
	}
}

/* ---- the series -----------------------------------------------------------
 */

void cd_offsets_put(struct cd_offsets *offsets,
		    const struct cd_analysis *analysis)
{
	const struct cd_pair *pair = offsets->pair;
	const struct cd_clock *clock = &pair->clock;
	int64_t start =
	    cd_minus(clock->x0_ps, analysis->points[pair->ref].first_ps);
	struct cd_report *report = analysis->report;
	struct cd_series *s =
	    cd_report_series(report, pair->dut, "clock.offset");

	for (size_t i = 0; i < offsets->n; i++) {
		struct cd_offset_bucket *b = &offsets->buckets[i];
		int64_t x = offsets->from_x_ps +
			    (int64_t)i * offsets->width_ps +
			    offsets->width_ps / 2;
		double line = clock->y * (double)x +
			      steps_at(clock, cd_clock_segment(clock, x));

		if (b->n == 0 || !cd_series_add(report, s))
			continue;
		cd_series_span(s, 0, cd_plus(x, start));
		cd_series_span(s, 1, b->low);
		cd_series_span(s, 2, cd_median_i64(b->samples, b->kept));
		cd_series_span(s, 3, b->high);
		cd_series_span(s, 4, cd_round_ps(line));
	}
	if (s != NULL)
		s->of = pair->matched;
}
