/* For the search for a counter only: from a reading to a --stamp argument. */
#ifndef CAPDIFF_STAMP_CONFINE_H
#define CAPDIFF_STAMP_CONFINE_H

#include "stamp/reading.h"

/*
 * The argument that reads what counts, and as little else as can be said with
 * it: not even packets that come after the samples. A port that all packets
 * that count share, or a range that theirs lie in, says which they are, and
 * does as well as the protocol; IP protocol and ethertype are said of others.
 * False if for ten packets that count it would read more than one that does
 * not: whoever uses it would count packets that are none of the stream's.
 */
bool cd_confine(const struct cd_reading *reading,
		const struct cd_bodies *bodies, const struct cd_ground *ground,
		struct cd_stamp_spec *spec);

#endif
