#include "render/phrase.h"

#include <string.h>

#include "render/rows.h"
#include "report/baseline.h"
#include "report/sweep.h"
#include "report/text.h"

const char *cd_phrase_label(const struct cd_report *report, int64_t point)
{
	if (point < 0 || (size_t)point >= report->n_captures ||
	    report->captures[point].label == NULL)
		return "capture";
	return report->captures[point].label;
}

const char *cd_phrase_severity(enum cd_severity severity)
{
	static const char *const words[] = {
	    [CD_NOTE] = "Note",
	    [CD_WARNING] = "Warning",
	    [CD_ERROR] = "Error",
	};

	return words[severity];
}

const char *cd_phrase_role(const struct cd_report *report, uint32_t point)
{
	return report->n_captures == 1	    ? "alone"
	       : point == report->reference ? "reference"
					    : "compared";
}

void cd_phrase_headline(const struct cd_report *report,
			const struct cd_report_verdict *verdict,
			struct cd_str *out)
{
	const char *text = verdict->text == NULL ? "" : verdict->text;

	cd_str_addf(out, "%s: ", cd_phrase_label(report, verdict->point));
	cd_str_addn(out, text, strcspn(text, "\n"));
}

const char *cd_phrase_body(const struct cd_report_verdict *verdict)
{
	const char *end =
	    verdict->text == NULL ? NULL : strchr(verdict->text, '\n');

	return end == NULL ? NULL : end + 1;
}

bool cd_phrase_paragraph(const char **body, struct cd_str *out)
{
	size_t n;

	if (*body == NULL || **body == '\0')
		return false;
	n = strcspn(*body, "\n");
	cd_str_addn(out, *body, n);
	*body += n + ((*body)[n] == '\n');
	return true;
}

void cd_phrase_paragraphs(const struct cd_report_verdict *verdict,
			  enum cd_about what, struct cd_str *out)
{
	const char *body = cd_phrase_body(verdict);
	struct cd_str text = {0};

	for (size_t i = 0; cd_phrase_paragraph(&body, &text); i++) {
		if (cd_is_about(&verdict->paragraphs_about, i, what))
			cd_str_addf(out, "%s%s", out->length > 0 ? "\n" : "",
				    cd_str_text(&text));
		out->bad = out->bad || text.bad;
		cd_str_release(&text);
	}
}

void cd_phrase_finding(const struct cd_report *report,
		       const struct cd_finding *finding, struct cd_str *out)
{
	if (finding->point >= 0 && report->n_captures > 1)
		cd_str_addf(out, "%s: ",
			    cd_phrase_label(report, finding->point));
	cd_str_add(out, finding->text);
}

/* Labels may hold dots: the longest that fits. */
int64_t cd_phrase_owner(const struct cd_report *report, const char *full_key)
{
	size_t longest = 0;
	int64_t owner = -1;

	for (size_t i = 0; i < report->n_captures; i++) {
		const char *label = cd_phrase_label(report, (int64_t)i);
		size_t n = strlen(label);

		if (strncmp(full_key, label, n) != 0 || full_key[n] != '.' ||
		    (owner >= 0 && n <= longest))
			continue;
		longest = n;
		owner = (int64_t)i;
	}
	return owner;
}

static void add_bound(const struct cd_value *v, double bound, bool utf8,
		      struct cd_str *out)
{
	struct cd_value end = *v;

	if (v->kind == CD_VALUE_SPAN) {
		cd_text_span(out, bound * (double)CD_PS_PER_NS, utf8);
	} else if (strcmp(v->key->unit, "1") == 0) {
		end.kind = CD_VALUE_REAL;
		end.real = bound;
		cd_text_value(out, &end, utf8);
	} else {
		cd_str_addf(out, "%.6g", bound);
	}
}

void cd_phrase_value(const struct cd_value *value, bool utf8,
		     struct cd_str *out)
{
	cd_text_value(out, value, utf8);
	if (value->kind == CD_VALUE_NULL && value->reason != NULL) {
		cd_str_add(out, " (");
		cd_view_add_reason(value->reason, out);
		cd_str_add(out, ")");
	}
	if (value->has_interval) {
		cd_str_add(out, ", 95 %: ");
		add_bound(value, value->low, utf8, out);
		cd_str_add(out, " to ");
		add_bound(value, value->high, utf8, out);
	}
	if (value->has_n) {
		cd_str_add(out, ", n ");
		cd_text_total(out, value->n);
	}
}

static void add_points(const struct cd_report *r, struct cd_str *out)
{
	for (size_t i = 0; i < r->n_captures; i++)
		cd_str_addf(out, "%s%s%s", i > 0 ? ", " : "",
			    cd_phrase_label(r, (int64_t)i),
			    r->captures[i].reference ? " (reference)" : "");
}

void cd_phrase_sweep(const struct cd_report *report, struct cd_str *out)
{
	const struct cd_sweep *sweep = report->sweep;

	cd_str_addf(out, "%zu run%s", sweep->n_runs,
		    sweep->n_runs == 1 ? "" : "s");
	if (sweep->folder != NULL && sweep->folder[0] != '\0')
		cd_str_addf(out, " in %s", sweep->folder);
	cd_str_add(out, sweep->has_reference ? ", capture points: "
					     : ", set-ups: ");
	add_points(report, out);
	cd_str_add(out, ".");
	if (sweep->link_bps > 0) {
		cd_str_add(out, " Link ");
		cd_text_rate(out, sweep->link_bps, "bit/s");
		cd_str_add(out, ".");
	}
}

void cd_phrase_baseline(const struct cd_report *report, struct cd_str *out)
{
	const struct cd_baseline *b = report->baseline;

	if (b->same == 0 && b->n_rows == 0) {
		cd_str_addf(out, "Against %s: no capture has a label of those "
			    "in it", b->path);
		return;
	}
	cd_str_addf(out, "Against %s: %zu better, %zu worse, %zu changed, "
		    "%zu the same", b->path,
		    cd_baseline_count(b, CD_CHANGE_BETTER),
		    cd_baseline_count(b, CD_CHANGE_WORSE),
		    cd_baseline_count(b, CD_CHANGE_OTHER), b->same);
}

static bool needs_quotes(const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789%+,-./:=@_";

	return *word == '\0' || word[strspn(word, plain)] != '\0';
}

void cd_phrase_command(const struct cd_report *report, struct cd_str *out)
{
	for (size_t i = 0; i < report->n_command; i++) {
		const char *word = report->command[i];

		cd_str_add(out, i > 0 ? " " : "");
		if (!needs_quotes(word)) {
			cd_str_add(out, word);
			continue;
		}
		cd_str_add(out, "'");
		for (; *word != '\0'; word++) {
			if (*word == '\'')
				cd_str_add(out, "'\\'");
			cd_str_addn(out, word, 1);
		}
		cd_str_add(out, "'");
	}
}
