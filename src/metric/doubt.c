#include "metric/doubt.h"

#include <math.h>
#include <stdlib.h>

#include "stat/blocks.h"
#include "stat/order.h"
#include "stat/wander.h"

/* ---- a clock that wanders -------------------------------------------------
 */

/* The group with the most blocks, which begin at *from. */
static size_t longest_group(const struct cd_floors *floors, size_t *from)
{
	size_t most = 0, to;

	*from = 0;
	for (size_t b = 0; b < floors->n; b = to) {
		to = b + 1;
		while (to < floors->n && floors->blocks[to].point.group ==
					     floors->blocks[b].point.group)
			to++;
		if (to - b > most) {
			most = to - b;
			*from = b;
		}
	}
	return most;
}

/* Floors that follow each other are alike where the clock is adjusted or warms
 * up: then there are fewer of them than it seems. */
static int widen_by_wander(struct cd_fit *fit)
{
	struct cd_slope *slope = &fit->slope;
	size_t from, n = longest_group(&fit->floors, &from);
	double *floors = malloc((n + 1) * sizeof(*floors)), factor;

	if (floors == NULL)
		return -1;
	for (size_t i = 0; i < n; i++) {
		const struct cd_line_point *point =
		    &fit->floors.blocks[from + i].point;

		floors[i] = cd_residual(point->x, point->d, slope->y);
	}
	factor = cd_wander_widening(floors, n);
	free(floors);
	if (isnan(factor))
		return -1;
	slope->low = slope->y - factor * (slope->y - slope->low);
	slope->high = slope->y + factor * (slope->high - slope->y);
	return 0;
}

/* ---- a delay that changes -------------------------------------------------
 */

/* The slope of the tenths of the blocks instead of their hundredths. */
static int tenth_slope(struct cd_fit *fit, struct cd_slope *slope)
{
	const struct cd_floors *floors = &fit->floors;
	struct cd_line_point *points =
	    malloc((floors->n + 1) * sizeof(*points));
	int got;

	if (points == NULL)
		return -1;
	for (size_t b = 0; b < floors->n; b++) {
		const struct cd_floor_block *block = &floors->blocks[b];
		int64_t x = block->first_x_ps +
			    (block->last_x_ps - block->first_x_ps) / 2;

		points[b] = (struct cd_line_point){
		    .x = x,
		    .d = cd_round_ps(block->tenth + floors->y * (double)x),
		    .group = block->point.group,
		};
	}
	got = cd_line_slope(&fit->scratch, points, floors->n, slope);
	free(points);
	return got;
}

/*
 * A clock moves all quantiles of the delay alike. If tenths drift away from
 * hundredths the delay changed during the run, as it does when a buffer begins
 * to overflow, and the hundredths moved, too: about a ninth as far, taking the
 * least delay of all for the one that stayed.
 */
static int widen_by_delay(struct cd_fit *fit)
{
	struct cd_slope *slope = &fit->slope, tenth;
	double apart, chance;
	int got = tenth_slope(fit, &tenth);

	if (got != 1)
		return got;
	apart = tenth.y - slope->y;
	chance = (tenth.high - tenth.low) / 2 + (slope->high - slope->low) / 2;
	if (!(fabs(apart) > chance))
		return 0;
	if (apart > 0)
		slope->low -= apart / 9;
	else
		slope->high -= apart / 9;
	return 0;
}

int cd_doubt_slope(struct cd_fit *fit)
{
	if (widen_by_delay(fit) < 0)
		return -1;
	return widen_by_wander(fit);
}
