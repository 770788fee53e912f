/*
 * Where wanted ranks will probably fall, by a sample of the stream: ranges of
 * values that the first pass of a selection gathers (stat/select.c). A poor
 * sample costs a second pass, never a wrong result.
 */
#ifndef CAPDIFF_STAT_AIM_H
#define CAPDIFF_STAT_AIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CD_AIM_MAX 64

struct cd_tally; /* a value and how often it came */

/* The values low..high. While they are few they are counted, else kept. */
struct cd_aim_range {
	int64_t low, high;
	uint64_t count;	 /* values in it */
	uint64_t before; /* values near it, above the range before */
	struct cd_tally *tallies;
	size_t n_tallies;
	int64_t *values; /* once there are no tallies */
	size_t n_values, capacity;
	bool full; /* too many: only counted */
};

struct cd_aim {
	struct cd_aim_range ranges[CD_AIM_MAX]; /* by value, disjoint */
	size_t n;
	size_t room; /* values that may still be kept */
};

/* Ranges for n_wanted ranks (at most CD_AIM_MAX), each a share 0..1 of the
 * stream; the sample is reordered. NULL without memory. */
struct cd_aim *cd_aim_new(int64_t *sample, size_t n, const double *shares,
			  size_t n_wanted);
void cd_aim_free(struct cd_aim *aim);

/* A value of a bucket whose first range is `first`: it may be in this one, in
 * a later one, or between. */
void cd_aim_add(struct cd_aim *aim, size_t first, int64_t v);

/* The value of 0-based rank < count of a range that is not full; reorders
 * what was kept. */
int64_t cd_aim_pick(struct cd_aim_range *range, uint64_t rank);

#endif
