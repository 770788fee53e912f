/* Errors of time stamps as clocks and kernels make them, drawn with a random
 * generator of its own (METRICS 3.7, 4.2). */
#ifndef CAPDIFF_TESTS_BENCH_MODELS_H
#define CAPDIFF_TESTS_BENCH_MODELS_H

#include <stddef.h>
#include <stdint.h>

enum model {
	GAUSS,	    /* 10 us */
	UNIFORM,    /* 125 us */
	EXPONENTIAL, /* 20 us */
	TIMER,	    /* M1, free-running, 125 us */
	ONE_SHOT,   /* M2, 125 us, and exponential 1 us */
	LATE_TAIL,  /* exponential, 1 % Pareto from 1 ms on */
	STALLS,	    /* exponential, 20 ms every 200 ms */
	ONE_EARLY,  /* exponential, one stamp 5 ms early */
	SOME_EARLY, /* exponential, 0.1 % up to 1 ms early */
	MANY_EARLY, /* exponential, 1 % up to 1 ms early */
	MODELS,
	TIMER_1MS = MODELS, /* for steps only */
	TIMER_20MS,
	ALL_MODELS
};

extern const char *const model_names[ALL_MODELS];

/* The standard error of a slope over n packets in `span_s` (METRICS 4.3),
 * dimensionless; NAN where the density at the first percentile is none. */
double model_standard_error(enum model model, size_t n, double span_s);

/* Packets every `spacing_ps` since a random phase of the timers: x[i] of the
 * reference and d[i], what the other is ahead, with drift y. */
void model_fill(enum model model, uint64_t seed, double spacing_ps, double y,
		int64_t *x, int64_t *d, size_t n);

#endif
