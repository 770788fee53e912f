#include "metric/clock.h"

#include <math.h>
#include <stdlib.h>

#include "base/time.h"
#include "metric/put.h"
#include "metric/walk.h"
#include "report/codes.h"
#include "report/text.h"
#include "stat/order.h"
#include "stat/steps.h"

#define NTP_MAXFREQ 500e-6 /* RFC 5905: the most a clock may be off */
#define NO_CLOCK 0.1	   /* and more than one off beyond repair is */

const struct cd_lane *cd_clock_main_lane(const struct cd_pair *pair)
{
	const struct cd_lane *most = NULL;

	for (size_t i = 0; i < pair->n_lanes; i++)
		if (pair->lanes[i].matched > 0 &&
		    (most == NULL || pair->lanes[i].matched > most->matched))
			most = &pair->lanes[i];
	return most;
}

double cd_clock_wander(const struct cd_clock *clock)
{
	double low = INFINITY, high = -INFINITY;

	for (size_t b = 0; b < clock->n_blocks; b++) {
		low = fmin(low, clock->blocks[b].floor_ps);
		high = fmax(high, clock->blocks[b].floor_ps);
	}
	return clock->n_blocks == 0 ? NAN : high - low;
}

bool cd_clock_absolute(const struct cd_analysis *analysis,
		       const struct cd_pair *pair, double theta_ps, int64_t *ps,
		       double *days)
{
	struct cd_instant ref = analysis->points[pair->ref].base;
	struct cd_instant dut = analysis->points[pair->dut].base;
	__int128 sum = ((__int128)dut.s - ref.s) * CD_PS_PER_S;

	sum += dut.ps - ref.ps;
	sum += (__int128)pair->clock.d0_ps + cd_round_ps(theta_ps);
	*days = (double)sum / (86400.0 * (double)CD_PS_PER_S);
	if (sum > INT64_MAX || sum <= INT64_MIN)
		return false;
	*ps = (int64_t)sum;
	return true;
}

/* ---- offset ---------------------------------------------------------------
 */

/* Floors of the first segment of a lane, relative to its theta. */
static size_t gather_floors(const struct cd_clock *clock, uint32_t lane,
			    double *floors, double *mean_x)
{
	size_t n = 0;

	*mean_x = 0;
	for (size_t b = 0; b < clock->n_blocks; b++) {
		const struct cd_clock_block *block = &clock->blocks[b];

		if (block->lane != lane || block->segment != 0)
			continue;
		floors[n++] = block->floor_ps;
		*mean_x += block->x_mid_ps;
	}
	if (n > 0)
		*mean_x /= (double)n;
	return n;
}

/*
 * 95 % interval of theta around it: the sign test's of a median of n floors,
 * and the slope's own interval over the way from their middle to x = 0.
 */
static bool theta_interval(const struct cd_clock *clock, uint32_t lane,
			   double *below, double *above)
{
	double *floors = malloc((clock->n_blocks + 1) * sizeof(*floors));
	double mean_x;
	size_t n, k;
	bool known = false;

	if (floors == NULL)
		return false;
	n = gather_floors(clock, lane, floors, &mean_x);
	k = (size_t)fmax(0, (double)n / 2 - 0.98 * sqrt((double)n));
	if (n >= 6 && !isnan(clock->y_low)) {
		double low = (clock->y_low - clock->y) * mean_x;
		double high = (clock->y_high - clock->y) * mean_x;

		*below = cd_nth_f64(floors, n, k) - fmax(low, high);
		*above = cd_nth_f64(floors, n, n - 1 - k) - fmin(low, high);
		known = true;
	}
	free(floors);
	return known;
}

static void put_offset_interval(const struct cd_pair *pair,
				const struct cd_lane *lane,
				struct cd_value *value, int64_t ps)
{
	double below, above;

	if (!pair->clock.has_drift ||
	    !theta_interval(&pair->clock, (uint32_t)(lane - pair->lanes),
			    &below, &above))
		return;
	value->has_interval = true;
	value->low = ((double)ps + below) / (double)CD_PS_PER_NS;
	value->high = ((double)ps + above) / (double)CD_PS_PER_NS;
}

static void put_offset(const struct cd_analysis *analysis,
		       const struct cd_pair *pair, const struct cd_place *place)
{
	const struct cd_lane *lane = cd_clock_main_lane(pair);
	struct cd_value *value;
	double days;
	int64_t ps;

	if (!pair->clock.has_offset) {
		cd_put_null(place, "clock.offset_ns", pair->clock.reason);
		return;
	}
	if (!cd_clock_absolute(analysis, pair, lane->theta_ps[0], &ps, &days)) {
		cd_put_null(place, "clock.offset_ns", "over 106 days");
		cd_put_real(place, "clock.offset_days", days);
		return;
	}
	value = cd_put_span(place, "clock.offset_ns", ps);
	value->has_n = true;
	value->n = pair->matched;
	put_offset_interval(pair, lane, value, ps);
}

