/*
 * The effective tick of a clock: the largest lattice that explains its stamps
 * (METRICS 3.6).
 */
#ifndef CAPDIFF_STAT_TICK_H
#define CAPDIFF_STAT_TICK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/time.h"

/* A tick as an exact rational of picoseconds: num/den, both > 0. */
struct cd_tick {
	int64_t num, den;
};
double cd_tick_ps(struct cd_tick q);

/*
 * Step 1: gcd of all differences, streaming over a capture's stamps in file
 * order. Stamps lifted by exactly one unit after equal ones (artificial
 * monotonicity, step 5) are left out and counted.
 */
struct cd_tick_gcd {
	int64_t unit_ps; /* native tick, > 0; the gcd search ends there */
	uint64_t gcd_ps; /* of t - first; 0: all equal (or none) */
	uint64_t n, bumps;
	int64_t first, previous, previous_delta;
	bool lifted;
};
void cd_tick_gcd_init(struct cd_tick_gcd *g, int64_t unit_ps);
/* Spans since one base, any; no CD_TIME_NONE. A few ns a stamp while a lattice
 * coarser than the unit still fits, nearly nothing afterwards. */
void cd_tick_gcd_add(struct cd_tick_gcd *g, const int64_t *ps, size_t n);

/*
 * Steps 2 and 3: a sample of stamps. base + ps is their place on the epoch
 * line, which is where lattices such as 2^-22 s (epoch seconds in a double)
 * live; phases are exact, in 128-bit integers.
 */
struct cd_tick_sample {
	struct cd_instant base;
	const int64_t *ps;
	size_t n; /* 65536 is plenty, 1000 the least that makes sense */
	int64_t unit_ps;
};

struct cd_tick_fit {
	struct cd_tick q;
	double coherence; /* R = |mean exp(2 pi i phase)| */
	double share;	  /* f: best share inside a 0.3 % window of phase */
};

/* R and f of one tick, on any stamps: on the reference R below 0.5 says that
 * the packets themselves do not lie on the lattice (aliasing guard, step 3). */
struct cd_tick_fit cd_tick_fit(const struct cd_tick_sample *sample,
			       struct cd_tick q);

#define CD_TICK_CANDIDATES 32
/* All candidate ticks coarser than the unit with R >= 0.95 and as good a share
 * as rounding allows, of which the sample spans several (few stamps close
 * together lie on any coarse lattice), largest first; returns how many. q_eff is the first that the aliasing guard lets through,
 * the unit if none is. 0 if n is 0. */
size_t cd_tick_candidates(const struct cd_tick_sample *sample,
			  struct cd_tick_fit accepted[CD_TICK_CANDIDATES]);

/* Step 6: stamps that are a whole thousand units ("us data in a ns file"). */
struct cd_tick_pileup {
	uint64_t n, round;
	double z; /* of round/n against 1/1000; NAN if n is 0 */
};
struct cd_tick_pileup cd_tick_pileup(const struct cd_tick_sample *sample);

#endif
