/*
 * The clock of each capture against the reference's: offset, drift, steps, and
 * the bunches of stamps, which the same pass sees (METRICS 4.3 to 4.5, 3.5).
 */
#include "metric/clock.h"

#include <math.h>
#include <stdlib.h>

#include "base/time.h"
#include "metric/bursts.h"
#include "metric/fit.h"
#include "metric/jump.h"
#include "metric/metric.h"
#include "metric/put.h"
#include "stat/blocks.h"
#include "stat/order.h"

/* ---- few packets (METRICS 0.5) --------------------------------------------
 */

static int set_thetas(struct cd_lane *lane, size_t n_segments, double theta)
{
	free(lane->theta_ps);
	lane->theta_ps = malloc(n_segments * sizeof(*lane->theta_ps));
	if (lane->theta_ps == NULL)
		return -1;
	for (size_t i = 0; i < n_segments; i++)
		lane->theta_ps[i] = theta;
	return 0;
}

/* Without a slope the offset of a lane is its least d. */
static int least_offsets(struct cd_pair *pair)
{
	struct cd_walk walk;
	struct cd_walk_block block;
	int got, result = -1;

	if (cd_walk_init(&walk, pair, 0, pair->n_lanes) < 0)
		return -1;
	while ((got = cd_walk_next(&walk, &block)) == 1) {
		struct cd_lane *lane = &pair->lanes[block.lane];

		if (block.row == 0 &&
		    set_thetas(lane, 1, (double)block.d_ps[0]) < 0)
			goto out;
		for (size_t i = 0; i < block.n; i++)
			lane->theta_ps[0] =
			    fmin(lane->theta_ps[0], (double)block.d_ps[i]);
		if (block.x_ps[block.n - 1] > pair->clock.x_span_ps)
			pair->clock.x_span_ps = block.x_ps[block.n - 1];
	}
	result = got;
out:
	cd_walk_release(&walk);
	return result;
}

/* ---- the fit --------------------------------------------------------------
 */

/* Spans that are known to a tick at either end do not tell slopes apart that
 * lead less than that apart over the whole run, however well blocks agree. */
static void widen_slope(const struct cd_pair *pair, struct cd_clock *clock)
{
	double ticks = (double)pair->tick_ps + (double)pair->ref_tick_ps;
	double least = ticks / (double)clock->x_span_ps;

	if (isnan(clock->y_low) || clock->x_span_ps <= 0)
		return;
	clock->y_low = fmin(clock->y_low, clock->y - least);
	clock->y_high = fmax(clock->y_high, clock->y + least);
}

static void choose_slope(const struct cd_fit *fit, enum cd_estimator estimator,
			 struct cd_clock *clock)
{
	clock->y = fit->slope.y;
	clock->y_low = fit->slope.low;
	clock->y_high = fit->slope.high;
	if (estimator == CD_OLS && !isnan(clock->y_ols))
		clock->y = clock->y_ols;
	else if (estimator == CD_HULL && !isnan(clock->y_hull))
		clock->y = clock->y_hull;
	else
		return;
	clock->y_low = NAN;
	clock->y_high = NAN;
}

/* A segment without rows has the offset of the one before it, or behind. */
static void fill_thetas(struct cd_lane *lane, size_t n_segments)
{
	for (size_t i = 1; i < n_segments; i++)
		if (isnan(lane->theta_ps[i]))
			lane->theta_ps[i] = lane->theta_ps[i - 1];
	for (size_t i = n_segments - 1; i > 0; i--)
		if (isnan(lane->theta_ps[i - 1]))
			lane->theta_ps[i - 1] = lane->theta_ps[i];
}

static int keep_thetas(struct cd_fit *fit)
{
	struct cd_pair *pair = fit->pair;
	double *theta = malloc((fit->n_groups + 1) * sizeof(*theta));
	int result = -1;

	if (theta == NULL || cd_fit_thetas(fit, pair->clock.y, theta) < 0)
		goto out;
	for (size_t i = 0; i < pair->n_lanes; i++)
		if (pair->lanes[i].matched > 0 &&
		    set_thetas(&pair->lanes[i], pair->clock.n_segments, NAN) <
			0)
			goto out;
	for (size_t g = 0; g < fit->n_groups; g++) {
		const struct cd_floor_group *group = &fit->groups[g];

		pair->lanes[group->lane].theta_ps[group->segment] = theta[g];
	}
	for (size_t i = 0; i < pair->n_lanes; i++)
		if (pair->lanes[i].theta_ps != NULL)
			fill_thetas(&pair->lanes[i], pair->clock.n_segments);
	result = 0;
out:
	free(theta);
	return result;
}

