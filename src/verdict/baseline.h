/* Comparing with an earlier report. */
#ifndef CAPDIFF_VERDICT_BASELINE_H
#define CAPDIFF_VERDICT_BASELINE_H

#include "base/error.h"
#include "report/report.h"

/*
 * Set report->baseline: every value of whole captures that is not what it was
 * in `before`, by label and key, and whether that is better; every verdict
 * that changed, which is a finding, too. It judges nothing: the status stays.
 * CD_E_DATA if no capture has a label that `before` has. 0 or -1.
 */
int cd_baseline_compare(struct cd_report *report,
			const struct cd_report *before, const char *path,
			struct cd_error *error);

#endif
