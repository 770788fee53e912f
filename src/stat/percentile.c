#include "stat/percentile.h"

#include <assert.h>

typedef unsigned __int128 u128;

uint64_t cd_isqrt(u128 v)
{
	uint64_t root = 0;

	for (int bit = 63; bit >= 0; bit--) {
		uint64_t next = root | UINT64_C(1) << bit;

		if ((u128)next * next <= v)
			root = next;
	}
	return root;
}

uint64_t cd_percentile_rank(uint64_t n, uint32_t p)
{
	u128 k = ((u128)n * p + CD_P_ALL - 1) / CD_P_ALL;

	assert(n > 0 && p <= CD_P_ALL);
	return k == 0 ? 0 : (uint64_t)k - 1;
}

/* n times the share beyond p on its thinner side, in 1/100000; extremes are
 * always there. */
static u128 beyond(uint64_t n, uint32_t p)
{
	uint32_t share = p <= CD_P_ALL / 2 ? p : CD_P_ALL - p;

	if (p == 0 || p == CD_P_ALL)
		return n == 0 ? 0 : ~(u128)0;
	return (u128)n * share;
}

bool cd_percentile_defined(uint64_t n, uint32_t p)
{
	return beyond(n, p) >= CD_P_ALL;
}

bool cd_percentile_low_confidence(uint64_t n, uint32_t p)
{
	return cd_percentile_defined(n, p) && beyond(n, p) < 10 * CD_P_ALL;
}

/* ceil(10^5 * 1.96 n sqrt(p(1-p)/n_eff)); below 2^40 values the square fits
 * 128 bits, above that it is scaled and rounded up. */
static u128 half_width(uint64_t n, uint64_t n_effective, uint32_t p)
{
	unsigned shift = 0;
	u128 square;
	uint64_t root;

	while (n >> shift >> 40)
		shift++;
	n = (n >> shift) + (shift > 0);
	square = (u128)n * n * (38416 * (uint64_t)p * (CD_P_ALL - p));
	square /= (u128)10000 * n_effective;
	root = cd_isqrt(square);
	return (u128)(root + 1) << shift;
}

struct cd_rank_interval cd_percentile_interval(uint64_t n,
					       uint64_t n_effective,
					       uint32_t p)
{
	u128 middle = (u128)n * p, half = half_width(n, n_effective, p);
	u128 low = middle > half ? (middle - half) / CD_P_ALL : 0;
	u128 high = (middle + half + CD_P_ALL - 1) / CD_P_ALL;

	assert(n > 0 && n_effective > 0 && p <= CD_P_ALL);
	low = low > 0 ? low - 1 : 0;
	high = high > 0 ? high - 1 : 0;
	return (struct cd_rank_interval){
	    .low = (uint64_t)(low < n ? low : n - 1),
	    .high = (uint64_t)(high < n ? high : n - 1),
	};
}
