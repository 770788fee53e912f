/* Two capture files read and analysed, for tests against known truth. */
#ifndef TESTS_UNIT_PAIR_FILES_H
#define TESTS_UNIT_PAIR_FILES_H

#include <criterion/criterion.h>
#include <stdlib.h>

#include "align/ingest.h"
#include "base/array.h"
#include "metric/metric.h"

struct pair_files {
	char paths[2][512];
	struct cd_point points[2];
	struct cd_ingest_result ingest;
	struct cd_report *report;
	struct cd_error error;
	int result;
};

static inline void pair_ingest(struct pair_files *pair)
{
	static const char *const labels[] = {"ref", "dut"};
	struct cd_ingest_options options = {.threads = 2};
	struct cd_error error = {0};

	for (size_t k = 0; k < 2; k++) {
		pair->points[k].path = pair->paths[k];
		pair->points[k].label = labels[k];
	}
	cr_assert_eq(
	    cd_ingest(pair->points, 2, &options, &pair->ingest, &error), 0,
	    "%s: %s", error.file, error.what);
}

static inline void pair_analyse(struct pair_files *pair, uint32_t reference)
{
	struct cd_metric_options options = {
	    .fcs_bytes = -1,
	    .lim_abs_ps = 100 * CD_PS_PER_US,
	    .lim_ratio = 0.1,
	};
	struct cd_report *report = cd_report_new();

	if (pair->points[0].label == NULL)
		pair_ingest(pair);
	cr_assert_not_null(report);
	report->captures = calloc(2, sizeof(*report->captures));
	cr_assert_not_null(report->captures);
	report->n_captures = 2;
	report->reference = reference;
	for (size_t k = 0; k < 2; k++)
		report->captures[k].label = cd_strdup(pair->points[k].label);
	cd_report_free(pair->report);
	pair->report = report;
	pair->error = (struct cd_error){0};
	pair->result = cd_analyse(pair->points, 2, reference, &options, report,
				  &pair->error);
}

static inline void pair_release(struct pair_files *pair)
{
	cd_report_free(pair->report);
	cd_detection_release(&pair->ingest.detection);
	for (size_t k = 0; k < 2; k++)
		cd_point_release(&pair->points[k]);
}

/* The stream with these numbers of packets. */
static inline uint32_t pair_stream(const struct pair_files *pair, uint64_t ref,
				   uint64_t dut)
{
	for (uint32_t i = 0; i < pair->report->n_streams; i++)
		if (pair->report->streams[i].packets[0] == ref &&
		    pair->report->streams[i].packets[1] == dut)
			return i;
	cr_assert_fail("no stream with %d and %d packets", (int)ref, (int)dut);
	return 0;
}

/* Of one stream of the compared capture; not null. */
static inline int64_t pair_value(const struct pair_files *pair, uint32_t stream,
				 const char *name)
{
	const struct cd_value *v;

	if (pair->report->n_streams == 1)
		stream = CD_NO_STREAM;
	v = cd_report_find_stream(pair->report, 1, stream, name);
	cr_assert(v != NULL && v->kind != CD_VALUE_NULL, "%s: %s", name,
		  v == NULL ? "not there" : v->reason);
	return v->integer;
}

#endif
