/*
 * The HTML report: one file, no network and no script, below 1 MB. The verdict
 * comes first.
 */
#include "render/html.h"

#include "config.h"

#include <string.h>

#include "render/facts.h"
#include "render/phrase.h"
#include "render/renderers.h"
#include "render/screen.h"
#include "render/xml.h"

void cd_html_clean(struct cd_str *out, const char *clean)
{
	while (*clean != '\0') {
		struct cd_str piece = {0};
		size_t n = strcspn(clean, " ");

		cd_str_addn(&piece, clean, n);
		cd_xml_add(out, cd_str_text(&piece));
		out->bad = out->bad || piece.bad;
		cd_str_release(&piece);
		if (clean[n] == ' ')
			cd_str_add(out, n > 0 && clean[n - 1] >= '0' &&
						clean[n - 1] <= '9' &&
						cd_is_unit(clean + n + 1)
					    ? "&nbsp;"
					    : " ");
		clean += n + (clean[n] == ' ');
	}
}

void cd_html_text(struct cd_str *out, const char *raw)
{
	struct cd_str clean = {0};

	cd_clean(&clean, raw, true);
	cd_html_clean(out, cd_str_text(&clean));
	out->bad = out->bad || clean.bad;
	cd_str_release(&clean);
}

void cd_html_sentence(struct cd_str *out, const char *raw)
{
	struct cd_str clean = {0};

	cd_clean_sentence(&clean, raw, true);
	cd_html_clean(out, cd_str_text(&clean));
	out->bad = out->bad || clean.bad;
	cd_str_release(&clean);
}

void cd_html_take(struct cd_str *out, struct cd_str *raw)
{
	cd_html_sentence(out, cd_str_text(raw));
	out->bad = out->bad || raw->bad;
	cd_str_release(raw);
}

void cd_html_section(struct cd_str *out, const char *id, const char *title)
{
	cd_str_addf(out,
		    "<section aria-labelledby=\"%s\">\n<h2 id=\"%s\">%s</h2>\n",
		    id, id, title);
}

void cd_html_table(struct cd_str *out, const char *css_class,
		   const char *caption)
{
	cd_str_addf(out,
		    "<div class=\"scroll\" role=\"region\" tabindex=\"0\" "
		    "aria-label=\"%s\">\n<table class=\"%s\">\n"
		    "<caption>%s</caption>\n",
		    caption, css_class, caption);
}

void cd_html_table_end(struct cd_str *out)
{
	cd_str_add(out, "</table>\n</div>\n");
}

/* ---- head ---------------------------------------------------------------- */

static void add_labels(struct cd_str *out, const struct cd_report *r)
{
	for (size_t i = 0; i < r->n_captures; i++) {
		cd_str_add(out, i == 0 ? "" : ", ");
		cd_html_text(out, cd_phrase_label(r, (int64_t)i));
	}
}

/* Even if a name broke out, nothing could be loaded or run. */
static void add_head(struct cd_str *out, const struct cd_report *r)
{
	cd_str_add(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
			"<meta charset=\"utf-8\">\n"
			"<meta http-equiv=\"Content-Security-Policy\" content="
			"\"default-src 'none'; img-src data:; "
			"style-src 'unsafe-inline'\">\n"
			"<meta name=\"viewport\" "
			"content=\"width=device-width, initial-scale=1\">\n"
			"<meta name=\"generator\" content=\"capdiff "
			PACKAGE_VERSION "\">\n<title>Capture report: ");
	add_labels(out, r);
	cd_str_add(out, "</title>\n<style>\n");
	for (size_t i = 0; cd_html_style[i] != NULL; i++)
		cd_str_addf(out, "%s\n", cd_html_style[i]);
	cd_str_add(out, "</style>\n</head>\n<body>\n<header>\n"
			"<h1>Capture report: ");
	add_labels(out, r);
	cd_str_add(out, "</h1>\n<p>Are these captures complete, and are their "
			"time stamps accurate?</p>\n</header>\n<main>\n");
}

/* ---- verdicts ------------------------------------------------------------ */

static const char *css_class(const struct cd_report_verdict *v)
{
	if (v->complete == CD_FALSE || v->accurate == CD_FALSE)
		return "bad";
	if (v->complete == CD_TRUE && v->accurate == CD_TRUE)
		return "good";
	return "doubt";
}

