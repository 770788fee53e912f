#include "stat/tick.h"

#include <math.h>
#include <string.h>

#define BINS 2000	/* of phase */
#define WINDOW 6	/* 0.3 % of them */
#define SCREEN 1024	/* stamps that a candidate is tried on first */
#define LEAST_TICKS 8	/* that the stamps must span */

typedef unsigned __int128 u128;

static const double two_pi = 6.283185307179586476925;

/* METRICS 3.6, coarsest first. 2^-k s = 5^12 2^(12-k) ps; the ACPI PM timer
 * has 3,579,545 Hz, the HPET four times that. */
static const struct cd_tick candidates[] = {
    {INT64_C(1000000000000), 1}, /* 1 s */
    {INT64_C(15625000000), 1},	 /* 15.625 ms */
    {INT64_C(10000000000), 1},	 /* 10 ms */
    {INT64_C(4000000000), 1},	 /* 4 ms */
    {1000000000, 1},		 /* 1 ms */
    {976562500, 1},		 /* 1/1024 s */
    {100000000, 1},		 /* 100 us */
    {10000000, 1},		 /* 10 us */
    {1000000, 1},		 /* 1 us */
    {244140625, 256},		 /* 2^-20 s */
    {INT64_C(200000000000), 715909}, /* 279.365 ns, ACPI PM timer */
    {244140625, 1024},		 /* 2^-22 s, epoch seconds in a double */
    {100000, 1},		 /* 100 ns, FILETIME */
    {INT64_C(50000000000), 715909}, /* 69.84 ns, HPET */
    {244140625, 4096},		 /* 2^-24 s */
    {40000, 1},
    {20000, 1},
    {16000, 1},
    {10000, 1},
    {8000, 1},
    {244140625, 32768},		 /* 2^-27 s */
    {6400, 1},
    {4000, 1},
    {2000, 1},
};
#define N_CANDIDATES (sizeof(candidates) / sizeof(candidates[0]))
_Static_assert(N_CANDIDATES <= CD_TICK_CANDIDATES, "room for all");

double cd_tick_ps(struct cd_tick q)
{
	return (double)q.num / (double)q.den;
}

void cd_tick_gcd_init(struct cd_tick_gcd *g, int64_t unit_ps)
{
	*g = (struct cd_tick_gcd){.unit_ps = unit_ps};
}

