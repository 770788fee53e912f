/* Frame numbers of the few packets that a report names. */
#ifndef CAPDIFF_METRIC_FRAMES_H
#define CAPDIFF_METRIC_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "align/track.h"

/* Of the first copy of `seq`. False if the track lacks it, or without
 * memory. One block is decoded. */
bool cd_frame_of(const struct cd_track *track, int64_t seq, uint64_t *frame);

#endif
