/*
 * The studies of capsim in their short form through `capdiff --sweep`: every
 * cell against what was simulated, every onset against the one computed from
 * the scenario's own parameters.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trial.h"

static char top[256];

static const char *or_else(const char *name, const char *otherwise)
{
	const char *s = getenv(name);

	return s == NULL ? otherwise : s;
}

static void run(const char *program, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void run(const char *program, const char *format, ...)
{
	char command[2048];
	int n = snprintf(command, sizeof(command), "%s ", program);
	va_list args;

	va_start(args, format);
	vsnprintf(command + n, sizeof(command) - (size_t)n, format, args);
	va_end(args);
	if (system(command) < 0)
		abort();
}

static json_t *load(const char *study, const char *file)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/%s%s", top, study, file);
	return json_load_file(path, 0, NULL);
}

/* 0 for null and what is not there. */
static double number(const json_t *object, const char *name)
{
	return json_number_value(json_object_get(object, name));
}

static const char *text(const json_t *object, const char *name)
{
	const char *s = json_string_value(json_object_get(object, name));

	return s == NULL ? "" : s;
}

/* Of the objects in `list`, that of this capture and frame size. */
static const json_t *find(const json_t *list, const char *capture, double size)
{
	size_t i;
	json_t *item;

	json_array_foreach(list, i, item)
		if (strcmp(text(item, "capture"), capture) == 0 &&
		    number(item, "size") == size)
			return item;
	return NULL;
}

/* ---- onsets -------------------------------------------------------------- */

/* Rates are measured from time stamps: a thousandth is the same. */
static bool is_near(double measured, double rate)
{
	return rate == 0 ? measured == 0 : fabs(measured / rate - 1) < 1e-3;
}

/* up_to < onset <= fails_at, and both are rates that were sent. */
static void check_bracket(const char *study, const json_t *wanted,
			  const json_t *found, const char *what)
{
	const json_t *bracket = json_object_get(wanted, what);
	double pps = number(bracket, "pps");
	char up_to[64], fails_at[64];
	double low, high;

	snprintf(up_to, sizeof(up_to), "%s_up_to_pps", what);
	snprintf(fails_at, sizeof(fails_at), "%s_fails_at_pps", what);
	low = number(found, up_to);
	high = number(found, fails_at);
	ok((pps == 0 || low < pps) && (high == 0 || high >= pps * (1 - 1e-6)) &&
	       is_near(low, number(bracket, "lo_pps")) &&
	       is_near(high, number(bracket, "hi_pps")),
	   "%s: %s %g bytes %s: %g in [%g, %g]", study, text(wanted, "point"),
	   number(wanted, "size"), what, pps, low, high);
}

static void check_onsets(const char *study, const json_t *wanted,
			 const json_t *report)
{
	const json_t *found = json_object_get(report, "onsets");
	size_t i;
	json_t *onset;

	ok(json_array_size(found) == json_array_size(wanted),
	   "%s: %zu onsets", study, json_array_size(found));
	json_array_foreach(wanted, i, onset) {
		const json_t *f = find(found, text(onset, "point"),
				       number(onset, "size"));

		check_bracket(study, onset, f, "complete");
		check_bracket(study, onset, f, "accurate");
	}
}

/* ---- cells --------------------------------------------------------------- */

static const json_t *find_cell(const json_t *report, const char *run,
			       const char *capture)
{
	size_t i;
	json_t *cell;

	json_array_foreach(json_object_get(report, "cells"), i, cell) {
		const json_t *runs = json_object_get(cell, "runs");
		const char *name = json_string_value(json_array_get(runs, 0));
		const char *slash = name == NULL ? NULL : strrchr(name, '/');

		if (name != NULL && json_array_size(runs) == 1 &&
		    strcmp(text(cell, "capture"), capture) == 0 &&
		    strcmp(slash == NULL ? name : slash + 1, run) == 0)
			return cell;
	}
	return NULL;
}

static void check_cells(const char *study, const json_t *runs,
			const json_t *report)
{
	size_t i, k;
	json_t *item, *point;

	json_array_foreach(runs, i, item)
		json_array_foreach(json_object_get(item, "points"), k, point) {
			const json_t *cell = find_cell(report,
						       text(item, "run"),
						       text(point, "point"));
			double captured = number(cell, "expected") -
					  number(cell, "missing");

			ok(captured == number(point, "captured") &&
			       number(cell, "size") == number(item, "size"),
			   "%s: %s %s captured %g of %g", study,
			   text(item, "run"), text(point, "point"), captured,
			   number(cell, "expected"));
		}
}

/* ---- studies ------------------------------------------------------------- */

static void check_study(const char *study, const char *options)
{
	json_t *wanted, *report;

	run(or_else("CAPSIM", "./capsim"),
	    "--study %s --short -o %s/%s >/dev/null", study, top, study);
	run(or_else("CAPDIFF", "./capdiff"),
	    "--sweep %s %s/%s -qq -o %s/%s.json >/dev/null 2>&1", options, top,
	    study, top, study);
	wanted = load(study, "/study.json");
	report = load(study, ".json");
	ok(wanted != NULL && report != NULL, "%s: a report", study);
	check_cells(study, json_object_get(wanted, "runs"), report);
	if (json_array_size(json_object_get(wanted, "onsets")) > 0)
		check_onsets(study, json_object_get(wanted, "onsets"), report);
	json_decref(wanted);
	json_decref(report);
}

int main(void)
{
	snprintf(top, sizeof(top), "%s/capdiff.XXXXXX",
		 or_else("TMPDIR", "/tmp"));
	if (mkdtemp(top) == NULL)
		return 99;
	check_study("set-ups", "--expect 10000");
	check_study("first-drop", "");
	check_study("two-points", "");
	check_study("vm-guest", "-r host");
	run("rm", "-r %s", top);
	return done();
}
