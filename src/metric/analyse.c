#include "metric/metric.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "metric/lanes.h"
#include "metric/streams.h"
#include "report/codes.h"

/*
 * In this order: counts; times, for which ticks and the link are known first
 * and deltas give the spacing that the clock's steps are held against; then
 * what is known only with the clock, or changes nothing else.
 */
extern const struct cd_metric cd_metric_cadence, cd_metric_clock,
    cd_metric_cluster, cd_metric_count, cd_metric_delta, cd_metric_duplicate,
    cd_metric_error, cd_metric_metrology, cd_metric_expect, cd_metric_file, cd_metric_handling,
    cd_metric_identity, cd_metric_intervals, cd_metric_loss, cd_metric_order, cd_metric_physics,
    cd_metric_rate, cd_metric_sender, cd_metric_series, cd_metric_tick;

const struct cd_metric *const cd_metrics[] = {
    &cd_metric_file,	&cd_metric_count,     &cd_metric_identity,
    &cd_metric_rate,	&cd_metric_tick,      &cd_metric_physics,
    &cd_metric_delta,	&cd_metric_clock,     &cd_metric_error,
    &cd_metric_cluster, &cd_metric_metrology, &cd_metric_cadence,
    &cd_metric_sender,	&cd_metric_loss,      &cd_metric_duplicate,
    &cd_metric_order,	&cd_metric_expect,    &cd_metric_handling,
    &cd_metric_series,	&cd_metric_intervals, NULL,
};

/* ---- pairs ----------------------------------------------------------------
 */

static void pair_init(struct cd_pair *pair, const struct cd_analysis *analysis,
		      uint32_t dut)
{
	uint32_t ref = analysis->reference;

	*pair = (struct cd_pair){
	    .ref = ref,
	    .dut = dut,
	    .alone = ref == dut,
	    .numbered = analysis->points[ref].numbered &&
			analysis->points[dut].numbered,
	    .clock = {.y_hull = NAN, .y_ols = NAN},
	    .false_share = NAN,
	    .wander_ps = NAN,
	    .burst_period_ps = NAN,
	    .burst_share = NAN,
	    .coalescing = NAN,
	};
}

static void pair_release(struct cd_pair *pair)
{
	for (size_t i = 0; i < pair->n_lanes; i++)
		free(pair->lanes[i].theta_ps);
	free(pair->lanes);
	free(pair->clock.blocks);
	free(pair->clock.steps);
	free(pair->clock.rows);
}

static int make_pairs(struct cd_analysis *analysis, struct cd_error *error)
{
	size_t n = analysis->n_points;

	analysis->pairs = calloc(n, sizeof(*analysis->pairs));
	if (analysis->pairs == NULL)
		return cd_error_memory(error);
	for (uint32_t k = 0; k < n; k++) {
		struct cd_pair *pair = &analysis->pairs[analysis->n_pairs];

		if (n > 1 && k == analysis->reference)
			continue;
		pair_init(pair, analysis, k);
		analysis->n_pairs++;
		if (cd_lanes_make(analysis, pair, error))
			return -1;
	}
	return 0;
}

struct cd_analysis *cd_analysis_new(const struct cd_point *points,
				    size_t n_points, uint32_t reference,
				    const struct cd_metric_options *options,
				    struct cd_report *report,
				    struct cd_error *error)
{
	struct cd_analysis *analysis = calloc(1, sizeof(*analysis));

	if (analysis == NULL) {
		cd_error_memory(error);
		return NULL;
	}
	analysis->points = points;
	analysis->n_points = n_points;
	analysis->reference = reference;
	analysis->options = options;
	analysis->report = report;
	if (cd_streams_match(analysis, error) || make_pairs(analysis, error)) {
		cd_analysis_free(analysis);
		return NULL;
	}
	return analysis;
}

void cd_analysis_free(struct cd_analysis *analysis)
{
	if (analysis == NULL)
		return;
	for (size_t i = 0; i < analysis->n_pairs; i++)
		pair_release(&analysis->pairs[i]);
	free(analysis->pairs);
	free(analysis->streams);
	free(analysis->shown);
	free(analysis);
}

