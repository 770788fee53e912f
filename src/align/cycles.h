/*
 * Fields that go round: a capture that began a cycle later than another counts
 * its numbers from another multiple of the cycle. Made to agree here, once all
 * captures are read.
 */
#ifndef CAPDIFF_ALIGN_CYCLES_H
#define CAPDIFF_ALIGN_CYCLES_H

#include "align/point.h"
#include "stamp/stamp.h"

/*
 * Shift epochs by whole cycles so that the packets of each stream have the
 * same numbers in all captures. The sampled identities decide where they tell
 * packets apart; else the shift with the smallest difference in time, clocks
 * being supposed right to half a cycle. 0 or -1 (no memory).
 */
int cd_cycles_align(struct cd_point *points, size_t n,
		    const struct cd_stamp_spec *spec);

#endif
