/*
 * Clock steps in a series of blocks (METRICS 4.5).
 */
#ifndef CAPDIFF_STAT_STEPS_H
#define CAPDIFF_STAT_STEPS_H

#include <stddef.h>
#include <stdint.h>

/* Neighbouring blocks of one stream, detrended with cd_line_adjacent_slope():
 * 1st percentiles and medians of d - s0 x. Any unit, one for all. */
struct cd_steps_input {
	const double *floors, *medians;
	size_t n;
	double median_delta; /* median packet spacing of the reference */
	double tick;	     /* q_eff of the compared clock; 0: fine */
	double least;	     /* no smaller step is believed: 1 us */
};

struct cd_step_found {
	size_t block; /* 1..n-1: the clock stepped inside block-1 or block;
			 block-1 is mostly before it, block mostly after */
	double size;  /* > 0: the compared clock jumped forward */
	double middle; /* halfway between the floors before and after */
};

/* With fewer blocks no step is found. */
#define CD_STEPS_BLOCKS 9
/* At most this many; more are noise. */
#define CD_STEPS_MAX 64

struct cd_steps {
	struct cd_step_found found[CD_STEPS_MAX]; /* by block */
	size_t n;
	double noise; /* sigma_b: 1.4826 MAD(F[b+1] - F[b]) / sqrt(2) */
};

/*
 * A step is a jump H of the floors that is the largest within 8 blocks, at
 * least max(8 sigma_b, median_delta, 2 tick, least), shared by the medians to
 * within half of it, at least half of which happens between two neighbouring
 * blocks or across one (slewing and temperature do not). Levels are medians of
 * 8 blocks (4 at the ends) without the straddled one, so that 9 blocks are
 * needed; fewer have no steps. 0, or -1 without memory.
 */
int cd_steps_find(const struct cd_steps_input *in, struct cd_steps *out);

#endif
