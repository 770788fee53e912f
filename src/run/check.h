/* What must hold before and after reading, with the messages for people. */
#ifndef CAPDIFF_RUN_CHECK_H
#define CAPDIFF_RUN_CHECK_H

#include "capdiff/capdiff.h"

#include "align/ingest.h"
#include "base/error.h"
#include "report/report.h"

/* Threads to use: `wanted`, or (0) as many as there are captures and
 * processors. At least 1. */
unsigned cd_thread_count(unsigned wanted, size_t captures);

/* Number of captures, labels, the same file or standard input given twice.
 * 0 or -1. */
int cd_check_captures(const struct capdiff_options *options,
		      struct cd_error *error);

/* --ts-unit of each capture, put into its point. 0 or -1. */
int cd_check_units(const struct capdiff_capture *captures,
		   struct cd_point *points, size_t n, struct cd_error *error);

/* Findings for files that end early or are damaged. True: the job cannot be
 * called done (status 2). */
bool cd_check_stops(const struct cd_point *points, size_t n,
		    bool allow_truncated, struct cd_report *report);

/*
 * Was a sequence number found where one is needed? With several captures and
 * no stamp: CD_E_DATA that says what was tried. With one capture a note.
 * 0 or -1.
 */
int cd_check_stamp(const struct cd_point *points, size_t n,
		   const struct cd_ingest_options *options,
		   const struct cd_ingest_result *result,
		   struct cd_report *report, struct cd_error *error);

#endif
