/* Digests of a sample of packets: to tell two trials with the same numbers
 * apart. */
#ifndef CAPDIFF_ALIGN_IDENTITY_H
#define CAPDIFF_ALIGN_IDENTITY_H

#include "align/track.h"
#include "frame/frame.h"
#include "stamp/stamp.h"

/* Where a stamp's number is: left out of the digests, so that they say whether
 * anything else tells packets apart. */
struct cd_number_place {
	uint8_t base; /* CD_AT_* */
	uint8_t width;
	int32_t at;
	bool known;
};

struct cd_number_place cd_number_place(const struct cd_stamp_spec *spec);

/* All of `out` but seq. */
void cd_identity_take(const struct cd_number_place *place,
		      const struct cd_frame *frame,
		      const struct cd_stamp *stamp, struct cd_identity *out);

#endif
