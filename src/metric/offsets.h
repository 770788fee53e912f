/*
 * The offset of two clocks over time, as charts draw it (report/series.h):
 * least, median and largest of the packets in each bucket of time.
 */
#ifndef CAPDIFF_METRIC_OFFSETS_H
#define CAPDIFF_METRIC_OFFSETS_H

#include <stddef.h>
#include <stdint.h>

#include "metric/metric.h"
#include "metric/walk.h"

struct cd_offset_bucket; /* opaque */

struct cd_offsets {
	const struct cd_pair *pair;
	struct cd_offset_bucket *buckets;
	size_t n;
	int64_t from_x_ps, width_ps; /* of a bucket */
	int64_t zero_ps;	     /* of the lane under way */
};

/* Of a pair whose clock has a drift. 0, or -1 without memory; release in any
 * case. */
int cd_offsets_init(struct cd_offsets *offsets, const struct cd_pair *pair);
void cd_offsets_release(struct cd_offsets *offsets);
/* The next block of one walk over all lanes. */
void cd_offsets_add(struct cd_offsets *offsets,
		    const struct cd_walk_block *block);
/* As clock.offset. */
void cd_offsets_put(struct cd_offsets *offsets,
		    const struct cd_analysis *analysis);

#endif
