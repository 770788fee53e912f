/* For the search for a counter only: clocks that look like one. */
#ifndef CAPDIFF_STAMP_CLOCKS_H
#define CAPDIFF_STAMP_CLOCKS_H

#include "stamp/reading.h"

/*
 * Is the field the time of day, or part of it, as the captures' own times show?
 * A transmit time that a generator wrote at a constant rate grows by a constant
 * step, until the rate changes. Needs samples with times.
 */
bool cd_reading_is_clock(const struct cd_reading *reading,
			 const struct cd_bodies *bodies,
			 const struct cd_ground *ground);

#endif
