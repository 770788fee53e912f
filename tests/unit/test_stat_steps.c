#include <criterion/criterion.h>
#include <stdlib.h>

#include "stat/blocks.h"
#include "stat/line.h"
#include "stat/steps.h"
#include "stat_random.h"

/* A run of 20,000 packets in 0.984 s: 100 blocks of 200. */
#define PACKETS 20000
#define BLOCKS 100
#define DELTA_PS 49213757.7
#define SKEW 43.21e-6

static int64_t x_of[PACKETS], d_of[PACKETS];

enum model { GAUSS, UNIFORM, EXPONENTIAL, COALESCED, PARETO, MODELS };

static double error_of(struct noise *r, enum model model, double t)
{
	switch (model) {
	case GAUSS:
		return noise_gauss(r, 10e6);
	case UNIFORM:
		return 125e6 * noise_uniform(r);
	case COALESCED:
		return ceil(t / 125e6) * 125e6 - t;
	case PARETO:
		if (noise_uniform(r) < 0.01)
			return 1e9 / noise_uniform(r);
		return noise_exponential(r, 20e6);
	default:
		return noise_exponential(r, 20e6);
	}
}

/* The clock jumps by `step` before packet `at`. */
static void simulate(uint64_t seed, enum model model, int at, double step)
{
	struct noise r = noise_seed(seed);

	for (int i = 0; i < PACKETS; i++) {
		double t = i * DELTA_PS;

		x_of[i] = (int64_t)t;
		d_of[i] = (int64_t)(SKEW * t + error_of(&r, model, t) +
				    (i >= at ? step : 0));
	}
}

/* What the metric does: floors, s0, floors and medians detrended with it. */
static struct cd_steps find(void)
{
	static double floors[BLOCKS], medians[BLOCKS];
	struct cd_block_scratch scratch = {0};
	struct cd_line_scratch line = {0};
	struct cd_line_point p[BLOCKS];
	struct cd_steps_input in = {floors, medians, BLOCKS, DELTA_PS, 8000,
				    1e6};
	struct cd_steps steps;
	double slope = 0;

	for (int turn = 0; turn < 2; turn++) {
		for (size_t b = 0; b < BLOCKS; b++) {
			size_t from = cd_block_first(PACKETS, BLOCKS, b);
			struct cd_block_floor f;

			cr_assert_eq(cd_block_pick(&scratch, x_of + from,
						   d_of + from,
						   PACKETS / BLOCKS, slope, &f),
				     0);
			p[b] = (struct cd_line_point){x_of[from + f.row],
						      d_of[from + f.row], 0};
			floors[b] = f.floor;
			medians[b] = f.median;
		}
		if (turn == 0)
			cr_assert_eq(cd_line_adjacent_slope(&line, p, BLOCKS,
							    &slope),
				     1);
	}
	cr_assert_eq(cd_steps_find(&in, &steps), 0);
	cd_block_scratch_release(&scratch);
	cd_line_scratch_release(&line);
	return steps;
}

Test(steps, none_where_there_is_none)
{
	for (int model = 0; model < MODELS; model++)
		for (uint64_t seed = 1; seed <= 40; seed++) {
			simulate(seed, (enum model)model, PACKETS, 0);
			cr_assert_eq(find().n, 0, "model %d seed %d", model,
				     (int)seed);
		}
}

/* Found in the right blocks, with the right size (V18), and nothing else. */
static bool is_hit(const struct cd_steps *s, int at, double size)
{
	size_t block = (size_t)at / (PACKETS / BLOCKS);
	double tolerance = fmax(3 * s->noise, DELTA_PS);

	return s->n == 1 &&
	       (s->found[0].block == block || s->found[0].block == block + 1) &&
	       fabs(s->found[0].size - size) <= tolerance;
}

static void check_hits(double size)
{
	for (int model = 0; model < MODELS; model++) {
		int hits = 0;

		for (uint64_t seed = 1; seed <= 30; seed++) {
			struct noise r = noise_seed(seed * 77);
			int at = PACKETS / 10 +
				 (int)noise_below(&r, PACKETS * 8 / 10);
			struct cd_steps s;

			simulate(seed, (enum model)model, at, size);
			s = find();
			hits += is_hit(&s, at, size);
		}
		cr_log_info("model %d size %g: %d of 30", model, size, hits);
		cr_assert_geq(hits, 27);
	}
}

Test(steps, of_200_us)
{
	check_hits(200e6);
	check_hits(-200e6);
}

