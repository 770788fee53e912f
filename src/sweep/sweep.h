/*
 * Runs in, the published table out: cells by size and rate, onsets with
 * conservative brackets, what limits a capture point (METRICS 9).
 */
#ifndef CAPDIFF_SWEEP_SWEEP_H
#define CAPDIFF_SWEEP_SWEEP_H

#include "base/error.h"
#include "report/report.h"

/*
 * report->sweep holds the runs with their reports; fill in the rest of it:
 * what each run measured, cells, onsets, limiters, and the findings whose code
 * begins with "sweep_". report->captures become the capture points. Depends on
 * the runs alone, not on their order. 0 or -1 (memory).
 */
int cd_sweep_compute(struct cd_report *report, struct cd_error *error);

#endif
