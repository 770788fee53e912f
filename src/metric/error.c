/*
 * Time stamp errors against the reference: what a row-by-row measurement left,
 * put under its keys (METRICS 3.2, 3.3, 4.6), and the alarms of 4.4.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "align/track.h"
#include "base/time.h"
#include "metric/clock.h"
#include "metric/frames.h"
#include "metric/lanes_range.h"
#include "metric/measure.h"
#include "metric/metric.h"
#include "metric/quantity.h"
#include "metric/sizes.h"
#include "metric/suspect.h"
#include "metric/walk.h"
#include "stat/order.h"
#include "stat/percentile.h"
#include "stat/wander.h"

/* ---- fast error and residual ----------------------------------------------
 */

struct percentile_key {
	const char *fast, *residual;
	uint32_t p;
};

static void put_percentiles(const struct cd_place *place,
			    const struct cd_distribution *d, bool fast)
{
	static const struct percentile_key keys[] = {
	    {"time.error.p0_1_ns", "time.residual.p0_1_ns", 100},
	    {"time.error.p1_ns", "time.residual.p1_ns", 1000},
	    {"time.error.p5_ns", "time.residual.p5_ns", 5000},
	    {"time.error.p50_ns", "time.residual.p50_ns", 50000},
	    {"time.error.p95_ns", "time.residual.p95_ns", 95000},
	    {"time.error.p99_ns", "time.residual.p99_ns", 99000},
	    {"time.error.p99_9_ns", "time.residual.p99_9_ns", 99900},
	    {"time.error.p99_99_ns", "time.residual.p99_99_ns", 99990},
	};
	const int64_t values[] = {d->p0_1, d->p1,  d->p5,    d->p50,
				  d->p95,  d->p99, d->p99_9, d->p99_99};

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		cd_put_percentile(place, fast ? keys[i].fast : keys[i].residual,
				  values[i], d->n, keys[i].p);
}

static void put_residual(const struct cd_place *place,
			 const struct cd_distribution *d)
{
	cd_put_extreme(place, "time.residual.min_ns", d->min, d->n);
	put_percentiles(place, d, false);
	cd_put_extreme(place, "time.residual.max_ns", d->max, d->n);
	cd_put_mean(place, "time.residual.mean_ns", d->mean, d->n);
	cd_put_mean(place, "time.residual.rms_ns", d->rms, d->n);
	if (d->p50 > d->p1 && d->n >= 100)
		cd_put_real(place, "time.residual.sidedness",
			    (double)(d->p99 - d->p50) /
				(double)(d->p50 - d->p1));
	else
		cd_put_null(place, "time.residual.sidedness",
			    d->n < 100 ? "n<100" : "no early side");
}

static void put_span(const struct cd_place *place, const struct cd_measured *m)
{
	struct cd_value *value;

	value = cd_put_percentile(place, "time.error.span_ns", m->span_ps,
				  m->fast.n, 99900);
	if (value->kind == CD_VALUE_NULL)
		return;
	value->has_interval = true;
	value->low = (double)m->span_low_ps / (double)CD_PS_PER_NS;
	value->high = (double)m->span_high_ps / (double)CD_PS_PER_NS;
}

static void put_fast(const struct cd_place *place, const struct cd_pair *pair,
		     const struct cd_measured *m)
{
	const struct cd_distribution *d = &m->fast;
	const struct cd_track *track = pair->lanes[m->largest.lane].dut;
	uint64_t frame;

	put_span(place, m);
	cd_put_percentile(place, "time.error.pdv_ns", d->p99_9 - d->min, d->n,
			  99900);
	cd_put_extreme(place, "time.error.min_ns", d->min, d->n);
	put_percentiles(place, d, true);
	cd_put_extreme(place, "time.error.max_ns", d->max, d->n);
	cd_put_mean(place, "time.error.mean_ns", d->mean, d->n);
	cd_put_mean(place, "time.error.rms_ns", d->rms, d->n);
	if (m->mad_ps >= 0)
		cd_put_span(place, "time.error.mad_ns", m->mad_ps);
	cd_put_number(place, "time.error.max_seq", m->largest.seq);
	cd_put_number(place, "time.error.min_seq", m->least.seq);
	if (cd_frame_of(track, m->largest.seq, &frame))
		cd_put_count(place, "time.error.max_frame", frame);
}

static void put_late(const struct cd_analysis *analysis,
		     const struct cd_pair *pair, const struct cd_place *place,
		     const struct cd_measured *m)
{
	const struct cd_late_rows *late = &m->late;
	int64_t start =
	    pair->clock.x0_ps - analysis->points[pair->ref].first_ps;

	cd_put_count(place, "time.late_packets", late->packets);
	cd_put_real(place, "time.late_ratio",
		    (double)late->packets / (double)m->fast.n);
	cd_put_count(place, "time.late_events", late->events);
	cd_put_count(place, "time.late_longest", late->longest);
	if (late->packets == 0)
		return;
	cd_put_real(place, "time.late_in_runs_ratio",
		    (double)late->in_runs / (double)late->packets);
	cd_put_span(place, "time.late_max_ns", m->largest.value_ps);
	cd_put_span(place, "time.late_max_at_ns", m->largest.x_ps + start);
	cd_put_number(place, "time.late_max_seq", m->largest.seq);
}