/* The blocks, their floors now relative to the line that was fitted. */
static int keep_blocks(const struct cd_fit *fit)
{
	struct cd_clock *clock = &fit->pair->clock;
	size_t n = fit->floors.n;

	free(clock->blocks);
	clock->blocks = calloc(n + 1, sizeof(*clock->blocks));
	if (clock->blocks == NULL)
		return -1;
	clock->n_blocks = n;
	for (size_t b = 0; b < n; b++) {
		const struct cd_floor_block *from = &fit->floors.blocks[b];
		const struct cd_lane *lane = &fit->pair->lanes[from->lane];
		double theta = lane->theta_ps[from->segment];
		double mid = (double)from->first_x_ps +
			     (double)(from->last_x_ps - from->first_x_ps) / 2;

		clock->blocks[b] = (struct cd_clock_block){
		    .lane = (uint32_t)from->lane,
		    .segment = (uint32_t)from->segment,
		    .rows = from->rows,
		    .first_seq = from->first_seq,
		    .last_seq = from->last_seq,
		    .x_mid_ps = mid,
		    .floor_ps =
			cd_residual(from->point.x, from->point.d, clock->y) -
			theta,
		    .median_ps =
			from->median + (fit->first_y - clock->y) * mid - theta,
		};
	}
	return 0;
}

#define STEP_BLOCKS 8 /* what a step is sized by, on either side */

/* The level of a lane next to a step, relative to d0 and the line's slope: the
 * median floor of the blocks of a segment that are nearest to it. A slope that
 * is a little off does little over so short a time. */
static double level_at(const struct cd_clock *clock, const struct cd_lane *lane,
		       uint32_t index, size_t segment, bool last)
{
	double floors[STEP_BLOCKS];
	size_t n = 0;

	for (size_t i = 0; i < clock->n_blocks && n < STEP_BLOCKS; i++) {
		size_t b = last ? clock->n_blocks - 1 - i : i;

		if (clock->blocks[b].lane == index &&
		    clock->blocks[b].segment == segment)
			floors[n++] = clock->blocks[b].floor_ps;
	}
	return lane->theta_ps[segment] + (n > 0 ? cd_median_f64(floors, n) : 0);
}

/* Sizes, and how far they may be off: three times the noise of the floors, or
 * the packet spacing, which beats move floors by (METRICS 4.5). */
static void size_steps(struct cd_pair *pair)
{
	struct cd_clock *clock = &pair->clock;
	double ticks = (double)pair->tick_ps + (double)pair->ref_tick_ps;
	double spacing = (double)pair->ref_delta.p50;

	clock->step_error_ps =
	    fmax(fmax(3 * clock->block_noise_ps, spacing), ticks);
	for (size_t i = 0; i < clock->n_steps; i++) {
		struct cd_step *step = &clock->steps[i];
		const struct cd_lane *lane = &pair->lanes[step->lane];

		step->size_ps =
		    level_at(clock, lane, step->lane, i + 1, false) -
		    level_at(clock, lane, step->lane, i, true);
	}
}

/* What no step is smaller than (METRICS 4.5). */
static double least_step(const struct cd_pair *pair)
{
	double least = fmax(8 * pair->clock.block_noise_ps,
			    (double)pair->ref_delta.p50);

	return fmax(fmax(least, 2 * (double)pair->tick_ps),
		    (double)CD_PS_PER_US);
}

/* Steps that are too small after all, now that the slope is known. */
static size_t drop_small_steps(struct cd_pair *pair)
{
	struct cd_clock *clock = &pair->clock;
	double least = clock->step_least_ps = least_step(pair);
	size_t kept = 0, dropped;

	for (size_t i = 0; i < clock->n_steps; i++)
		if (fabs(clock->steps[i].size_ps) >= least)
			clock->steps[kept++] = clock->steps[i];
	dropped = clock->n_steps - kept;
	clock->n_steps = kept;
	clock->n_segments = kept + 1;
	return dropped;
}

static void keep_bursts(const struct cd_fit *fit)
{
	const struct cd_cluster_summary *bursts = &fit->bursts;

	fit->pair->coalescing = bursts->coalescing;
	fit->pair->burst_share = bursts->share_bunched;
	fit->pair->clusters = bursts->clusters;
	if (bursts->has_period)
		fit->pair->burst_period_ps = (double)bursts->period;
}

/* 1: a line; 0: no slope can be drawn; -1: no memory. */
static int fit_line(struct cd_fit *fit)
{
	struct cd_pair *pair = fit->pair;
	int got;

	if (cd_fit_groups(fit) < 0)
		return -1;
	got = cd_fit_line(fit);
	keep_bursts(fit);
	if (got != 1)
		return got;
	if (cd_jumps_find(fit, (double)pair->ref_delta.p50,
			  (double)pair->tick_ps) < 0)
		return -1;
	if (pair->clock.n_steps == 0)
		return 1;
	if (cd_fit_groups(fit) < 0)
		return -1;
	return cd_fit_line(fit);
}

