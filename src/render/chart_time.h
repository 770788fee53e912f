/* Axes of charts over time. Inside the room only. */
#ifndef CAPDIFF_RENDER_CHART_TIME_H
#define CAPDIFF_RENDER_CHART_TIME_H

#include "render/chart_put.h"

struct cd_extent {
	int64_t from_ps, to_ps;
};

/* Widen by the times in the first column of the series (NULL: nothing). */
void cd_extent_add(struct cd_extent *extent, const struct cd_series *series);
/* xmin and xmax, with a little room. */
void cd_extent_put(struct cd_str *out, const struct cd_extent *extent);

#endif
