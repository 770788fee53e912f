/*
 * Series of a pair (report/series.h), for the metric: what happened when. The
 * others are put where their numbers are measured. Inside the room.
 */
#ifndef CAPDIFF_METRIC_SERIES_H
#define CAPDIFF_METRIC_SERIES_H

#include "metric/lanes.h"
#include "metric/metric.h"

/* Each 0 or -1 (no memory); nothing where there is nothing to show. */
int cd_series_losses(const struct cd_analysis *analysis,
		     const struct cd_pair *pair);
int cd_series_copies(const struct cd_analysis *analysis,
		     const struct cd_pair *pair);

/* One of n equal parts of from..to that holds `at`; outside: the nearest. */
static inline size_t cd_series_bucket(int64_t at, int64_t from, int64_t to,
				      size_t n)
{
	double share =
	    (double)cd_minus(at, from) / ((double)cd_minus(to, from) + 1.0);
	double bucket = share * (double)n;

	if (!(bucket > 0))
		return 0;
	return bucket >= (double)n ? n - 1 : (size_t)bucket;
}

#endif
