/* What a wire can carry: the shortest time between two frames (METRICS 3.5). */
#ifndef CAPDIFF_METRIC_PHYSICS_H
#define CAPDIFF_METRIC_PHYSICS_H

#include <stdint.h>

#include "metric/metric.h"
#include "metric/sample.h"

/*
 * Deltas below this cannot have been on a link of `link_bps` bit/s between
 * frames of at least `bytes` octets with FCS: preamble, frame, the shortest
 * gap a receiver may see, less 200 ppm and one tick. 0 or less: the clock is
 * too coarse to tell.
 */
int64_t cd_physics_threshold_ps(double link_bps, uint32_t bytes,
				int64_t tick_ps);

/* Share of the deltas of neighbours that are those of frames back to back on
 * such a link. 0 if the clock is too coarse to tell, or if others are closer
 * than that: then it is not the wire that set them. */
double cd_physics_back_to_back(const struct cd_sample_times *times,
			       const struct cd_metric_options *options,
			       double link_bps, int64_t tick_ps);

#endif
