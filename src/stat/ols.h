/*
 * Ordinary least squares over integer sums: exact and mergeable, floating
 * point only in the last division (METRICS 0.2).
 */
#ifndef CAPDIFF_STAT_OLS_H
#define CAPDIFF_STAT_OLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stat/wide.h"

/* All zero is an empty one. */
struct cd_ols {
	uint64_t n;
	__int128 sum_x, sum_d;
	struct cd_wide sum_xx, sum_xd;
};

/* Any int64 of one unit, up to 2^62 pairs in all. */
void cd_ols_add(struct cd_ols *o, const int64_t *x, const int64_t *d,
		size_t n);
void cd_ols_merge(struct cd_ols *o, const struct cd_ols *other);

struct cd_ols_line {
	double slope;
	double mean_x, mean_d; /* the line passes through */
	double intercept;      /* at x = 0 */
};
/* False if all x are equal, or n < 2. */
bool cd_ols_line(const struct cd_ols *o, struct cd_ols_line *line);

#endif
