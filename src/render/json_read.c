#include "render/json_read.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "render/json_baseline.h"
#include "render/json_read_parts.h"
#include "report/sweep.h"

/* ---- verdicts, findings, limits ------------------------------------------ */

static size_t read_words(struct cd_pick *pick, const json_t *from,
			 const char *name, struct cd_report *r,
			 const char **words, size_t most)
{
	const json_t *list = cd_pick_list(pick, from, name);
	size_t n = json_array_size(list);

	if (n > most)
		cd_pick_fail(pick, "\"%s\" has too many words", name);
	for (size_t i = 0; i < n && !pick->bad; i++) {
		const json_t *word = json_array_get(list, i);

		if (!cd_is_text(word))
			cd_pick_fail(pick, "\"%s\" holds no words", name);
		else
			words[i] = cd_report_keep(r, json_string_value(word));
	}
	return pick->bad ? 0 : n;
}

static enum cd_about read_about(struct cd_pick *pick, const json_t *word)
{
	for (int i = CD_ABOUT_BOTH; i <= CD_ABOUT_ACCURATE; i++)
		if (cd_is_text(word) && strcmp(json_string_value(word),
					       cd_about_name(
						   (enum cd_about)i)) == 0)
			return (enum cd_about)i;
	cd_pick_fail(pick, "what a word or paragraph is about is none of both, "
		     "complete, accurate");
	return CD_ABOUT_BOTH;
}

/* Earlier versions did not say. */
static void read_abouts(struct cd_pick *pick, const json_t *from,
			const char *name, struct cd_abouts *abouts)
{
	const json_t *list = cd_pick_member(from, name) == NULL
				 ? NULL
				 : cd_pick_list(pick, from, name);
	size_t n = json_array_size(list);

	if (n > sizeof(abouts->list) / sizeof(abouts->list[0]))
		cd_pick_fail(pick, "\"%s\" has too many words", name);
	for (size_t i = 0; i < n && !pick->bad; i++)
		abouts->list[abouts->n++] =
		    read_about(pick, json_array_get(list, i));
}

static void read_verdicts(struct cd_pick *pick, const json_t *root,
			  struct cd_report *r)
{
	const json_t *all = cd_pick_object(pick, root, "verdicts");
	const char *label;
	json_t *from;

	r->verdicts = cd_read_room(pick, json_object_size(all),
				   sizeof(*r->verdicts));
	json_object_foreach((json_t *)(uintptr_t)all, label, from)
	{
		struct cd_report_verdict *v = &r->verdicts[r->n_verdicts];
		int64_t point = cd_read_point(r, label);

		cd_pick_at(pick, "verdicts.%s", label);
		if (point < 0)
			cd_pick_fail(pick, "there is no such capture");
		if (pick->bad)
			return;
		r->n_verdicts++;
		v->point = (uint32_t)point;
		v->complete = cd_read_judgement(pick, from, "complete");
		v->accurate = cd_read_judgement(pick, from, "accurate");
		v->n_reasons = read_words(pick, from, "reasons", r, v->reasons,
					  16);
		v->n_qualifiers = read_words(pick, from, "qualifiers", r,
					     v->qualifiers, 16);
		v->text = cd_pick_copy(pick, from, "text");
		read_abouts(pick, from, "reasons_about", &v->reasons_about);
		read_abouts(pick, from, "paragraphs_about",
			    &v->paragraphs_about);
	}
}

static enum cd_severity read_severity(struct cd_pick *pick, const json_t *from)
{
	const char *text = cd_pick_text(pick, from, "severity");

	for (int i = CD_NOTE; text != NULL && i <= CD_ERROR; i++)
		if (strcmp(cd_severity_name((enum cd_severity)i), text) == 0)
			return (enum cd_severity)i;
	cd_pick_fail(pick, "\"severity\" is no note, warning or error");
	return CD_NOTE;
}

static void read_finding(struct cd_pick *pick, const json_t *from,
			 struct cd_report *r)
{
	const char *code = cd_pick_text(pick, from, "code");
	const char *text = cd_pick_text(pick, from, "text");
	const char *label = cd_pick_text(pick, from, "capture");
	enum cd_severity severity = read_severity(pick, from);
	int64_t point = label == NULL ? -1 : cd_read_point(r, label);

	if (code == NULL || text == NULL || (label != NULL && point < 0))
		cd_pick_fail(pick, "it has no code or text, or a capture that "
			     "there is not");
	if (!pick->bad)
		cd_report_finding(r, severity, cd_report_keep(r, code),
				  (int)point, "%s", text);
}

static void read_findings(struct cd_pick *pick, const json_t *root,
			  struct cd_report *r)
{
	const json_t *list = cd_pick_list(pick, root, "findings");

	for (size_t i = 0; i < json_array_size(list); i++) {
		cd_pick_at(pick, "findings[%zu]", i);
		read_finding(pick, json_array_get(list, i), r);
	}
	cd_pick_at(pick, "%s", "");
}

static void read_limits(struct cd_pick *pick, const json_t *root,
			struct cd_report *r)
{
	const json_t *limits = cd_pick_object(pick, root, "limits");
	const json_t *list = cd_pick_list(pick, limits, "results");
	size_t n = json_array_size(list);

