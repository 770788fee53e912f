/* What a wire can carry: the shortest time between two frames (METRICS 3.5). */
#ifndef CAPDIFF_METRIC_PHYSICS_H
#define CAPDIFF_METRIC_PHYSICS_H

#include <stdint.h>

/*
 * Deltas below this cannot have been on a link of `link_bps` bit/s between
 * frames of at least `bytes` octets with FCS: preamble, frame, the shortest
 * gap a receiver may see, less 200 ppm and one tick. 0 or less: the clock is
 * too coarse to tell.
 */
int64_t cd_physics_threshold_ps(double link_bps, uint32_t bytes,
				int64_t tick_ps);

#endif
