/* The tables of the HTML report. */
#include <stdlib.h>
#include <string.h>

#include "render/grid.h"
#include "render/html.h"
#include "render/phrase.h"
#include "report/text.h"

#define MOST_STREAMS 64
#define MOST_INTERVALS 800 /* of all captures: 0.3 MB */

/* ---- captures beside each other ------------------------------------------ */

static void add_head(struct cd_str *out, const struct cd_grid *grid)
{
	const struct cd_report *r = grid->view->report;

	cd_str_add(out, "<thead>\n<tr><td></td>");
	for (size_t i = 0; i < grid->n_points; i++) {
		cd_str_add(out, "<th scope=\"col\">");
		cd_html_text(out, cd_phrase_label(r, grid->points[i]));
		if (!grid->view->single && grid->points[i] == r->reference)
			cd_str_add(out, " (reference)");
		cd_str_add(out, "</th>");
	}
	if (grid->remarks)
		cd_str_add(out, "<th scope=\"col\" class=\"remark\">Remark"
				"</th>");
	cd_str_add(out, "</tr>\n</thead>\n<tbody>\n");
}

/* The first row holds names, which may be long. */
static void add_line(struct cd_str *out, const struct cd_grid *grid, size_t i)
{
	const struct cd_grid_line *line = &grid->lines[i];
	bool names = line->label == cd_rows[0].label;
	struct cd_str title = {0};

	cd_str_add(out, line->gap ? "<tr class=\"gap\"><th scope=\"row\">"
				  : "<tr><th scope=\"row\">");
	cd_grid_title(grid, i, &title);
	cd_html_take(out, &title);
	cd_str_add(out, "</th>");
	for (size_t j = 0; j < grid->n_points; j++) {
		cd_str_add(out, names ? "<td class=\"name\">" : "<td>");
		cd_html_clean(out, line->cells[j]);
		cd_str_add(out, "</td>");
	}
	if (grid->remarks) {
		cd_str_add(out, "<td class=\"remark\">");
		if (line->remark != NULL)
			cd_html_clean(out, line->remark);
		cd_str_add(out, "</td>");
	}
	cd_str_add(out, "</tr>\n");
}

void cd_html_comparison(struct cd_str *out, const struct cd_view *view)
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
	grid.remarked = grid.n_points > 0 ? points[grid.n_points - 1] : 0;
	cd_grid_fill(&grid);
	out->bad = out->bad || grid.bad;
	if (!grid.bad && grid.n_lines > 0) {
		cd_html_section(out, "captures", "Results");
		cd_html_table(out, "compare",
			      view->single ? "What the capture holds"
					   : "Captures side by side");
		add_head(out, &grid);
		for (size_t i = 0; i < grid.n_lines; i++)
			add_line(out, &grid, i);
		cd_str_add(out, "</tbody>\n");
		cd_html_table_end(out);
		cd_str_add(out, "</section>\n");
	}
	cd_grid_release(&grid);
	free(points);
}

/* ---- sheets -------------------------------------------------------------- */

static void add_sheet_row(struct cd_str *out, const struct cd_sheet *s,
			  size_t first)
{
	cd_str_add(out, "<tr>");
	for (size_t i = 0; i < s->n_columns; i++) {
		cd_str_add(out, s->columns[i].number ? "<td class=\"num\">"
						     : "<td>");
		cd_html_clean(out, s->cells[first + i]);
		cd_str_add(out, "</td>");
	}
	cd_str_add(out, "</tr>\n");
}

static void add_sheet(struct cd_str *out, const struct cd_sheet *s)
{
	cd_html_table(out, "sheet", s->caption);
	cd_str_add(out, "<thead>\n<tr>");
	for (size_t i = 0; i < s->n_columns; i++)
		cd_str_addf(out, "<th scope=\"col\"%s>%s</th>",
			    s->columns[i].number ? " class=\"num\"" : "",
			    s->columns[i].head);
	cd_str_add(out, "</tr>\n</thead>\n<tbody>\n");
	for (size_t i = 0; i < s->n_cells; i += s->n_columns)
		add_sheet_row(out, s, i);
	cd_str_add(out, "</tbody>\n");
	cd_html_table_end(out);
}

void cd_html_sheet(struct cd_str *out, enum cd_sheet_kind kind,
		   const struct cd_report *report)
{
	struct cd_sheet s;

	cd_sheet_take(&s, kind, report, true);
	out->bad = out->bad || s.bad;
	if (!s.bad && s.n_cells > 0) {
		cd_html_section(out, s.id, s.title);
		add_sheet(out, &s);
		cd_str_add(out, "</section>\n");
	}
	cd_sheet_release(&s);
}

void cd_html_baseline(struct cd_str *out, const struct cd_report *report)
{
	struct cd_str text = {0};
	struct cd_sheet s;

	if (report->baseline == NULL)
		return;
	cd_sheet_baseline(&s, report, true);
	out->bad = out->bad || s.bad;
	cd_html_section(out, s.id, s.title);
	cd_phrase_baseline(report, &text);
	cd_str_add(out, "<p>");
	cd_html_take(out, &text);
	cd_str_add(out, ".</p>\n");
	if (!s.bad && s.n_cells > 0)
		add_sheet(out, &s);
	cd_str_add(out, "</section>\n");
	cd_sheet_release(&s);
}

