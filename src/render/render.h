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
#include "report/text.h" /* quantities to text */

/* A drawn chart, for formats that show pictures. */
struct cd_picture {
	const char *name; /* "delta", as in cd_chart.name */
	const char *svg;  /* the whole file */
	size_t length;
};

struct cd_render_options {
	int width;	 /* columns, 80 */
	bool utf8;	 /* may use other than ASCII */
	bool color;
	int verbosity;	 /* -1: verdict lines only (-q), 0, 1 (-v) */
	int status;	 /* exit status, for formats that hold it */
	const struct cd_picture *pictures;
	size_t n_pictures;
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

#endif
