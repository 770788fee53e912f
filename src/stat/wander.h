/*
 * Wander: the line through the block floors (METRICS 4.6).
 */
#ifndef CAPDIFF_STAT_WANDER_H
#define CAPDIFF_STAT_WANDER_H

#include <stddef.h>

struct cd_wander_point {
	double x;     /* middle of a block; rising, none twice */
	double floor; /* 1st percentile of its r */
};

/* Borrowed points, and where the last x was found. */
struct cd_wander {
	const struct cd_wander_point *points;
	size_t n;	 /* > 0 */
	/* zero at first */
	size_t at;
	size_t slope_of; /* slope is that from points[slope_of - 1] on */
	double slope;
};

/*
 * W(x): straight lines between the points, constant outside them. O(1)
 * amortised as long as x mostly rises; right for any x, and the same bits
 * whatever was asked before.
 */
static inline double cd_wander_at(struct cd_wander *w, double x)
{
	const struct cd_wander_point *p = w->points;
	size_t i = w->at;

	while (i + 2 < w->n && x >= p[i + 1].x)
		i++;
	while (i > 0 && x < p[i].x)
		i--;
	w->at = i;
	if (x <= p[i].x)
		return p[i].floor;
	if (i + 1 >= w->n || x >= p[i + 1].x)
		return p[i + 1 < w->n ? i + 1 : i].floor;
	if (w->slope_of != i + 1) {
		w->slope_of = i + 1;
		w->slope = (p[i + 1].floor - p[i].floor) / (p[i + 1].x - p[i].x);
	}
	return p[i].floor + w->slope * (x - p[i].x);
}

struct cd_wander_range {
	double peak_to_peak;
	double central; /* p97.5 - p2.5, observed values (METRICS 0.5) */
};
/* Of n > 0 floors, which it reorders. */
struct cd_wander_range cd_wander_range(double *floors, size_t n);

/*
 * How much wider an interval must be that was drawn for floors independent of
 * each other: the square root of how often the variance of means of 2, 4, 8..
 * floors (n/8 at most) is what it would be then, where that is more than
 * chance; 1 where it is not. Of ranks, so that single far floors do not count.
 * `floors` are what a line left, in time order. NAN: no memory.
 */
double cd_wander_widening(const double *floors, size_t n);

#endif