/* ---- can the captures be compared? ----------------------------------------
 */

/* "0-199,999" of all epochs of a capture. */
static void describe_ids(const struct cd_point *point, struct cd_str *out)
{
	int64_t from = INT64_MAX, to = INT64_MIN, first, last;

	for (size_t i = 0; i < point->n_streams; i++)
		for (size_t k = 0; k < point->streams[i].n_epochs; k++) {
			if (!cd_track_range(point->streams[i].epochs[k], &first,
					    &last))
				continue;
			from = first < from ? first : from;
			to = last > to ? last : to;
		}
	if (from > to)
		cd_str_add(out, "no numbers");
	else
		cd_str_addf(out, "IDs %" PRId64 " to %" PRId64, from, to);
}

static void describe_streams(const struct cd_point *point, struct cd_str *out)
{
	for (size_t i = 0; i < point->n_streams && i < 2; i++) {
		cd_str_add(out, i == 0 ? " (" : ", ");
		cd_stream_describe(&point->streams[i].key, out);
	}
	if (point->n_streams > 0)
		cd_str_add(out, point->n_streams > 2 ? ", ...)" : ")");
}

static void say_nothing_common(struct cd_analysis *analysis,
			       const struct cd_pair *pair,
			       struct cd_error *error)
{
	const struct cd_point *ref = &analysis->points[pair->ref];
	const struct cd_point *dut = &analysis->points[pair->dut];
	struct cd_str text = {0};

	cd_str_addf(&text, "no packet in common: %s has ", ref->label);
	describe_ids(ref, &text);
	describe_streams(ref, &text);
	cd_str_addf(&text, ", %s has ", dut->label);
	describe_ids(dut, &text);
	describe_streams(dut, &text);
	cd_report_finding(analysis->report, CD_ERROR, CD_CODE_NO_COMMON,
			  (int)pair->dut, "%s", cd_str_text(&text));
	cd_error_set(error, CD_E_DATA, "%s", cd_str_text(&text));
	cd_error_hint(error,
		      analysis->options->guard_ps > 0
			  ? "perhaps --guard leaves nothing of what they have "
			    "in common"
			  : "captures of two different runs, or of two places "
			    "that the stream did not both pass?");
	cd_error_file(error, dut->path);
	cd_str_release(&text);
}

static void say_different(const struct cd_analysis *analysis,
			  const struct cd_pair *pair, struct cd_error *error)
{
	cd_error_set(error, CD_E_DATA,
		     "same numbers but different packets in %s and %s: their "
		     "send times or contents differ",
		     analysis->points[pair->ref].label,
		     analysis->points[pair->dut].label);
	cd_error_hint(error, "captures of two different runs? compare "
			     "captures of the same one");
	cd_error_file(error, analysis->points[pair->dut].path);
}

static bool needs_common(const struct cd_pair *pair)
{
	return !pair->alone && pair->numbered;
}

/* The first pair that cannot be compared makes the error; all have findings. */
static int check_pairs(struct cd_analysis *analysis, struct cd_error *error)
{
	int result = 0;

	for (size_t i = 0; i < analysis->n_pairs; i++) {
		const struct cd_pair *pair = &analysis->pairs[i];

		if (!needs_common(pair))
			continue;
		if (pair->both_have == 0)
			say_nothing_common(analysis, pair, error);
		else if (pair->different_packets)
			say_different(analysis, pair, error);
		else
			continue;
		result = -1;
	}
	return result;
}

int cd_analysis_run(struct cd_analysis *analysis, struct cd_error *error)
{
	for (size_t i = 0; cd_metrics[i] != NULL; i++)
		if (cd_metrics[i]->run(analysis, error))
			return -1;
	return check_pairs(analysis, error);
}

int cd_analyse(const struct cd_point *points, size_t n_points,
	       uint32_t reference, const struct cd_metric_options *options,
	       struct cd_report *report, struct cd_error *error)
{
	struct cd_analysis *analysis = cd_analysis_new(
	    points, n_points, reference, options, report, error);
	int result = analysis == NULL ? -1 : cd_analysis_run(analysis, error);

	cd_analysis_free(analysis);
	return result;
}
