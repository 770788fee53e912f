/* The histogram of deltas that charts draw (report/series.h). */
#ifndef CAPDIFF_METRIC_BINS_H
#define CAPDIFF_METRIC_BINS_H

#include <stdint.h>

#include "report/report.h"
#include "stat/histogram.h"

/* Precision of a histogram that bins are made of. */
#define CD_BINS_P 7

/*
 * Put the values of `h` as delta.histogram: 20 bins a decade, one of them
 * centred on `expected_ps` (0 or less: on 1 us), their edges moved to those of
 * h's buckets (by less than 0.8 %) so that each counts exactly the values in
 * [low, high). The first may be zero or less. Only bins that hold some.
 */
void cd_bins_put(struct cd_report *report, uint32_t point,
		 const struct cd_histogram *h, int64_t expected_ps);

#endif