Test(steps, of_1_ms)
{
	check_hits(1e9);
	check_hits(-1e9);
}

Test(steps, of_100_ms)
{
	check_hits(100e9);
	check_hits(-100e9);
}

/* Temperature and NTP slewing are wander, not steps. */
Test(steps, wander_is_none)
{
	for (int periods = 1; periods <= 12; periods++)
		for (uint64_t seed = 1; seed <= 5; seed++) {
			struct noise r = noise_seed(seed);

			for (int i = 0; i < PACKETS; i++) {
				double t = i * DELTA_PS;
				double turn = 6.2831853 * periods * i / PACKETS;

				x_of[i] = (int64_t)t;
				d_of[i] = (int64_t)(25e6 * sin(turn) +
						    noise_exponential(&r, 3e6));
			}
			cr_assert_eq(find().n, 0, "%d periods", periods);
		}
}

Test(steps, a_slewed_correction_is_none)
{
	for (int length = 600; length <= 6000; length += 600) {
		struct noise r = noise_seed((uint64_t)length);

		for (int i = 0; i < PACKETS; i++) {
			double part = (i - 8000.0) / length;

			part = part < 0 ? 0 : part > 1 ? 1 : part;
			x_of[i] = (int64_t)(i * DELTA_PS);
			d_of[i] = (int64_t)(250e6 * part +
					    noise_exponential(&r, 3e6));
		}
		/* three blocks or less cannot be told from a step */
		if (length >= 1200)
			cr_assert_eq(find().n, 0, "%d packets", length);
	}
}

/* A late spell lifts the medians, or the floors too if all of it is late, and
 * comes back: what moves only the medians is no step. */
Test(steps, a_latency_shift_of_most_packets_is_none)
{
	struct noise r = noise_seed(4);

	for (int i = 0; i < PACKETS; i++) {
		bool late = i > 9000 && noise_uniform(&r) < 0.9;

		x_of[i] = (int64_t)(i * DELTA_PS);
		d_of[i] = (int64_t)(noise_exponential(&r, 3e6) +
				    (late ? 500e6 : 0));
	}
	cr_assert_eq(find().n, 0);
}

Test(steps, two_steps_and_exact_noise_free_sizes)
{
	double floors[60], medians[60];
	struct cd_steps_input in = {floors, medians, 60, 10, 0, 1};
	struct cd_steps s;

	for (int b = 0; b < 60; b++) {
		floors[b] = b < 20 ? 0 : b < 41 ? 1000 : -500;
		medians[b] = floors[b] + 3;
	}
	cr_assert_eq(cd_steps_find(&in, &s), 0);
	cr_assert_eq(s.n, 2);
	cr_assert_eq(s.found[0].block, 20);
	cr_assert_eq(s.found[0].size, 1000);
	cr_assert_eq(s.found[1].block, 41);
	cr_assert_eq(s.found[1].size, -1500);
	cr_assert_eq(s.noise, 0);
	/* medians that do not follow */
	for (int b = 0; b < 60; b++)
		medians[b] = 3000;
	cr_assert_eq(cd_steps_find(&in, &s), 0);
	cr_assert_eq(s.n, 0);
}

Test(steps, thresholds)
{
	double floors[40], medians[40];
	struct cd_steps_input in = {floors, medians, 40, 10, 0, 1};
	struct cd_steps s;

	for (int b = 0; b < 40; b++)
		floors[b] = medians[b] = b < 5 ? 0 : 100;
	cr_assert_eq(cd_steps_find(&in, &s), 0);
	cr_assert_eq(s.n, 1);
	cr_assert_eq(s.found[0].block, 5);
	in.median_delta = 101;
	cr_assert_eq(cd_steps_find(&in, &s), 0);
	cr_assert_eq(s.n, 0);
	in.median_delta = 10;
	in.tick = 51;
	cr_assert_eq(cd_steps_find(&in, &s), 0);
	cr_assert_eq(s.n, 0);
	in.tick = 0;
	in.least = 101;
	cr_assert_eq(cd_steps_find(&in, &s), 0);
	cr_assert_eq(s.n, 0);
	in.least = 1;
	for (size_t n = 0; n < 9; n++) {
		in.n = n;
		cr_assert_eq(cd_steps_find(&in, &s), 0);
		cr_assert_eq(s.n, 0);
	}
	in.n = 9;
	cr_assert_eq(cd_steps_find(&in, &s), 0);
	cr_assert_eq(s.n, 1);
}
