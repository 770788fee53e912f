/*
 * The smallest delta to interpret, and, with --clock, the compared clock as an instrument (METRICS 5). MTIE of the
 * residual r, steps taken out, at some window lengths, and TDEV of the floors.
 */
#include <math.h>
#include <stdlib.h>

#include "base/time.h"
#include "metric/clock.h"
#include "metric/metric.h"
#include "metric/put.h"
#include "metric/walk.h"
#include "report/series.h"
#include "report/text.h"
#include "stat/blocks.h"
#include "stat/mtie.h"
#include "stat/steps.h"
#include "stat/tdev.h"

/* ---- MTIE -----------------------------------------------------------------
 */

struct window {
	const char *key;
	int64_t tau_ps;
};

static const struct window windows[] = {
    {"clock.mtie_100us_ns", 100 * CD_PS_PER_US},
    {"clock.mtie_1ms_ns", CD_PS_PER_MS},
    {"clock.mtie_10ms_ns", 10 * CD_PS_PER_MS},
    {"clock.mtie_100ms_ns", 100 * CD_PS_PER_MS},
    {"clock.mtie_1s_ns", CD_PS_PER_S},
    {"clock.mtie_10s_ns", 10 * CD_PS_PER_S},
    {"clock.mtie_100s_ns", 100 * CD_PS_PER_S},
};
#define N_WINDOWS (sizeof(windows) / sizeof(windows[0]))

/* Longer windows than half of the run see too little of it. */
static size_t count_windows(const struct cd_pair *pair)
{
	size_t n = 0;

	while (n < N_WINDOWS &&
	       windows[n].tau_ps <= pair->clock.x_span_ps / 2)
		n++;
	return n;
}

static void fill_residuals(const struct cd_pair *pair,
			   const struct cd_walk_block *block, int64_t *r)
{
	const double *thetas = pair->lanes[block->lane].theta_ps;
	size_t segment, end;

	for (size_t i = 0; i < block->n; i = end) {
		end = cd_walk_piece(&pair->clock, block, i, &segment);
		for (size_t k = i; k < end; k++)
			r[k] = cd_round_ps(cd_residual(block->x_ps[k],
						       block->d_ps[k],
						       pair->clock.y) -
					   thetas[segment]);
	}
}

static int measure(const struct cd_pair *pair, struct cd_mtie *mties, size_t n,
		   int64_t *r)
{
	struct cd_walk walk;
	struct cd_walk_block block;
	int got;

	if (cd_walk_init(&walk, pair, 0, pair->n_lanes) < 0)
		return -1;
	while ((got = cd_walk_next(&walk, &block)) == 1) {
		fill_residuals(pair, &block, r);
		for (size_t i = 0; i < n && got == 1; i++) {
			if (block.row == 0)
				cd_mtie_break(&mties[i]);
			if (cd_mtie_add(&mties[i], block.x_ps, r, block.n))
				got = -1;
		}
		if (got < 0)
			break;
	}
	cd_walk_release(&walk);
	return got;
}

static void put_mtie(struct cd_report *report, const struct cd_pair *pair,
		     const struct cd_mtie *mties, size_t n)
{
	struct cd_place place = {report, pair->dut, CD_NO_STREAM};
	struct cd_series *series =
	    cd_report_series(report, pair->dut, "clock.mtie");

	for (size_t i = 0; i < N_WINDOWS; i++) {
		int64_t worst;

		if (i >= n) {
			cd_put_null(&place, windows[i].key,
				    "over half of the run");
			continue;
		}
		worst = mties[i].worst > INT64_MAX ? INT64_MAX
						   : (int64_t)mties[i].worst;
		cd_put_span(&place, windows[i].key, worst);
		if (!cd_series_add(report, series))
			continue;
		cd_series_span(series, 0, windows[i].tau_ps);
		cd_series_span(series, 1, worst);
	}
}

static int find_mtie(struct cd_report *report, const struct cd_pair *pair)
{
	struct cd_mtie mties[N_WINDOWS];
	int64_t *r = malloc(CD_BLOCK_ROWS * sizeof(*r));
	size_t n = count_windows(pair);
	int result;

	for (size_t i = 0; i < n; i++)
		cd_mtie_init(&mties[i], windows[i].tau_ps);
	result = r == NULL ? -1 : measure(pair, mties, n, r);
	if (result == 0)
		put_mtie(report, pair, mties, n);
	for (size_t i = 0; i < n; i++)
		cd_mtie_release(&mties[i]);
	free(r);
	return result;
}

/* ---- TDEV -----------------------------------------------------------------
 */

/* Floors of one lane on a grid of as many points, at the middles of equal
 * parts of the run; NAN where no block is near. */
struct grid {
	const struct cd_clock_block *blocks; /* of the lane */
	size_t n;
	double from_ps, step_ps;
};

static struct grid grid_of(const struct cd_pair *pair)
{
	const struct cd_clock *clock = &pair->clock;
	const struct cd_lane *lane = cd_clock_main_lane(pair);
	struct grid g = {.blocks = clock->blocks};
	double length;

	while (g.n == 0 && g.blocks < clock->blocks + clock->n_blocks &&
	       &pair->lanes[g.blocks->lane] != lane)
		g.blocks++;
	while (g.blocks + g.n < clock->blocks + clock->n_blocks &&
	       &pair->lanes[g.blocks[g.n].lane] == lane)
		g.n++;
	if (g.n < 2)
		return g;
	/* from middle to middle are n - 1 parts */
	length = g.blocks[g.n - 1].x_mid_ps - g.blocks[0].x_mid_ps;
	g.step_ps = length / (double)(g.n - 1);
	g.from_ps = g.blocks[0].x_mid_ps;
	return g;
}

