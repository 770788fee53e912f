/* What the clock metric says of a pair, and what others ask of it. */
#ifndef CAPDIFF_METRIC_CLOCK_H
#define CAPDIFF_METRIC_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "metric/metric.h"
#include "stat/cluster.h"

/* Fit: pair->clock, the lanes' theta_ps and what the pair says of bursts, of
 * which `bursts` gets more (packets 0: not counted). 0, or -1 without
 * memory. */
int cd_clock_fit(struct cd_pair *pair, const struct cd_metric_options *options,
		 struct cd_cluster_summary *bursts);

/* The lane with the most matched rows (the first of equals) stands for the
 * pair where one offset is asked for; NULL: nothing matched. */
const struct cd_lane *cd_clock_main_lane(const struct cd_pair *pair);

/* Peak to peak of the block floors; NAN: no fit. */
double cd_clock_wander(const struct cd_clock *clock);

/* d0 + theta on the time line of the captures themselves, where their bases
 * are. False, with `days` set all the same, if it is no int64 of ps. */
bool cd_clock_absolute(const struct cd_analysis *analysis,
		       const struct cd_pair *pair, double theta_ps, int64_t *ps,
		       double *days);

/* Put clock.* (but for the wander) and the findings about it. */
void cd_clock_report(const struct cd_analysis *analysis,
		     const struct cd_pair *pair);

#endif
