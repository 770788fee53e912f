/* A series of runs, side by side. */
#ifndef CAPDIFF_RUN_SWEEP_H
#define CAPDIFF_RUN_SWEEP_H

#include "run/run.h"

struct cd_sweep_options {
	/* of every run, without captures; `threads`: runs at a time; the
	 * command is the sweep's */
	const struct capdiff_options *run;
	const char *const *sources; /* folders, saved reports */
	size_t n_sources;
	const char *reference; /* label of -r, or NULL */
};

/*
 * Find the runs, analyse each (saved reports are read), and put them together:
 * a report with a sweep. A run that fails is a finding and makes the status 2;
 * the others are reported. NULL with an error if there is nothing to report.
 */
struct capdiff_report *cd_sweep_run(const struct cd_sweep_options *options,
				    struct cd_error *error);

#endif
