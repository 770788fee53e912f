#include "run/run.h"

#include <stdlib.h>
#include <string.h>

#include "align/ingest.h"
#include "base/array.h"
#include "metric/metric.h"
#include "run/check.h"
#include "run/describe.h"
#include "run/extract.h"
#include "run/label.h"
#include "run/sets.h"
#include "stamp/stamp.h"
#include "verdict/verdict.h"

/* One run under way. */
struct job {
	const struct capdiff_options *options;
	const struct cd_profile *profile;
	struct cd_metric_options metric;
	struct cd_ingest_options ingest;
	struct cd_ingest_result result;
	struct cd_point *points;
	struct cd_run_set *sets;
	char **labels;
	size_t n;
	struct cd_report *report;
	struct cd_analysis *analysis; /* NULL: not that far */
	struct cd_extract extract;
	bool measured; /* the report says what can be said */
	bool failed;
};

static void report_progress(void *context,
			    const struct cd_progress_state *state)
{
	const struct capdiff_options *o = context;

	o->progress(o->progress_context, state->bytes, state->size,
		    state->packets);
}

static int choose_stamp(struct job *job, struct cd_error *error)
{
	const char *stamp = job->options->stamp;

	if (stamp == NULL || strcmp(stamp, "auto") == 0) {
		job->ingest.stamp = CD_STAMP_AUTO;
		return 0;
	}
	if (strcmp(stamp, "none") == 0) {
		job->ingest.stamp = CD_STAMP_NONE;
		return 0;
	}
	job->ingest.stamp = CD_STAMP_GIVEN;
	return cd_stamp_spec_parse(stamp, &job->ingest.spec, error);
}

static int choose_estimator(struct job *job, struct cd_error *error)
{
	static const char *const names[] = {
	    [CD_BQTS] = "bqts", [CD_OLS] = "ols", [CD_HULL] = "hull"};
	const char *name = job->options->estimator;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (name == NULL || strcmp(name, names[i]) == 0) {
			job->metric.estimator = (enum cd_estimator)i;
			return 0;
		}
	cd_error_set(error, CD_E_USAGE, "no estimator is called '%s'", name);
	cd_error_hint(error, "bqts (default), ols or hull");
	return -1;
}

static int choose_profile(struct job *job, struct cd_error *error)
{
	const char *name = job->options->profile;

	job->profile = cd_profile_find(name);
	if (job->profile != NULL)
		return 0;
	cd_error_set(error, CD_E_USAGE, "no profile is called '%s'", name);
	cd_error_hint(error, "monitoring, analysis (default) or lab");
	return -1;
}

/* Everything that can be wrong with the options before a file is opened. */
static int job_prepare(struct job *job, struct cd_error *error)
{
	const struct capdiff_options *o = job->options;

	if (choose_profile(job, error) || choose_estimator(job, error) ||
	    choose_stamp(job, error))
		return -1;
	job->ingest.filter = o->filter;
	job->ingest.max_packets = o->max_packets;
	job->ingest.interval_packets = o->interval_packets;
	job->ingest.interval_ps = o->interval_ps;
	job->ingest.fcs_bytes = o->fcs_bytes;
	job->ingest.threads = cd_thread_count(o->threads, o->n_captures);
	job->ingest.allow_unnumbered = o->n_captures == 1;
	if (o->progress != NULL) {
		job->ingest.progress = report_progress;
		job->ingest.progress_context = (void *)(uintptr_t)o;
	}
	job->metric.clocks_synchronised = o->clocks_synchronised;
	job->metric.force_skew = o->force_skew;
	job->metric.guard_ps = o->guard_ps;
	job->metric.has_ref_accuracy = o->ref_accuracy_ps >= 0;
	job->metric.ref_accuracy_ps = o->ref_accuracy_ps;
	job->metric.lim_abs_ps = job->profile->abs_ps;
	job->metric.lim_ratio = job->profile->ratio;
	job->metric.link_bps = o->link_bps;
	job->metric.fcs_bytes = o->fcs_bytes;
	job->metric.has_expect = o->expect >= 0;
	job->metric.expect = o->expect >= 0 ? (uint64_t)o->expect : 0;
	job->metric.loss_ratio = o->loss_ratio;
	job->metric.brief = o->brief;
	job->metric.ignore_addresses = o->ignore_addresses;
	job->metric.strict = o->strict;
	job->metric.clock = o->clock;
	job->metric.union_universe = o->union_universe;
	return cd_check_captures(o, error);
}

