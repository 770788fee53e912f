/*
 * Which order statistic a percentile is (METRICS 0.5, RFC 2330 11.3): the
 * smallest value x with F(x) >= p. A p is a whole number of 1/100000, so that
 * ranks are exact: 50000 is the median, 99990 is p99.99.
 */
#ifndef CAPDIFF_STAT_PERCENTILE_H
#define CAPDIFF_STAT_PERCENTILE_H

#include <stdbool.h>
#include <stdint.h>

#define CD_P_ALL UINT32_C(100000)

/* 0-based rank of p among n > 0 sorted values: max(1, ceil(p n)) - 1. */
uint64_t cd_percentile_rank(uint64_t n, uint32_t p);

/* n >= 1/(1-p), or >= 1/p below the median: fit to be printed. */
bool cd_percentile_defined(uint64_t n, uint32_t p);
/* Defined, but with less than ten times that. */
bool cd_percentile_low_confidence(uint64_t n, uint32_t p);

/*
 * 0-based ranks of the distribution-free 95 % interval of p among n > 0
 * values: n p -+ 1.96 sqrt(n p (1-p)), rounded outwards, inside 0..n-1. With
 * bunched values only `n_effective` (1..n, the number of bunches) count as
 * independent; give n where nothing is known.
 */
struct cd_rank_interval {
	uint64_t low, high;
};
struct cd_rank_interval cd_percentile_interval(uint64_t n, uint64_t n_effective,
					       uint32_t p);

/* floor(sqrt(v)) */
uint64_t cd_isqrt(unsigned __int128 v);

#endif
