/*
 * Verdicts: report values and limits in, judgement and sentences out
 * (METRICS 9.2).
 */
#ifndef CAPDIFF_VERDICT_VERDICT_H
#define CAPDIFF_VERDICT_VERDICT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "report/report.h"

struct cd_profile {
	const char *name;
	double ratio;	   /* rho */
	int64_t abs_ps;	   /* L_abs */
};
extern const struct cd_profile cd_profiles[];
extern const size_t cd_profile_count;
/* The default for NULL; NULL if there is none of that name. */
const struct cd_profile *cd_profile_find(const char *name);

struct cd_verdict_options {
	const struct cd_profile *profile;
	double loss_ratio;
	bool strict;
	bool has_expect;
};

/*
 * Sets one verdict per compared capture in the report (with a single capture,
 * one for it), with reasons, qualifiers and sentences, the headline first. It
 * reads values and the findings of report/codes.h, nothing else; L_abs and rho
 * are limit.abs_ns and limit.ratio where the report has them. 0 or -1 (memory).
 *
 * Reasons of a failure: LOSS, RESOLUTION, BUNCHING, STALL, JITTER, STEP,
 * WANDER, UNIT, RATE, INVALID_TIMES. Reasons why something is null:
 * NO_REFERENCE, NO_NUMBERS, NO_COMMON_INTERVAL, NUMBERS_CUT, WRAP_AMBIGUOUS,
 * AMBIGUOUS_NUMBERS, MORE_THAN_SENT, OFFLOAD_MERGE, DIFFERENT_PACKETS,
 * NO_TIME_INFORMATION, TIME_UNIT, REFERENCE_COARSE, FEW_PACKETS, UNDEFINED.
 */
int cd_judge(struct cd_report *report, const struct cd_verdict_options *options,
	     struct cd_error *error);

/* Is the expression well formed, with a key that exists (behind any label) and
 * a unit that fits it? Before there is a report. 0, or -1 with CD_E_USAGE. */
int cd_limit_check(const char *expression, struct cd_error *error);

/* "KEY<=VALUE" with units; checks against the key table (CD_E_USAGE with the
 * nearest key), adds a cd_limit_result per matching value. A null fails. */
int cd_limit_apply(struct cd_report *report, const char *expression,
		   struct cd_error *error);

/* 0 inside the limits, 1 not (false or null somewhere), by verdicts and
 * limits; of a sweep the status of its worst run, 2 included; problems with inputs are the caller's. */
int cd_exit_status(const struct cd_report *report);

#endif
