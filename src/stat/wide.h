/*
 * 256-bit integers: sums of products of int64 that cannot overflow before
 * 2^128 terms, whatever the order they are added in.
 */
#ifndef CAPDIFF_STAT_WIDE_H
#define CAPDIFF_STAT_WIDE_H

#include <stdint.h>

/* Two's complement, least significant word first. All zero is zero. */
struct cd_wide {
	uint64_t w[4];
};

struct cd_wide cd_wide_from(__int128 v);
struct cd_wide cd_wide_add(struct cd_wide a, struct cd_wide b);
struct cd_wide cd_wide_sub(struct cd_wide a, struct cd_wide b);
/* Exact as long as the product fits 256 bits. */
struct cd_wide cd_wide_mul(struct cd_wide a, struct cd_wide b);
/* -1, 0, 1 */
int cd_wide_sign(struct cd_wide v);
/* The nearest double, ties to even. */
double cd_wide_double(struct cd_wide v);

/* *sum += a * b */
static inline void cd_wide_add_product(struct cd_wide *sum, int64_t a,
				       int64_t b)
{
	__int128 p = (__int128)a * b;
	unsigned __int128 low = (unsigned __int128)sum->w[1] << 64 | sum->w[0];
	unsigned __int128 high = (unsigned __int128)sum->w[3] << 64 | sum->w[2];
	unsigned __int128 total = low + (unsigned __int128)p;

	high += (unsigned __int128)(p >> 127) + (total < low);
	sum->w[0] = (uint64_t)total;
	sum->w[1] = (uint64_t)(total >> 64);
	sum->w[2] = (uint64_t)high;
	sum->w[3] = (uint64_t)(high >> 64);
}

#endif
