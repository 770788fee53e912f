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

/* Adds one verdict per compared capture to the report (with a single capture,
 * one for it), with reasons, qualifiers and sentences. 0 or -1 (memory). */
int cd_judge(struct cd_report *report, const struct cd_verdict_options *options,
	     struct cd_error *error);

/* "KEY<=VALUE" with units; checks against the key table (CD_E_USAGE with the
 * nearest key), adds a cd_limit_result per matching value. A null fails. */
int cd_limit_apply(struct cd_report *report, const char *expression,
		   struct cd_error *error);

/* 0 inside the limits, 1 not (false or null somewhere), by verdicts and
 * limits; problems with inputs are the caller's. */
int cd_exit_status(const struct cd_report *report);

#endif