/* What the passes have left, under its names in the pair. */
static int keep_fit(struct cd_fit *fit, enum cd_estimator estimator)
{
	struct cd_clock *clock = &fit->pair->clock;

	if (cd_fit_cross_checks(fit, &clock->y_hull, &clock->y_ols) < 0)
		return -1;
	choose_slope(fit, estimator, clock);
	widen_slope(fit->pair, clock);
	if (keep_thetas(fit) < 0 || keep_blocks(fit) < 0)
		return -1;
	size_steps(fit->pair);
	return 0;
}

static int fit_pair(struct cd_fit *fit, enum cd_estimator estimator)
{
	struct cd_clock *clock = &fit->pair->clock;
	int got = fit_line(fit);

	clock->x_span_ps = fit->high_x_ps - fit->low_x_ps;
	if (got < 0)
		return -1;
	if (got == 0) {
		clock->reason = "no time passes in the reference";
		return least_offsets(fit->pair);
	}
	if (keep_fit(fit, estimator) < 0)
		return -1;
	while (drop_small_steps(fit->pair) > 0)
		if (cd_fit_groups(fit) < 0 || cd_fit_line(fit) != 1 ||
		    keep_fit(fit, estimator) < 0)
			return -1;
	clock->rows = fit->thin.rows;
	clock->n_rows = fit->thin.n;
	fit->thin.rows = NULL;
	clock->has_drift = true;
	clock->has_offset = true;
	return 0;
}

static int run_fit(struct cd_pair *pair,
		   const struct cd_metric_options *options,
		   struct cd_cluster_summary *bursts)
{
	struct cd_fit fit;
	int result = cd_fit_init(&fit, pair, options);

	if (result == 0)
		result = fit_pair(&fit, options->estimator);
	*bursts = fit.bursts;
	cd_fit_release(&fit);
	return result;
}

/* ---- the metric -----------------------------------------------------------
 */

/* Stamps that are all the same say nothing about time. */
static bool all_equal(const struct cd_pair *pair, bool ref)
{
	for (size_t i = 0; i < pair->n_lanes; i++) {
		const struct cd_lane *lane = &pair->lanes[i];
		const struct cd_stream *stream =
		    ref ? lane->ref_stream : lane->dut_stream;

		if (lane->matched > 0 && stream->first_ps != stream->last_ps)
			return false;
	}
	return true;
}

/* Why nothing at all can be said about the clock, or NULL. */
static const char *reason_for_nothing(const struct cd_pair *pair)
{
	if (pair->matched == 0)
		return pair->numbered ? "no matched packets with times"
				      : "no numbers";
	if (!cd_walk_fits(pair))
		return "times out of range";
	if (pair->matched > 1 && all_equal(pair, false))
		return "all times are equal";
	if (pair->matched > 1 && all_equal(pair, true))
		return "all times of the reference are equal";
	return NULL;
}

int cd_clock_fit(struct cd_pair *pair, const struct cd_metric_options *options,
		 struct cd_cluster_summary *bursts)
{
	struct cd_clock *clock = &pair->clock;
	uint64_t least = options->force_skew ? 3 : 50;

	*bursts = (struct cd_cluster_summary){0};
	clock->n_segments = 1;
	clock->y_hull = NAN;
	clock->y_ols = NAN;
	clock->reason = reason_for_nothing(pair);
	if (clock->reason != NULL)
		return 0;
	if (cd_fit_origin(pair) < 0)
		return -1;
	if (pair->matched >= least)
		return run_fit(pair, options, bursts);
	clock->reason = "n<50";
	/* two packets would be a perfect fit of any two clocks */
	clock->has_offset = pair->matched != 2;
	return least_offsets(pair);
}

static int clock_pair(const struct cd_analysis *analysis, struct cd_pair *pair)
{
	struct cd_place place = {analysis->report, pair->dut, CD_NO_STREAM};
	struct cd_cluster_summary bursts;

	if (cd_clock_fit(pair, analysis->options, &bursts) < 0)
		return -1;
	if (bursts.packets > 0)
		cd_bursts_put(&place, &bursts);
	else
		cd_bursts_put_none(&place, pair->clock.reason);
	cd_clock_report(analysis, pair);
	return 0;
}

static int run(struct cd_analysis *analysis, struct cd_error *error)
{
	for (size_t i = 0; i < analysis->n_pairs; i++)
		if (!analysis->pairs[i].alone &&
		    clock_pair(analysis, &analysis->pairs[i]) < 0)
			return cd_error_memory(error);
	return 0;
}

const struct cd_metric cd_metric_clock = {"clock", run};
