/*
 * Renderers: report to bytes. They compute nothing. The table is
 * cd_renderers[].
 */
#ifndef CAPDIFF_RENDER_RENDER_H
#define CAPDIFF_RENDER_RENDER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "report/report.h"

struct cd_render_options {
	int width;	 /* columns, 80 */
	bool utf8;	 /* may use other than ASCII */
	bool color;
	int verbosity;	 /* -1: verdict lines only (-q), 0, 1 (-v) */
	int status;	 /* exit status, for formats that hold it */
};

struct cd_renderer {
	const char *name;   /* as in -T */
	const char *suffix; /* as in -o, ".json" */
	/* 0 or -1 (no memory). */
	int (*render)(const struct cd_report *report,
		      const struct cd_render_options *options,
		      struct cd_str *out);
};
extern const struct cd_renderer *const cd_renderers[];
const struct cd_renderer *cd_renderer_find(const char *name);
const struct cd_renderer *cd_renderer_for_path(const char *path);

/* Quantity to text, the one place that does it: counts with thousands commas,
 * spans with 4 significant digits and a unit, ratios truncated. */
void cd_text_count(struct cd_str *out, int64_t count);
void cd_text_span(struct cd_str *out, double ps, bool utf8);
void cd_text_percent_captured(struct cd_str *out, uint64_t have,
			      uint64_t expected);
void cd_text_rate(struct cd_str *out, double per_second, const char *unit);
void cd_text_value(struct cd_str *out, const struct cd_value *value,
		   bool utf8);

#endif