/* ---- errors of deltas -----------------------------------------------------
 */

static void put_worst(const struct cd_place *place, const struct cd_pair *pair,
		      struct cd_worst_gap *worst)
{
	const struct cd_lane *lane = &pair->lanes[worst->lane];

	if (!worst->found)
		return;
	cd_frame_of(lane->dut, worst->seq + 1, &worst->frame);
	cd_frame_of(lane->ref, worst->seq + 1, &worst->ref_frame);
	cd_put_span(place, "delta.worst_shown_ns", worst->shown_ps);
	cd_put_span(place, "delta.worst_true_ns", worst->true_ps);
	cd_put_number(place, "delta.worst_seq", worst->seq + 1);
	cd_put_count(place, "delta.worst_frame", worst->frame);
	cd_put_count(place, "delta.ref_frame", worst->ref_frame);
}

static void put_delta_errors(const struct cd_place *place,
			     const struct cd_measured *m, bool brief)
{
	const struct cd_distribution *d = &m->delta_error;

	cd_put_count(place, "delta_error.pairs", d->n);
	cd_put_mean(place, "delta_error.mean_abs_ns", d->mean, d->n);
	cd_put_mean(place, "delta_error.rms_ns", d->rms_zero, d->n);
	if (!brief) {
		cd_put_percentile(place, "delta_error.p50_ns", d->p50, d->n,
				  50000);
		cd_put_percentile(place, "delta_error.p99_ns", d->p99, d->n,
				  99000);
		cd_put_percentile(place, "delta_error.p99_9_ns", d->p99_9,
				  d->n, 99900);
	}
	cd_put_extreme(place, "delta_error.max_abs_ns", d->max, d->n);
	if (isnan(m->false_share))
		cd_put_null(place, "delta_error.false_share", "n=0");
	else
		cd_put_real(place, "delta_error.false_share", m->false_share);
	cd_put_count(place, "delta_error.bridged", m->bridged);
	if (m->bridged > 0)
		cd_put_span(place, "delta_error.bridged_max_ns",
			    m->bridged_max_ps);
}

/* ---- undefined ------------------------------------------------------------
 */

static void put_no_delta_errors(const struct cd_place *place,
				const char *reason)
{
	cd_put_null(place, "delta_error.mean_abs_ns", reason);
	cd_put_null(place, "delta_error.rms_ns", reason);
	cd_put_null(place, "delta_error.max_abs_ns", reason);
	cd_put_null(place, "delta_error.false_share", reason);
}

