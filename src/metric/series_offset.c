/* clock.offset: the other clock against the reference's, and its steps. */
#include <math.h>
#include <stdlib.h>

#include "metric/series.h"
#include "metric/walk.h"
#include "report/series.h"
#include "stat/order.h"

#define SAMPLES 128

/* One part of the time; of more than SAMPLES packets every 2nd, every 4th ...
 * stands for the median. */
struct bucket {
	uint64_t n, every;
	size_t kept;
	int64_t low, high;
	int64_t samples[SAMPLES];
};

struct offsets {
	const struct cd_pair *pair;
	int64_t from_x, to_x;
	size_t n;
	struct bucket *buckets;
};

static void add(struct bucket *b, int64_t ps)
{
	if (b->n == 0 || ps < b->low)
		b->low = ps;
	if (b->n == 0 || ps > b->high)
		b->high = ps;
	if (b->every == 0)
		b->every = 1;
	if (b->n++ % b->every != 0)
		return;
	if (b->kept == SAMPLES) {
		for (size_t i = 0; i < SAMPLES / 2; i++)
			b->samples[i] = b->samples[2 * i];
		b->kept = SAMPLES / 2;
		b->every *= 2;
		if ((b->n - 1) % b->every != 0)
			return;
	}
	b->samples[b->kept++] = ps;
}

/* Each lane's own offset at x = 0 is its zero: that of a stream whose packets
 * take longer is no matter of the clock. */
static int collect(struct offsets *o)
{
	struct cd_walk walk;
	struct cd_walk_block block;
	int got;

	if (cd_walk_init(&walk, o->pair, 0, o->pair->n_lanes))
		return -1;
	while ((got = cd_walk_next(&walk, &block)) == 1) {
		int64_t zero =
		    cd_round_ps(o->pair->lanes[block.lane].theta_ps[0]);

		for (size_t i = 0; i < block.n; i++)
			add(&o->buckets[cd_series_bucket(
				block.x_ps[i], o->from_x, o->to_x, o->n)],
			    cd_minus(block.d_ps[i], zero));
	}
	cd_walk_release(&walk);
	return got;
}

/* Rows of the lanes lie between these. */
static int find_ends(struct offsets *o)
{
	struct cd_walk walk;
	struct cd_walk_block block;
	int got;

	o->from_x = INT64_MAX;
	o->to_x = INT64_MIN;
	if (cd_walk_init(&walk, o->pair, 0, o->pair->n_lanes))
		return -1;
	while ((got = cd_walk_next(&walk, &block)) == 1)
		for (size_t i = 0; i < block.n; i++) {
			int64_t x = block.x_ps[i];

			o->from_x = x < o->from_x ? x : o->from_x;
			o->to_x = x > o->to_x ? x : o->to_x;
		}
	cd_walk_release(&walk);
	return got;
}

/* The fitted line of the lane with the most packets. */
static int64_t line_at(const struct cd_pair *pair, int64_t x)
{
	const struct cd_clock *clock = &pair->clock;
	size_t segment = cd_clock_segment(clock, x);
	double step = 0;

	for (size_t i = 0; i < segment; i++)
		step += clock->steps[i].size_ps;
	return cd_round_ps(clock->y * (double)x + step);
}

static void put(const struct cd_analysis *analysis, struct offsets *o)
{
	const struct cd_pair *pair = o->pair;
	int64_t start = cd_minus(pair->clock.x0_ps,
				 analysis->points[pair->ref].first_ps);
	struct cd_report *report = analysis->report;
	struct cd_series *s =
	    cd_report_series(report, pair->dut, "clock.offset");
	double width =
	    ((double)cd_minus(o->to_x, o->from_x) + 1.0) / (double)o->n;

	for (size_t i = 0; i < o->n; i++) {
		struct bucket *b = &o->buckets[i];
		int64_t x = cd_plus(o->from_x,
				    cd_round_ps(((double)i + 0.5) * width));

		if (b->n == 0 || !cd_series_add(report, s))
			continue;
		cd_series_span(s, 0, cd_plus(x, start));
		cd_series_span(s, 1, b->low);
		cd_series_span(s, 2, cd_median_i64(b->samples, b->kept));
		cd_series_span(s, 3, b->high);
		cd_series_span(s, 4, line_at(pair, x));
	}
	if (s != NULL)
		s->of = pair->matched;
}

static void put_steps(const struct cd_analysis *analysis,
		      const struct cd_pair *pair)
{
	const struct cd_clock *clock = &pair->clock;
	int64_t start = cd_minus(clock->x0_ps,
				 analysis->points[pair->ref].first_ps);
	struct cd_report *report = analysis->report;
	struct cd_series *s;

	if (clock->n_steps == 0)
		return;
	s = cd_report_series(report, pair->dut, "clock.step");
	for (size_t i = 0; i < clock->n_steps; i++) {
		const struct cd_step *step = &clock->steps[i];

		if (!cd_series_add(report, s))
			return;
		cd_series_span(s, 0, cd_plus(step->x_ps, start));
		cd_series_span(s, 1, cd_round_ps(step->size_ps));
		if (step->seq >= 0)
			cd_series_count(s, 2, (uint64_t)step->seq);
	}
}

int cd_series_offset(const struct cd_analysis *analysis,
		     const struct cd_pair *pair)
{
	struct offsets o = {.pair = pair};
	uint64_t n = pair->matched;
	int failed;

	if (n == 0 || !cd_walk_fits(pair))
		return 0;
	o.n = n < CD_SERIES_MAX ? (size_t)n : CD_SERIES_MAX;
	o.buckets = calloc(o.n, sizeof(*o.buckets));
	failed = o.buckets == NULL || find_ends(&o) || collect(&o);
	if (!failed) {
		put(analysis, &o);
		put_steps(analysis, pair);
	}
	free(o.buckets);
	return failed ? -1 : 0;
}
