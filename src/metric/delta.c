/*
 * Deltas of every capture: between neighbouring numbers inside the common
 * interval, and raw ones in file order with those no wire could have carried
 * (METRICS 3.1, 3.5).
 */
#include "metric/delta.h"

#include <stdlib.h>

#include "base/time.h"
#include "metric/bins.h"
#include "metric/lanes_range.h"
#include "metric/metric.h"
#include "metric/numbers.h"
#include "metric/physics.h"
#include "metric/put.h"
#include "metric/quantity.h"
#include "metric/sample.h"

/* One capture as one side of a pair. */
struct side {
	const struct cd_analysis *analysis;
	const struct cd_pair *pair;
	bool ref;
	bool raw; /* raw deltas are wanted, too */
	int64_t tick_ps;
	int64_t *by_length;   /* thresholds; NULL: no link known */
	int64_t threshold_ps; /* the smallest in use; 0: not testable */
	int64_t *sample;      /* deltas from all over */
	size_t n_sample;
};

static uint32_t point_of(const struct side *side)
{
	return side->ref ? side->pair->ref : side->pair->dut;
}

/* ---- sources --------------------------------------------------------------
 */

static int64_t threshold_of(const struct side *side,
			    const struct cd_stream *stream)
{
	const struct cd_analysis *analysis = side->analysis;
	int64_t least;

	if (analysis->link_bps <= 0)
		return 0;
	least = cd_physics_threshold_ps(
	    analysis->link_bps,
	    cd_wire_bytes(analysis->options, stream->frame_bytes),
	    side->tick_ps);
	return least > 0 ? least : 0;
}

/* Distributions of raw deltas are for the details, for captures that have no
 * deltas by number, and impossible ones come of them. */
static bool wants_raw(const struct side *side)
{
	const struct cd_analysis *analysis = side->analysis;

	return !analysis->options->brief || analysis->n_points == 1 ||
	       analysis->link_bps > 0 || !side->pair->common;
}

static struct cd_delta_source source_of(struct side *side,
					const struct cd_lane *lane,
					const struct cd_stream *stream)
{
	int64_t threshold = threshold_of(side, stream);

	if (threshold > 0 &&
	    (side->threshold_ps == 0 || threshold < side->threshold_ps))
		side->threshold_ps = threshold;
	return (struct cd_delta_source){
	    .track = side->ref ? lane->ref : lane->dut,
	    .raw = side->raw && wants_raw(side),
	    .numbered = lane->common,
	    .from = lane->a,
	    .to = lane->b,
	    .threshold_ps = threshold,
	    .thresholds_ps = stream->one_size ? NULL : side->by_length,
	};
}

/* Of the lanes from..to-1. */
static int measure_lanes(struct side *side, size_t from, size_t to,
			 struct cd_histogram *histogram, struct cd_deltas *out)
{
	struct cd_delta_source *sources =
	    calloc(to - from + 1, sizeof(*sources));
	size_t n = 0;
	int result;

	if (sources == NULL)
		return -1;
	for (size_t i = from; i < to; i++) {
		const struct cd_lane *lane = &side->pair->lanes[i];
		const struct cd_stream *stream =
		    side->ref ? lane->ref_stream : lane->dut_stream;

		if ((side->ref ? lane->ref : lane->dut) != NULL)
			sources[n++] = source_of(side, lane, stream);
	}
	result = cd_deltas_measure(sources, n, side->sample, side->n_sample,
				   histogram, out);
	free(sources);
	return result;
}

/* ---- preparations ---------------------------------------------------------
 */

/* Of every frame length, for streams of several. */
static int make_thresholds(struct side *side)
{
	const struct cd_analysis *analysis = side->analysis;

	if (analysis->link_bps <= 0)
		return 0;
	side->by_length = malloc(CD_DELTA_LENGTHS * sizeof(*side->by_length));
	if (side->by_length == NULL)
		return -1;
	for (uint32_t i = 0; i < CD_DELTA_LENGTHS; i++)
		side->by_length[i] = cd_physics_threshold_ps(
		    analysis->link_bps, cd_wire_bytes(analysis->options, i),
		    side->tick_ps);
	return 0;
}

