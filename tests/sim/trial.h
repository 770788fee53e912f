/*
 * One run of capsim and of capdiff over what it wrote, for tests that hold the
 * report against the truth. TAP on standard output.
 */
#ifndef CAPDIFF_TESTS_SIM_TRIAL_H
#define CAPDIFF_TESTS_SIM_TRIAL_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct trial {
	char dir[512];
	char what[256]; /* scenario and seed, for messages */
	json_t *truth, *report;
	int status;	   /* of capdiff */
	char says[16384];  /* its standard error */
	const char *point; /* the point compared: the second one */
	const char *ref;
};

/* What to run. Lists end with NULL; NULL is an empty one. */
struct trial_plan {
	const char *scenario;	/* preset, or file of tests/scenarios */
	const char *text;	/* or the scenario itself */
	const char *more;	/* text behind a preset's */
	unsigned seed;
	const char *const *set; /* key=value */
	const char *const *options;
	unsigned points; /* compared, the first included; 0: two */
};

/* True if capsim ran and, unless it refused, capdiff wrote a report. Release
 * in any case: it removes the files. */
bool trial_run(struct trial *t, const struct trial_plan *plan);
void trial_release(struct trial *t);
/* The same with lists as text: "a=1; b=2", "--guard; 1s", either NULL. */
bool trial_go(struct trial *t, const char *scenario, const char *set,
	      const char *options);

/* The path of a point's file. */
void trial_path(const struct trial *t, unsigned point, char *path, size_t size);
const json_t *trial_point(const struct trial *t, unsigned point);

/* A value of the compared point (or any: "ref.time.tick_ns" by a key with the
 * label in front, given to trial_any). NAN: null or absent. */
double trial_value(const struct trial *t, const char *name);
double trial_low(const struct trial *t, const char *name);
double trial_high(const struct trial *t, const char *name);
double trial_of_ref(const struct trial *t, const char *name);
/* The reason of a null, "" for a number, NULL if it is not there. */
const char *trial_null(const struct trial *t, const char *name);
/* The verdict: 1, 0, -1 for null; and a reason of it. */
int trial_verdict(const struct trial *t, const char *which);
bool trial_reason(const struct trial *t, const char *reason);
/* A value that is text holds this. */
bool trial_tells(const struct trial *t, const char *name, const char *words);
/* The sentences of the verdict hold this. */
bool trial_says(const struct trial *t, const char *words);
bool trial_finds(const struct trial *t, const char *code);

/* A number of the truth: of the compared point, its clock, its stream. */
double truth_point(const struct trial *t, const char *name);
double truth_stream(const struct trial *t, const char *name);

/* ---- TAP ---- */

void ok(bool good, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
int done(void); /* prints the plan; what main returns */

/* |x - expected| <= tolerance; prints both. */
void near(const struct trial *t, const char *name, double expected,
	  double tolerance);
void same(const struct trial *t, const char *name, double expected);
void undefined(const struct trial *t, const char *name, const char *reason);

/* 0 (short form) or 1 (all of it): CAPDIFF_LONG is set. */
bool is_long(void);

#endif
