#include "metric/ideal.h"

#include <math.h>
#include <stdlib.h>

#include "metric/clock.h"

const struct cd_lane *cd_ideal_lane(const struct cd_pair *pair)
{
	const struct cd_lane *most = NULL;

	for (size_t i = 0; i < pair->n_lanes; i++) {
		const struct cd_lane *lane = &pair->lanes[i];

		if (!lane->common || lane->dut == NULL)
			continue;
		if (most != NULL && lane->stream != most->stream)
			return NULL;
		if (most == NULL ||
		    cd_track_unique(lane->dut) > cd_track_unique(most->dut))
			most = lane;
	}
	return most;
}

int cd_ideal_init(struct cd_ideal *ideal, const struct cd_pair *pair,
		  const struct cd_lane *of)
{
	*ideal = (struct cd_ideal){.track = cd_track_new(1)};
	ideal->stream.first_ps = INT64_MAX;
	ideal->stream.last_ps = INT64_MIN;
	ideal->lane = *of;
	ideal->lane.matched = 0;
	ideal->lane.theta_ps = NULL;
	ideal->pair = (struct cd_pair){
	    .ref = pair->ref,
	    .dut = pair->dut,
	    .common = true,
	    .tick_ps = pair->tick_ps,
	    .ref_tick_ps = 1,
	};
	return ideal->track == NULL ? -1 : 0;
}

void cd_ideal_release(struct cd_ideal *ideal)
{
	cd_track_free(ideal->track);
	free(ideal->lane.theta_ps);
	free(ideal->pair.clock.blocks);
	free(ideal->pair.clock.steps);
	free(ideal->pair.clock.rows);
	*ideal = (struct cd_ideal){0};
}

int cd_ideal_add(struct cd_ideal *ideal, int64_t seq, int64_t time_ps)
{
	struct cd_track_row row = {.seq = seq, .time_ps = time_ps};

	/* a walk leaves them out too */
	if (seq < ideal->lane.a || seq > ideal->lane.b)
		return 0;
	if (time_ps < ideal->stream.first_ps)
		ideal->stream.first_ps = time_ps;
	if (time_ps > ideal->stream.last_ps)
		ideal->stream.last_ps = time_ps;
	row.number = ++ideal->lane.matched;
	return cd_track_add(ideal->track, &row, CD_ROW_KEPT);
}

static void close_pair(struct cd_ideal *ideal)
{
	ideal->lane.ref = ideal->track;
	ideal->lane.ref_stream = &ideal->stream;
	ideal->pair.lanes = &ideal->lane;
	ideal->pair.n_lanes = 1;
	ideal->pair.matched = ideal->lane.matched;
}

int cd_ideal_measure(struct cd_ideal *ideal,
		     const struct cd_metric_options *options,
		     struct cd_measured *out, const char **reason)
{
	struct cd_cluster_summary bursts;
	struct cd_measure_scope scope = {
	    .pair = &ideal->pair,
	    .to = 1,
	    .early_ps = INT64_MAX,
	};

	if (cd_track_finish(ideal->track) < 0)
		return -1;
	close_pair(ideal);
	if (cd_clock_fit(&ideal->pair, options, &bursts) < 0)
		return -1;
	*reason = ideal->pair.clock.reason;
	if (!ideal->pair.clock.has_drift)
		return 0;
	scope.n = ideal->pair.matched;
	scope.n_effective = scope.n;
	return cd_measure(&scope, out) < 0 ? -1 : 1;
}