static int job_points(struct job *job, struct cd_error *error)
{
	const struct capdiff_capture *captures = job->options->captures;

	job->n = job->options->n_captures;
	job->points = calloc(job->n, sizeof(*job->points));
	job->sets = calloc(job->n, sizeof(*job->sets));
	job->labels = calloc(job->n, sizeof(*job->labels));
	if (job->points == NULL || job->sets == NULL || job->labels == NULL)
		return cd_error_memory(error);
	if (cd_capture_labels(captures, job->n, job->labels))
		return cd_error_memory(error);
	for (size_t i = 0; i < job->n; i++) {
		job->points[i].path = captures[i].path;
		job->points[i].label = job->labels[i];
		job->points[i].has_iface = captures[i].one_interface;
		job->points[i].only_iface = captures[i].interface;
	}
	if (cd_sets_order(job->sets, captures, job->n, error))
		return -1;
	cd_sets_give(job->sets, job->points, job->n);
	return cd_check_units(captures, job->points, job->n, error);
}

static int job_describe(struct job *job, struct cd_error *error)
{
	const struct capdiff_options *o = job->options;
	struct cd_report *report = cd_report_new();

	job->report = report;
	if (report == NULL)
		return cd_error_memory(error);
	report->reference = (uint32_t)o->reference;
	report->profile = cd_strdup(job->profile->name);
	if (report->profile == NULL || cd_describe_command(report, o) ||
	    cd_describe_captures(report, job->points, job->n) ||
	    cd_describe_stamp(report, job->points, job->n, &job->result,
			      job->ingest.stamp == CD_STAMP_AUTO))
		return cd_error_memory(error);
	return 0;
}

static int job_judge(struct job *job, struct cd_error *error)
{
	const struct capdiff_options *o = job->options;
	struct cd_verdict_options verdict = {
	    .profile = job->profile,
	    .loss_ratio = o->loss_ratio,
	    .strict = o->strict,
	    .has_expect = o->expect >= 0,
	};

	if (cd_judge(job->report, &verdict, error))
		return -1;
	for (size_t i = 0; i < o->n_limits; i++)
		if (cd_limit_apply(job->report, o->limits[i], error))
			return -1;
	return 0;
}

/* One capture that cannot be compared (CD_E_DATA) does not keep the others
 * from being judged. */
static int job_measure(struct job *job, struct cd_error *error)
{
	struct cd_error later = {0};
	int status;

	job->analysis = cd_analysis_new(job->points, job->n,
					(uint32_t)job->options->reference,
					&job->metric, job->report, error);
	if (job->analysis == NULL)
		return -1;
	status = cd_analysis_run(job->analysis, error);
	if (status && error->fault != CD_E_DATA)
		return -1;
	if (job_judge(job, status ? &later : error))
		return -1;
	job->measured = true;
	if (cd_extract_run(&job->extract, job->analysis, error))
		return -1;
	return status;
}

/* Read, describe, measure, judge. Faults of the data leave a report. */
static int job_run(struct job *job, struct cd_error *error)
{
	if (job_prepare(job, error) || job_points(job, error) ||
	    cd_extract_begin(&job->extract, job->options, job->points, error) ||
	    cd_ingest(job->points, job->n, &job->ingest, &job->result, error) ||
	    job_describe(job, error))
		return -1;
	job->failed |= cd_sets_check(job->sets, job->options->captures, job->n,
				     job->report);
	job->failed |= cd_check_stops(job->points, job->n,
				      job->options->allow_truncated,
				      job->report);
	if (cd_check_stamp(job->points, job->n, &job->ingest, &job->result,
			   job->report, error))
		return -1;
	return job_measure(job, error);
}

static void job_release(struct job *job)
{
	cd_analysis_free(job->analysis);
	cd_extract_release(&job->extract);
	for (size_t i = 0; i < job->n; i++) {
		if (job->points != NULL)
			cd_point_release(&job->points[i]);
		if (job->labels != NULL)
			free(job->labels[i]);
	}
	free(job->points);
	cd_sets_release(job->sets, job->n);
	free(job->sets);
	free(job->labels);
	cd_detection_release(&job->result.detection);
}

/* A report is worth having unless nothing was read or memory ran out. */
static bool worth_keeping(const struct job *job, const struct cd_error *error)
{
	return job->report != NULL && !job->report->bad &&
	       (job->measured || error->fault == CD_OK ||
		error->fault == CD_E_DATA);
}

struct capdiff_report *cd_run(const struct capdiff_options *options,
			      struct cd_error *error)
{
	struct job job = {.options = options};
	struct capdiff_report *out = NULL;

	if (job_run(&job, error))
		job.failed = true;
	if (job.report != NULL && job.report->bad)
		cd_error_memory(error);
	if (worth_keeping(&job, error))
		out = calloc(1, sizeof(*out));
	if (out != NULL) {
		out->model = job.report;
		out->failed = job.failed;
	} else {
		cd_report_free(job.report);
	}
	job_release(&job);
	return out;
}
