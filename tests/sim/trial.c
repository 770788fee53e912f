#include "trial.h"

#include <dirent.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- TAP ------------------------------------------------------------------
 */

static int count;

void ok(bool good, const char *format, ...)
{
	va_list args;

	printf("%sok %d - ", good ? "" : "not ", ++count);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
	fflush(stdout);
}

void note(const char *format, ...)
{
	va_list args;

	fputs("# ", stdout);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
}

int done(void)
{
	printf("1..%d\n", count);
	return 0;
}

bool is_long(void)
{
	const char *s = getenv("CAPDIFF_LONG");

	return s != NULL && *s != '\0';
}

/* ---- commands -------------------------------------------------------------
 */

static const char *or_else(const char *name, const char *otherwise)
{
	const char *s = getenv(name);

	return s == NULL ? otherwise : s;
}

struct command {
	char text[8192];
	size_t n;
};

static void add_raw(struct command *c, const char *text)
{
	size_t n = strlen(text);

	if (c->n + n + 1 > sizeof(c->text))
		abort();
	memcpy(c->text + c->n, text, n + 1);
	c->n += n;
}

static void add(struct command *c, const char *word)
{
	add_raw(c, " '");
	add_raw(c, word);
	add_raw(c, "'");
}

static void add_all(struct command *c, const char *const *words)
{
	for (; words != NULL && *words != NULL; words++)
		add(c, *words);
}

static bool run(const struct command *c)
{
	return system(c->text) == 0;
}

/* ---- scenarios ------------------------------------------------------------
 */

static bool write_file(const char *path, const char *text, const char *more)
{
	FILE *file = fopen(path, "w");

	if (file == NULL)
		return false;
	fputs(text, file);
	fputs(more == NULL ? "" : more, file);
	return fclose(file) == 0;
}

static bool is_preset(const char *scenario)
{
	return strstr(scenario, ".sim") == NULL;
}

/* The preset's text with `more` behind it, in a file. */
static bool extend_preset(const char *path, const char *preset,
			  const char *more)
{
	struct command c = {.n = 0};
	char text[8192];
	size_t n;
	FILE *pipe;

	add(&c, or_else("CAPSIM", "./capsim"));
	add(&c, "-p");
	add(&c, preset);
	pipe = popen(c.text, "r");
	if (pipe == NULL)
		return false;
	n = fread(text, 1, sizeof(text) - 1, pipe);
	text[n] = '\0';
	return pclose(pipe) == 0 && write_file(path, text, more);
}

/* What to give capsim: a file of our own, a preset, a file of the tests. */
static bool find_scenario(const struct trial *t, const struct trial_plan *plan,
			  char *path, size_t size)
{
	snprintf(path, size, "%s/scenario", t->dir);
	if (plan->text != NULL)
		return write_file(path, plan->text, plan->more);
	if (is_preset(plan->scenario) && plan->more != NULL)
		return extend_preset(path, plan->scenario, plan->more);
	if (is_preset(plan->scenario))
		snprintf(path, size, "%s", plan->scenario);
	else
		snprintf(path, size, "%s/tests/scenarios/%s",
			 or_else("srcdir", "."), plan->scenario);
	return true;
}

static bool simulate(struct trial *t, const struct trial_plan *plan)
{
	struct command c = {.n = 0};
	char path[1024], seed[32];

	if (!find_scenario(t, plan, path, sizeof(path)))
		return false;
	add(&c, or_else("CAPSIM", "./capsim"));
	add(&c, "-o");
	add(&c, t->dir);
	if (plan->seed > 0) {
		snprintf(seed, sizeof(seed), "%u", plan->seed);
		add(&c, "-s");
		add(&c, seed);
	}
	add(&c, path);
	add_all(&c, plan->set);
	add_raw(&c, " >/dev/null");
	snprintf(path, sizeof(path), "%s/truth.json", t->dir);
	return run(&c) && (t->truth = json_load_file(path, 0, NULL)) != NULL;
}

/* ---- capdiff --------------------------------------------------------------
 */

static const char *text_of(const json_t *object, const char *name)
{
	const char *s = json_string_value(json_object_get(object, name));

	return s == NULL ? "" : s;
}