/* Fewer rows are sooner read twice than sampled. */
#define LEAST_FOR_SAMPLE 200000

static uint64_t rows_of(const struct cd_point *point)
{
	uint64_t rows = 0;

	for (size_t i = 0; i < point->n_streams; i++)
		rows += point->streams[i].packets;
	return rows;
}

static int take_sample(struct side *side)
{
	const struct cd_point *point = &side->analysis->points[point_of(side)];
	struct cd_sample_times times;
	size_t n = 0;

	if (rows_of(point) < LEAST_FOR_SAMPLE)
		return 0;
	if (cd_sample_take(&times, point) < 0) {
		cd_sample_release(&times);
		return -1;
	}
	for (size_t i = 1; i < times.n; i++)
		if (cd_follows(times.seq[i - 1], times.seq[i]))
			times.ps[n++] =
			    cd_wrap_minus(times.ps[i], times.ps[i - 1]);
	side->sample = times.ps;
	side->n_sample = n;
	times.ps = NULL;
	cd_sample_release(&times);
	return 0;
}

static int prepare(struct side *side)
{
	side->tick_ps =
	    side->ref ? side->pair->ref_tick_ps : side->pair->tick_ps;
	return make_thresholds(side) < 0 ? -1 : take_sample(side);
}

static void release(struct side *side)
{
	free(side->by_length);
	free(side->sample);
}

/* ---- values ---------------------------------------------------------------
 */

static void put_numbered(const struct cd_place *place,
			 const struct cd_distribution *d)
{
	cd_put_count(place, "delta.pairs", d->n);
	cd_put_extreme(place, "delta.min_ns", d->min, d->n);
	cd_put_percentile(place, "delta.p1_ns", d->p1, d->n, 1000);
	cd_put_percentile(place, "delta.p50_ns", d->p50, d->n, 50000);
	cd_put_percentile(place, "delta.p99_ns", d->p99, d->n, 99000);
	cd_put_percentile(place, "delta.p99_9_ns", d->p99_9, d->n, 99900);
	cd_put_extreme(place, "delta.max_ns", d->max, d->n);
	cd_put_mean(place, "delta.mean_ns", d->mean, d->n);
}

static void put_raw(const struct cd_place *place,
		    const struct cd_distribution *d)
{
	cd_put_extreme(place, "delta.raw_min_ns", d->min, d->n);
	cd_put_percentile(place, "delta.raw_p1_ns", d->p1, d->n, 1000);
	cd_put_percentile(place, "delta.raw_p50_ns", d->p50, d->n, 50000);
	cd_put_percentile(place, "delta.raw_p99_ns", d->p99, d->n, 99000);
	cd_put_percentile(place, "delta.raw_p99_9_ns", d->p99_9, d->n, 99900);
	cd_put_extreme(place, "delta.raw_max_ns", d->max, d->n);
	cd_put_mean(place, "delta.raw_mean_ns", d->mean, d->n);
}

static double share(uint64_t part, uint64_t whole)
{
	return whole == 0 ? 0 : (double)part / (double)whole;
}

static void put_impossible(const struct cd_place *place,
			   const struct side *side,
			   const struct cd_deltas *deltas)
{
	const char *reason = NULL;

	if (side->analysis->link_bps <= 0)
		reason = "link rate not known";
	else if (side->threshold_ps <= 0)
		reason = "resolution too coarse";
	else if (deltas->raw.n == 0)
		reason = "no deltas";
	if (reason != NULL) {
		cd_put_null(place, "delta.impossible", reason);
		cd_put_null(place, "delta.impossible_ratio", reason);
		return;
	}
	cd_put_count(place, "delta.impossible", deltas->impossible);
	cd_put_real(place, "delta.impossible_ratio",
		    share(deltas->impossible, deltas->raw.n));
	cd_put_span(place, "physics.threshold_ns", side->threshold_ps);
}

/* Zero and negative deltas were counted when the file was read. */
static void put_counts(const struct cd_place *place, uint64_t deltas,
		       uint64_t equal, uint64_t back)
{
	cd_put_count(place, "delta.raw_count", deltas);
	cd_put_count(place, "delta.zero", equal);
	cd_put_count(place, "delta.negative", back);
	if (deltas > 0)
		cd_put_real(place, "delta.zero_ratio", share(equal, deltas));
	else
		cd_put_null(place, "delta.zero_ratio", "no deltas");
}