void cd_html_intervals(struct cd_str *out, const struct cd_report *report)
{
	bool any = false;

	for (uint32_t i = 0; i < report->n_captures; i++) {
		struct cd_sheet s;

		cd_sheet_intervals(&s, report, i,
				   MOST_INTERVALS / report->n_captures, true);
		out->bad = out->bad || s.bad;
		if (!s.bad && s.n_cells > 0) {
			if (!any)
				cd_html_section(out, s.id, s.title);
			any = true;
			cd_str_add(out, "<details>\n<summary>");
			cd_html_text(out, cd_phrase_label(report, i));
			cd_str_add(out, "</summary>\n");
			add_sheet(out, &s);
			cd_str_add(out, "</details>\n");
		}
		cd_sheet_release(&s);
	}
	cd_str_add(out, any ? "</section>\n" : "");
}

/* ---- findings and limits ------------------------------------------------- */

void cd_html_findings(struct cd_str *out, const struct cd_report *report)
{
	if (report->n_findings == 0)
		return;
	cd_html_section(out, "findings", "Findings");
	cd_str_add(out, "<ul>\n");
	for (size_t i = 0; i < report->n_findings; i++) {
		const struct cd_finding *f = &report->findings[i];
		struct cd_str text = {0};

		cd_str_addf(out, "<li><strong>%s:</strong> ",
			    cd_phrase_severity(f->severity));
		cd_phrase_finding(report, f, &text);
		cd_html_take(out, &text);
		cd_str_add(out, "</li>\n");
	}
	cd_str_add(out, "</ul>\n</section>\n");
}

static void add_code(struct cd_str *out, const char *text)
{
	cd_str_add(out, "<td><code>");
	cd_html_text(out, text == NULL ? "" : text);
	cd_str_add(out, "</code></td>");
}

static void add_limit(struct cd_str *out, const struct cd_limit_result *l)
{
	cd_str_add(out, "<tr>");
	add_code(out, l->expression);
	add_code(out, l->key);
	cd_str_add(out, "<td class=\"num\">");
	cd_html_sentence(out, l->value == NULL ? "" : l->value);
	cd_str_add(out, l->passed ? "</td><td class=\"good\">kept</td></tr>\n"
				  : "</td><td class=\"bad\">BROKEN</td></tr>\n");
}

void cd_html_limits(struct cd_str *out, const struct cd_report *report)
{
	if (report->n_limits == 0)
		return;
	cd_html_section(out, "limits", "Limits");
	cd_html_table(out, "limits", "Limits that were set, and what they met");
	cd_str_add(out, "<thead>\n<tr><th scope=\"col\">Limit</th>"
			"<th scope=\"col\">Value</th>"
			"<th scope=\"col\" class=\"num\">Is</th>"
			"<th scope=\"col\">Outcome</th></tr>\n</thead>\n"
			"<tbody>\n");
	for (size_t i = 0; i < report->n_limits; i++)
		add_limit(out, &report->limits[i]);
	cd_str_add(out, "</tbody>\n");
	cd_html_table_end(out);
	cd_str_add(out, "</section>\n");
}

/* ---- streams ------------------------------------------------------------- */

static void add_stream(struct cd_str *out, const struct cd_report *r,
		       const struct cd_report_stream *s)
{
	cd_str_addf(out, "<tr><th scope=\"row\">%lu ", (unsigned long)s->id);
	cd_html_text(out, s->what == NULL ? "" : s->what);
	cd_str_add(out, "</th>");
	for (size_t i = 0; i < r->n_captures; i++) {
		cd_str_add(out, "<td class=\"num\">");
		if (s->packets != NULL)
			cd_text_total(out, s->packets[i]);
		cd_str_add(out, "</td>");
	}
	cd_str_add(out, "</tr>\n");
}

void cd_html_streams(struct cd_str *out, const struct cd_report *report)
{
	size_t shown = report->n_streams;

	if (report->n_streams < 2)
		return;
	if (shown > MOST_STREAMS)
		shown = MOST_STREAMS;
	cd_html_section(out, "streams", "Streams");
	cd_html_table(out, "streams", "Packets of each stream in each capture");
	cd_str_add(out, "<thead>\n<tr><th scope=\"col\">Stream</th>");
	for (size_t i = 0; i < report->n_captures; i++) {
		cd_str_add(out, "<th scope=\"col\" class=\"num\">");
		cd_html_text(out, cd_phrase_label(report, (int64_t)i));
		cd_str_add(out, "</th>");
	}
	cd_str_add(out, "</tr>\n</thead>\n<tbody>\n");
	for (size_t i = 0; i < shown; i++)
		add_stream(out, report, &report->streams[i]);
	cd_str_add(out, "</tbody>\n");
	cd_html_table_end(out);
	if (shown < report->n_streams)
		cd_str_addf(out, "<p>%zu more streams are in the JSON report."
				 "</p>\n",
			    report->n_streams - shown);
	cd_str_add(out, "</section>\n");
}
