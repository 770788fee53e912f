/* The lanes of one stream after the other, for values of single streams. */
#ifndef CAPDIFF_METRIC_LANES_RANGE_H
#define CAPDIFF_METRIC_LANES_RANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "metric/metric.h"

/* Lanes from..to-1 are those of `stream`. All zero before the first. */
struct cd_lane_range {
	size_t from, to;
	uint32_t stream;
};

/* The next stream that gets values of its own; false: there is none left. */
static inline bool cd_next_shown(const struct cd_analysis *analysis,
				 const struct cd_pair *pair,
				 struct cd_lane_range *range)
{
	while (range->to < pair->n_lanes) {
		range->from = range->to;
		range->stream = pair->lanes[range->from].stream;
		while (range->to < pair->n_lanes &&
		       pair->lanes[range->to].stream == range->stream)
			range->to++;
		if (analysis->shown[range->stream])
			return true;
	}
	return false;
}

#endif