static void put_stream_counts(const struct cd_analysis *analysis, uint32_t k)
{
	struct cd_place place = {analysis->report, k, CD_NO_STREAM};
	uint64_t deltas = 0, equal = 0, back = 0;
	size_t n = analysis->report->n_streams;

	for (uint32_t id = 0; id < n; id++) {
		const struct cd_stream *s = analysis->streams[k * n + id];

		if (s == NULL)
			continue;
		deltas += s->deltas;
		equal += s->equal;
		back += s->steps_back;
		place.stream = id;
		if (analysis->shown[id])
			put_counts(&place, s->deltas, s->equal, s->steps_back);
	}
	place.stream = CD_NO_STREAM;
	put_counts(&place, deltas, equal, back);
}

/* ---- the metric -----------------------------------------------------------
 */

static int put_streams(struct side *side)
{
	struct cd_place place = {side->analysis->report, point_of(side),
				 CD_NO_STREAM};
	struct cd_lane_range range = {0};
	struct cd_deltas d;

	while (cd_next_shown(side->analysis, side->pair, &range)) {
		if (measure_lanes(side, range.from, range.to, NULL, &d) < 0)
			return -1;
		place.stream = range.stream;
		put_numbered(&place, &d.numbered);
		if (side->raw)
			put_impossible(&place, side, &d);
	}
	return 0;
}

/* What one bin is centred on: the reference's spacing, or the capture's own. */
static int64_t expected_delta(const struct side *side,
			      const struct cd_deltas *d)
{
	const struct cd_distribution *reference = &side->pair->ref_delta;

	if (!side->pair->common || d->numbered.n == 0)
		return d->raw.p50;
	return side->ref || side->pair->alone ? d->numbered.p50
					      : reference->p50;
}

/* Of all lanes, with what charts draw. */
static int measure_drawn(struct side *side, struct cd_deltas *d)
{
	size_t n = side->pair->n_lanes;
	struct cd_histogram histogram;
	int result;

	if (!side->raw || side->analysis->options->brief)
		return measure_lanes(side, 0, n, NULL, d);
	if (cd_histogram_init(&histogram, CD_BINS_P))
		return -1;
	result = measure_lanes(side, 0, n, &histogram, d);
	if (result == 0 && histogram.moments.n > 0)
		cd_bins_put(side->analysis->report, point_of(side), &histogram,
			    expected_delta(side, d));
	cd_histogram_release(&histogram);
	return result;
}

/* Pooled, then stream by stream where those are shown. */
static int measure_side(struct side *side, struct cd_distribution *numbered)
{
	struct cd_place place = {side->analysis->report, point_of(side),
				 CD_NO_STREAM};
	struct cd_deltas d;
	int result = -1;

	if (prepare(side) < 0 || measure_drawn(side, &d) < 0)
		goto out;
	*numbered = d.numbered;
	result = 0;
	if (!side->raw)
		goto out; /* the reference again, inside another interval */
	put_stream_counts(side->analysis, place.point);
	if (wants_raw(side))
		put_raw(&place, &d.raw);
	put_impossible(&place, side, &d);
	if (side->pair->common)
		put_numbered(&place, &d.numbered);
	result = put_streams(side);
out:
	release(side);
	return result;
}

static int run(struct cd_analysis *analysis, struct cd_error *error)
{
	for (size_t i = 0; i < analysis->n_pairs; i++) {
		struct cd_pair *pair = &analysis->pairs[i];
		struct side ref = {.analysis = analysis,
				   .pair = pair,
				   .ref = true,
				   .raw = i == 0};
		struct side dut = {
		    .analysis = analysis, .pair = pair, .raw = true};

		if (!pair->alone && measure_side(&ref, &pair->ref_delta) < 0)
			return cd_error_memory(error);
		if (measure_side(&dut, &pair->dut_delta) < 0)
			return cd_error_memory(error);
	}
	return 0;
}

const struct cd_metric cd_metric_delta = {"delta", run};
