/*
 * Random numbers of our own: xoshiro256++ (Blackman and Vigna), seeded by
 * splitmix64. Every purpose of every point has its own stream, named, so that
 * a change to one leaves the others alone.
 */
#ifndef CAPDIFF_SIM_RANDOM_H
#define CAPDIFF_SIM_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

struct cd_random {
	uint64_t s[4];
};

/* One for (seed, owner, purpose): "laptop", "loss". */
struct cd_random cd_random_init(uint64_t seed, const char *owner,
				const char *purpose);

/* A bijection of 64 bits that looks random (splitmix64's last step). */
static inline uint64_t cd_random_mix(uint64_t x)
{
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

static inline uint64_t cd_random_rotate(uint64_t x, int k)
{
	return x << k | x >> (64 - k);
}

/* 64 random bits. */
static inline uint64_t cd_random_next(struct cd_random *r)
{
	uint64_t *s = r->s;
	uint64_t result = cd_random_rotate(s[0] + s[3], 23) + s[0];
	uint64_t t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = cd_random_rotate(s[3], 45);
	return result;
}

/* 0 .. n-1; n > 0. */
static inline uint64_t cd_random_below(struct cd_random *r, uint64_t n)
{
	return (uint64_t)((unsigned __int128)cd_random_next(r) * n >> 64);
}

/* A probability of `numerator` / `denominator` as a limit for
 * cd_random_hit(); UINT64_MAX is always. */
uint64_t cd_random_limit(unsigned __int128 numerator,
			 unsigned __int128 denominator);

static inline bool cd_random_hit(struct cd_random *r, uint64_t limit)
{
	return limit != 0 && (cd_random_next(r) < limit || limit == UINT64_MAX);
}

#endif
