/* Seeded noise for the tests of stat: xorshift64*, never rand(). */
#ifndef CAPDIFF_TESTS_STAT_RANDOM_H
#define CAPDIFF_TESTS_STAT_RANDOM_H

#include <math.h>
#include <stdint.h>

struct noise {
	uint64_t state;
};

static inline struct noise noise_seed(uint64_t seed)
{
	return (struct noise){seed * UINT64_C(0x9e3779b97f4a7c15) + 1};
}

static inline uint64_t noise_bits(struct noise *r)
{
	r->state ^= r->state >> 12;
	r->state ^= r->state << 25;
	r->state ^= r->state >> 27;
	return r->state * UINT64_C(2685821657736338717);
}

/* In (0, 1). */
static inline double noise_uniform(struct noise *r)
{
	return ((double)(noise_bits(r) >> 11) + 0.5) / 9007199254740992.0;
}

static inline double noise_exponential(struct noise *r, double mean)
{
	return -mean * log(noise_uniform(r));
}

static inline double noise_gauss(struct noise *r, double sigma)
{
	double radius = sqrt(-2 * log(noise_uniform(r)));

	return sigma * radius * cos(6.283185307179586 * noise_uniform(r));
}

/* Below n. */
static inline uint64_t noise_below(struct noise *r, uint64_t n)
{
	return (uint64_t)(((unsigned __int128)noise_bits(r) * n) >> 64);
}

#endif
