/*
 * The steady part of a stream: runs of packets that differ from one before
 * them in nothing but the number, which rises by one, the time and content
 * that nothing depends on. They are recognised by comparing bytes and added
 * by the run, with the same result as one by one.
 */
#ifndef CAPDIFF_ALIGN_STEADY_H
#define CAPDIFF_ALIGN_STEADY_H

#include "align/flows.h"
#include "capture/capture.h"

#define CD_STEADY_WORDS (CD_BURST_READABLE / 8)

struct cd_steady {
	bool known;		  /* what follows is of some packet */
	unsigned patience, waits; /* packets to pass by after a failure */

	struct cd_flow *flow;
	struct cd_burst burst;
	uint32_t frame_bytes;
	/* words of 8 bytes, compared where `fixed` has ones */
	uint64_t bytes[CD_STEADY_WORDS], fixed[CD_STEADY_WORDS];
	size_t number_end; /* of the number, in bytes from the frame's start */
	unsigned number_shift;
	uint64_t number_mask;
	bool little;
};

/*
 * A packet was added to flows->last as CD_STAMP_YES: is it worth trying to go
 * on with cd_steady_add()?
 */
bool cd_steady_begin(struct cd_steady *steady, const struct cd_flows *flows,
		     const struct cd_record *record,
		     const struct cd_frame *frame);

/*
 * Take some of the next records, if they go on with the flow: how many, 0 if
 * none do, -1 without memory. After cd_steady_begin(), until it gives 0.
 */
ptrdiff_t cd_steady_add(struct cd_steady *steady, struct cd_capture *capture);

/* In all `n` were taken. */
void cd_steady_end(struct cd_steady *steady, size_t n);

#endif
