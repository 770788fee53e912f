/* Axes that a few outliers do not squeeze. Inside the room only. */
#ifndef CAPDIFF_RENDER_CHART_SCALE_H
#define CAPDIFF_RENDER_CHART_SCALE_H

#include "report/series.h"

struct cd_scale {
	int64_t from_ps, to_ps;	   /* to show */
	int64_t least_ps, most_ps; /* of all values */
};

/*
 * Of the columns first..last (spans) together. What lies far outside of what
 * 98 % of the rows take in each column is not shown; nothing is left out of
 * fewer than 100 rows. Without any value all is 0.
 */
struct cd_scale cd_scale_of(const struct cd_series *series, int first,
			    int last);

#endif
