/*
 * A walk: the matched rows of some lanes of a pair, lane after lane, each in
 * sequence order, block by block. Every pass of the time metrics is one.
 */
#ifndef CAPDIFF_METRIC_WALK_H
#define CAPDIFF_METRIC_WALK_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "align/rows.h"
#include "metric/metric.h"

/* Matched rows of one lane, valid until the next call. */
struct cd_walk_block {
	size_t lane;  /* index into pair->lanes */
	uint64_t row; /* matched rows of the lane before these */
	size_t n;     /* 1..CD_BLOCK_ROWS */
	const int64_t *seq;
	const int64_t *ref_ps, *dut_ps; /* since each capture's base */
	const int64_t *x_ps;		/* ref_ps - clock.x0_ps */
	const int64_t *d_ps;		/* dut_ps - ref_ps - clock.d0_ps */
	const uint32_t *length; /* of the reference's frames, if asked for */
};

struct cd_walk {
	const struct cd_pair *pair;
	size_t from, to; /* lanes */
	size_t lane;	 /* being read; `to`: all read */
	bool lengths;	 /* wanted; set before the first block */
	struct cd_rows *rows;
	uint64_t row;
	int64_t *x_ps, *d_ps;
};

/* Of the lanes from..to-1. 0, or -1 without memory. */
int cd_walk_init(struct cd_walk *walk, const struct cd_pair *pair, size_t from,
		 size_t to);
void cd_walk_release(struct cd_walk *walk);
/* 1: a block; 0: end; -1: no memory. */
int cd_walk_next(struct cd_walk *walk, struct cd_walk_block *block);

/* False if times of the lanes lie 53 days apart or more: differences of
 * differences would not fit their int64. */
bool cd_walk_fits(const struct cd_pair *pair);

/* The clock's segment at x: how many steps are at or before it. */
static inline size_t cd_clock_segment(const struct cd_clock *clock,
				      int64_t x_ps)
{
	size_t segment = 0;

	while (segment < clock->n_steps && clock->steps[segment].x_ps <= x_ps)
		segment++;
	return segment;
}

/* Rows `at`.. of a block that lie in one segment: one past the last of them. */
static inline size_t cd_walk_piece(const struct cd_clock *clock,
				   const struct cd_walk_block *block, size_t at,
				   size_t *segment)
{
	size_t end = at + 1;

	if (clock->n_steps == 0) {
		*segment = 0;
		return block->n;
	}
	*segment = cd_clock_segment(clock, block->x_ps[at]);
	while (end < block->n &&
	       cd_clock_segment(clock, block->x_ps[end]) == *segment)
		end++;
	return end;
}

/* To the nearest ps, halves away from zero; kept inside +-2^61. */
static inline int64_t cd_round_ps(double ps)
{
	if (!(fabs(ps) < 0x1p61))
		return ps < 0 ? -(INT64_C(1) << 61) : INT64_C(1) << 61;
	return (int64_t)(ps + copysign(0.5, ps));
}

#endif
