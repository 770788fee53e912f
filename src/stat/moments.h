/*
 * Count, extremes and exact sums of int64 values. Associative: any split,
 * order or thread count gives the same bits (METRICS 0.2).
 */
#ifndef CAPDIFF_STAT_MOMENTS_H
#define CAPDIFF_STAT_MOMENTS_H

#include <stddef.h>
#include <stdint.h>

#include "stat/wide.h"

/* All zero is an empty one. min and max are 0 while n is 0. */
struct cd_moments {
	uint64_t n;
	int64_t min, max;
	__int128 sum;
	struct cd_wide sum_squares;
};

void cd_moments_add(struct cd_moments *m, const int64_t *v, size_t n);
/* `times` times the same value. */
void cd_moments_add_times(struct cd_moments *m, int64_t v, uint64_t times);
void cd_moments_merge(struct cd_moments *m, const struct cd_moments *other);

/* NAN while n is 0. The RMS about the mean divides by n, not n - 1, and is
 * exact before its square root. */
double cd_moments_mean(const struct cd_moments *m);
double cd_moments_rms(const struct cd_moments *m);	/* about zero */
double cd_moments_deviation(const struct cd_moments *m); /* about the mean */

#endif
