/* The capture points of all runs: by label or, where each run is of a single
 * capture, by what their names say beside sizes, rates and trials. */
#include "sweep/parts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"

#define JOINTS "/_ ,+="

static bool has_reference(const struct cd_sweep *sweep)
{
	for (size_t i = 0; i < sweep->n_runs; i++)
		if (sweep->runs[i].report != NULL &&
		    sweep->runs[i].report->n_captures > 1)
			return true;
	return false;
}

/* "0064", "100M", "10Mb", "1.5Gbps": a size or rate. "100MB" is a buffer. */
static bool is_number(const char *word, size_t n)
{
	static const char *const units[] = {
	    "",	    "B",    "bytes", "K",    "M",    "G",    "kb",  "Mb",
	    "Gb",   "kbps", "Mbps",  "Gbps", "bps",  "pps",  "kpps", "Mpps",
	    "kbit", "Mbit", "Gbit"};
	size_t digits = 0;

	while (digits < n && (isdigit((unsigned char)word[digits]) ||
			      (digits > 0 && word[digits] == '.')))
		digits++;
	if (digits == 0)
		return false;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strlen(units[i]) == n - digits &&
		    strncmp(units[i], word + digits, n - digits) == 0)
			return true;
	return false;
}

/* "run3", "trial-2", "t1" */
static bool is_trial(const char *word, size_t n)
{
	static const char *const names[] = {"trial", "run", "rep", "t", "r"};
	size_t digits = 0;

	while (digits < n && isdigit((unsigned char)word[n - digits - 1]))
		digits++;
	n -= digits;
	if (n > 1 && word[n - 1] == '-')
		n--;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (digits > 0 && strlen(names[i]) == n &&
		    strncasecmp(word, names[i], n) == 0)
			return true;
	return false;
}

static bool has_word(const char *name, const char *word, size_t n)
{
	while (*name != '\0') {
		size_t m = strcspn(name, JOINTS);

		if (m == n && strncmp(name, word, n) == 0)
			return true;
		name += m + (name[m] != '\0');
	}
	return false;
}

static bool in_all(const struct cd_sweep *sweep, const char *word, size_t n)
{
	for (size_t i = 0; i < sweep->n_runs; i++)
		if (!has_word(sweep->runs[i].name, word, n))
			return false;
	return true;
}

/* Words of the name that tell set-ups apart, "" if there is none; with
 * `shared` those that all runs have, too. */
static char *name_setup(const struct cd_sweep *sweep, const char *name,
			bool shared)
{
	struct cd_str out = {0};

	cd_str_add(&out, "");
	while (*name != '\0') {
		size_t n = strcspn(name, JOINTS);

		if (n > 0 && !is_number(name, n) && !is_trial(name, n) &&
		    (shared || !in_all(sweep, name, n))) {
			cd_str_add(&out, out.length > 0 ? "_" : "");
			cd_str_addn(&out, name, n);
		}
		name += n + (name[n] != '\0');
	}
	if (!out.bad && out.text == NULL)
		return cd_strdup("");
	return out.bad ? NULL : out.text;
}

static int add_point(struct cd_report *report, const char *label,
		     uint32_t *index)
{
	struct cd_report_capture *grown;

	for (uint32_t i = 0; i < report->n_captures; i++)
		if (strcmp(report->captures[i].label, label) == 0) {
			*index = i;
			return 0;
		}
	grown = realloc(report->captures,
			(report->n_captures + 1) * sizeof(*grown));
	if (grown == NULL)
		return -1;
	report->captures = grown;
	*index = (uint32_t)report->n_captures;
	grown[*index] = (struct cd_report_capture){
	    .label = cd_strdup(label),
	    .packets = UINT64_MAX,
	    .bytes = UINT64_MAX,
	};
	if (grown[*index].label == NULL)
		return -1;
	report->n_captures++;
	return 0;
}

static int add_references(struct cd_report *report)
{
	uint32_t index;

	for (size_t i = 0; i < report->sweep->n_runs; i++) {
		const struct cd_report *r = report->sweep->runs[i].report;

		if (r == NULL || r->n_captures < 2)
			continue;
		if (add_point(report, r->captures[r->reference].label, &index))
			return -1;
		report->captures[index].reference = index == 0;
	}
	return 0;
}

static int add_others(struct cd_report *report)
{
	uint32_t index;

	for (size_t i = 0; i < report->sweep->n_runs; i++) {
		const struct cd_report *r = report->sweep->runs[i].report;

		for (uint32_t k = 0; r != NULL && k < r->n_captures; k++)
			if (r->n_captures > 1 &&
			    add_point(report, r->captures[k].label, &index))
				return -1;
	}
	return 0;
}

static int add_setups(struct cd_report *report)
{
	struct cd_sweep *sweep = report->sweep;
	bool shared = false;

	for (size_t i = 0; i < sweep->n_runs; i++) {
		char *label = name_setup(sweep, sweep->runs[i].name, false);

		if (label == NULL)
			return -1;
		shared = shared || label[0] == '\0';
		free(label);
	}
	for (size_t i = 0; i < sweep->n_runs; i++) {
		struct cd_sweep_run *run = &sweep->runs[i];
		char *label = name_setup(sweep, run->name, shared);
		int status;

		if (label == NULL)
			return -1;
		status = add_point(report, label[0] == '\0' ? "capture" : label,
				   &run->setup);
		free(label);
		if (status)
			return -1;
	}
	return 0;
}

static void forget_points(struct cd_report *report)
{
	for (size_t i = 0; i < report->n_captures; i++)
		free(report->captures[i].label);
	free(report->captures);
	report->captures = NULL;
	report->n_captures = 0;
	report->reference = 0;
}

static int compare_runs(const void *a, const void *b)
{
	const struct cd_sweep_run *x = a, *y = b;

	return strcmp(x->name, y->name);
}

int cd_sweep_points(struct cd_report *report)
{
	struct cd_sweep *sweep = report->sweep;

	forget_points(report);
	if (sweep->n_runs > 0)
		qsort(sweep->runs, sweep->n_runs, sizeof(*sweep->runs),
		      compare_runs);
	sweep->has_reference = has_reference(sweep);
	if (sweep->has_reference)
		return add_references(report) || add_others(report) ? -1 : 0;
	return add_setups(report);
}
