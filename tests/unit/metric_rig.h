/*
 * Two captures of one numbered stream made from arrays of times, and the time
 * metrics run over them, without files and without the matching of streams.
 */
#ifndef CAPDIFF_TESTS_UNIT_METRIC_RIG_H
#define CAPDIFF_TESTS_UNIT_METRIC_RIG_H

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "align/track.h"
#include "base/array.h"
#include "base/time.h"
#include "metric/metric.h"
#include "report/report.h"

#define US CD_PS_PER_US
#define MS CD_PS_PER_MS
#define SEC CD_PS_PER_S
#define NS CD_PS_PER_NS
#define LOST CD_TIME_NONE

#define RIG_LANES 8

extern const struct cd_metric cd_metric_tick, cd_metric_physics,
    cd_metric_delta, cd_metric_clock, cd_metric_cluster, cd_metric_error,
    cd_metric_metrology,
    cd_metric_cadence, cd_metric_sender;

struct rig {
	struct cd_point points[2]; /* reference, compared */
	struct cd_stream streams[2][RIG_LANES];
	struct cd_track *tracks[2][RIG_LANES];
	struct cd_lane lanes[RIG_LANES];
	const struct cd_stream *by_id[2 * RIG_LANES];
	bool shown[RIG_LANES];
	struct cd_pair pair;
	struct cd_metric_options options;
	struct cd_analysis analysis;
	struct cd_report *report;
	/* of the send times of every 64th packet: i * tx_num / tx_den + tx_at,
	 * modulo 2^32 if tx_wraps; 0: none */
	int64_t tx_num, tx_den, tx_at;
	bool tx_wraps;
	uint32_t (*length_of)(size_t i); /* of frames; NULL: all 1514 */
};

static inline void rig_init(struct rig *rig)
{
	static const char *const labels[] = {"ref", "dut"};

	memset(rig, 0, sizeof(*rig));
	rig->report = cd_report_new();
	rig->report->captures = calloc(2, sizeof(*rig->report->captures));
	rig->report->n_captures = 2;
	for (size_t k = 0; k < 2; k++) {
		rig->report->captures[k].label = cd_strdup(labels[k]);
		rig->points[k] = (struct cd_point){
		    .label = labels[k],
		    .base = {.s = 1764500000},
		    .unit_ps = NS,
		    .streams = rig->streams[k],
		    .numbered = true,
		};
	}
	rig->options = (struct cd_metric_options){
	    .lim_abs_ps = 100 * US, .lim_ratio = 0.1, .fcs_bytes = -1};
	rig->pair = (struct cd_pair){.dut = 1,
				     .numbered = true,
				     .lanes = rig->lanes,
				     .false_share = NAN,
				     .wander_ps = NAN,
				     .burst_period_ps = NAN,
				     .burst_share = NAN,
				     .coalescing = NAN};
}

static inline void rig_add_sent(struct rig *rig, struct cd_track *track,
				int64_t i)
{
	struct cd_identity id = {.seq = i, .has_tx = true};

	if (rig->tx_den == 0 || i % 64 != 0)
		return;
	id.tx = i * rig->tx_num / rig->tx_den + rig->tx_at;
	if (rig->tx_wraps)
		id.tx = (int64_t)((uint64_t)id.tx & UINT32_MAX);
	cr_assert_eq(cd_track_add_identity(track, &id), 0);
}

static inline void rig_add_track(struct rig *rig, size_t k, size_t lane,
				 const int64_t *ps, size_t n, uint32_t length)
{
	struct cd_stream *stream = &rig->streams[k][lane];
	struct cd_track *track = cd_track_new(1);
	int64_t previous = CD_TIME_NONE;

	*stream = (struct cd_stream){.epochs = &rig->tracks[k][lane],
				     .n_epochs = 1,
				     .frame_bytes = length,
				     .one_size = rig->length_of == NULL,
				     .first_ps = INT64_MAX,
				     .last_ps = INT64_MIN};
	for (size_t i = 0; i < n; i++) {
		struct cd_track_row row = {.seq = (int64_t)i,
					   .time_ps = ps[i],
					   .number = stream->packets + 1,
					   .length = length};

		if (rig->length_of != NULL)
			row.length = rig->length_of(i);
		if (ps[i] == LOST)
			continue;
		cr_assert_eq(cd_track_add(track, &row, CD_ROW_KEPT), 0);
		rig_add_sent(rig, track, row.seq);
		if (stream->packets++ > 0) {
			stream->deltas++;
			stream->equal += ps[i] == previous;
			stream->steps_back += ps[i] < previous;
		}
		previous = ps[i];
		if (ps[i] < stream->first_ps)
			stream->first_ps = ps[i];
		if (ps[i] > stream->last_ps)
			stream->last_ps = ps[i];
	}
	cr_assert_eq(cd_track_finish(track), 0);
	rig->tracks[k][lane] = track;
	rig->points[k].n_streams = lane + 1;
	if (lane == 0 || stream->first_ps < rig->points[k].first_ps)
		rig->points[k].first_ps = stream->first_ps;
	if (lane == 0 || stream->last_ps > rig->points[k].last_ps)
		rig->points[k].last_ps = stream->last_ps;
}

