/*
 * Deltas of every capture: between neighbouring numbers inside the common
 * interval, and raw ones in file order with those no wire could have carried
 * (METRICS 3.1, 3.5).
 */
#include "metric/delta.h"

#include <stdlib.h>

#include "base/time.h"
#include "metric/lanes_range.h"
#include "metric/metric.h"
#include "metric/physics.h"
#include "metric/put.h"
#include "metric/quantity.h"

/* ---- sequence deltas ------------------------------------------------------
 */

static const struct cd_track *track_of(const struct cd_lane *lane, bool ref)
{
	return ref ? lane->ref : lane->dut;
}

/* Of the lanes from..to-1, one side. */
static int measure_lanes(const struct cd_pair *pair, size_t from, size_t to,
			 bool ref, struct cd_distribution *out)
{
	struct cd_delta_source *sources =
	    calloc(to - from + 1, sizeof(*sources));
	struct cd_deltas deltas;
	size_t n = 0;
	int result;

	if (sources == NULL)
		return -1;
	for (size_t i = from; i < to; i++) {
		const struct cd_lane *lane = &pair->lanes[i];

		if (lane->common && track_of(lane, ref) != NULL)
			sources[n++] = (struct cd_delta_source){
			    .track = track_of(lane, ref),
			    .from = lane->a,
			    .to = lane->b,
			};
	}
	result = cd_deltas_measure(sources, n, &deltas);
	*out = deltas.d;
	free(sources);
	return result;
}

