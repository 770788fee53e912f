/* Another profile for a report that was read back. */
#ifndef CAPDIFF_RUN_REJUDGE_H
#define CAPDIFF_RUN_REJUDGE_H

#include <stdbool.h>

#include "capdiff/capdiff.h"

#include "base/error.h"
#include "report/report.h"

/* Do the options ask for it: a profile, a loss ratio, --strict? */
bool cd_rejudge_wanted(const struct capdiff_options *options);

/*
 * New limits of the time stamp error, and the verdicts by them; what the
 * options leave open stays as it was saved. Values that were counted with the
 * old limit (late packets) stay, so that STALL may be JITTER. CD_E_USAGE: no
 * such profile. 0 or -1.
 */
int cd_rejudge(struct cd_report *report, const struct capdiff_options *options,
	       struct cd_error *error);

#endif
