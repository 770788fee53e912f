/*
 * A sample of a capture's stamps: stretches of neighbours of its largest
 * stream, spread over the numbers. Enough for what all of them share: tick and
 * link.
 */
#ifndef CAPDIFF_METRIC_SAMPLE_H
#define CAPDIFF_METRIC_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

#include "align/point.h"

#define CD_SAMPLE_BLOCKS 64
#define CD_SAMPLE_ROWS 1024 /* at most, of each block */

struct cd_sample_times {
	size_t n;
	int64_t *seq, *ps; /* valid times only, rising seq */
	uint32_t *length;
};

/* Of the epoch with the most rows; n is 0 if there is none. 0, or -1 without
 * memory; release in any case. */
int cd_sample_take(struct cd_sample_times *sample,
		   const struct cd_point *point);
void cd_sample_release(struct cd_sample_times *sample);

#endif
