#include "sweep/sweep.h"

#include <math.h>
#include <stdlib.h>

#include "sweep/parts.h"

/* The link that a run's frames were taken to come from, NAN: not known. */
static double link_of(const struct cd_report *r)
{
	for (uint32_t i = 0; i < r->n_captures; i++) {
		double bps = cd_sweep_number(r, i, "physics.link_bps");

		if (bps > 0)
			return bps;
	}
	return NAN;
}

/* One for all, or 0. */
static double find_link(const struct cd_sweep *sweep)
{
	double link = 0;

	for (size_t i = 0; i < sweep->n_runs; i++) {
		const struct cd_report *r = sweep->runs[i].report;
		double bps = r == NULL ? NAN : link_of(r);

		if (!(bps > 0))
			continue;
		if (link > 0 && bps != link)
			return 0;
		link = bps;
	}
	return link;
}

static void say_broken(struct cd_report *report,
		       const struct cd_sweep_run *run)
{
	if (run->error == NULL)
		return;
	cd_report_finding(report, CD_ERROR, "sweep_run", -1,
			  "run %s: %s%s%s%s%s", run->name,
			  run->error_file == NULL ? "" : run->error_file,
			  run->error_file == NULL ? "" : ": ", run->error,
			  run->hint == NULL ? "" : "; ",
			  run->hint == NULL ? "" : run->hint);
}

/* Every limit that a run broke. */
static void say_limits(struct cd_report *report,
		       const struct cd_sweep_run *run)
{
	const struct cd_report *r = run->report;

	for (size_t i = 0; r != NULL && i < r->n_limits; i++)
		if (!r->limits[i].passed)
			cd_report_finding(report, CD_WARNING, "sweep_limit",
					  -1, "run %s breaks the limit %s: %s "
					  "is %s.", run->name,
					  r->limits[i].expression,
					  r->limits[i].key, r->limits[i].value);
}

static void say_reference(struct cd_report *report)
{
	size_t alone = 0;

	if (report->captures == NULL || !report->sweep->has_reference)
		return;
	for (size_t i = 0; i < report->sweep->n_runs; i++) {
		const struct cd_report *r = report->sweep->runs[i].report;

		alone += r != NULL && r->n_captures == 1;
	}
	if (alone > 0)
		cd_report_finding(report, CD_WARNING, "sweep_alone", -1,
				  "%zu run%s of a single capture cannot be "
				  "compared and %s left out of the table.",
				  alone, alone == 1 ? "" : "s",
				  alone == 1 ? "is" : "are");
}

int cd_sweep_compute(struct cd_report *report, struct cd_error *error)
{
	struct cd_sweep *sweep = report->sweep;

	cd_report_forget(report, "sweep_");
	if (cd_sweep_points(report))
		return cd_error_memory(error);
	for (size_t i = 0; i < sweep->n_runs; i++) {
		cd_sweep_measure(&sweep->runs[i]);
		say_broken(report, &sweep->runs[i]);
		say_limits(report, &sweep->runs[i]);
	}
	say_reference(report);
	for (size_t i = 0; i < sweep->n_runs; i++)
		cd_sweep_check_name(report, &sweep->runs[i]);
	sweep->link_bps = find_link(sweep);
	if (cd_sweep_cells(report))
		return cd_error_memory(error);
	cd_sweep_overload(report);
	if (cd_sweep_onsets(report) || cd_sweep_limiters(report) ||
	    report->bad)
		return cd_error_memory(error);
	return 0;
}