static void put_theta(const struct cd_analysis *analysis,
		      const struct cd_pair *pair, const struct cd_place *place)
{
	const struct cd_lane *lane = cd_clock_main_lane(pair);
	double days;
	int64_t ps;

	if (cd_clock_absolute(analysis, pair, lane->theta_ps[0], &ps, &days))
		cd_put_span(place, "clock.theta_ns", ps);
	else
		cd_put_null(place, "clock.theta_ns", "over 106 days");
}

/* ---- drift and steps ------------------------------------------------------
 */

static void put_drift(const struct cd_pair *pair, const struct cd_place *place)
{
	const struct cd_clock *clock = &pair->clock;
	struct cd_value *value;

	if (!clock->has_drift) {
		cd_put_null(place, "clock.drift_ppm", clock->reason);
		cd_put_null(place, "clock.drift_ols_ppm", clock->reason);
		cd_put_null(place, "clock.drift_hull_ppm", clock->reason);
		cd_put_null(place, "clock.steps", clock->reason);
		return;
	}
	value = cd_put_real(place, "clock.drift_ppm", clock->y * 1e6);
	value->has_n = true;
	value->n = pair->matched;
	if (!isnan(clock->y_low)) {
		value->has_interval = true;
		value->low = clock->y_low * 1e6;
		value->high = clock->y_high * 1e6;
	}
	cd_put_real(place, "clock.drift_ols_ppm", clock->y_ols * 1e6);
	cd_put_real(place, "clock.drift_hull_ppm", clock->y_hull * 1e6);
	cd_put_count(place, "clock.steps", clock->n_steps);
	if (clock->n_blocks >= CD_STEPS_BLOCKS)
		cd_put_span(place, "clock.step_least_ns",
			    cd_round_ps(clock->step_least_ps));
	else
		cd_put_null(place, "clock.step_least_ns", "too few blocks");
	cd_put_count(place, "clock.blocks", clock->n_blocks);
	cd_put_span(place, "clock.noise_ns",
		    cd_round_ps(clock->block_noise_ps));
}

/* Time since the first packet of the reference. */
static int64_t time_at(const struct cd_analysis *analysis,
		       const struct cd_pair *pair, int64_t x_ps)
{
	return x_ps +
	       (pair->clock.x0_ps - analysis->points[pair->ref].first_ps);
}

static void put_largest_step(const struct cd_analysis *analysis,
			     const struct cd_pair *pair,
			     const struct cd_place *place)
{
	const struct cd_clock *clock = &pair->clock;
	const struct cd_step *largest = clock->steps;
	struct cd_value *size;

	for (size_t i = 1; i < clock->n_steps; i++)
		if (fabs(clock->steps[i].size_ps) > fabs(largest->size_ps))
			largest = &clock->steps[i];
	/* what fits a walk fits a span */
	size = cd_put_span(place, "clock.step_max_ns",
			   (int64_t)llround(largest->size_ps));
	size->has_interval = true;
	size->low = (largest->size_ps - clock->step_error_ps) /
		    (double)CD_PS_PER_NS;
	size->high = (largest->size_ps + clock->step_error_ps) /
		     (double)CD_PS_PER_NS;
	cd_put_span(place, "clock.step_max_at_ns",
		    time_at(analysis, pair, largest->x_ps));
	cd_put_number(place, "clock.step_max_seq", largest->seq);
}

#define STEPS_SAID 8

static void say_steps(const struct cd_analysis *analysis,
		      const struct cd_pair *pair)
{
	const struct cd_clock *clock = &pair->clock;

	for (size_t i = 0; i < clock->n_steps && i < STEPS_SAID; i++) {
		const struct cd_step *step = &clock->steps[i];
		struct cd_str text = {0};

		cd_str_add(&text, "the clock stepped by ");
		cd_text_span_signed(&text, step->size_ps, false);
		cd_str_add(&text, " at ");
		cd_text_span(&text, (double)time_at(analysis, pair, step->x_ps),
			     false);
		cd_str_add(&text, ", before ID ");
		cd_text_count(&text, step->seq);
		cd_report_finding(analysis->report, CD_WARNING, "clock_step",
				  (int)pair->dut, "%s", cd_str_text(&text));
		cd_str_release(&text);
	}
}

/* ---- what drift and offset look like --------------------------------------
 */

/* Stamps 1000 or 1,000,000 times too fast or slow. */
static bool say_unit(const struct cd_analysis *analysis,
		     const struct cd_pair *pair)
{
	static const double factors[] = {1e3, 1e6, 1e9};
	double rate = 1 + pair->clock.y;

	for (size_t i = 0; i < sizeof(factors) / sizeof(*factors); i++) {
		bool fast = fabs(rate / factors[i] - 1) < 0.05;

		if (!fast && !(fabs(rate * factors[i] - 1) < 0.05))
			continue;
		cd_report_finding(analysis->report, CD_ERROR, CD_CODE_TIME_UNIT,
				  (int)pair->dut,
				  "time stamps run %.0f times too %s: they "
				  "are in another unit than the file says "
				  "(--ts-unit)",
				  factors[i], fast ? "fast" : "slow");
		return true;
	}
	return false;
}

