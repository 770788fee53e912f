#include "models.h"

#include <math.h>

#define US 1e6 /* ps */
#define MS 1e9

const char *const model_names[ALL_MODELS] = {
    "Gaussian, 10 us",
    "uniform, 125 us",
    "exponential, 20 us",
    "M1 timer, 125 us",
    "M2 one-shot, 125 us + exp. 1 us",
    "exp. + 1 % Pareto (1 ms) late",
    "exp. + stall of 20 ms every 200 ms",
    "exp. + one stamp 5 ms early",
    "exp. + 0.1 % early (0..-1 ms)",
    "exp. + 1 % early (0..-1 ms)",
    "M1 timer, 1 ms",
    "M1 timer, 20 ms",
};

/* ---- random numbers: splitmix64 ------------------------------------------
 */

static uint64_t draw(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* In (0, 1). */
static double uniform(uint64_t *state)
{
	return ((double)(draw(state) >> 11) + 0.5) / 0x1p53;
}

static double exponential(uint64_t *state, double mean)
{
	return -mean * log(uniform(state));
}

static double gauss(uint64_t *state, double sigma)
{
	double radius = sqrt(-2 * log(uniform(state)));

	return sigma * radius * cos(6.283185307179586 * uniform(state));
}

/* ---- models ---------------------------------------------------------------
 */

struct source {
	enum model model;
	uint64_t state;
	double phase_ps; /* of timers and stalls */
	double fires_ps; /* of the one-shot timer */
	size_t early;	 /* the one early packet */
};

/* Until a timer fires that has run since long ago. */
static double until(double period, double t)
{
	return ceil(t / period) * period - t;
}

static double one_shot(struct source *s, double t)
{
	if (t > s->fires_ps)
		s->fires_ps = t + 125 * US;
	return s->fires_ps - t + exponential(&s->state, 1 * US);
}

/* Packets of a stall come out at its end. */
static double stalled(struct source *s, double t)
{
	double into = fmod(t + s->phase_ps, 200 * MS);
	double late = into < 20 * MS ? 20 * MS - into : 0;

	return late + exponential(&s->state, 20 * US);
}

static double early(struct source *s, double share)
{
	if (uniform(&s->state) < share)
		return -MS * uniform(&s->state);
	return exponential(&s->state, 20 * US);
}

/* The error of packet i, sent at t. */
static double error_of(struct source *s, size_t i, double t)
{
	switch (s->model) {
	case GAUSS:
		return gauss(&s->state, 10 * US);
	case UNIFORM:
		return 125 * US * uniform(&s->state);
	case TIMER:
		return until(125 * US, t + s->phase_ps);
	case TIMER_1MS:
		return until(MS, t + s->phase_ps);
	case TIMER_20MS:
		return until(20 * MS, t + s->phase_ps);
	case ONE_SHOT:
		return one_shot(s, t);
	case LATE_TAIL:
		if (uniform(&s->state) < 0.01)
			return MS / uniform(&s->state);
		break;
	case STALLS:
		return stalled(s, t);
	case ONE_EARLY:
		if (i == s->early)
			return -5 * MS;
		break;
	case SOME_EARLY:
		return early(s, 0.001);
	case MANY_EARLY:
		return early(s, 0.01);
	default:
		break;
	}
	return exponential(&s->state, 20 * US);
}

void model_fill(enum model model, uint64_t seed, double spacing_ps, double y,
		int64_t *x, int64_t *d, size_t n)
{
	struct source s = {.model = model,
			   .state = seed * 1000003 + (uint64_t)model,
			   .fires_ps = -1};

	s.phase_ps = 200 * MS * uniform(&s.state);
	s.early = (size_t)((double)n * uniform(&s.state));
	for (size_t i = 0; i < n; i++) {
		double t = (double)i * spacing_ps;

		/* stamps of both are whole ns */
		x[i] = llround(t / 1000) * 1000;
		d[i] = llround((t * y + error_of(&s, i, t)) / 1000) * 1000;
	}
}

/*
 * sqrt(12 p (1 - p)) / (phi(q_p) T sqrt(n)), p = 0.01. A timer's error takes
 * every value equally often; late and early packets among exponential ones
 * leave p packets below a quantile that moves from p to (p - early) / (on
 * time).
 */
double model_standard_error(enum model model, size_t n, double span_s)
{
	const double p = 0.01;
	double on_time = 1, before = 0, density_us;

	switch (model) {
	case GAUSS: /* phi(-2.3263) */
		density_us = 0.026652 / 10;
		break;
	case UNIFORM:
	case TIMER:
		density_us = 1.0 / 125;
		break;
	case MANY_EARLY: /* where the density jumps from 0.00001 to 0.05 */
	case ONE_SHOT:
		return NAN;
	default:
		on_time = model == LATE_TAIL ? 0.99 : model == STALLS ? 0.9 : 1;
		before = model == SOME_EARLY ? 0.001 : 0;
		density_us = (on_time - before) / 20 *
			     (1 - (p - before) / (on_time - before));
		break;
	}
	return 1e-6 * sqrt(12 * p * (1 - p)) /
	       (density_us * span_s * sqrt((double)n));
}
