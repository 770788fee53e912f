/* For the search for a counter only: which bytes of the payload count. */
#ifndef CAPDIFF_STAMP_SIEVE_H
#define CAPDIFF_STAMP_SIEVE_H

#include "stamp/bodies.h"

#define CD_SPOTS_MAX 16

/* A byte that may be the lowest of a counter. */
struct cd_spot {
	uint32_t at; /* from the start of the body; or, from its end, 0 the
			last byte */
	bool from_end;
	bool shared; /* counts from packet to packet of the capture, not flow */
	uint32_t repeats;
};

/*
 * Bytes that change by one amount, which is not 0, from packet to packet and
 * again to the next: the CD_SPOTS_MAX where it happens most often. Of bytes at
 * random one in 256 does; a spot needs one in 25, and 8. At most 1,024 packets
 * a capture are looked at. 0, or -1 without memory.
 */
int cd_sieve(const struct cd_bodies *bodies, bool from_end, bool shared,
	     struct cd_spot spots[CD_SPOTS_MAX], size_t *n);

#endif
