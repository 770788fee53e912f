#include "render/cases.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "render/grid.h"
#include "render/phrase.h"
#include "render/screen.h"
#include "report/sweep.h"

/* One line. */
static char *copy_clean(struct cd_cases *cases, const char *text)
{
	struct cd_str out = {0};

	cd_clean_sentence(&out, text, true);
	if (out.text == NULL)
		out.text = cd_strdup("");
	cases->bad = cases->bad || out.bad || out.text == NULL;
	return out.text;
}

/* Lines stay lines. */
static char *copy_lines(struct cd_cases *cases, const char *text)
{
	struct cd_str out = {0};

	cd_str_add(&out, "");
	for (;;) {
		size_t n = strcspn(text, "\n");
		struct cd_str line = {0};

		cd_str_addn(&line, text, n);
		cd_clean_sentence(&out, cd_str_text(&line), true);
		out.bad = out.bad || line.bad;
		cd_str_release(&line);
		if (text[n] == '\0')
			break;
		cd_str_add(&out, "\n");
		text += n + 1;
	}
	cases->bad = cases->bad || out.bad || out.text == NULL;
	return out.text;
}

static void release_case(struct cd_case *c)
{
	free(c->suite);
	free(c->name);
	free(c->type);
	free(c->message);
	free(c->detail);
}

static char *copy_suite(struct cd_cases *cases, int64_t point)
{
	struct cd_str name = {0};
	char *copy;

	if (cases->run != NULL)
		cd_str_addf(&name, "%s%s", cases->run, point < 0 ? "" : " ");
	if (point >= 0)
		cd_str_add(&name, cd_phrase_label(cases->report, point));
	copy = copy_clean(cases,
			  name.length == 0 ? "capdiff" : cd_str_text(&name));
	cases->bad = cases->bad || name.bad;
	cd_str_release(&name);
	return copy;
}

/* Texts are copied. */
static void add_case(struct cd_cases *cases, const struct cd_case *like)
{
	struct cd_case c = *like;

	c.suite = copy_suite(cases, like->point);
	c.report = cases->report;
	c.name = copy_clean(cases, like->name);
	c.type = copy_clean(cases, like->type);
	c.message = copy_clean(cases, like->message);
	c.detail = copy_lines(cases, like->detail);
	if (cases->bad || cd_grow(&cases->list, &cases->capacity, cases->n + 1,
				  sizeof(*cases->list))) {
		cases->bad = true;
		release_case(&c);
		return;
	}
	cases->list[cases->n++] = c;
}

static char empty[] = "";

/* Was the capture, or the run (-1), read and compared as asked? */
static void add_input(struct cd_cases *cases, const struct cd_report *r,
		      int64_t point, bool also_passed)
{
	struct cd_str text = {0}, codes = {0};
	static char name[] = "input";
	struct cd_case c = {.point = point, .name = name};

	for (size_t i = 0; i < r->n_findings; i++) {
		const struct cd_finding *f = &r->findings[i];

		if (f->severity != CD_ERROR || f->point != point)
			continue;
		cd_str_addf(&text, "%s%s", text.length > 0 ? " " : "",
			    f->text);
		cd_str_addf(&codes, "%s%s", codes.length > 0 ? " " : "",
			    f->code != NULL ? f->code : "error");
		c.outcome = CD_CASE_ERROR;
	}
	c.detail = empty;
	c.type = codes.length > 0 ? codes.text : empty;
	c.message = text.length > 0 ? text.text : empty;
	if (also_passed || c.outcome != CD_CASE_PASSED)
		add_case(cases, &c);
	cases->bad = cases->bad || text.bad || codes.bad;
	cd_str_release(&text);
	cd_str_release(&codes);
}

static void add_judgement(struct cd_cases *cases, const struct cd_report *r,
			  const struct cd_report_verdict *v, char *name,
			  enum cd_judgement judgement, enum cd_about what)
{
	struct cd_str reasons = {0}, message = {0}, detail = {0};
	struct cd_case c = {.point = v->point, .name = name};

	cd_phrase_paragraphs(v, what, &detail);
	cd_phrase_headline(r, v, &message);
	if (judgement == CD_INCONCLUSIVE)
		cd_str_add(&reasons, "inconclusive");
	for (size_t i = 0; i < v->n_reasons; i++)
		if (cd_is_about(&v->reasons_about, i, what))
			cd_str_addf(&reasons, "%s%s",
				    reasons.length > 0 ? " " : "",
				    v->reasons[i]);
	if (judgement != CD_TRUE)
		c.outcome = CD_CASE_FAILED;
	c.type = judgement == CD_TRUE || reasons.text == NULL ? empty
							      : reasons.text;
	c.message = message.text == NULL ? empty : message.text;
	c.detail = judgement == CD_TRUE || detail.text == NULL ? empty
							       : detail.text;
	add_case(cases, &c);
	cases->bad = cases->bad || reasons.bad || message.bad || detail.bad;
	cd_str_release(&reasons);
	cd_str_release(&message);
	cd_str_release(&detail);
}