static uint64_t greatest_divisor(uint64_t a, uint64_t b)
{
	while (b != 0) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static void narrow_gcd(struct cd_tick_gcd *g, int64_t t)
{
	uint64_t offset = t < g->first ? (uint64_t)g->first - (uint64_t)t
				       : (uint64_t)t - (uint64_t)g->first;

	if (g->gcd_ps == 0 || offset % g->gcd_ps != 0)
		g->gcd_ps = greatest_divisor(offset, g->gcd_ps);
}

void cd_tick_gcd_add(struct cd_tick_gcd *g, const int64_t *ps, size_t n)
{
	size_t i = 0;

	if (g->n == 0 && n > 0) {
		g->first = g->previous = ps[i++];
		g->previous_delta = INT64_MAX;
	}
	for (; i < n; i++) {
		int64_t delta;

		if (__builtin_sub_overflow(ps[i], g->previous, &delta))
			delta = INT64_MAX;
		g->lifted = (delta == g->unit_ps &&
			     (g->lifted || g->previous_delta == 0)) ||
			    (delta == 0 && g->lifted);
		g->bumps += g->lifted;
		if (!g->lifted && (g->gcd_ps == 0 ||
				   g->gcd_ps > (uint64_t)g->unit_ps))
			narrow_gcd(g, ps[i]);
		g->previous = ps[i];
		g->previous_delta = delta;
	}
	g->n += n;
}

/* v mod m, 0 <= result < m, also for v < 0. */
static uint64_t floor_mod(__int128 v, uint64_t m)
{
	__int128 rest = v % (__int128)m;

	return (uint64_t)(rest < 0 ? rest + (__int128)m : rest);
}

/* (a b) mod m for a < m */
static uint64_t product_mod(uint64_t a, uint64_t b, uint64_t m)
{
	u128 product = (u128)a * b;

	if (product >> 64)
		return (uint64_t)(product % m);
	return (uint64_t)product % m;
}

/* The base's place on the epoch line, mod num, in 1/den ps. */
static uint64_t base_phase(const struct cd_tick_sample *sample,
			   struct cd_tick q)
{
	__int128 ps = (__int128)sample->base.s * CD_PS_PER_S + sample->base.ps;

	return product_mod(floor_mod(ps, (uint64_t)q.num), (uint64_t)q.den,
			   (uint64_t)q.num);
}

static size_t bin_of(uint64_t phase, uint64_t num)
{
	if (num < UINT64_MAX / BINS)
		return (size_t)(phase * BINS / num);
	return (size_t)((u128)phase * BINS / num);
}

/* Count phases (t den mod num)/num of every step-th stamp; how many. */
static size_t count_phases(const struct cd_tick_sample *sample,
			   struct cd_tick q, size_t step, uint32_t bins[BINS])
{
	uint64_t num = (uint64_t)q.num, base = base_phase(sample, q);
	size_t n = 0;

	memset(bins, 0, BINS * sizeof(bins[0]));
	for (size_t i = 0; i < sample->n; i += step) {
		int64_t ps = sample->ps[i] % q.num;
		uint64_t phase = (uint64_t)(ps < 0 ? ps + q.num : ps);

		if (q.den != 1)
			phase = product_mod(phase, (uint64_t)q.den, num);
		phase = phase >= num - base ? phase - (num - base)
					    : phase + base;
		bins[bin_of(phase, num)]++;
		n++;
	}
	return n;
}

/* |mean exp(2 pi i phase)| */
static double coherence(const uint32_t bins[BINS], size_t n)
{
	double re = 0, im = 0;

	for (size_t i = 0; i < BINS; i++) {
		double angle = two_pi * ((double)i + 0.5) / BINS;

		if (bins[i] == 0)
			continue;
		re += bins[i] * cos(angle);
		im += bins[i] * sin(angle);
	}
	return n == 0 ? 0 : sqrt(re * re + im * im) / (double)n;
}

static double best_share(const uint32_t bins[BINS], size_t n)
{
	uint64_t inside = 0, best = 0;

	for (size_t i = 0; i < BINS + WINDOW; i++) {
		inside += bins[i % BINS];
		if (i >= WINDOW)
			inside -= bins[i - WINDOW];
		best = inside > best ? inside : best;
	}
	return n == 0 ? 0 : (double)best / (double)n;
}

struct cd_tick_fit cd_tick_fit(const struct cd_tick_sample *sample,
			       struct cd_tick q)
{
	uint32_t bins[BINS];
	size_t n = count_phases(sample, q, 1, bins);

	return (struct cd_tick_fit){q, coherence(bins, n),
				    best_share(bins, n)};
}

/* A look at a few stamps, evenly spread: chance is far below, a lattice far
 * above 0.8. */
static bool is_promising(const struct cd_tick_sample *sample, struct cd_tick q)
{
	uint32_t bins[BINS];
	size_t n = count_phases(sample, q, sample->n / SCREEN + 1, bins);

	return coherence(bins, n) >= 0.8;
}

/* A clock's stamps stand on its ticks, but for what the unit rounds off, and a
 * few that were lifted or edited; packets sent in batches that begin on a
 * lattice only stand near. */
static bool stands_on(const struct cd_tick_fit *fit, int64_t unit_ps)
{
	double window = cd_tick_ps(fit->q) * WINDOW / BINS;
	double rounded = window / (2 * (double)unit_ps);

	return fit->coherence >= 0.95 &&
	       fit->share >= 0.8 * (rounded < 1 ? rounded : 1);
}

/* From early to late in the sample, a few wild stamps at its ends aside. */
static double extent_ps(const struct cd_tick_sample *sample)
{
	size_t edge = sample->n / 20;

	if (sample->n == 0)
		return 0;
	return fabs((double)sample->ps[sample->n - 1 - edge] -
		    (double)sample->ps[edge]);
}

size_t cd_tick_candidates(const struct cd_tick_sample *sample,
			  struct cd_tick_fit accepted[CD_TICK_CANDIDATES])
{
	double extent = extent_ps(sample);
	size_t n = 0;

	for (size_t i = 0; i < N_CANDIDATES && sample->n > 0; i++) {
		struct cd_tick_fit fit;

		/* a unit of 2^-k s is known rounded to ps only */
		if (cd_tick_ps(candidates[i]) <=
			(double)sample->unit_ps * 1.001 ||
		    cd_tick_ps(candidates[i]) * LEAST_TICKS > extent ||
		    !is_promising(sample, candidates[i]))
			continue;
		fit = cd_tick_fit(sample, candidates[i]);
		if (stands_on(&fit, sample->unit_ps))
			accepted[n++] = fit;
	}
	return n;
}

struct cd_tick_pileup cd_tick_pileup(const struct cd_tick_sample *sample)
{
	struct cd_tick_pileup p = {.n = sample->n};
	__int128 base =
	    (__int128)sample->base.s * CD_PS_PER_S + sample->base.ps;
	u128 thousand = (u128)1000 * (u128)sample->unit_ps;
	double expected = (double)sample->n / 1000;

	for (size_t i = 0; i < sample->n; i++) {
		__int128 rest = (base + sample->ps[i]) % (__int128)thousand;

		if (rest < 0)
			rest += (__int128)thousand;
		p.round += rest < sample->unit_ps;
	}
	p.z = sample->n == 0
		  ? (double)NAN
		  : ((double)p.round - expected) / sqrt(expected * 0.999);
	return p;
}