static void put_no_errors(const struct cd_place *place, const char *reason)
{
	static const char *const names[] = {
	    "time.error.span_ns",   "time.error.min_ns",
	    "time.error.p0_1_ns",   "time.error.p50_ns",
	    "time.error.p99_ns",    "time.error.p99_9_ns",
	    "time.error.max_ns",    "clock.wander_ns",
	    "time.residual.min_ns", "time.residual.p50_ns",
	    "time.residual.max_ns",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		cd_put_null(place, names[i], reason);
}

/* ---- frame lengths --------------------------------------------------------
 */

static void put_sizes(const struct cd_analysis *analysis,
		      const struct cd_pair *pair, const struct cd_sizes *sizes)
{
	struct cd_place place = {analysis->report, pair->dut, CD_NO_STREAM};
	double apart =
	    sizes->per_byte_ps * (double)(sizes->longest - sizes->shortest);

	if (!sizes->has_slope)
		return;
	cd_put_real(&place, "clock.per_byte_ns",
		    sizes->per_byte_ps / (double)CD_PS_PER_NS);
	if (analysis->link_bps > 0)
		cd_put_real(&place, "clock.per_byte_wire_ns",
			    8e9 / analysis->link_bps);
	if (fabs(apart) > fmax((double)pair->lim_ps, 2 * (double)pair->tick_ps))
		cd_report_finding(analysis->report, CD_NOTE, "delay_by_length",
				  (int)pair->dut,
				  "stamps are %+.3f ns later for each byte of "
				  "the frame (one capture stamps its end, or a "
				  "tap stores and forwards); errors are taken "
				  "against frames of the same length",
				  sizes->per_byte_ps / (double)CD_PS_PER_NS);
}

/* ---- a pair ---------------------------------------------------------------
 */

/* Lim = min(L_abs, rho median Delta_R) (9.2). */
static int64_t limit_of(const struct cd_metric_options *options,
			int64_t spacing_ps)
{
	double relative = options->lim_ratio * (double)spacing_ps;

	if (!(relative >= 0))
		return 0;
	if (options->lim_abs_ps > 0 && relative > (double)options->lim_abs_ps)
		return options->lim_abs_ps;
	return cd_round_ps(relative);
}

static void put_limit(const struct cd_place *place,
		      const struct cd_metric_options *options,
		      const struct cd_pair *pair)
{
	if (pair->lim_ps > 0)
		cd_put_span(place, "limit.lim_ns", pair->lim_ps);
	else
		cd_put_null(place, "limit.lim_ns", "no packet spacing");
	cd_put_span(place, "limit.abs_ns", options->lim_abs_ps);
	cd_put_real(place, "limit.ratio", options->lim_ratio);
	cd_put_real(place, "limit.loss_ratio", options->loss_ratio);
}

/* Floors of all blocks, for what reorders them; NULL without memory. */
static double *copy_floors(const struct cd_clock *clock)
{
	double *floors = malloc((clock->n_blocks + 1) * sizeof(*floors));

	for (size_t b = 0; floors != NULL && b < clock->n_blocks; b++)
		floors[b] = clock->blocks[b].floor_ps;
	return floors;
}

static int put_wander(struct cd_pair *pair, const struct cd_place *place)
{
	double *floors = copy_floors(&pair->clock);
	struct cd_wander_range range;

	if (floors == NULL)
		return -1;
	range = cd_wander_range(floors, pair->clock.n_blocks);
	free(floors);
	pair->wander_ps = range.peak_to_peak;
	cd_put_span(place, "clock.wander_ns", cd_round_ps(range.peak_to_peak));
	cd_put_span(place, "clock.wander_95_ns", cd_round_ps(range.central));
	return 0;
}

/* What is too early to be noise of the floors (4.4). */
static int early_bar(const struct cd_pair *pair, int64_t *early_ps)
{
	double *floors = copy_floors(&pair->clock);
	int64_t tick = pair->tick_ps > pair->ref_tick_ps ? pair->tick_ps
							 : pair->ref_tick_ps;

	if (floors == NULL)
		return -1;
	*early_ps = cd_round_ps(fmax(
	    5 * cd_mad_f64(floors, pair->clock.n_blocks), 2 * (double)tick));
	free(floors);
	return 0;
}

static uint64_t rows_of(const struct cd_pair *pair, size_t from, size_t to)
{
	uint64_t n = 0;

	for (size_t i = from; i < to; i++)
		n += pair->lanes[i].matched;
	return n;
}

/* Bunched stamps count once (METRICS 0.5). */
static uint64_t effective(const struct cd_pair *pair, uint64_t n)
{
	double share = pair->clusters == 0
			   ? 1
			   : (double)pair->clusters / (double)pair->matched;
	uint64_t bunches = (uint64_t)(share * (double)n);

	return bunches < 1 ? 1 : bunches < n ? bunches : n;
}

static struct cd_measure_scope part_of(const struct cd_measure_scope *whole,
				       size_t from, size_t to)
{
	struct cd_measure_scope part = *whole;

	part.from = from;
	part.to = to;
	part.n = rows_of(whole->pair, from, to);
	part.n_effective = effective(whole->pair, part.n);
	return part;
}

static void put_measured(const struct cd_analysis *analysis,
			 struct cd_pair *pair, const struct cd_place *place,
			 struct cd_measured *m, bool limited)
{
	put_delta_errors(place, m, analysis->options->brief);
	put_worst(place, pair, &m->worst);
	if (!pair->clock.has_drift) {
		put_no_errors(place, pair->clock.reason);
		return;
	}
	put_fast(place, pair, m);
	put_residual(place, &m->residual);
	if (limited)
		put_late(analysis, pair, place, m);
}

static void keep(struct cd_pair *pair, const struct cd_measured *m)
{
	pair->fast = m->fast;
	pair->residual = m->residual;
	pair->delta_error_abs = m->delta_error;
	pair->false_share = m->false_share;
	pair->worst = m->worst;
}

/* A stream is held against its own spacing, which the deltas left in the
 * report. */
static int64_t limit_of_stream(const struct cd_analysis *analysis,
			       const struct cd_pair *pair, uint32_t stream)
{
	const struct cd_value *spacing = cd_report_find_stream(
	    analysis->report, pair->ref, stream, "delta.p50_ns");

	if (spacing == NULL || spacing->kind == CD_VALUE_NULL)
		return 0;
	return limit_of(analysis->options, spacing->integer);
}

static int measure_streams(const struct cd_analysis *analysis,
			   struct cd_pair *pair,
			   const struct cd_measure_scope *whole)
{
	struct cd_place place = {analysis->report, pair->dut, CD_NO_STREAM};
	struct cd_lane_range range = {0};
	struct cd_measured m;

	while (cd_next_shown(analysis, pair, &range)) {
		struct cd_measure_scope scope =
		    part_of(whole, range.from, range.to);

		if (scope.n < 2)
			continue;
		place.stream = range.stream;
		scope.lim_ps = limit_of_stream(analysis, pair, range.stream);
		if (scope.lim_ps > 0)
			cd_put_span(&place, "limit.lim_ns", scope.lim_ps);
		if (cd_measure(&scope, &m) < 0)
			return -1;
		put_measured(analysis, pair, &place, &m, scope.lim_ps > 0);
	}
	return 0;
}

/* Pairs that the reference has and D cannot show. */
static void put_skipped(const struct cd_place *place,
			const struct cd_pair *pair, const struct cd_measured *m)
{
	uint64_t shown = m->delta_error.n + m->across_steps;
	uint64_t pairs = pair->ref_delta.n;

	cd_put_count(place, "delta.skipped_loss",
		     pairs > shown ? pairs - shown : 0);
}

/* The sample served its purpose. */
static void drop_rows(struct cd_clock *clock)
{
	free(clock->rows);
	clock->rows = NULL;
	clock->n_rows = 0;
}

/* Of all lanes, with what charts draw. */
static int measure_drawn(const struct cd_analysis *analysis,
			 const struct cd_pair *pair,
			 struct cd_measure_scope scope, struct cd_measured *m)
{
	struct cd_exceedance exceedance = {0};
	struct cd_offsets offsets = {0};
	int result = -1;

	if (analysis->options->brief || !pair->clock.has_drift)
		return cd_measure(&scope, m);
	scope.exceedance = &exceedance;
	scope.offsets = &offsets;
	if (cd_exceedance_init(&exceedance) == 0 &&
	    cd_offsets_init(&offsets, pair) == 0)
		result = cd_measure(&scope, m);
	if (result == 0) {
		cd_exceedance_put(&exceedance, analysis->report, pair->dut);
		cd_offsets_put(&offsets, analysis);
	}
	cd_exceedance_release(&exceedance);
	cd_offsets_release(&offsets);
	return result;
}

static int measure_all(const struct cd_analysis *analysis, struct cd_pair *pair,
		       const struct cd_measure_scope *scope)
{
	struct cd_place place = {analysis->report, pair->dut, CD_NO_STREAM};
	struct cd_measured m;

	if (measure_drawn(analysis, pair, *scope, &m) < 0)
		return -1;
	put_measured(analysis, pair, &place, &m, scope->lim_ps > 0);
	put_skipped(&place, pair, &m);
	cd_suspect(analysis, pair, &m);
	keep(pair, &m);
	return measure_streams(analysis, pair, scope);
}

/* Against frames of the same length where there are several. */
static int measure_sized(const struct cd_analysis *analysis,
			 struct cd_pair *pair, struct cd_measure_scope *scope)
{
	struct cd_sizes sizes = {0};
	int result = 0;

	if (!pair->clock.has_drift || !cd_sizes_differ(pair))
		return measure_all(analysis, pair, scope);
	result = cd_sizes_measure(&sizes, pair);
	if (result == 0) {
		put_sizes(analysis, pair, &sizes);
		scope->sizes = &sizes;
		result = measure_all(analysis, pair, scope);
	}
	cd_sizes_release(&sizes);
	return result;
}

static int error_pair(const struct cd_analysis *analysis, struct cd_pair *pair)
{
	struct cd_place place = {analysis->report, pair->dut, CD_NO_STREAM};
	struct cd_measure_scope whole = {.pair = pair,
					 .brief = analysis->options->brief},
				scope;

	pair->lim_ps = limit_of(analysis->options, pair->ref_delta.p50);
	put_limit(&place, analysis->options, pair);
	if (pair->matched < 3 || !pair->clock.has_offset) {
		put_no_errors(&place, pair->clock.reason);
		put_no_delta_errors(&place, pair->clock.reason);
		return 0;
	}
	if (pair->clock.has_drift && (put_wander(pair, &place) < 0 ||
				      early_bar(pair, &whole.early_ps) < 0))
		return -1;
	whole.lim_ps = pair->lim_ps;
	scope = part_of(&whole, 0, pair->n_lanes);
	return measure_sized(analysis, pair, &scope);
}

static int run(struct cd_analysis *analysis, struct cd_error *error)
{
	for (size_t i = 0; i < analysis->n_pairs; i++) {
		if (analysis->pairs[i].alone)
			continue;
		if (error_pair(analysis, &analysis->pairs[i]) < 0)
			return cd_error_memory(error);
		drop_rows(&analysis->pairs[i].clock);
	}
	return 0;
}

const struct cd_metric cd_metric_error = {"error", run};
