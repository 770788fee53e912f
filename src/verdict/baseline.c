#include "verdict/baseline.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "report/baseline.h"

struct comparison {
	struct cd_report *report;
	const struct cd_report *before;
	struct cd_baseline *out;
	uint32_t now_point, before_point;
};

static bool same_value(const struct cd_value *a, const struct cd_value *b)
{
	if (a->kind != b->kind)
		return false;
	switch (a->kind) {
	case CD_VALUE_COUNT:
	case CD_VALUE_SPAN:
		return a->integer == b->integer;
	case CD_VALUE_REAL:
		return a->real == b->real;
	case CD_VALUE_TEXT:
		return strcmp(a->text, b->text) == 0;
	case CD_VALUE_NULL:
		break;
	}
	return true;
}

static enum cd_change judge_change(const struct cd_value *before,
				   const struct cd_value *now)
{
	bool lower;

	if (before->kind != now->kind ||
	    now->key->better == CD_BETTER_NONE ||
	    (now->kind == CD_VALUE_TEXT))
		return CD_CHANGE_OTHER;
	lower = now->kind == CD_VALUE_REAL ? now->real < before->real
					   : now->integer < before->integer;
	return lower == (now->key->better == CD_BETTER_LOWER)
		   ? CD_CHANGE_BETTER
		   : CD_CHANGE_WORSE;
}

/* A copy that outlives both reports' values. */
static int copy_value(struct comparison *c, const struct cd_value *value,
		      struct cd_value *out)
{
	*out = *value;
	out->text = NULL;
	if (value->kind == CD_VALUE_NULL)
		out->reason = cd_report_keep(
		    c->report, value->reason == NULL ? "" : value->reason);
	if (value->kind != CD_VALUE_TEXT)
		return 0;
	out->text = cd_strdup(value->text);
	return out->text == NULL ? -1 : 0;
}

static int add_row(struct comparison *c, const struct cd_value *before,
		   const struct cd_value *now)
{
	struct cd_baseline *b = c->out;
	struct cd_baseline_row *row;

	if (cd_grow(&b->rows, &b->rows_capacity, b->n_rows + 1,
		    sizeof(*b->rows)))
		return -1;
	row = &b->rows[b->n_rows++];
	*row = (struct cd_baseline_row){
	    .key = cd_strf("%s.%s", c->report->captures[c->now_point].label,
			   now->key->name),
	    .change = judge_change(before, now),
	};
	return row->key == NULL || copy_value(c, before, &row->before) ||
		       copy_value(c, now, &row->now)
		   ? -1
		   : 0;
}

static int compare_key(struct comparison *c, const struct cd_key *key)
{
	struct cd_value absent = {
	    .key = key,
	    .stream = CD_NO_STREAM,
	    .kind = CD_VALUE_NULL,
	    .reason = "not there",
	};
	const struct cd_value *now =
	    cd_report_find(c->report, c->now_point, key->name);
	const struct cd_value *before =
	    cd_report_find(c->before, c->before_point, key->name);

	if (now == NULL && before == NULL)
		return 0;
	if (now != NULL && before != NULL && same_value(before, now)) {
		c->out->same++;
		return 0;
	}
	return add_row(c, before == NULL ? &absent : before,
		       now == NULL ? &absent : now);
}

/* ---- verdicts ------------------------------------------------------------ */

static const char *say_judgement(enum cd_judgement judgement)
{
	return judgement == CD_TRUE    ? "yes"
	       : judgement == CD_FALSE ? "no"
				       : "inconclusive";
}

static int compare_judgement(struct comparison *c, const char *what,
			     enum cd_judgement before, enum cd_judgement now)
{
	struct cd_baseline *b = c->out;
	struct cd_baseline_verdict *v;

	if (before == now)
		return 0;
	if (cd_grow(&b->verdicts, &b->verdicts_capacity, b->n_verdicts + 1,
		    sizeof(*b->verdicts)))
		return -1;
	v = &b->verdicts[b->n_verdicts++];
	*v = (struct cd_baseline_verdict){
	    .key = cd_strf("%s.%s", c->report->captures[c->now_point].label,
			   what),
	    .before = before,
	    .now = now,
	};
	cd_report_finding(c->report, now == CD_TRUE ? CD_NOTE : CD_WARNING,
			  "baseline_verdict", (int)c->now_point,
			  "%s: %s, in %s it was %s.", what,
			  say_judgement(now), b->path, say_judgement(before));
	return v->key == NULL ? -1 : 0;
}

static int compare_point(struct comparison *c)
{
	const struct cd_report_verdict *now =
	    cd_report_verdict(c->report, c->now_point);
	const struct cd_report_verdict *before =
	    cd_report_verdict(c->before, c->before_point);

	for (size_t k = 0; k < cd_key_count; k++)
		if (compare_key(c, &cd_key_table[k]))
			return -1;
	if (now == NULL || before == NULL)
		return 0;
	return compare_judgement(c, "complete", before->complete,
				 now->complete) ||
		       compare_judgement(c, "accurate", before->accurate,
					 now->accurate)
		   ? -1
		   : 0;
}

static bool find_label(const struct cd_report *r, const char *label,
		       uint32_t *point)
{
	for (uint32_t i = 0; i < r->n_captures; i++)
		if (strcmp(r->captures[i].label, label) == 0) {
			*point = i;
			return true;
		}
	return false;
}

/* A capture that is left out must not look as if nothing had changed. */
static void say_left_out(struct cd_report *report,
			 const struct cd_report *before, const char *path)
{
	uint32_t point;

	for (uint32_t i = 0; i < report->n_captures; i++)
		if (!find_label(before, report->captures[i].label, &point))
			cd_report_finding(report, CD_WARNING, "baseline_label",
					  (int)i, "no capture in %s has its "
					  "label, so it is not compared; "
					  "LABEL=FILE gives it the one it had.",
					  path);
}

int cd_baseline_compare(struct cd_report *report,
			const struct cd_report *before, const char *path,
			struct cd_error *error)
{
	struct comparison c = {.report = report, .before = before};
	size_t shared = 0;

	cd_report_forget(report, "baseline_");
	report->baseline = c.out = calloc(1, sizeof(*c.out));
	if (c.out == NULL)
		return cd_error_memory(error);
	c.out->path = cd_strdup(path);
	if (c.out->path == NULL)
		return cd_error_memory(error);
	for (uint32_t i = 0; i < report->n_captures; i++) {
		c.now_point = i;
		if (!find_label(before, report->captures[i].label,
				&c.before_point))
			continue;
		shared++;
		if (compare_point(&c))
			return cd_error_memory(error);
	}
	if (shared > 0) {
		say_left_out(report, before, path);
		return report->bad ? cd_error_memory(error) : 0;
	}
	cd_error_file(error, path);
	cd_error_set(error, CD_E_DATA, "no capture in it has a label that the "
		     "captures have now");
	cd_error_hint(error, "LABEL=FILE gives a capture the label it had");
	return -1;
}
