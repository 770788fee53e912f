/*
 * The wander of a clock, lane by lane: straight lines between the floors of
 * the fit's blocks, constant beyond the outer ones (METRICS 4.6).
 */
#ifndef CAPDIFF_METRIC_TREND_H
#define CAPDIFF_METRIC_TREND_H

#include <stddef.h>
#include <stdint.h>

#include "metric/metric.h"

struct cd_trend_piece; /* one straight line */

struct cd_trend {
	struct cd_trend_piece *pieces;
	size_t *first_of_lane; /* n_lanes + 1 */
	size_t at;	       /* where the last x was found */
};

/* Of a pair whose clock has a drift. 0, or -1 without memory; release in any
 * case. */
int cd_trend_init(struct cd_trend *trend, const struct cd_pair *pair);
void cd_trend_release(struct cd_trend *trend);

/* f[i] = r[i] - W(x[i]), rounded to ps; O(1) amortised where x mostly rises,
 * the same for any split into calls. */
void cd_trend_subtract(struct cd_trend *trend, size_t lane, const int64_t *x,
		       const int64_t *r, int64_t *f, size_t n);

#endif
