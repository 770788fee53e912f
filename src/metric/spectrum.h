/* Exact percentiles of one quantity, over two or three passes. */
#ifndef CAPDIFF_METRIC_SPECTRUM_H
#define CAPDIFF_METRIC_SPECTRUM_H

#include <stddef.h>
#include <stdint.h>

#include "metric/metric.h"
#include "stat/select.h"

#define CD_SPECTRUM_P 8 /* p0.1, 1, 5, 50, 95, 99, 99.9, 99.99 */

struct cd_spectrum {
	struct cd_select *select;
	size_t handle[CD_SPECTRUM_P];
	bool only_moments;
	bool done; /* no further pass needed */
};

/* 0, or -1 without memory; release in any case. With `only_moments` the
 * percentiles are left out (and cost nothing). */
int cd_spectrum_init(struct cd_spectrum *spectrum, bool only_moments);
void cd_spectrum_release(struct cd_spectrum *spectrum);

static inline void cd_spectrum_add(struct cd_spectrum *spectrum,
				   const int64_t *v, size_t n)
{
	if (!spectrum->done)
		cd_select_add(spectrum->select, v, n);
}

/* 1: another pass; 0: complete; -1: no memory. */
int cd_spectrum_end_pass(struct cd_spectrum *spectrum);
/* When complete. `rms` is about the mean. */
void cd_spectrum_fill(const struct cd_spectrum *spectrum,
		      struct cd_distribution *out);

#endif