	r->profile = cd_pick_copy(pick, limits, "profile");
	r->limits = cd_read_room(pick, n, sizeof(*r->limits));
	r->n_limits = r->limits == NULL ? 0 : n;
	for (size_t i = 0; i < r->n_limits; i++) {
		const json_t *from = json_array_get(list, i);

		cd_pick_at(pick, "limits[%zu]", i);
		r->limits[i] = (struct cd_limit_result){
		    .expression = cd_pick_copy(pick, from, "expression"),
		    .key = cd_pick_copy(pick, from, "key"),
		    .passed = cd_pick_bool(pick, from, "passed"),
		    .value = cd_pick_copy(pick, from, "value"),
		};
	}
	cd_pick_at(pick, "%s", "");
}

/* ---- the head ------------------------------------------------------------ */

static void check_schema(struct cd_pick *pick, const json_t *root)
{
	const char *schema = cd_pick_text(pick, root, "schema");

	if (!json_is_object(root) || schema == NULL) {
		cd_pick_fail(pick, "it has no \"schema\"");
	} else if (strcmp(schema, "capdiff-report/1") != 0 && !pick->bad) {
		pick->bad = true;
		cd_error_set(pick->error, CD_E_FORMAT,
			     "is a report of the form '%.60s', which this "
			     "version cannot read", schema);
		cd_error_hint(pick->error, "it reads capdiff-report/1");
	}
}

static void read_command(struct cd_pick *pick, const json_t *root,
			 struct cd_report *r)
{
	const json_t *list = cd_pick_list(pick, root, "command");
	size_t n = json_array_size(list);

	r->command = cd_read_room(pick, n + 1, sizeof(*r->command));
	for (size_t i = 0; i < n && !pick->bad; i++) {
		const json_t *word = json_array_get(list, i);

		if (!cd_is_text(word))
			cd_pick_fail(pick, "\"command\" holds no words");
		else
			r->command[r->n_command++] =
			    cd_strdup(json_string_value(word));
	}
	for (size_t i = 0; i < r->n_command; i++)
		if (r->command[i] == NULL)
			cd_pick_memory(pick);
}

static int read_status(struct cd_pick *pick, const json_t *root)
{
	uint64_t status = cd_pick_count(pick, root, "status", 3);

	if (status > 2)
		cd_pick_fail(pick, "\"status\" is none of 0, 1 and 2");
	return (int)status;
}

static struct cd_report *read_report(struct cd_pick *pick, const json_t *root,
				     int *status)
{
	struct cd_report *report = cd_report_new();

	if (report == NULL) {
		cd_pick_memory(pick);
		return NULL;
	}
	check_schema(pick, root);
	*status = read_status(pick, root);
	read_command(pick, root, report);
	cd_read_files(pick, root, report);
	cd_read_values(pick, root, report);
	read_verdicts(pick, root, report);
	read_findings(pick, root, report);
	read_limits(pick, root, report);
	if (report->bad)
		cd_pick_memory(pick);
	return report;
}

/* ---- sweeps -------------------------------------------------------------- */

static void read_error(struct cd_pick *pick, const json_t *from,
		       struct cd_sweep_run *run)
{
	const json_t *error;

	if (cd_pick_member(from, "error") == NULL)
		return;
	error = cd_pick_object(pick, from, "error");
	run->error_file = cd_pick_copy(pick, error, "file");
	run->error = cd_pick_copy(pick, error, "what");
	run->hint = cd_pick_copy(pick, error, "hint");
}

static void read_run(struct cd_pick *pick, const json_t *from, size_t i,
		     struct cd_sweep_run *run)
{
	cd_pick_at(pick, "runs[%zu]", i);
	run->name = cd_pick_copy(pick, from, "run");
	if (run->name == NULL)
		cd_pick_fail(pick, "it has no name");
	run->status = read_status(pick, from);
	read_error(pick, from, run);
	if (!pick->bad && cd_pick_member(from, "captures") != NULL)
		run->report = read_report(pick, from, &run->status);
}

static void read_sweep(struct cd_pick *pick, const json_t *root,
		       struct cd_report *report)
{
	const json_t *runs, *sweep;
	size_t n;

	if (cd_pick_member(root, "runs") == NULL || pick->bad)
		return;
	runs = cd_pick_list(pick, root, "runs");
	sweep = cd_pick_object(pick, root, "sweep");
	n = json_array_size(runs);
	report->sweep = cd_sweep_new();
	if (report->sweep == NULL) {
		cd_pick_memory(pick);
		return;
	}
	report->sweep->folder = cd_pick_copy(pick, sweep, "folder");
	report->sweep->runs =
	    cd_read_room(pick, n, sizeof(*report->sweep->runs));
	report->sweep->n_runs = report->sweep->runs == NULL ? 0 : n;
	for (size_t i = 0; i < report->sweep->n_runs && !pick->bad; i++)
		read_run(pick, json_array_get(runs, i), i,
			 &report->sweep->runs[i]);
}

struct cd_report *cd_json_read(const char *text, size_t n, int *status,
			       struct cd_error *error)
{
	struct cd_pick pick = {.error = error};
	json_t *root = cd_pick_parse(&pick, text, n);
	struct cd_report *report = NULL;

	if (root != NULL)
		report = read_report(&pick, root, status);
	if (report != NULL)
		cd_json_read_baseline(&pick, root, report);
	if (report != NULL)
		read_sweep(&pick, root, report);
	json_decref(root);
	if (!pick.bad)
		return report;
	cd_report_free(report);
	return NULL;
}
