/*
 * Charts: report to gnuplot scripts. A script holds its data and its look (a
 * template of plots/) and draws itself. The table is cd_charts[].
 */
#ifndef CAPDIFF_RENDER_CHART_H
#define CAPDIFF_RENDER_CHART_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "report/report.h"

struct cd_chart {
	const char *name;  /* "delta": the script is delta.gp */
	bool of_sweep;	   /* drawn from a sweep, else from a single run */
	const char *empty; /* what the report lacks when there is no chart */
	const char *const *look; /* the template's lines, NULL ends them */
	/* Append the variables and data blocks that the template reads. False:
	 * there is nothing to draw. */
	bool (*put)(const struct cd_report *report, struct cd_str *out);
};
/* One line per chart; the last has no name. */
extern const struct cd_chart cd_charts[];

/* Append the script. False: there is nothing to draw, `out` is as before. */
bool cd_chart_script(const struct cd_chart *chart,
		     const struct cd_report *report, struct cd_str *out);

/* Is this a script of cd_chart_script() that nobody has changed? */
bool cd_chart_untouched(const char *script, size_t n);

#endif
