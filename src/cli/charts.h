/* The charts of a report: drawn into memory, written into a folder. */
#ifndef CAPDIFF_CLI_CHARTS_H
#define CAPDIFF_CLI_CHARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/str.h"
#include "cli/options.h"
#include "render/chart.h"
#include "render/render.h"

struct cd_drawn {
	const struct cd_chart *chart;
	struct cd_str script; /* empty: there is nothing to draw */
	struct cd_str svg;    /* empty: there is no picture */
};

struct cd_charts {
	struct cd_drawn *drawn; /* one for each of cd_charts[] */
	size_t n;
	struct cd_picture *pictures; /* those that there are */
	size_t n_pictures;
	bool of_sweep; /* the report is one */
	bool no_gnuplot;
	struct cd_error trouble; /* why gnuplot failed, if it did */
};

/* Is a chart wanted, for a folder or inside a document? */
bool cd_charts_wanted(const struct cd_options *options);

/*
 * Before the run: the folder can be one, and nothing in it that would be
 * overwritten is an input, an output or a script that somebody edited. 0 or
 * -1.
 */
int cd_charts_check(const struct cd_options *options, struct cd_error *error);

/* Draw all. Trouble with gnuplot only leaves pictures out. 0, or -1 without
 * memory. Needs cd_charts_release() in any case. */
int cd_charts_draw(struct cd_charts *charts, const struct cd_report *report,
		   struct cd_error *error);
/* Into the folder, which is made if need be. What an earlier run drew there
 * and this one does not goes away. 0 or -1. */
int cd_charts_write(const struct cd_charts *charts,
		    const struct cd_options *options, struct cd_error *error);
/* Say which charts there are none of. */
void cd_charts_notes(const struct cd_charts *charts, const char *folder,
		     void (*say)(const char *file, const char *what,
				 const char *hint));
void cd_charts_release(struct cd_charts *charts);

#endif
