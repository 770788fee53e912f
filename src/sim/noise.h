/* Random delays. */
#ifndef CAPDIFF_SIM_NOISE_H
#define CAPDIFF_SIM_NOISE_H

#include <stddef.h>
#include <stdint.h>

#include "sim/random.h"

#define CD_NOISE_MAX_PS (INT64_C(1000) * 1000000000000) /* 1000 s */

enum cd_noise_kind {
	CD_NOISE_UNIFORM,     /* 0 .. scale */
	CD_NOISE_GAUSS,	      /* mean 0, standard deviation scale */
	CD_NOISE_EXPONENTIAL, /* mean scale */
	CD_NOISE_PARETO	      /* at least scale, exponent shape */
};

struct cd_noise {
	enum cd_noise_kind kind;
	int64_t scale_ps;   /* negative: early instead of late */
	uint64_t shape;	    /* millionths, Pareto only */
	uint64_t share;	    /* of the packets, in 10^-12 */
};

/* Independent, added up. */
struct cd_noises {
	struct cd_noise *items;
	size_t n, capacity;
};

/* In ps; each term at most CD_NOISE_MAX_PS in size. */
int64_t cd_noise_draw(const struct cd_noises *noises, struct cd_random *r);

/* Names by enum cd_noise_kind, for scenarios and the truth. */
extern const char *const cd_noise_names[];

#endif
