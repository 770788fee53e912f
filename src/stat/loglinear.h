/*
 * Log-linear buckets of magnitudes (METRICS 8, the layout of HdrHistogram):
 * exact below 2^(p+1), then 2^p buckets an octave, so that a bucket is never
 * wider than its lower end * 2^-p.
 */
#ifndef CAPDIFF_STAT_LOGLINEAR_H
#define CAPDIFF_STAT_LOGLINEAR_H

#include <stddef.h>
#include <stdint.h>

/* All ones if v < 0, else zero: a branch on the sign of noise is wrong half of
 * the time. */
static inline uint64_t cd_sign_mask(int64_t v)
{
	return UINT64_C(0) - (uint64_t)(v < 0);
}

/* |v|, INT64_MIN included. */
static inline uint64_t cd_magnitude(int64_t v)
{
	uint64_t mask = cd_sign_mask(v);

	return ((uint64_t)v ^ mask) - mask;
}

/* Bucket of magnitude m, 0 <= p <= 16. */
static inline size_t cd_loglinear_index(uint64_t m, unsigned p)
{
	unsigned shift = 63 - (unsigned)__builtin_clzll(m | UINT64_C(1) << p);

	shift -= p;
	return ((size_t)shift << p) + (size_t)(m >> shift);
}

/* Buckets that magnitudes up to 2^63 need. */
static inline size_t cd_loglinear_buckets(unsigned p)
{
	return ((size_t)(64 - p) << p) + 1;
}

/* Smallest magnitude of a bucket, and how many magnitudes it holds. */
static inline uint64_t cd_loglinear_low(size_t index, unsigned p)
{
	unsigned shift;

	if (index < (size_t)2 << p)
		return index;
	shift = (unsigned)(index >> p) - 1;
	return (uint64_t)(index - ((size_t)shift << p)) << shift;
}

static inline uint64_t cd_loglinear_width(size_t index, unsigned p)
{
	return index < (size_t)2 << p ? 1
				      : UINT64_C(1) << ((index >> p) - 1);
}

#endif
