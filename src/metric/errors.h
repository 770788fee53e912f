/*
 * The time stamp error of single packets (f of METRICS 4.6): what measure.c
 * measures, for those who name packets.
 */
#ifndef CAPDIFF_METRIC_ERRORS_H
#define CAPDIFF_METRIC_ERRORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "metric/metric.h"
#include "metric/sizes.h"
#include "metric/trend.h"

struct cd_errors {
	const struct cd_pair *pair;
	bool known;	/* the clock has a drift */
	bool has_sizes; /* floors by frame length: lengths are needed */
	struct cd_sizes sizes;
	struct cd_trend trend;
};

/* Of a pair whose metrics ran; one pass over it where frames have several
 * lengths. 0 or -1 (no memory); release in any case. */
int cd_errors_init(struct cd_errors *errors, const struct cd_pair *pair);
void cd_errors_release(struct cd_errors *errors);

/* f of a row of pair->lanes[lane] with times of both captures; `length`: of
 * the reference's frame. O(1) where times mostly rise. */
int64_t cd_error_of(struct cd_errors *errors, size_t lane, int64_t ref_ps,
		    int64_t dut_ps, uint32_t length);

#endif