const json_t *trial_point(const struct trial *t, unsigned point)
{
	return json_array_get(json_object_get(t->truth, "points"), point);
}

void trial_path(const struct trial *t, unsigned point, char *path, size_t size)
{
	snprintf(path, size, "%s/%s", t->dir,
		 text_of(trial_point(t, point), "file"));
}

static void add_point(struct command *c, const struct trial *t, unsigned k)
{
	char word[1300], path[1024];

	trial_path(t, k, path, sizeof(path));
	snprintf(word, sizeof(word), "%s=%s", text_of(trial_point(t, k), "name"),
		 path);
	add(c, word);
}

static void read_file(const char *path, char *text, size_t size)
{
	FILE *file = fopen(path, "r");
	size_t n = 0;

	if (file != NULL) {
		n = fread(text, 1, size - 1, file);
		fclose(file);
	}
	text[n] = '\0';
}

static void compare(struct trial *t, const struct trial_plan *plan)
{
	struct command c = {.n = 0};
	char errors[600], path[600];
	int status;

	snprintf(errors, sizeof(errors), "%s/errors", t->dir);
	snprintf(path, sizeof(path), "%s/report.json", t->dir);
	add(&c, or_else("CAPDIFF", "./capdiff"));
	add(&c, "-T");
	add(&c, "json");
	add_all(&c, plan->options);
	for (unsigned k = 0; k < (plan->points == 0 ? 2 : plan->points); k++)
		add_point(&c, t, k);
	add_raw(&c, " >");
	add(&c, path);
	add_raw(&c, " 2>");
	add(&c, errors);
	status = system(c.text);
	t->status = WIFEXITED(status) ? WEXITSTATUS(status) : 255;
	t->report = json_load_file(path, 0, NULL);
	read_file(errors, t->says, sizeof(t->says));
}

bool trial_run(struct trial *t, const struct trial_plan *plan)
{
	*t = (struct trial){.status = 255};
	if (plan->seed > 0)
		snprintf(t->what, sizeof(t->what), "%s, seed %u",
			 plan->scenario, plan->seed);
	else
		snprintf(t->what, sizeof(t->what), "%s",
			 plan->scenario == NULL ? "text" : plan->scenario);
	snprintf(t->dir, sizeof(t->dir), "%s/trial.XXXXXX",
		 or_else("top_builddir", "."));
	if (mkdtemp(t->dir) == NULL || !simulate(t, plan)) {
		ok(false, "%s: capsim runs", t->what);
		return false;
	}
	t->ref = text_of(trial_point(t, 0), "name");
	t->point = text_of(trial_point(t, plan->points == 1 ? 0 : 1), "name");
	compare(t, plan);
	if (t->report != NULL && (t->status == 0 || t->status == 1))
		return true;
	if (t->status == 2 && t->says[0] != '\0')
		return true;
	ok(false, "%s: capdiff runs (status %d)", t->what, t->status);
	return false;
}

#define WORDS 16

/* "a; b" to a list that ends with NULL, in `text`, which is cut up. */
static void split(char *text, const char *words[WORDS + 1])
{
	size_t n = 0;
	char *rest = text, *word;

	while (n < WORDS && (word = strtok_r(rest, ";", &rest)) != NULL) {
		while (*word == ' ')
			word++;
		words[n++] = word;
	}
	words[n] = NULL;
}

bool trial_go(struct trial *t, const char *scenario, const char *set,
	      const char *options)
{
	const char *sets[WORDS + 1], *wanted[WORDS + 1];
	char set_text[1024], option_text[1024];
	struct trial_plan plan = {.set = sets, .options = wanted};

	if (strchr(scenario, '\n') != NULL)
		plan.text = scenario;
	else
		plan.scenario = scenario;
	snprintf(set_text, sizeof(set_text), "%s", set == NULL ? "" : set);
	snprintf(option_text, sizeof(option_text), "%s",
		 options == NULL ? "" : options);
	split(set_text, sets);
	split(option_text, wanted);
	if (!trial_run(t, &plan))
		return false;
	if (set != NULL)
		snprintf(t->what + strlen(t->what),
			 sizeof(t->what) - strlen(t->what), ", %s", set);
	return true;
}

