/* Points for lines. */
#ifndef CAPDIFF_TESTS_UNIT_LINE_DATA_H
#define CAPDIFF_TESTS_UNIT_LINE_DATA_H

#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "stat/blocks.h"
#include "stat/hull.h"
#include "stat/line.h"
#include "stat/ols.h"
#include "stat/wander.h"
#include "stat_random.h"

#define PACKETS 20000
#define DELTA_PS 49213757.7 /* 0.984 s of packets, no ratio to 125 us */
#define TRUE_Y 43.21e-6

static int64_t x_of[PACKETS], d_of[PACKETS];

/* One BQTS fit over all packets, two iterations (METRICS 4.3). */
static inline struct cd_slope fit_bqts(void)
{
	size_t blocks = cd_blocks_wanted(PACKETS, x_of[PACKETS - 1], 0);
	struct cd_block_scratch scratch = {0};
	struct cd_line_scratch line = {0};
	struct cd_line_point p[200];
	struct cd_slope slope = {0};

	for (int turn = 0; turn < 2; turn++) {
		for (size_t b = 0; b < blocks; b++) {
			size_t from = cd_block_first(PACKETS, blocks, b);
			size_t to = cd_block_first(PACKETS, blocks, b + 1);
			struct cd_block_floor f;

			cr_assert_eq(cd_block_pick_floor(&scratch, x_of + from,
							 d_of + from, to - from,
							 slope.y, &f),
				     0);
			p[b] = (struct cd_line_point){x_of[from + f.row],
						      d_of[from + f.row], 0};
		}
		cr_assert_eq(cd_line_slope(&line, p, blocks, &slope), 1);
	}
	cd_block_scratch_release(&scratch);
	cd_line_scratch_release(&line);
	return slope;
}

enum model { GAUSS, UNIFORM, EXPONENTIAL, COALESCED, PARETO, EARLY };

static inline double error_of(struct noise *r, enum model model, double t)
{
	switch (model) {
	case GAUSS:
		return noise_gauss(r, 10e6);
	case UNIFORM:
		return 125e6 * noise_uniform(r);
	case EXPONENTIAL:
		return noise_exponential(r, 20e6);
	case COALESCED: /* M1, a free-running timer of 125 us */
		return ceil(t / 125e6) * 125e6 - t;
	case PARETO:
		if (noise_uniform(r) < 0.01)
			return 1e9 / noise_uniform(r);
		return noise_exponential(r, 20e6);
	case EARLY:
		if (noise_uniform(r) < 0.001)
			return -1e9 * noise_uniform(r);
		return noise_exponential(r, 20e6);
	}
	return 0;
}

static inline void simulate(uint64_t seed, enum model model)
{
	struct noise r = noise_seed(seed);
	double phase = noise_uniform(&r) * 125e6;

	for (int i = 0; i < PACKETS; i++) {
		double t = i * DELTA_PS;

		x_of[i] = (int64_t)t;
		d_of[i] = (int64_t)(TRUE_Y * t +
				    error_of(&r, model, t + phase));
	}
	for (int i = PACKETS - 1; i >= 0; i--) {
		x_of[i] -= x_of[0];
		d_of[i] -= d_of[0];
	}
}

#endif
