#include "sim/noise.h"

#include "sim/fixed.h"
#include "sim/units.h"

const char *const cd_noise_names[] = {"uniform", "gauss", "exponential",
				      "pareto", NULL};

static int64_t clamp(cd_i128 v)
{
	if (v > CD_NOISE_MAX_PS)
		return CD_NOISE_MAX_PS;
	if (v < -CD_NOISE_MAX_PS)
		return -CD_NOISE_MAX_PS;
	return (int64_t)v;
}

static int64_t draw_exponential(int64_t mean, struct cd_random *r)
{
	uint64_t x = cd_fix_neg_ln(cd_random_next(r));

	return clamp((cd_i128)x * mean >> 56);
}

/* Marsaglia's polar method; u, v and their square sum in Q62. */
static int64_t draw_gauss(int64_t sigma, struct cd_random *r)
{
	const int64_t one = INT64_C(1) << 62;
	int64_t u, v, s;
	cd_u128 factor; /* -2 ln s / s, Q56 */
	cd_i128 x;	/* u sqrt(factor), Q56 */

	do {
		u = (int64_t)(cd_random_next(r) >> 1) - one;
		v = (int64_t)(cd_random_next(r) >> 1) - one;
		s = (int64_t)(((cd_i128)u * u >> 62) + ((cd_i128)v * v >> 62));
	} while (s >= one || s == 0);
	factor = ((cd_u128)cd_fix_neg_ln((uint64_t)s << 2) << 63) /
		 (uint64_t)s;
	x = (cd_i128)u * (int64_t)cd_fix_sqrt(factor) >> 34;
	return clamp(x * sigma >> 56);
}

/* scale * u^(-1/shape) */
static int64_t draw_pareto(int64_t scale, uint64_t shape, struct cd_random *r)
{
	cd_u128 y = (cd_u128)cd_fix_neg_ln(cd_random_next(r)) * 1000000 / shape;

	if (y >= (cd_u128)CD_FIX_ONE * 40)
		return CD_NOISE_MAX_PS;
	return cd_fix_scale_exp(scale, (uint64_t)y, CD_NOISE_MAX_PS);
}

static int64_t draw(const struct cd_noise *noise, struct cd_random *r)
{
	int64_t scale = noise->scale_ps < 0 ? -noise->scale_ps
					    : noise->scale_ps;
	int64_t v = 0;

	switch (noise->kind) {
	case CD_NOISE_UNIFORM:
		v = clamp((cd_i128)cd_random_below(r, (uint64_t)scale + 1));
		break;
	case CD_NOISE_GAUSS:
		v = draw_gauss(scale, r);
		break;
	case CD_NOISE_EXPONENTIAL:
		v = draw_exponential(scale, r);
		break;
	case CD_NOISE_PARETO:
		v = draw_pareto(scale, noise->shape, r);
		break;
	}
	return noise->scale_ps < 0 ? -v : v;
}

int64_t cd_noise_draw(const struct cd_noises *noises, struct cd_random *r)
{
	int64_t sum = 0;

	for (size_t i = 0; i < noises->n; i++) {
		const struct cd_noise *noise = &noises->items[i];

		if (noise->share < CD_SHARE_ONE &&
		    cd_random_below(r, CD_SHARE_ONE) >= noise->share)
			continue;
		sum += draw(noise, r);
	}
	return sum;
}
