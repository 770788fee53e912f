#include "sim/fixed.h"

#define LN2_Q56 UINT64_C(49946518145322874)	  /* ln 2 * 2^56 */
#define SQRT2_Q63 UINT64_C(13043817825332782212) /* sqrt 2 * 2^63 */
#define HALF_PI_Q60 INT64_C(1811004864519280711) /* pi/2 * 2^60 */

/* 1/(2j+1) in Q61, j = 0..12 */
#define ODD(j) ((INT64_C(1) << 61) / (2 * (j) + 1))
static const int64_t odd[] = {ODD(0), ODD(1), ODD(2), ODD(3),  ODD(4),
			      ODD(5), ODD(6), ODD(7), ODD(8),  ODD(9),
			      ODD(10), ODD(11), ODD(12)};

/* ln(m / 2^63) for m in [2^63, 2^64), in Q62: 2 atanh((m-1)/(m+1)), with m
 * halved above sqrt 2 so that the argument stays below 0.172 and 13 terms
 * suffice. *halved says so. */
static int64_t ln_mantissa(uint64_t m, int *halved)
{
	uint64_t one, sum;
	int64_t z, square, acc;
	const int last = (int)(sizeof(odd) / sizeof(odd[0])) - 1;

	*halved = m > SQRT2_Q63;
	/* one and m in the same scale, both halved against overflow */
	one = *halved ? UINT64_C(1) << 63 : UINT64_C(1) << 62;
	m >>= 1;
	sum = (m >> 1) + (one >> 1);
	z = (int64_t)(((cd_i128)(int64_t)((m >> 1) - (one >> 1)) *
		       (INT64_C(1) << 62)) / (cd_i128)sum);
	square = (int64_t)(((cd_i128)z * z) >> 62);
	acc = odd[last];
	for (int j = last - 1; j >= 0; j--)
		acc = odd[j] + (int64_t)(((cd_i128)acc * square) >> 62);
	/* acc is Q61; times z (Q62) times 2 gives Q62 */
	return (int64_t)(((cd_i128)acc * z) >> 60);
}

uint64_t cd_fix_neg_ln(uint64_t u)
{
	int shift, halved;
	int64_t ln;
	uint64_t whole;

	if (u == 0)
		return 0;
	shift = __builtin_clzll(u);
	ln = ln_mantissa(u << shift, &halved);
	whole = (uint64_t)(shift + 1 - halved) * LN2_Q56;
	return whole - (uint64_t)(ln >> 6);
}

/* e^f for f in [0, ln 2), Q56, by Horner's scheme on the power series. */
static uint64_t exp_fraction(uint64_t f)
{
	uint64_t acc = CD_FIX_ONE;

	for (uint64_t i = 18; i > 0; i--)
		acc = (uint64_t)CD_FIX_ONE +
		      (uint64_t)(((cd_u128)acc * f) >> 56) / i;
	return acc;
}

int64_t cd_fix_scale_exp(int64_t a, uint64_t y, int64_t limit)
{
	uint64_t doublings = y / LN2_Q56;
	cd_u128 product;

	if (y >= (uint64_t)CD_FIX_ONE * 40)
		return limit;
	/* at most 57 doublings: a * 2^57 * 2^(57 - 56) stays in 128 bits */
	product = (cd_u128)(uint64_t)a * exp_fraction(y % LN2_Q56);
	product = doublings <= 56 ? product >> (56 - doublings)
				  : product << (doublings - 56);
	return product > (cd_u128)(uint64_t)limit ? limit : (int64_t)product;
}

uint64_t cd_fix_sqrt(cd_u128 v)
{
	cd_u128 root = 0, bit = (cd_u128)1 << 126;

	while (bit > v)
		bit >>= 2;
	for (; bit != 0; bit >>= 2) {
		if (v >= root + bit) {
			v -= root + bit;
			root = (root >> 1) + bit;
		} else {
			root >>= 1;
		}
	}
	return (uint64_t)root;
}

/* Power series of the sine on a quarter circle; x in Q60. */
static int64_t sin_quarter(int64_t x)
{
	int64_t square = (int64_t)(((cd_i128)x * x) >> 60);
	int64_t acc = INT64_C(1) << 60;

	for (int i = 20; i > 0; i -= 2)
		acc = (INT64_C(1) << 60) -
		      (int64_t)(((cd_i128)acc * square) >> 60) / (i * (i + 1));
	return (int64_t)(((cd_i128)acc * x) >> 60);
}

int64_t cd_fix_sin(uint64_t turn)
{
	uint64_t rest = turn & (UINT64_MAX >> 2);
	int64_t s;

	if (turn >> 62 & 1)
		rest = (UINT64_C(1) << 62) - rest;
	s = sin_quarter((int64_t)(((cd_u128)rest * HALF_PI_Q60) >> 62)) >> 4;
	return turn >> 63 ? -s : s;
}
