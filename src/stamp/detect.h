/*
 * Which stamp do these captures carry? Decided once for all captures, by
 * consistency over a sample of each, never per packet.
 */
#ifndef CAPDIFF_STAMP_DETECT_H
#define CAPDIFF_STAMP_DETECT_H

#include "base/error.h"
#include "base/str.h"
#include "stamp/stamp.h"

/* Packets at the start of one capture, in file order; the frames' bytes are
 * the caller's and stay put during the call. */
struct cd_sample {
	const struct cd_frame *frames;
	const enum cd_frame_status *status;
	size_t n;
};

struct cd_detection {
	struct cd_stamp_spec spec; /* the choice; spec.format NULL: none found */
	double share[64];	   /* of each capture's sample that carries it */
	/* Other formats that fit some packets, and what was tried, in words. */
	struct cd_str others, tried;
	bool ambiguous;		   /* `tried` lists the candidates */
	bool cut;		   /* headers or stamps beyond the snaplen */
};

/*
 * Never fails for want of a stamp (spec.format NULL then); -1 only without
 * memory. Release with cd_detection_release().
 */
int cd_stamp_detect(const struct cd_sample *samples, size_t n_captures,
		    struct cd_detection *out, struct cd_error *error);
void cd_detection_release(struct cd_detection *detection);

#endif