static void add_verdict(struct cd_str *out, const struct cd_report *r,
			const struct cd_report_verdict *v)
{
	const char *body = cd_phrase_body(v);
	struct cd_str text = {0};

	cd_phrase_headline(r, v, &text);
	cd_str_addf(out, "<div class=\"verdict %s\">\n<h3>", css_class(v));
	cd_html_take(out, &text);
	cd_str_add(out, "</h3>\n");
	while (cd_phrase_paragraph(&body, &text)) {
		cd_str_add(out, "<p>");
		cd_html_take(out, &text);
		cd_str_add(out, "</p>\n");
	}
	cd_str_add(out, "</div>\n");
}

static void add_verdicts(struct cd_str *out, const struct cd_report *r)
{
	if (r->n_verdicts == 0)
		return;
	cd_html_section(out, "verdict",
			r->n_verdicts == 1 ? "Verdict" : "Verdicts");
	for (size_t i = 0; i < r->n_verdicts; i++)
		add_verdict(out, r, &r->verdicts[i]);
	cd_str_add(out, "</section>\n");
}

static void add_sweep(struct cd_str *out, const struct cd_report *r)
{
	struct cd_str text = {0};

	cd_phrase_sweep(r, &text);
	cd_str_add(out, "<p>");
	cd_html_take(out, &text);
	cd_str_add(out, "</p>\n");
}

static void add_facts(struct cd_str *out, const struct cd_view *view)
{
	struct cd_facts facts;

	cd_facts_take(&facts, view);
	out->bad = out->bad || facts.bad;
	if (facts.n > 0) {
		cd_html_section(out, "stream", "What was compared");
		cd_str_add(out, "<dl>\n");
		for (size_t i = 0; i < facts.n; i++) {
			cd_str_addf(out, "<dt>%s</dt><dd>", facts.fact[i].name);
			cd_html_sentence(out, facts.fact[i].text);
			cd_str_add(out, "</dd>\n");
		}
		cd_str_add(out, "</dl>\n</section>\n");
	}
	cd_facts_release(&facts);
}

/* ---- the whole ----------------------------------------------------------- */

static size_t room_beside(size_t taken)
{
	return taken < CD_HTML_MOST ? CD_HTML_MOST - taken : 0;
}

static void move(struct cd_str *out, struct cd_str *part)
{
	cd_str_addn(out, cd_str_text(part), part->length);
	out->bad = out->bad || part->bad;
	cd_str_release(part);
}

/* Pictures are worth more than tables of every value. */
static int render_html(const struct cd_report *report,
		       const struct cd_render_options *options,
		       struct cd_str *out)
{
	struct cd_str after = {0}, end = {0}, values = {0};
	struct cd_view view = {
	    .report = report,
	    .utf8 = true,
	    .single = report->n_captures == 1,
	    .all = options->verbosity > 0,
	};

	add_head(out, report);
	if (report->sweep != NULL) {
		add_sweep(out, report);
		cd_html_sheet(out, CD_SHEET_ONSETS, report);
		cd_html_findings(out, report);
		cd_html_sheet(&after, CD_SHEET_CELLS, report);
		cd_html_sheet(&after, CD_SHEET_RUNS, report);
	} else {
		add_verdicts(out, report);
		cd_html_findings(out, report);
		add_facts(out, &view);
		cd_html_comparison(out, &view);
		cd_html_intervals(&after, report);
		cd_html_limits(&after, report);
		cd_html_baseline(&after, report);
		cd_html_streams(&after, report);
		cd_html_captures(&after, report);
	}
	cd_html_method(&end, report);
	cd_str_add(&end, "</main>\n<footer>\n<p>capdiff " PACKAGE_VERSION
			 "</p>\n</footer>\n</body>\n</html>\n");
	cd_html_pictures(out, report, options,
			 room_beside(out->length + after.length + end.length));
	move(out, &after);
	cd_html_values(&values, report, room_beside(out->length + end.length));
	move(out, &values);
	move(out, &end);
	return out->bad ? -1 : 0;
}

const struct cd_renderer cd_render_html = {
    .name = "html",
    .suffix = ".html",
    .render = render_html,
};
