/*
 * How often the magnitude of a quantity is above what: the curve that charts
 * draw (report/series.h), over the passes of the quantity's own measurement.
 */
#ifndef CAPDIFF_METRIC_EXCEEDANCE_H
#define CAPDIFF_METRIC_EXCEEDANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/report.h"
#include "stat/histogram.h"
#include "stat/select.h"

#define CD_EXCEEDANCE_P 5 /* p50, 90, 99, 99.9, 99.99 */

struct cd_exceedance {
	struct cd_histogram histogram;
	struct cd_select *select;
	size_t handle[CD_EXCEEDANCE_P];
	bool counted; /* the first pass is over */
	bool done;    /* no further pass needed */
};

/* 0, or -1 without memory; release in any case. */
int cd_exceedance_init(struct cd_exceedance *e);
void cd_exceedance_release(struct cd_exceedance *e);
/* As cd_select_aim(), with values of any sign; overwrites the sample. */
int cd_exceedance_aim(struct cd_exceedance *e, int64_t *sample, size_t n,
		      uint64_t total);
/* `scratch`: room for n. */
void cd_exceedance_add(struct cd_exceedance *e, const int64_t *v, size_t n,
		       int64_t *scratch);
/* 1: another pass; 0: complete; -1: no memory. */
int cd_exceedance_end_pass(struct cd_exceedance *e);
/* When complete, as time.error.exceedance. */
void cd_exceedance_put(const struct cd_exceedance *e, struct cd_report *report,
		       uint32_t point);

#endif
