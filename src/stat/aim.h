/*
 * Where wanted ranks will probably fall, by a sample of the stream: ranges of
 * values of which all are gathered (stat/grid.c).
 */
#ifndef CAPDIFF_STAT_AIM_H
#define CAPDIFF_STAT_AIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CD_AIM_MAX 64

struct cd_tally {
	int64_t value;
	uint64_t count; /* 0: a free place */
};

#define CD_AIM_TABLE_LOG2 9

/* The values low..high. While they are few they are counted, else kept. */
struct cd_aim_range {
	int64_t low, high;
	uint64_t before;	  /* values near it, above the range before */
	struct cd_tally *tallies; /* 2^CD_AIM_TABLE_LOG2 places */
	size_t n_tallies;
	int64_t *values; /* once there are no tallies */
	size_t n_values, capacity;
	bool full; /* too many: only counted */
	uint64_t counted;
};

struct cd_aim {
	struct cd_aim_range ranges[CD_AIM_MAX + 2]; /* by value, disjoint */
	size_t n;
	size_t room; /* values that may still be kept */
};

/* Ranges for n_wanted ranks (at most CD_AIM_MAX), each a share 0..1 of the
 * stream, and for all values below `low` and above `high`; the sample is
 * reordered. NULL without memory. */
struct cd_aim *cd_aim_new(int64_t *sample, size_t n, const double *shares,
			  size_t n_wanted, int64_t low, int64_t high);
void cd_aim_free(struct cd_aim *aim);

/* How many values came into the range. */
uint64_t cd_aim_count(const struct cd_aim_range *range);

static inline size_t cd_aim_place(int64_t v)
{
	return (size_t)((uint64_t)v * UINT64_C(0x9e3779b97f4a7c15) >>
			(64 - CD_AIM_TABLE_LOG2));
}

/* A value inside a range, where counting it is not just one step. */
void cd_aim_take(struct cd_aim *aim, struct cd_aim_range *range, int64_t v);

/* A value of a cell whose first range is `first`: it may be in this one, in a
 * later one, or between. */
static inline void cd_aim_add(struct cd_aim *aim, size_t first, int64_t v)
{
	struct cd_aim_range *range = &aim->ranges[first];
	struct cd_aim_range *end = &aim->ranges[aim->n];

	while (range < end && range->high < v)
		range++;
	if (range == end)
		return;
	if (v < range->low) {
		range->before++;
		return;
	}
	if (range->tallies != NULL) {
		struct cd_tally *t = &range->tallies[cd_aim_place(v)];

		if (t->value == v && t->count > 0) {
			t->count++;
			return;
		}
	}
	cd_aim_take(aim, range, v);
}

/* The value of 0-based rank < count of a range that is not full; reorders
 * what was kept. */
int64_t cd_aim_pick(struct cd_aim_range *range, uint64_t rank);

#endif
