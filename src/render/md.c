/* Markdown with tables, as GitHub and GitLab read it (GFM). */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "render/facts.h"
#include "render/grid.h"
#include "render/phrase.h"
#include "render/renderers.h"
#include "render/screen.h"
#include "render/sheet.h"
#include "report/text.h"

/* ---- escaping ------------------------------------------------------------ */

static bool is_word(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

/* Bytes up to the sign that a parser may take for the mark of a list, heading
 * or line at the beginning of a block; 0 if there is none. */
static size_t mark_bytes(const char *text)
{
	size_t digits = strspn(text, "0123456789");

	if (*text != '\0' && strchr("-+=#", *text) != NULL)
		return 1;
	if (digits > 0 && (text[digits] == '.' || text[digits] == ')') &&
	    (text[digits + 1] == ' ' || text[digits + 1] == '\0'))
		return digits + 1;
	return 0;
}

/* Links that need no brackets: "www.", "http://", "mailto:", "a@b". */
static bool begins_link(const char *text, size_t at)
{
	if (text[at] == '@')
		return true;
	if (text[at] == ':')
		return text[at + 1] == '/' ||
		       (at >= 6 && strncmp(text + at - 6, "mailto", 6) == 0) ||
		       (at >= 4 && strncmp(text + at - 4, "xmpp", 4) == 0);
	return text[at] == '.' && at >= 3 &&
	       (strncmp(text + at - 3, "www", 3) == 0 ||
		strncmp(text + at - 3, "WWW", 3) == 0);
}

/* An underscore inside a word is only that. */
static bool needs_backslash(const char *text, size_t at)
{
	if (text[at] == '_')
		return at == 0 || !is_word(text[at - 1]) ||
		       !is_word(text[at + 1]);
	return strchr("\\`*[]|~$", text[at]) != NULL ||
	       begins_link(text, at);
}

static void add_char(struct cd_str *out, const char *text, size_t at)
{
	switch (text[at]) {
	case '<':
		cd_str_add(out, "&lt;");
		break;
	case '>':
		cd_str_add(out, "&gt;");
		break;
	case '&':
		cd_str_add(out, "&amp;");
		break;
	default:
		if (needs_backslash(text, at))
			cd_str_add(out, "\\");
		cd_str_addn(out, text + at, 1);
	}
}

/* Clean text as plain words inside a line. */
static void add_escaped(struct cd_str *out, const char *text)
{
	for (size_t i = 0; text[i] != '\0'; i++)
		add_char(out, text, i);
}

/* Text from anywhere; releases it. */
static void take_sentence(struct cd_str *out, struct cd_str *raw)
{
	struct cd_str clean = {0};

	cd_clean_sentence(&clean, cd_str_text(raw), true);
	add_escaped(out, cd_str_text(&clean));
	out->bad = out->bad || raw->bad || clean.bad;
	cd_str_release(&clean);
	cd_str_release(raw);
}

/* The same at the beginning of a block. */
static void take_paragraph(struct cd_str *out, struct cd_str *raw)
{
	const char *text = cd_str_text(raw);
	size_t mark = mark_bytes(text += strspn(text, " "));
	struct cd_str rest = {0};

	if (mark > 0) {
		cd_str_addn(out, text, mark - 1);
		cd_str_addf(out, "\\%c", text[mark - 1]);
	}
	cd_str_add(&rest, text + mark);
	take_sentence(out, &rest);
	out->bad = out->bad || raw->bad;
	cd_str_release(raw);
}

static void add_name(struct cd_str *out, const char *name)
{
	struct cd_str clean = {0};

	cd_clean(&clean, name, true);
	add_escaped(out, cd_str_text(&clean));
	out->bad = out->bad || clean.bad;
	cd_str_release(&clean);
}

/* ---- parts --------------------------------------------------------------- */

static void add_verdict(struct cd_str *out, const struct cd_report *r,
			const struct cd_report_verdict *v)
{
	const char *body = cd_phrase_body(v);
	struct cd_str text = {0};

	cd_str_add(out, "**");
	cd_phrase_headline(r, v, &text);
	take_sentence(out, &text);
	cd_str_add(out, "**\n");
	while (cd_phrase_paragraph(&body, &text)) {
		cd_str_add(out, "\n");
		take_paragraph(out, &text);
		cd_str_add(out, "\n");
	}
}

static void add_facts(struct cd_str *out, const struct cd_view *view)
{
	struct cd_facts facts;

	cd_facts_take(&facts, view);
	out->bad = out->bad || facts.bad;
	cd_str_add(out, facts.n > 0 ? "\n" : "");
	for (size_t i = 0; i < facts.n; i++) {
		struct cd_str text = {0};

		cd_str_add(&text, facts.fact[i].text);
		cd_str_addf(out, "* %s: ", facts.fact[i].name);
		take_sentence(out, &text);
		cd_str_add(out, "\n");
	}
	cd_facts_release(&facts);
}

static void add_table_head(struct cd_str *out, const struct cd_grid *grid)
{
	const struct cd_report *r = grid->view->report;

	cd_str_add(out, "\n|");
	for (size_t i = 0; i < grid->n_points; i++) {
		cd_str_add(out, " | ");
		add_name(out, cd_phrase_label(r, grid->points[i]));
		if (!grid->view->single && grid->points[i] == r->reference)
			cd_str_add(out, " (reference)");
	}
	cd_str_add(out, grid->remarks ? " | |\n| ---" : " |\n| ---");
	for (size_t i = 0; i < grid->n_points; i++)
		cd_str_add(out, " | ---:");
	cd_str_add(out, grid->remarks ? " | --- |\n" : " |\n");
}

static void add_table_line(struct cd_str *out, const struct cd_grid *grid,
			   size_t line)
{
	cd_str_add(out, "| ");
	cd_grid_title(grid, line, out);
	for (size_t i = 0; i < grid->n_points; i++) {
		cd_str_add(out, " | ");
		add_escaped(out, grid->lines[line].cells[i]);
	}
	if (grid->remarks)
		cd_str_add(out, " | ");
	if (grid->lines[line].remark != NULL)
		add_escaped(out, grid->lines[line].remark);
	cd_str_add(out, " |\n");
}

static void add_table(struct cd_str *out, const struct cd_view *view)
{
	struct cd_grid grid = {.view = view};
	uint32_t *points = cd_grid_points(view->report);

	if (points == NULL) {
		out->bad = true;
		return;
	}
	grid.points = points;
	grid.n_points = view->report->n_captures;
	grid.remarks = grid.n_points <= 2;
	grid.remarked = points[grid.n_points - 1];
	cd_grid_fill(&grid);
	out->bad = out->bad || grid.bad;
	if (!grid.bad && grid.n_lines > 0) {
		add_table_head(out, &grid);
		for (size_t i = 0; i < grid.n_lines; i++)
			add_table_line(out, &grid, i);
	}
	cd_grid_release(&grid);
	free(points);
}

static void add_findings(struct cd_str *out, const struct cd_report *r)
{
	cd_str_add(out, r->n_findings > 0 ? "\n" : "");
	for (size_t i = 0; i < r->n_findings; i++) {
		const struct cd_finding *f = &r->findings[i];
		struct cd_str text = {0};

		cd_str_addf(out, "* **%s:** ", cd_phrase_severity(f->severity));
		cd_phrase_finding(r, f, &text);
		take_sentence(out, &text);
		cd_str_add(out, "\n");
	}
}

static void add_limits(struct cd_str *out, const struct cd_report *r)
{
	if (r->n_limits > 0)
		cd_str_add(out, "\n| Limit | Value | Is | |\n"
				"| --- | --- | ---: | --- |\n");
	for (size_t i = 0; i < r->n_limits; i++) {
		const struct cd_limit_result *l = &r->limits[i];

		cd_str_add(out, "| ");
		add_name(out, l->expression == NULL ? "" : l->expression);
		cd_str_add(out, " | ");
		add_name(out, l->key == NULL ? "" : l->key);
		cd_str_add(out, " | ");
		add_name(out, l->value == NULL ? "" : l->value);
		cd_str_add(out, l->passed ? " | kept |\n" : " | BROKEN |\n");
	}
}

/* ---- sheets -------------------------------------------------------------- */

static void add_sheet_head(struct cd_str *out, const struct cd_sheet *s)
{
	cd_str_add(out, "|");
	for (size_t i = 0; i < s->n_columns; i++)
		cd_str_addf(out, " %s |", s->columns[i].head);
	cd_str_add(out, "\n|");
	for (size_t i = 0; i < s->n_columns; i++)
		cd_str_add(out, s->columns[i].number ? " ---: |" : " --- |");
	cd_str_add(out, "\n");
}

/* Releases the sheet. */
static void take_sheet(struct cd_str *out, struct cd_sheet *s,
		       const char *label)
{
	out->bad = out->bad || s->bad;
	if (!s->bad && s->n_cells > 0) {
		cd_str_add(out, out->length > 0 ? "\n**" : "**");
		if (label != NULL)
			add_name(out, label);
		cd_str_addf(out, "%s%s.** %s.\n\n", label != NULL ? ": " : "",
			    s->title, s->caption);
		add_sheet_head(out, s);
		for (size_t i = 0; i < s->n_cells; i++) {
			cd_str_add(out, i % s->n_columns == 0 ? "| " : " | ");
			add_escaped(out, s->cells[i]);
			if ((i + 1) % s->n_columns == 0)
				cd_str_add(out, " |\n");
		}
	}
	cd_sheet_release(s);
}

static void add_sheet(struct cd_str *out, enum cd_sheet_kind kind,
		      const struct cd_report *r)
{
	struct cd_sheet s;

	cd_sheet_take(&s, kind, r, true);
	take_sheet(out, &s, NULL);
}

static void add_intervals(struct cd_str *out, const struct cd_report *r)
{
	for (uint32_t i = 0; i < r->n_captures; i++) {
		struct cd_sheet s;

		cd_sheet_intervals(&s, r, i, SIZE_MAX, true);
		take_sheet(out, &s, cd_phrase_label(r, i));
	}
}

static void add_baseline(struct cd_str *out, const struct cd_report *r)
{
	struct cd_str text = {0};
	struct cd_sheet s;

	if (r->baseline == NULL)
		return;
	cd_phrase_baseline(r, &text);
	cd_str_add(out, "\n");
	take_paragraph(out, &text);
	cd_str_add(out, ".\n");
	cd_sheet_baseline(&s, r, true);
	take_sheet(out, &s, NULL);
}

/* The runs only with -v. */
static void add_sweep(struct cd_str *out, const struct cd_report *r,
		      int verbosity)
{
	struct cd_str text = {0};

	cd_phrase_sweep(r, &text);
	take_paragraph(out, &text);
	cd_str_add(out, "\n");
	add_sheet(out, CD_SHEET_ONSETS, r);
	if (verbosity >= 0)
		add_sheet(out, CD_SHEET_CELLS, r);
	if (verbosity > 0)
		add_sheet(out, CD_SHEET_RUNS, r);
}

/* ---- every value (-v) ---------------------------------------------------- */

static void add_value(struct cd_str *out, const struct cd_value *v)
{
	struct cd_str text = {0};

	cd_str_add(out, "| ");
	if (v->stream != CD_NO_STREAM)
		cd_str_addf(out, "stream.%lu.", (unsigned long)v->stream);
	add_name(out, v->key->name);
	cd_str_addf(out, " | %s | ", v->key->label);
	cd_phrase_value(v, true, &text);
	take_sentence(out, &text);
	cd_str_add(out, " |\n");
}

static void add_values(struct cd_str *out, const struct cd_report *r,
		       uint32_t point)
{
	const struct cd_value *v;

	cd_str_add(out, "\n## ");
	add_name(out, cd_phrase_label(r, point));
	cd_str_add(out, "\n\n| Key | What | Value |\n| --- | --- | --- |\n");
	for (size_t at = 0; (v = cd_report_next(r, point, &at)) != NULL;)
		add_value(out, v);
}

/* ---- the whole ----------------------------------------------------------- */

static int render_md(const struct cd_report *report,
		     const struct cd_render_options *options,
		     struct cd_str *out)
{
	struct cd_view view = {
	    .report = report,
	    .utf8 = true,
	    .single = report->n_captures == 1,
	    .all = options->verbosity > 0,
	};

	for (size_t i = 0; i < report->n_verdicts; i++) {
		cd_str_add(out, i > 0 ? "\n" : "");
		add_verdict(out, report, &report->verdicts[i]);
	}
	if (report->sweep != NULL)
		add_sweep(out, report, options->verbosity);
	if (report->sweep == NULL && options->verbosity >= 0) {
		add_facts(out, &view);
		add_table(out, &view);
		add_intervals(out, report);
	}
	if (options->verbosity >= 0)
		add_findings(out, report);
	add_limits(out, report);
	add_baseline(out, report);
	for (uint32_t i = 0; view.all && report->sweep == NULL &&
			     i < report->n_captures; i++)
		add_values(out, report, i);
	return out->bad ? -1 : 0;
}

const struct cd_renderer cd_render_md = {
    .name = "md",
    .suffix = ".md",
    .render = render_md,
};
