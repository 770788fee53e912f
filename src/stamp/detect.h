/*
 * Which stamp do these captures carry? Decided once for all captures, by
 * consistency over a sample of each, never per packet.
 */
#ifndef CAPDIFF_STAMP_DETECT_H
#define CAPDIFF_STAMP_DETECT_H

#include "base/error.h"
#include "base/str.h"
#include "base/time.h"
#include "stamp/stamp.h"

#define CD_SAMPLES_MAX 64

/* Packets at the start of one capture, in file order; the frames' bytes are
 * the caller's and stay put during the call. */
struct cd_sample {
	const struct cd_frame *frames;
	const enum cd_frame_status *status;
	size_t n;
	/* Capture times; NULL: not known. They only break ties between formats
	 * that read the same bytes. */
	const struct cd_instant *times;
	bool whole; /* no packets follow */
};

struct cd_detection {
	struct cd_stamp_spec spec; /* the choice; spec.format NULL: none found */
	double share[CD_SAMPLES_MAX]; /* of each sample that carries it */
	/* Other formats that fit other packets ("ping (12 %)"), and what was
	 * tried ("pktgen, iperf2"), in words. */
	struct cd_str others, tried;
	bool ambiguous;		   /* none chosen; `tried` lists the candidates */
	bool cut;		   /* in a tenth or more of some sample, headers
				      or stamps lie beyond the snaplen */
};

/*
 * The format that most captures carry in 1 % or more of their packets, and of
 * those the one whose smallest share is largest. Formats without a magic need
 * ten packets of one flow that fit each other; of formats that read the same
 * packets the one that proves more wins. If there is none, or only one that
 * proves little in a few packets: a counter anywhere in the payload that all
 * captures carry (counter.h). n_captures <= CD_SAMPLES_MAX. O(p log p) in the
 * packets of a sample, and O(its bytes) where payloads are searched.
 *
 * Never fails for want of a stamp (spec.format NULL then); -1 only without
 * memory. Release with cd_detection_release().
 */
int cd_stamp_detect(const struct cd_sample *samples, size_t n_captures,
		    struct cd_detection *out, struct cd_error *error);
void cd_detection_release(struct cd_detection *detection);

#endif