/* Time that runs backwards, or much too fast or slow for certain. */
static bool say_rate(const struct cd_analysis *analysis,
		     const struct cd_pair *pair)
{
	const struct cd_clock *clock = &pair->clock;
	double low = isnan(clock->y_low) ? clock->y : clock->y_low;
	double high = isnan(clock->y_high) ? clock->y : clock->y_high;

	if (high >= -NO_CLOCK && low <= NO_CLOCK)
		return false;
	if (clock->y < -1)
		cd_report_finding(analysis->report, CD_ERROR, CD_CODE_TIME_RATE,
				  (int)pair->dut,
				  "time stamps run backwards against the "
				  "reference's, packet by packet");
	else
		cd_report_finding(analysis->report, CD_ERROR, CD_CODE_TIME_RATE,
				  (int)pair->dut,
				  "time stamps run %.3g times as fast as the "
				  "reference's: no clock is that far off",
				  1 + clock->y);
	return true;
}

static void say_drift(const struct cd_analysis *analysis,
		      const struct cd_pair *pair)
{
	if (!pair->clock.has_drift || fabs(pair->clock.y) <= NTP_MAXFREQ ||
	    say_unit(analysis, pair) || say_rate(analysis, pair))
		return;
	cd_report_finding(analysis->report, CD_WARNING, "drift_implausible",
			  (int)pair->dut,
			  "a drift of %+.1f ppm is more than a clock has (500 "
			  "ppm): the clock of a virtual machine, a wrong unit, "
			  "or packets paired wrongly",
			  pair->clock.y * 1e6);
}

#define S(x) ((int64_t)(x)*CD_PS_PER_S)

static bool is_near(int64_t ps, int64_t whole_ps, int64_t within_ps)
{
	int64_t rest = llabs(ps - whole_ps);

	return rest <= within_ps;
}

/* A capture whose clock counts from when the machine was switched on. */
static bool since_boot(struct cd_instant base, struct cd_instant other)
{
	return base.s >= 0 && base.s < 3 * INT64_C(31557600) &&
	       other.s > 20 * INT64_C(31557600);
}

static void say_boot(const struct cd_analysis *analysis,
		     const struct cd_pair *pair)
{
	struct cd_instant ref = analysis->points[pair->ref].base;
	struct cd_instant dut = analysis->points[pair->dut].base;
	bool of_dut = since_boot(dut, ref);

	if (of_dut || since_boot(ref, dut))
		cd_report_finding(analysis->report, CD_NOTE,
				  "offset_since_boot",
				  (int)(of_dut ? pair->dut : pair->ref),
				  "the clock seems to count from when the "
				  "device was switched on, not from 1970");
}

static void say_offset(const struct cd_analysis *analysis,
		       const struct cd_pair *pair)
{
	const int64_t quarter = S(900);
	int64_t ps, quarters;
	double days;

	if (!cd_clock_absolute(analysis, pair,
			       cd_clock_main_lane(pair)->theta_ps[0], &ps,
			       &days)) {
		say_boot(analysis, pair);
		return;
	}
	ps = llabs(ps);
	quarters = (ps + quarter / 2) / quarter;
	if (is_near(ps, S(37), S(1) / 2) || is_near(ps, S(36), S(1) / 4))
		cd_report_finding(analysis->report, CD_NOTE, "offset_tai",
				  (int)pair->dut,
				  "an offset near 37 s: one clock shows TAI, "
				  "the other UTC");
	else if (quarters >= 1 && quarters <= 56 &&
		 is_near(ps, quarters * quarter, S(2)))
		cd_report_finding(analysis->report, CD_NOTE, "offset_zone",
				  (int)pair->dut,
				  "an offset near %g h: the clocks are set to "
				  "different time zones",
				  (double)quarters / 4);
}

void cd_clock_report(const struct cd_analysis *analysis,
		     const struct cd_pair *pair)
{
	struct cd_place place = {analysis->report, pair->dut, CD_NO_STREAM};

	put_offset(analysis, pair, &place);
	put_drift(pair, &place);
	if (pair->clock.has_offset)
		say_offset(analysis, pair);
	if (pair->clock.has_drift)
		put_theta(analysis, pair, &place);
	if (pair->clock.has_drift || pair->clock.has_offset)
		cd_put_span(&place, "clock.span_ns", pair->clock.x_span_ps);
	if (pair->clock.n_steps > 0)
		put_largest_step(analysis, pair, &place);
	say_steps(analysis, pair);
	say_drift(analysis, pair);
}
