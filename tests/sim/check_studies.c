/*
 * The studies of capsim in their short form: what study.json computes from
 * their parameters against what was simulated, and against the verdicts of
 * capdiff, run by run.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "trial.h"

static char top[256];

static const char *or_else(const char *name, const char *otherwise)
{
	const char *s = getenv(name);

	return s == NULL ? otherwise : s;
}

/* The program and what stands behind it; its status. */
static int run(const char *program, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static int run(const char *program, const char *format, ...)
{
	char command[4096];
	int n = snprintf(command, sizeof(command), "%s ", program), status;
	va_list args;

	va_start(args, format);
	vsnprintf(command + n, sizeof(command) - (size_t)n, format, args);
	va_end(args);
	status = system(command);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static json_t *load(const char *study, const char *run, const char *file)
{
	char path[1024];

	snprintf(path, sizeof(path), "%s/%s/%s/%s", top, study, run, file);
	return json_load_file(path, 0, NULL);
}

static json_int_t number(const json_t *object, const char *name)
{
	const json_t *value = json_object_get(object, name);

	return json_is_null(value) ? 0 : json_integer_value(value);
}

/* ---- one point of one run ------------------------------------------------ */

/* Of the truth: packets that the point lacks. */
static json_int_t lost(const json_t *truth, const char *point)
{
	json_int_t sum = 0;
	size_t i, k;
	json_t *p, *stream;

	json_array_foreach(json_object_get(truth, "points"), i, p)
		if (strcmp(json_string_value(json_object_get(p, "name")),
			   point) == 0)
			json_array_foreach(json_object_get(p, "streams"), k,
					   stream)
				sum += number(stream, "lost") +
				       number(stream, "tail_excluded");
	return sum;
}

/* capdiff's verdict about the point: 1, 0, or -1. */
static int verdict(const json_t *report, const char *point, const char *which)
{
	const json_t *v =
	    json_object_get(json_object_get(report, "verdicts"), point);
	const json_t *answer = json_object_get(v, which);

	return json_is_boolean(answer) ? json_boolean_value(answer) : -1;
}

struct seen {
	json_t *truth, *report;
};

/* Whether the run at `pps` is on the right side of the bracket. */
static bool is_right(const json_t *bracket, json_int_t pps, bool good)
{
	json_int_t onset = number(bracket, "pps");
	const char *by = json_string_value(json_object_get(bracket, "by"));

	if (strcmp(by, "nothing") == 0)
		return good;
	return good == (pps < onset);
}

static void check_point(const char *study, const json_t *r, const json_t *onset,
			const struct seen *seen)
{
	const char *name = json_string_value(json_object_get(r, "run"));
	const char *point = json_string_value(json_object_get(onset, "point"));
	const json_t *complete = json_object_get(onset, "complete");
	const json_t *accurate = json_object_get(onset, "accurate");
	json_int_t pps = number(r, "pps"), gone = lost(seen->truth, point);
	int says = verdict(seen->report, point, "complete");

	ok(is_right(complete, pps, gone == 0), "%s %s: %s lost %d", study, name,
	   point, (int)gone);
	ok(says == (gone == 0), "%s %s: %s complete: %d", study, name, point,
	   says);
	says = verdict(seen->report, point, "accurate");
	ok(says >= 0 && is_right(accurate, pps, says == 1),
	   "%s %s: %s accurate: %d", study, name, point, says);
}

static void check_run(const char *study, const char *reference,
		      const json_t *r, const json_t *onsets)
{
	const char *name = json_string_value(json_object_get(r, "run"));
	struct seen seen = {.truth = load(study, name, "truth.json")};
	size_t i;
	json_t *onset;

	run(or_else("CAPDIFF", "./capdiff"),
	    "-qq -o %s/report.json -r %s/%s/%s/%s.pcapng "
	    "$(ls %s/%s/%s/*.pcapng | grep -v /%s.pcapng) 2>/dev/null",
	    top, top, study, name, reference, top, study, name, reference);
	seen.report = load(".", ".", "report.json");
	json_array_foreach(onsets, i, onset)
		if (number(onset, "size") == number(r, "size"))
			check_point(study, r, onset, &seen);
	json_decref(seen.truth);
	json_decref(seen.report);
}

/* ---- one study ----------------------------------------------------------- */

/* `late`: packets that a card of 50 us still holds back. */
static bool agree(json_int_t is, json_int_t computed, json_int_t late)
{
	return is - computed <= late && computed - is <= late;
}

static void check_captured(const char *study, const json_t *r, json_int_t late)
{
	size_t i;
	json_t *point;

	json_array_foreach(json_object_get(r, "points"), i, point) {
		json_int_t is = number(point, "captured");
		json_int_t computed = number(point, "computed");

		if (!json_is_null(json_object_get(point, "computed")))
			ok(agree(is, computed, late),
			   "%s %s: %d captured, %d computed", study,
			   json_string_value(json_object_get(r, "run")),
			   (int)is, (int)computed);
	}
}

/* The bracket holds the onset, and has no tested rate inside. */
static void check_bracket(const char *study, const json_t *onset,
			  const char *which)
{
	const json_t *b = json_object_get(onset, which);
	json_int_t pps = number(b, "pps"), lo = number(b, "lo_pps");
	json_int_t hi = number(b, "hi_pps");

	ok((lo == 0 || pps == 0 || lo < pps) && (hi == 0 || hi >= pps) &&
	       (lo != 0 || hi != 0),
	   "%s %s %d: %d in [%d, %d]", study, which,
	   (int)number(onset, "size"), (int)pps, (int)lo, (int)hi);
}

static void check_study(const char *study, const char *reference, size_t runs)
{
	json_t *file, *list, *onsets, *item;
	size_t i;

	ok(run(or_else("CAPSIM", "./capsim"),
	       "--study %s --short -o %s/%s >/dev/null", study, top,
	       study) == 0,
	   "%s: written", study);
	file = load(study, ".", "study.json");
	list = json_object_get(file, "runs");
	onsets = json_object_get(file, "onsets");
	ok(json_array_size(list) == runs, "%s: %zu runs", study, runs);
	json_array_foreach(onsets, i, item) {
		check_bracket(study, item, "complete");
		check_bracket(study, item, "accurate");
	}
	json_array_foreach(list, i, item) {
		check_captured(study, item, 1);
		if (json_array_size(onsets) > 0)
			check_run(study, reference, item, onsets);
	}
	json_decref(file);
}

/* Second by second, in the short form tenths: what the numbers say was sent and
 * what is in the file. */
static void check_seconds(void)
{
	const json_int_t late = 63; /* of 1.25 million a second */
	json_t *study, *report, *r, *point, *rows, *row;
	size_t i;

	run(or_else("CAPSIM", "./capsim"),
	    "--study line-10g --short -o %s/line >/dev/null", top);
	run(or_else("CAPDIFF", "./capdiff"),
	    "--interval 100ms -qq -o %s/line.json %s/line/*/sniffer.pcapng.gz",
	    top, top);
	study = load("line", ".", "study.json");
	report = load(".", ".", "line.json");
	r = json_array_get(json_object_get(study, "runs"), 0);
	check_captured("line-10g", r, late);
	point = json_array_get(json_object_get(r, "points"), 0);
	rows = json_object_get(
	    json_object_get(json_object_get(report, "series"),
			    "sniffer.interval"),
	    "rows");
	ok(json_array_size(json_object_get(point, "intervals")) == 3,
	   "line-10g: three intervals");
	json_array_foreach(json_object_get(point, "intervals"), i, row) {
		const json_t *found = json_array_get(rows, i);
		json_int_t is = json_integer_value(json_array_get(found, 2));
		json_int_t missing =
		    json_integer_value(json_array_get(found, 3));
		json_int_t computed = json_integer_value(json_array_get(row, 1));

		ok(agree(is, computed, late) &&
		       agree(is + missing, 1488095, 2 * late),
		   "line-10g: %d captured, %d computed, %d missing", (int)is,
		   (int)computed, (int)missing);
	}
	json_decref(study);
	json_decref(report);
}

/* Twice with one seed: the same bytes. With another one: not. */
static void check_bytes(void)
{
	const char *capsim = or_else("CAPSIM", "./capsim");

	ok(run(capsim,
	       "--study vm-guest --short -o %s/again >/dev/null && "
	       "diff -r %s/again %s/vm-guest",
	       top, top, top) == 0,
	   "the same bytes again");
	ok(run(capsim,
	       "--study vm-guest --short -s 2 -o %s/again >/dev/null && "
	       "cmp -s %s/again/0512_10kpps/guest.pcapng "
	       "%s/vm-guest/0512_10kpps/guest.pcapng",
	       top, top, top) == 1,
	   "other bytes with another seed");
}

int main(void)
{
	const char *tmp = or_else("TMPDIR", "/tmp");

	snprintf(top, sizeof(top), "%s/capdiff.XXXXXX", tmp);
	if (mkdtemp(top) == NULL)
		return 99;
	check_study("set-ups", "", 12);
	check_study("first-drop", "hw", 10);
	check_study("two-points", "hw", 21);
	check_study("vm-guest", "host", 18);
	check_seconds();
	check_bytes();
	run("rm", "-r %s", top);
	return done();
}
