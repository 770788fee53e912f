/* For the search for a counter only: which of several readings is meant. */
#ifndef CAPDIFF_STAMP_CHOICE_H
#define CAPDIFF_STAMP_CHOICE_H

#include "stamp/reading.h"

#define CD_READINGS_MAX 32

struct cd_readings {
	struct cd_reading all[CD_READINGS_MAX];
	size_t n;
	bool whole; /* the samples are all that there is */
};

/* Takes the reading over; the 32 with most hits are kept. */
void cd_readings_add(struct cd_readings *readings, struct cd_reading *reading);
void cd_readings_release(struct cd_readings *readings);

/*
 * The reading that is meant becomes the first; what it explains is dropped
 * (bytes of the same counter, check sums, clocks that tick nearly once a
 * packet). True: one of the others, all[1] to all[n - 1], counts the same
 * packets otherwise, and nothing tells which is meant. n 0: none is left.
 */
bool cd_readings_choose(struct cd_readings *readings, size_t n_bodies);

#endif
