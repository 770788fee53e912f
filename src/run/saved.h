/* Saved JSON reports as files. */
#ifndef CAPDIFF_RUN_SAVED_H
#define CAPDIFF_RUN_SAVED_H

#include <stdbool.h>

#include "capdiff/capdiff.h"

#include "base/error.h"
#include "report/report.h"

/* Does the file begin as a saved report does? Sets whether of a sweep. */
bool cd_saved_is(const char *path, bool *sweep);

/* The report in the file and its saved status; of a sweep the runs. NULL with
 * an error that names the file. */
struct cd_report *cd_saved_load(const char *path, int *status,
				struct cd_error *error);

/* The same judged anew where the options ask for it, and of a sweep with cells
 * and onsets: a report to show. */
struct capdiff_report *cd_saved_open(const char *path,
				     const struct capdiff_options *options,
				     struct cd_error *error);

/* Compare with the saved report in the file: report->baseline. 0 or -1. */
int cd_saved_baseline(struct cd_report *report, const char *path,
		      struct cd_error *error);

/*
 * Judge a report that was read back, or each run of a sweep, by the options'
 * profile, loss ratio and limits as far as they are given; limits take the
 * place of the saved ones. 0 or -1 (CD_E_USAGE, CD_E_MEMORY).
 */
int cd_saved_judge(struct cd_report *report,
		   const struct capdiff_options *options,
		   struct cd_error *error);

#endif
