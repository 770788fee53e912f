/* Bunches of stamps under their keys. */
#ifndef CAPDIFF_METRIC_BURSTS_H
#define CAPDIFF_METRIC_BURSTS_H

#include "metric/put.h"
#include "stat/cluster.h"

void cd_bursts_put(const struct cd_place *place,
		   const struct cd_cluster_summary *bursts);
/* All of them null. */
void cd_bursts_put_none(const struct cd_place *place, const char *reason);

#endif
