/* Alarms about a fit and what it left (METRICS 4.4). */
#ifndef CAPDIFF_METRIC_SUSPECT_H
#define CAPDIFF_METRIC_SUSPECT_H

#include "metric/measure.h"
#include "metric/metric.h"

/* Adds findings. */
void cd_suspect(const struct cd_analysis *analysis, const struct cd_pair *pair,
		const struct cd_measured *measured);

#endif
