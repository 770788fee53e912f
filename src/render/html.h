/* Parts of the HTML report, each one or more sections. Inside the room only. */
#ifndef CAPDIFF_RENDER_HTML_H
#define CAPDIFF_RENDER_HTML_H

#include <stddef.h>

#include "base/str.h"
#include "render/render.h"
#include "render/rows.h"
#include "render/sheet.h"

/* The whole file stays below; what may be left out is. */
#define CD_HTML_MOST 1000000

/* The style sheet's lines; NULL ends them. */
extern const char *const cd_html_style[];

/* Clean text, escaped; a number and its unit stay on one line. */
void cd_html_clean(struct cd_str *out, const char *clean);
/* Text from anywhere; in a sentence with the right micro sign. */
void cd_html_text(struct cd_str *out, const char *raw);
void cd_html_sentence(struct cd_str *out, const char *raw);
/* The same, but releases it. */
void cd_html_take(struct cd_str *out, struct cd_str *raw);

/* "<section ...><h2>"; plain ASCII. Close with "</section>". */
void cd_html_section(struct cd_str *out, const char *id, const char *title);
/* A table that scrolls by itself, with its caption (plain ASCII); close with
 * cd_html_table_end(). */
void cd_html_table(struct cd_str *out, const char *css_class,
		   const char *caption);
void cd_html_table_end(struct cd_str *out);

void cd_html_comparison(struct cd_str *out, const struct cd_view *view);
/* A table of a sweep. */
void cd_html_sheet(struct cd_str *out, enum cd_sheet_kind kind,
		   const struct cd_report *report);
/* Nothing without an earlier report. */
void cd_html_baseline(struct cd_str *out, const struct cd_report *report);
/* The intervals of all captures; the first of very many. */
void cd_html_intervals(struct cd_str *out, const struct cd_report *report);
void cd_html_findings(struct cd_str *out, const struct cd_report *report);
void cd_html_limits(struct cd_str *out, const struct cd_report *report);
void cd_html_streams(struct cd_str *out, const struct cd_report *report);
/* What was read. */
void cd_html_captures(struct cd_str *out, const struct cd_report *report);
/* All values, of each capture and each stream, in at most `room` bytes. */
void cd_html_values(struct cd_str *out, const struct cd_report *report,
		    size_t room);
/* Charts, in at most `room` bytes; those that are too large are named. */
void cd_html_pictures(struct cd_str *out, const struct cd_report *report,
		      const struct cd_render_options *options, size_t room);
/* How it was measured, and what cannot be known. */
void cd_html_method(struct cd_str *out, const struct cd_report *report);

#endif
