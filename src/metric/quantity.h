/* Values of distributions: what n supports, and null with the reason. */
#ifndef CAPDIFF_METRIC_QUANTITY_H
#define CAPDIFF_METRIC_QUANTITY_H

#include <stdint.h>

#include "metric/put.h"

/* Percentile p (in 1/100000, stat/percentile.h) of n values, or null where n
 * does not support it (METRICS 0.5). */
struct cd_value *cd_put_percentile(const struct cd_place *place,
				   const char *name, int64_t ps, uint64_t n,
				   uint32_t p);
/* Extremes and means: null for n = 0. */
struct cd_value *cd_put_extreme(const struct cd_place *place, const char *name,
				int64_t ps, uint64_t n);
struct cd_value *cd_put_mean(const struct cd_place *place, const char *name,
			     double ps, uint64_t n);

/* "n<1000": why p is not defined. */
const char *cd_percentile_reason(uint32_t p);

#endif