static void put_deltas(const struct cd_place *place,
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

/* One side of a pair: pooled, and stream by stream where those are shown. */
static int side(const struct cd_analysis *analysis, const struct cd_pair *pair,
		bool ref, bool put, struct cd_distribution *pooled)
{
	struct cd_place place = {analysis->report, ref ? pair->ref : pair->dut,
				 CD_NO_STREAM};
	struct cd_lane_range range = {0};
	struct cd_distribution d;

	if (measure_lanes(pair, 0, pair->n_lanes, ref, pooled) < 0)
		return -1;
	if (put)
		put_deltas(&place, pooled);
	while (put && cd_next_shown(analysis, pair, &range)) {
		if (measure_lanes(pair, range.from, range.to, ref, &d) < 0)
			return -1;
		place.stream = range.stream;
		put_deltas(&place, &d);
	}
	return 0;
}

/* ---- raw deltas -----------------------------------------------------------
 */

/* Of every frame length, for streams of several. */
static int64_t *thresholds(const struct cd_analysis *analysis, int64_t tick_ps)
{
	int64_t *of = malloc(CD_DELTA_LENGTHS * sizeof(*of));

	for (uint32_t i = 0; of != NULL && i < CD_DELTA_LENGTHS; i++)
		of[i] = cd_physics_threshold_ps(
		    analysis->link_bps, cd_wire_bytes(analysis->options, i),
		    tick_ps);
	return of;
}

static int64_t tick_of(const struct cd_analysis *analysis, uint32_t k)
{
	for (size_t i = 0; i < analysis->n_pairs; i++) {
		if (analysis->pairs[i].dut == k)
			return analysis->pairs[i].tick_ps;
		if (analysis->pairs[i].ref == k)
			return analysis->pairs[i].ref_tick_ps;
	}
	return 0;
}

static size_t count_epochs(const struct cd_point *point)
{
	size_t n = 0;

	for (size_t i = 0; i < point->n_streams; i++)
		n += point->streams[i].n_epochs;
	return n;
}

/* What every stream's thresholds are, and the smallest of the report. */
struct limits {
	int64_t *by_length;
	int64_t tick_ps, smallest_ps; /* smallest_ps 0: not testable */
};

static int64_t threshold_of(const struct cd_analysis *analysis,
			    const struct cd_stream *stream, int64_t tick_ps)
{
	if (analysis->link_bps <= 0)
		return 0;
	return cd_physics_threshold_ps(
	    analysis->link_bps,
	    cd_wire_bytes(analysis->options, stream->frame_bytes), tick_ps);
}

static size_t list_sources(const struct cd_analysis *analysis,
			   const struct cd_point *point, struct limits *limits,
			   struct cd_delta_source *sources)
{
	size_t n = 0;

	for (size_t i = 0; i < point->n_streams; i++) {
		const struct cd_stream *stream = &point->streams[i];
		int64_t bar = threshold_of(analysis, stream, limits->tick_ps);

		if (bar > 0 &&
		    (limits->smallest_ps == 0 || bar < limits->smallest_ps))
			limits->smallest_ps = bar;
		for (size_t k = 0; k < stream->n_epochs; k++)
			sources[n++] = (struct cd_delta_source){
			    .track = stream->epochs[k],
			    .whole = true,
			    .threshold_ps = bar > 0 ? bar : 0,
			    .thresholds_ps =
				stream->one_size ? NULL : limits->by_length,
			};
	}
	return n;
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

static void put_impossible(const struct cd_place *place,
			   const struct cd_analysis *analysis,
			   const struct limits *limits,
			   const struct cd_deltas *deltas)
{
	const char *reason = NULL;

	if (analysis->link_bps <= 0)
		reason = "link rate not known";
	else if (limits->smallest_ps <= 0)
		reason = "resolution too coarse";
	else if (deltas->d.n == 0)
		reason = "no deltas";
	if (reason != NULL) {
		cd_put_null(place, "delta.impossible", reason);
		cd_put_null(place, "delta.impossible_ratio", reason);
		return;
	}
	cd_put_count(place, "delta.impossible", deltas->impossible);
	cd_put_real(place, "delta.impossible_ratio",
		    share(deltas->impossible, deltas->d.n));
	cd_put_span(place, "physics.threshold_ns", limits->smallest_ps);
}

static void put_stream_counts(const struct cd_analysis *analysis, uint32_t k)
{
	struct cd_place place = {analysis->report, k, CD_NO_STREAM};
	uint64_t deltas = 0, equal = 0, back = 0;

	for (uint32_t id = 0; id < analysis->report->n_streams; id++) {
		const struct cd_stream *s =
		    analysis->streams[k * analysis->report->n_streams + id];

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

static int measure_raw(const struct cd_analysis *analysis, uint32_t k,
		       struct limits *limits, struct cd_deltas *deltas)
{
	const struct cd_point *point = &analysis->points[k];
	struct cd_delta_source *sources =
	    calloc(count_epochs(point) + 1, sizeof(*sources));
	size_t n;
	int result = -1;

	if (sources == NULL)
		return -1;
	if (analysis->link_bps > 0) {
		limits->by_length = thresholds(analysis, limits->tick_ps);
		if (limits->by_length == NULL)
			goto out;
	}
	n = list_sources(analysis, point, limits, sources);
	result = cd_deltas_measure(sources, n, deltas);
out:
	free(sources);
	free(limits->by_length);
	limits->by_length = NULL;
	return result;
}

static int raw(const struct cd_analysis *analysis, uint32_t k)
{
	struct cd_place place = {analysis->report, k, CD_NO_STREAM};
	struct limits limits = {.tick_ps = tick_of(analysis, k)};
	struct cd_deltas deltas;

	if (measure_raw(analysis, k, &limits, &deltas) < 0)
		return -1;
	put_stream_counts(analysis, k);
	put_raw(&place, &deltas.d);
	put_impossible(&place, analysis, &limits, &deltas);
	return 0;
}

/* ---- the metric -----------------------------------------------------------
 */

static int pair_deltas(struct cd_analysis *analysis, struct cd_pair *pair,
		       bool put_ref)
{
	if (!pair->common)
		return 0;
	if (!pair->alone &&
	    side(analysis, pair, true, put_ref, &pair->ref_delta) < 0)
		return -1;
	return side(analysis, pair, false, true, &pair->dut_delta);
}

static int run(struct cd_analysis *analysis, struct cd_error *error)
{
	bool put_ref = true; /* the reference's are those of the first pair */

	for (uint32_t k = 0; k < analysis->n_points; k++)
		if (raw(analysis, k) < 0)
			return cd_error_memory(error);
	for (size_t i = 0; i < analysis->n_pairs; i++) {
		struct cd_pair *pair = &analysis->pairs[i];

		if (pair_deltas(analysis, pair, put_ref) < 0)
			return cd_error_memory(error);
		if (pair->common)
			put_ref = false;
	}
	return 0;
}

const struct cd_metric cd_metric_delta = {"delta", run};
