/*
 * A capture without a reference: against the ideal cadence of its own numbers,
 * and against the times that the sender wrote into the packets (METRICS 6).
 */
#include <math.h>
#include <stdlib.h>

#include "base/time.h"
#include "metric/clock.h"
#include "metric/ideal.h"
#include "metric/metric.h"
#include "metric/numbers.h"
#include "metric/physics.h"
#include "metric/quantity.h"
#include "metric/sample.h"
#include "metric/walk.h"

/* ---- rows of a lane -------------------------------------------------------
 */

typedef int use_row(void *context, int64_t seq, int64_t time_ps);

/* Every first copy of the lane's interval with a valid time, by rising
 * number. */
static int each_row(const struct cd_lane *lane, use_row *use, void *context)
{
	struct cd_track_reader *reader =
	    cd_track_reader_new(lane->dut, CD_ORDER_SEQ, CD_COLUMN_TIME);
	struct cd_block block;
	int result = 0;

	if (reader == NULL)
		return -1;
	while (result == 0 && cd_track_reader_next(reader, &block) == 1)
		for (size_t i = 0; i < block.n && result == 0; i++)
			if (block.time_ps[i] != CD_TIME_NONE &&
			    block.seq[i] >= lane->a && block.seq[i] <= lane->b)
				result = use(context, block.seq[i],
					     block.time_ps[i]);
	cd_track_reader_free(reader);
	return result;
}

/* ---- cadence (6.1) --------------------------------------------------------
 */

/* The line through the first and the last row: span/numbers ps a number. */
struct cadence {
	struct cd_ideal ideal;
	bool any;
	int64_t first_seq, last_seq;
	int64_t first_ps, last_ps;
};

static int find_ends(void *context, int64_t seq, int64_t time_ps)
{
	struct cadence *c = context;

	if (!c->any) {
		c->first_seq = seq;
		c->first_ps = time_ps;
	}
	c->any = true;
	c->last_seq = seq;
	c->last_ps = time_ps;
	return 0;
}

static int add_ideal(void *context, int64_t seq, int64_t time_ps)
{
	struct cadence *c = context;
	__int128 span = (__int128)c->last_ps - c->first_ps;
	__int128 numbers = (__int128)c->last_seq - c->first_seq;
	__int128 at = ((__int128)seq - c->first_seq) * span / numbers;

	(void)time_ps;
	return cd_ideal_add(&c->ideal, seq, c->first_ps + (int64_t)at);
}

/* Constant rate: the floors stay inside what single packets scatter by. */
static bool is_constant(const struct cd_clock *clock,
			const struct cd_measured *m)
{
	size_t off = 0;

	for (size_t b = 0; b < clock->n_blocks; b++)
		off += fabs(clock->blocks[b].floor_ps) > (double)m->span_ps / 2;
	return off * 20 <= clock->n_blocks;
}

static int64_t shortest_delta(const struct cd_sample_times *times)
{
	int64_t shortest = INT64_MAX;

	for (size_t i = 1; i < times->n; i++) {
		int64_t delta = cd_wrap_minus(times->ps[i], times->ps[i - 1]);

		if (cd_follows(times->seq[i - 1], times->seq[i]) &&
		    delta < shortest)
			shortest = delta;
	}
	return shortest;
}

/* Frames back to back on the wire, at a mean interval that needs none: it was
 * the sender that made batches. Those that the capture makes of an even stream
 * are closer than a wire allows. 1, 0, or -1 without memory. */
static int is_sent_in_bursts(const struct cd_analysis *analysis,
			     const struct cd_pair *pair, double interval_ps)
{
	struct cd_sample_times times;
	double share;
	int result = -1;

	if (cd_sample_take(&times, &analysis->points[pair->dut]) == 0) {
		share = cd_physics_back_to_back(&times, analysis->options,
						analysis->link_bps,
						pair->tick_ps);
		result = share >= 0.05 &&
			 interval_ps > 1.5 * (double)shortest_delta(&times);
	}
	cd_sample_release(&times);
	return result;
}

static void put_no_cadence(const struct cd_place *place, const char *reason)
{
	cd_put_null(place, "cadence.interval_ns", reason);
	cd_put_null(place, "cadence.span_ns", reason);
	cd_put_null(place, "cadence.max_ns", reason);
	cd_put_null(place, "cadence.wander_ns", reason);
}

static double mean_interval(const struct cadence *c)
{
	return ((double)c->last_ps - (double)c->first_ps) /
	       ((double)c->last_seq - (double)c->first_seq);
}

/* 1; 0: *reason says why not; -1: no memory. */
static int is_cadence(const struct cd_analysis *analysis,
		      const struct cd_pair *pair, const struct cadence *c,
		      const struct cd_measured *m, const char **reason)
{
	int bursts;

	if (m->fast.n < 1000) {
		*reason = "n<1000";
		return 0;
	}
	bursts = is_sent_in_bursts(analysis, pair, mean_interval(c));
	*reason = "not_cbr";
	return bursts < 0 ? -1 : !bursts && is_constant(&c->ideal.pair.clock, m);
}

static void put_cadence(const struct cd_place *place, const struct cadence *c,
			const struct cd_measured *m)
{
	const struct cd_clock *clock = &c->ideal.pair.clock;
	double interval = mean_interval(c);

	cd_put_span(place, "cadence.interval_ns",
		    cd_round_ps(interval * (1 + clock->y)));
	cd_put_percentile(place, "cadence.span_ns", m->span_ps, m->fast.n,
			  99900);
	cd_put_extreme(place, "cadence.max_ns", m->fast.max, m->fast.n);
	cd_put_span(place, "cadence.wander_ns",
		    cd_round_ps(cd_clock_wander(clock)));
}

static int against_cadence(const struct cd_analysis *analysis,
			   const struct cd_pair *pair,
			   const struct cd_lane *lane)
{
	struct cd_place place = {analysis->report, pair->dut, CD_NO_STREAM};
	struct cadence c = {.any = false};
	struct cd_measured m;
	const char *reason = "n<50";
	int got = -1;

	if (cd_ideal_init(&c.ideal, pair, lane) < 0 ||
	    each_row(lane, find_ends, &c) < 0)
		goto out;
	if (!c.any || c.first_seq == c.last_seq) {
		put_no_cadence(&place, reason);
		got = 0;
		goto out;
	}
	if (each_row(lane, add_ideal, &c) < 0)
		goto out;
	got = cd_ideal_measure(&c.ideal, analysis->options, &m, &reason);
	if (got == 1)
		got = is_cadence(analysis, pair, &c, &m, &reason);
	if (got == 1)
		put_cadence(&place, &c, &m);
	else if (got == 0)
		put_no_cadence(&place, reason);
out:
	cd_ideal_release(&c.ideal);
	return got < 0 ? -1 : 0;
}

/* ---- the metric -----------------------------------------------------------
 */

static int cadence_alone(const struct cd_analysis *analysis,
			 const struct cd_pair *pair)
{
	struct cd_place place = {analysis->report, pair->dut, CD_NO_STREAM};
	const struct cd_lane *lane = cd_ideal_lane(pair);

	if (lane == NULL) {
		put_no_cadence(&place, "not one numbered stream");
		return 0;
	}
	return against_cadence(analysis, pair, lane);
}

static int run(struct cd_analysis *analysis, struct cd_error *error)
{
	for (size_t i = 0; i < analysis->n_pairs; i++)
		if (analysis->pairs[i].alone &&
		    cadence_alone(analysis, &analysis->pairs[i]) < 0)
			return cd_error_memory(error);
	return 0;
}

const struct cd_metric cd_metric_cadence = {"cadence", run};