/* Between the blocks a and a + 1; a gap of more than two parts is not
 * bridged. */
static double value_at(const struct grid *g, size_t a, double x)
{
	const struct cd_clock_block *before = &g->blocks[a];
	const struct cd_clock_block *after = before + 1;
	double way = after->x_mid_ps - before->x_mid_ps;

	if (!(way > 0) || way > 2 * g->step_ps)
		return NAN;
	return before->floor_ps + (after->floor_ps - before->floor_ps) *
				      ((x - before->x_mid_ps) / way);
}

static void fill_grid(const struct grid *g, double *values)
{
	size_t a = 0;

	for (size_t i = 0; i < g->n; i++) {
		double x = g->from_ps + (double)i * g->step_ps;

		while (a + 2 < g->n && g->blocks[a + 1].x_mid_ps <= x)
			a++;
		values[i] = value_at(g, a, x);
	}
}

static int find_tdev(struct cd_report *report, const struct cd_pair *pair)
{
	struct grid g = grid_of(pair);
	double *values;
	struct cd_series *series;

	if (g.n < 3 || !(g.step_ps > 0))
		return 0;
	values = malloc(g.n * sizeof(*values));
	if (values == NULL)
		return -1;
	fill_grid(&g, values);
	series = cd_report_series(report, pair->dut, "clock.tdev");
	for (size_t m = 1; m <= g.n / 3; m *= 2) {
		double tdev = cd_tdev(values, g.n, m);

		if (isnan(tdev) || !cd_series_add(report, series))
			continue;
		cd_series_span(series, 0,
			       cd_round_ps((double)m * g.step_ps));
		cd_series_span(series, 1, cd_round_ps(tdev));
	}
	free(values);
	return 0;
}

/* ---- what deltas can be read ----------------------------------------------
 */

/* Below the largest of these a delta is error more than time. */
static void put_usable(struct cd_report *report, const struct cd_pair *pair)
{
	struct cd_place place = {report, pair->dut, CD_NO_STREAM};
	const struct cd_distribution *f = &pair->fast;
	double least = pair->alone ? 0 : (double)pair->tick_ps;

	if (!pair->alone && (!pair->clock.has_drift || f->n < 1000)) {
		cd_put_null(&place, "delta.usable_ns",
			    pair->clock.has_drift ? "n<1000"
			    : pair->clock.reason != NULL
				? pair->clock.reason
				: "no drift");
		return;
	}
	if (!pair->alone)
		least = fmax(least, (double)(f->p99_9 - f->p0_1));
	if (!isnan(pair->burst_period_ps))
		least = fmax(least, pair->burst_period_ps);
	if (least > 0)
		cd_put_span(&place, "delta.usable_ns", cd_round_ps(least));
	else
		cd_put_null(&place, "delta.usable_ns",
			    pair->alone ? "no reference" : "no error seen");
}

/* Nothing tells the reference's own errors but its tick. */
static void put_usable_of_reference(struct cd_analysis *analysis)
{
	const struct cd_pair *pair = &analysis->pairs[0];
	struct cd_place place = {analysis->report, pair->ref, CD_NO_STREAM};

	if (!pair->alone && pair->ref_tick_ps > 0)
		cd_put_span(&place, "delta.usable_ns", pair->ref_tick_ps);
}

/* ---- what cannot be known -------------------------------------------------
 */

/* METRICS 4.1, 4.5: in no report, however good, as two captures that differ in
 * it alone are the same. */
static void say_unseen(const struct cd_analysis *analysis,
		       const struct cd_pair *pair)
{
	struct cd_str text = {0};

	if (!pair->clock.has_drift || pair->different_packets)
		return;
	if (!analysis->options->clocks_synchronised)
		cd_str_add(&text, "a delay that all stamps share (part of the "
				  "offset), ");
	cd_str_add(&text, "a delay that grows evenly (part of the drift)");
	if (pair->clock.n_blocks >= CD_STEPS_BLOCKS) {
		cd_str_add(&text, ", clock steps below ");
		cd_text_span(&text, pair->clock.step_least_ps, false);
		cd_str_add(&text, " (like a change of the delay)");
	}
	cd_report_text(analysis->report, pair->dut, "clock.not_seen",
		       cd_str_text(&text));
	cd_str_release(&text);
}

/* ---- the metric -----------------------------------------------------------
 */

static void put_nothing(struct cd_report *report, const struct cd_pair *pair)
{
	struct cd_place place = {report, pair->dut, CD_NO_STREAM};

	for (size_t i = 0; i < N_WINDOWS; i++)
		cd_put_null(&place, windows[i].key,
			    pair->clock.reason != NULL ? pair->clock.reason
						       : "no drift");
}

static int run(struct cd_analysis *analysis, struct cd_error *error)
{
	if (analysis->n_pairs > 0)
		put_usable_of_reference(analysis);
	for (size_t i = 0; i < analysis->n_pairs; i++) {
		const struct cd_pair *pair = &analysis->pairs[i];

		put_usable(analysis->report, pair);
		if (!pair->alone)
			say_unseen(analysis, pair);
		if (!analysis->options->clock || pair->alone)
			continue;
		if (!pair->clock.has_drift)
			put_nothing(analysis->report, pair);
		else if (find_mtie(analysis->report, pair) < 0 ||
			 find_tdev(analysis->report, pair) < 0)
			return cd_error_memory(error);
	}
	return 0;
}

const struct cd_metric cd_metric_metrology = {"metrology", run};
