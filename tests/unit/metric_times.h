/* Times of two captures, made from models whose errors are known. */
#ifndef CAPDIFF_TESTS_UNIT_METRIC_TIMES_H
#define CAPDIFF_TESTS_UNIT_METRIC_TIMES_H

#include "metric_rig.h"
#include "stat_random.h"

#define near(actual, expected, tolerance)                                      \
	cr_assert_float_eq(actual, expected, tolerance,                        \
			   #actual " is %.6g, expected %.6g +- %.3g",          \
			   (double)(actual), (double)(expected),               \
			   (double)(tolerance))

struct times {
	int64_t *ref, *dut;
	size_t n;
};

/* Packets every `spacing`, seen alike by both. */
static inline struct times make_times(size_t n, double spacing_ps)
{
	struct times t = {malloc((n + 1) * sizeof(int64_t)),
			  malloc((n + 1) * sizeof(int64_t)), n};

	for (size_t i = 0; i < n; i++)
		t.ref[i] = t.dut[i] = llround((double)i * spacing_ps / NS) * NS;
	return t;
}

static inline void free_times(struct times *t)
{
	free(t->ref);
	free(t->dut);
}

/* To the next lower multiple of the tick, as clocks count. */
static inline void quantise(int64_t *ps, size_t n, int64_t tick_ps)
{
	for (size_t i = 0; i < n; i++)
		if (ps[i] != LOST)
			ps[i] -= ((ps[i] % tick_ps) + tick_ps) % tick_ps;
}

static inline void run_times(struct rig *rig, const struct times *t)
{
	rig_init(rig);
	rig_add(rig, t->ref, t->dut, t->n);
	rig_run(rig);
}

static inline void shift_and_drift(struct times *t, double offset_ps, double y)
{
	for (size_t i = 0; i < t->n; i++) {
		double ps = (double)t->ref[i] * (1 + y) + offset_ps;

		t->dut[i] = llround(ps / NS) * NS;
	}
}

enum model { EXPONENTIAL, UNIFORM, GAUSS };

/* 12.3 us spacing, 43.21 ppm, one kind of noise. */
static inline struct times noisy(size_t n, enum model model, uint64_t seed)
{
	struct times t = make_times(n, 12.3 * US);
	struct noise r = noise_seed(seed);

	shift_and_drift(&t, 1 * MS, 43.21e-6);
	for (size_t i = 0; i < n; i++) {
		double ns = model == EXPONENTIAL ? noise_exponential(&r, 20e3)
			    : model == UNIFORM	 ? 125e3 * noise_uniform(&r)
						 : noise_gauss(&r, 10e3);

		t.dut[i] += llround(ns) * NS;
	}
	return t;
}

/* 7.5 standard errors of METRICS 4.3, in ppm. */
static inline double tolerance(enum model model, size_t n)
{
	static const double scale_s[] = {0.35 * 20e-6, 0.345 * 125e-6,
					 12.9 * 10e-6};

	return 7.5 * 1e6 * scale_s[model] /
	       ((double)n * 12.3e-6 * sqrt((double)n));
}

/* A free-running timer that stamps everything since its last firing. */
static inline void free_timer(struct times *t, int64_t period_ps)
{
	for (size_t i = 0; i < t->n; i++) {
		int64_t late = t->ref[i] % period_ps;

		t->dut[i] = t->ref[i] + (late == 0 ? 0 : period_ps - late);
	}
}

#endif
