/*
 * Bunches of stamps as interrupt coalescing makes them (METRICS 3.5). Against
 * a reference, which knows what spacing to expect, the clock's first pass
 * counts them; here a capture without one goes by its own median.
 */
#include <stdlib.h>

#include "align/track.h"
#include "base/time.h"
#include "metric/bunch.h"
#include "metric/bursts.h"
#include "metric/metric.h"
#include "metric/physics.h"

/* ---- values ---------------------------------------------------------------
 */

static void put_period(const struct cd_place *place,
		       const struct cd_cluster_summary *bursts)
{
	if (!bursts->has_period) {
		cd_put_null(place, "burst.period_ns",
			    bursts->coalescing >= 0.3 && bursts->size_p50 >= 2
				? "stamps scatter, no batches"
				: "no coalescing visible");
		return;
	}
	cd_put_span(place, "burst.period_ns", bursts->period);
	cd_put_span(place, "burst.period_p10_ns", bursts->onset_p10);
	cd_put_span(place, "burst.period_p90_ns", bursts->onset_p90);
}

void cd_bursts_put(const struct cd_place *place,
		   const struct cd_cluster_summary *bursts)
{
	if (bursts->packets == 0) {
		cd_bursts_put_none(place, "no packets with times");
		return;
	}
	cd_put_real(place, "burst.coalescing", bursts->coalescing);
	cd_put_real(place, "burst.share", bursts->share_bunched);
	cd_put_count(place, "burst.clusters", bursts->clusters);
	cd_put_real(place, "burst.size_mean", bursts->mean_size);
	cd_put_count(place, "burst.size_p50", (uint64_t)bursts->size_p50);
	cd_put_count(place, "burst.size_max", (uint64_t)bursts->size_max);
	put_period(place, bursts);
}

void cd_bursts_put_none(const struct cd_place *place, const char *reason)
{
	cd_put_null(place, "burst.coalescing", reason);
	cd_put_null(place, "burst.share", reason);
	cd_put_null(place, "burst.size_p50", reason);
	cd_put_null(place, "burst.period_ns", reason);
}

/* ---- a capture alone ------------------------------------------------------
 */

/* max(delta_min, median delta); where more than half of the deltas are zero,
 * which no wire carries, the mean. */
static int64_t expected_spacing(const struct cd_analysis *analysis,
				const struct cd_pair *pair,
				const struct cd_stream *stream)
{
	int64_t spacing = pair->dut_delta.p50;

	if (analysis->link_bps > 0) {
		int64_t least = cd_physics_threshold_ps(
		    analysis->link_bps,
		    cd_wire_bytes(analysis->options, stream->frame_bytes), 0);

		if (spacing < least)
			spacing = least;
	}
	return spacing > 0 ? spacing : (int64_t)pair->dut_delta.mean;
}

static size_t take_valid(const struct cd_block *block, int64_t *t)
{
	size_t n = 0;

	for (size_t i = 0; i < block->n; i++)
		if (block->time_ps[i] != CD_TIME_NONE)
			t[n++] = block->time_ps[i];
	return n;
}

static int add_lane(struct cd_clusters *clusters, const struct cd_track *track,
		    int64_t spacing, int64_t *t)
{
	struct cd_track_reader *reader =
	    cd_track_reader_new(track, CD_ORDER_SEQ, CD_COLUMN_TIME);
	struct cd_block block;

	if (reader == NULL)
		return -1;
	while (cd_track_reader_next(reader, &block) == 1)
		cd_clusters_add(clusters, t, NULL, spacing,
				take_valid(&block, t));
	cd_clusters_end(clusters);
	cd_track_reader_free(reader);
	return 0;
}

/* By the spacing of the packets, or by one of its own. */
static int add_lanes(const struct cd_analysis *analysis,
		     const struct cd_pair *pair, int64_t spacing,
		     struct cd_clusters *clusters)
{
	int64_t *t = malloc(CD_BLOCK_ROWS * sizeof(*t));
	int result = t == NULL ? -1 : 0;

	for (size_t i = 0; i < pair->n_lanes && result == 0; i++) {
		const struct cd_lane *lane = &pair->lanes[i];

		if (lane->common && lane->dut != NULL)
			result = add_lane(
			    clusters, lane->dut,
			    spacing > 0 ? spacing
					: expected_spacing(analysis, pair,
							   lane->dut_stream),
			    t);
	}
	free(t);
	return result;
}

static int count_lanes(const struct cd_analysis *analysis,
		       const struct cd_pair *pair, int64_t spacing,
		       struct cd_cluster_summary *out)
{
	struct cd_clusters clusters = {0};
	int result = cd_clusters_init(&clusters);

	if (result == 0)
		result = add_lanes(analysis, pair, spacing, &clusters);
	if (result == 0)
		*out = cd_clusters_summary(&clusters);
	cd_clusters_release(&clusters);
	return result;
}

/* Batches by the gap between them, where there are any. */
static int refine(const struct cd_analysis *analysis,
		  const struct cd_pair *pair,
		  struct cd_cluster_summary *bursts)
{
	const struct cd_point *point = &analysis->points[pair->dut];
	struct cd_cluster_summary fine;
	struct cd_sample_times times;
	int64_t gap_ps = CD_TIME_NONE;
	int result = cd_sample_take(&times, point);

	if (result == 0)
		result = cd_bunch_gap(&times, &gap_ps);
	cd_sample_release(&times);
	if (result < 0)
		return -1;
	bursts->has_period = gap_ps != CD_TIME_NONE;
	if (!bursts->has_period || gap_ps > INT64_MAX / 4)
		return 0;
	result = count_lanes(analysis, pair, 4 * gap_ps, &fine);
	if (result == 0)
		*bursts = cd_bunch_join(bursts, &fine);
	return result;
}

static int cluster_alone(const struct cd_analysis *analysis,
			 struct cd_pair *pair)
{
	struct cd_place place = {analysis->report, pair->dut, CD_NO_STREAM};
	struct cd_cluster_summary bursts;

	if (!analysis->points[pair->dut].numbered) {
		cd_bursts_put_none(&place, "no numbers");
		return 0;
	}
	if (count_lanes(analysis, pair, 0, &bursts) < 0)
		return -1;
	if (bursts.has_period && refine(analysis, pair, &bursts) < 0)
		return -1;
	if (bursts.size_p50 < 2)
		bursts.has_period = false;
	cd_bursts_put(&place, &bursts);
	pair->coalescing = bursts.coalescing;
	pair->burst_share = bursts.share_bunched;
	pair->clusters = bursts.clusters;
	if (bursts.has_period)
		pair->burst_period_ps = (double)bursts.period;
	return 0;
}

static int run(struct cd_analysis *analysis, struct cd_error *error)
{
	for (size_t i = 0; i < analysis->n_pairs; i++)
		if (analysis->pairs[i].alone &&
		    cluster_alone(analysis, &analysis->pairs[i]) < 0)
			return cd_error_memory(error);
	return 0;
}

const struct cd_metric cd_metric_cluster = {"cluster", run};