static void add_verdicts(struct cd_cases *cases, const struct cd_report *r,
			 uint32_t point)
{
	static char complete[] = "complete", accurate[] = "accurate";

	for (size_t i = 0; i < r->n_verdicts; i++) {
		const struct cd_report_verdict *v = &r->verdicts[i];

		if (v->point != point)
			continue;
		add_judgement(cases, r, v, complete, v->complete,
			      CD_ABOUT_COMPLETE);
		add_judgement(cases, r, v, accurate, v->accurate,
			      CD_ABOUT_ACCURATE);
	}
}

static void add_limits(struct cd_cases *cases, const struct cd_report *r,
		       int64_t point)
{
	static char type[] = "limit";

	for (size_t i = 0; i < r->n_limits; i++) {
		const struct cd_limit_result *l = &r->limits[i];
		struct cd_str message = {0};

		if (l->key == NULL || l->expression == NULL ||
		    cd_phrase_owner(r, l->key) != point)
			continue;
		cd_str_addf(&message, "%s is %s", l->key,
			    l->value == NULL ? "" : l->value);
		add_case(cases,
			 &(struct cd_case){
			     .point = point,
			     .name = l->expression,
			     .outcome = l->passed ? CD_CASE_PASSED
						  : CD_CASE_FAILED,
			     .type = l->passed ? empty : type,
			     .message = message.text == NULL ? empty
							     : message.text,
			     .detail = empty,
			 });
		cases->bad = cases->bad || message.bad;
		cd_str_release(&message);
	}
}

static bool any_is(const struct cd_cases *cases, enum cd_outcome outcome)
{
	for (size_t i = 0; i < cases->n; i++)
		if (cases->list[i].outcome == outcome)
			return true;
	return false;
}

/* What no case above accounts for. */
static void add_status(struct cd_cases *cases, int status)
{
	static char name[] = "run", type[] = "status";
	static char improper[] = "The job could not be done properly.";
	static char outside[] = "At least one capture is not inside the limits.";
	bool accounted = any_is(cases, CD_CASE_ERROR) ||
			 (status == 1 && any_is(cases, CD_CASE_FAILED));

	if (status == 0 || accounted)
		return;
	add_case(cases, &(struct cd_case){
			    .point = -1,
			    .name = name,
			    .outcome = status == 1 ? CD_CASE_FAILED
						   : CD_CASE_ERROR,
			    .type = type,
			    .message = status == 1 ? outside : improper,
			    .detail = empty,
			});
}

static void take_captures(struct cd_cases *cases)
{
	const struct cd_report *r = cases->report;
	uint32_t *points = cd_grid_points(r);

	cases->bad = cases->bad || points == NULL;
	for (size_t i = 0; points != NULL && i < r->n_captures; i++) {
		add_input(cases, r, points[i], true);
		add_verdicts(cases, r, points[i]);
		add_limits(cases, r, points[i]);
	}
	free(points);
}

/* A run of a sweep; one about which nothing can be said is an error. */
static void take_run(struct cd_cases *cases, const struct cd_report *whole,
		     const struct cd_sweep_run *run)
{
	static char name[] = "run", type[] = "error";
	struct cd_str message = {0};

	cases->run = run->name == NULL ? "run" : run->name;
	cases->report = run->report != NULL ? run->report : whole;
	if (run->report != NULL)
		take_captures(cases);
	if (run->error != NULL || run->report == NULL) {
		cd_str_addf(&message, "%s%s%s",
			    run->error_file == NULL ? "" : run->error_file,
			    run->error_file == NULL ? "" : ": ",
			    run->error == NULL ? "nothing could be measured"
					       : run->error);
		add_case(cases, &(struct cd_case){
				    .point = -1,
				    .name = name,
				    .outcome = CD_CASE_ERROR,
				    .type = type,
				    .message = message.text == NULL
						   ? empty
						   : message.text,
				    .detail = empty,
				});
	}
	cases->bad = cases->bad || message.bad;
	cd_str_release(&message);
}

void cd_cases_take(struct cd_cases *cases, const struct cd_report *report,
		   int status)
{
	const struct cd_sweep *sweep = report->sweep;

	*cases = (struct cd_cases){.report = report};
	for (size_t i = 0; sweep != NULL && i < sweep->n_runs; i++)
		take_run(cases, report, &sweep->runs[i]);
	cases->run = NULL;
	cases->report = report;
	if (sweep == NULL)
		take_captures(cases);
	add_input(cases, report, -1, false);
	add_limits(cases, report, -1);
	add_status(cases, status);
}

void cd_cases_release(struct cd_cases *cases)
{
	for (size_t i = 0; i < cases->n; i++)
		release_case(&cases->list[i]);
	free(cases->list);
}
