#include "run/rejudge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "verdict/verdict.h"

bool cd_rejudge_wanted(const struct capdiff_options *options)
{
	return options->profile != NULL || options->strict ||
	       options->loss_ratio > 0;
}

/* Was the run started with this option? */
static bool was_given(const struct cd_report *report, const char *option)
{
	for (size_t i = 0; i < report->n_command; i++)
		if (strncmp(report->command[i], option, strlen(option)) == 0)
			return true;
	return false;
}

/* Lim = min(L_abs, rho median Delta_R), as the analysis rounds it. */
static int64_t limit_of(const struct cd_profile *profile, int64_t spacing_ps)
{
	double relative = profile->ratio * (double)spacing_ps;

	return relative > (double)profile->abs_ps ? profile->abs_ps
						  : (int64_t)llround(relative);
}

static void move_limits(struct cd_report *report,
			const struct cd_profile *profile)
{
	for (size_t i = 0; i < report->n_values; i++) {
		struct cd_value *v = &report->values[i];
		const struct cd_value *spacing = cd_report_find_stream(
		    report, report->reference, v->stream, "delta.p50_ns");

		if (v->kind == CD_VALUE_NULL)
			continue;
		if (strcmp(v->key->name, "limit.abs_ns") == 0)
			v->integer = profile->abs_ps;
		else if (strcmp(v->key->name, "limit.ratio") == 0)
			v->real = profile->ratio;
		else if (strcmp(v->key->name, "limit.lim_ns") == 0 &&
			 spacing != NULL && spacing->kind == CD_VALUE_SPAN)
			v->integer = limit_of(profile, spacing->integer);
	}
}

static double saved_loss_ratio(const struct cd_report *report)
{
	double ratio = 0;

	for (uint32_t i = 0; i < report->n_captures; i++) {
		double x;

		if (cd_value_number(
			cd_report_find(report, i, "limit.loss_ratio"), &x) &&
		    x > ratio)
			ratio = x;
	}
	return ratio;
}

static void set_loss_ratio(struct cd_report *report, double ratio)
{
	for (size_t i = 0; i < report->n_values; i++)
		if (strcmp(report->values[i].key->name, "limit.loss_ratio") ==
			0 &&
		    report->values[i].kind == CD_VALUE_REAL)
			report->values[i].real = ratio;
}

int cd_rejudge(struct cd_report *report, const struct capdiff_options *options,
	       struct cd_error *error)
{
	const char *name =
	    options->profile != NULL ? options->profile : report->profile;
	const struct cd_profile *profile = cd_profile_find(name);
	struct cd_verdict_options verdict = {
	    .profile = profile,
	    .loss_ratio = options->loss_ratio > 0 ? options->loss_ratio
						  : saved_loss_ratio(report),
	    .strict = options->strict || was_given(report, "--strict"),
	    .has_expect = was_given(report, "--expect="),
	};
	char *copy;

	if (profile == NULL) {
		cd_error_set(error, CD_E_USAGE, "no profile is called '%s'",
			     name);
		cd_error_hint(error, "monitoring, analysis (default) or lab");
		return -1;
	}
	copy = cd_strdup(profile->name);
	if (copy == NULL)
		return cd_error_memory(error);
	free(report->profile);
	report->profile = copy;
	if (options->profile != NULL)
		move_limits(report, profile);
	set_loss_ratio(report, verdict.loss_ratio);
	return cd_judge(report, &verdict, error);
}