void trial_release(struct trial *t)
{
	DIR *dir = opendir(t->dir);
	struct dirent *entry;
	char path[1024];

	json_decref(t->truth);
	json_decref(t->report);
	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		snprintf(path, sizeof(path), "%s/%s", t->dir, entry->d_name);
		unlink(path);
	}
	if (dir != NULL)
		closedir(dir);
	rmdir(t->dir);
}

/* ---- the report -----------------------------------------------------------
 */

static const json_t *find_of(const struct trial *t, const char *label,
			     const char *name)
{
	char key[256];

	snprintf(key, sizeof(key), "%s.%s", label, name);
	return json_object_get(json_object_get(t->report, "values"), key);
}

static double number(const json_t *object, const char *name)
{
	const json_t *x = json_object_get(object, name);

	return json_is_number(x) ? json_number_value(x) : NAN;
}

double trial_value(const struct trial *t, const char *name)
{
	return number(find_of(t, t->point, name), "value");
}

double trial_low(const struct trial *t, const char *name)
{
	return number(find_of(t, t->point, name), "low");
}

double trial_high(const struct trial *t, const char *name)
{
	return number(find_of(t, t->point, name), "high");
}

double trial_of_ref(const struct trial *t, const char *name)
{
	return number(find_of(t, t->ref, name), "value");
}

const char *trial_null(const struct trial *t, const char *name)
{
	const json_t *value = find_of(t, t->point, name);

	if (value == NULL)
		return NULL;
	return json_is_null(json_object_get(value, "value"))
		   ? text_of(value, "reason")
		   : "";
}

bool trial_tells(const struct trial *t, const char *name, const char *words)
{
	const json_t *value = find_of(t, t->point, name);

	return value != NULL && strstr(text_of(value, "value"), words) != NULL;
}

static const json_t *verdict(const struct trial *t)
{
	return json_object_get(json_object_get(t->report, "verdicts"),
			       t->point);
}

int trial_verdict(const struct trial *t, const char *which)
{
	const json_t *v = json_object_get(verdict(t), which);

	return json_is_boolean(v) ? json_is_true(v) : -1;
}

bool trial_reason(const struct trial *t, const char *reason)
{
	const json_t *reasons = json_object_get(verdict(t), "reasons");
	const json_t *each;
	size_t i;

	json_array_foreach(reasons, i, each)
		if (strcmp(json_string_value(each), reason) == 0)
			return true;
	return false;
}

bool trial_says(const struct trial *t, const char *words)
{
	return strstr(text_of(verdict(t), "text"), words) != NULL;
}

bool trial_finds(const struct trial *t, const char *code)
{
	const json_t *findings = json_object_get(t->report, "findings");
	const json_t *each;
	size_t i;

	json_array_foreach(findings, i, each)
		if (strcmp(text_of(each, "code"), code) == 0)
			return true;
	return false;
}

/* ---- the truth ------------------------------------------------------------
 */

double truth_point(const struct trial *t, const char *name)
{
	return number(trial_point(t, 1), name);
}

double truth_stream(const struct trial *t, const char *name)
{
	const json_t *streams = json_object_get(trial_point(t, 1), "streams");

	return number(json_array_get(streams, 0), name);
}

/* ---- checks ---------------------------------------------------------------
 */

void near(const struct trial *t, const char *name, double expected,
	  double tolerance)
{
	double x = trial_value(t, name);

	ok(fabs(x - expected) <= tolerance, "%s: %s is %.9g, %.9g +- %.3g",
	   t->what, name, x, expected, tolerance);
}

void same(const struct trial *t, const char *name, double expected)
{
	double x = trial_value(t, name);

	ok(x == expected, "%s: %s is %.17g, %.17g", t->what, name, x, expected);
}

void undefined(const struct trial *t, const char *name, const char *reason)
{
	const char *got = trial_null(t, name);

	ok(got != NULL && strstr(got, reason) != NULL && *got != '\0',
	   "%s: %s is null, '%s' (wanted '%s')", t->what, name,
	   got == NULL ? "absent" : got, reason);
}
