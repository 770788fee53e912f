/*
 * Delays that depend on the frame's length: start-of-frame against end-of-frame
 * stamps, taps that store and forward (METRICS 4.7).
 */
#ifndef CAPDIFF_METRIC_SIZES_H
#define CAPDIFF_METRIC_SIZES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "metric/metric.h"

#define CD_SIZES_MAX 64 /* lengths that get a floor of their own */
#define CD_SIZES_LENGTHS 65536
#define CD_SIZES_NONE 255

struct cd_size_class {
	uint32_t length;
	uint64_t rows;
	int64_t floor_ps; /* 1st percentile of r */
};

struct cd_sizes {
	struct cd_size_class classes[CD_SIZES_MAX]; /* by first appearance */
	size_t n;
	uint8_t *class_of;	    /* by length */
	bool has_slope;		    /* two classes or more had enough rows */
	double per_byte_ps;	    /* slope of the floors */
	double at_zero_ps;	    /* for lengths without a floor */
	uint32_t shortest, longest; /* of those with one */
};

/* Do the lanes hold frames of several lengths? */
bool cd_sizes_differ(const struct cd_pair *pair);

/* One pass over a pair whose clock is fitted. 0, or -1 without memory; release
 * in any case. */
int cd_sizes_measure(struct cd_sizes *sizes, const struct cd_pair *pair);
void cd_sizes_release(struct cd_sizes *sizes);

/* What frames of a length are later by than the line. */
int64_t cd_sizes_floor_ps(const struct cd_sizes *sizes, uint32_t length);

#endif