/* One more stream of frames of 1514 bytes (1518 with FCS): packet i is stamped
 * ref[i] and dut[i], or LOST. */
static inline void rig_add(struct rig *rig, const int64_t *ref,
			   const int64_t *dut, size_t n)
{
	size_t at = rig->pair.n_lanes++;
	struct cd_lane *lane = &rig->lanes[at];

	rig_add_track(rig, 0, at, ref, n, 1514);
	rig_add_track(rig, 1, at, dut, n, 1514);
	*lane = (struct cd_lane){.stream = (uint32_t)at,
				 .ref_stream = &rig->streams[0][at],
				 .dut_stream = &rig->streams[1][at],
				 .ref = rig->tracks[0][at],
				 .dut = rig->tracks[1][at],
				 .a = 0,
				 .b = (int64_t)n - 1,
				 .common = n > 0};
	for (size_t i = 0; i < n; i++)
		lane->matched += ref[i] != LOST && dut[i] != LOST;
	rig->pair.matched += lane->matched;
	rig->pair.common = rig->pair.matched > 0;
}

static inline void rig_run_one(struct rig *rig, const struct cd_metric *metric)
{
	struct cd_error error = {0};

	cr_assert_eq(metric->run(&rig->analysis, &error), 0, "%s: %s",
		     metric->name, error.what);
}

static inline void rig_run(struct rig *rig)
{
	size_t n = rig->pair.n_lanes;

	rig->report->n_streams = n;
	rig->report->streams = calloc(n, sizeof(*rig->report->streams));
	for (size_t k = 0; k < 2; k++)
		for (size_t i = 0; i < n; i++)
			rig->by_id[k * n + i] = &rig->streams[k][i];
	for (size_t i = 0; i < n; i++)
		rig->shown[i] = n > 1;
	rig->analysis = (struct cd_analysis){
	    .points = rig->points,
	    .n_points = 2,
	    .options = &rig->options,
	    .report = rig->report,
	    .pairs = &rig->pair,
	    .n_pairs = 1,
	    .streams = rig->by_id,
	    .shown = rig->shown,
	};
	rig_run_one(rig, &cd_metric_tick);
	rig_run_one(rig, &cd_metric_physics);
	rig_run_one(rig, &cd_metric_delta);
	rig_run_one(rig, &cd_metric_clock);
	rig_run_one(rig, &cd_metric_error);
	rig_run_one(rig, &cd_metric_metrology);
	cr_assert(!rig->report->bad);
}

static inline void rig_release(struct rig *rig)
{
	for (size_t i = 0; i < rig->pair.n_lanes; i++) {
		cd_track_free(rig->tracks[0][i]);
		cd_track_free(rig->tracks[1][i]);
		free(rig->lanes[i].theta_ps);
	}
	free(rig->pair.clock.blocks);
	free(rig->pair.clock.steps);
	free(rig->pair.clock.rows);
	cd_report_free(rig->report);
}

/* A value of the compared capture in its key's unit; it must be defined. */
static inline double rig_value(const struct rig *rig, uint32_t point,
			       const char *name)
{
	const struct cd_value *value = cd_report_find(rig->report, point, name);
	double number = NAN;

	cr_assert_not_null(value, "%s is not there", name);
	cr_assert(cd_value_number(value, &number), "%s is null: %s", name,
		  value->reason == NULL ? "" : value->reason);
	return number;
}

static inline double of_dut(const struct rig *rig, const char *name)
{
	return rig_value(rig, 1, name);
}

static inline const char *null_reason(const struct rig *rig, const char *name)
{
	const struct cd_value *value = cd_report_find(rig->report, 1, name);

	cr_assert_not_null(value, "%s is not there", name);
	cr_assert_eq(value->kind, CD_VALUE_NULL, "%s is defined", name);
	return value->reason;
}

static inline bool finds(const struct rig *rig, const char *code)
{
	return cd_report_has_finding(rig->report, code, 1);
}

#endif
