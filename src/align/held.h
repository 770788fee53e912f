/*
 * The first records of a capture, copied: a sample to find the stamp in, and
 * what a pipe brings while that takes.
 */
#ifndef CAPDIFF_ALIGN_HELD_H
#define CAPDIFF_ALIGN_HELD_H

#include "align/arena.h"
#include "capture/capture.h"
#include "frame/frame.h"
#include "stamp/detect.h"

#define CD_HELD_RECORDS 4096	  /* of the sample */
#define CD_HELD_BYTES (8u << 20) /* about as many captured bytes at most */

struct cd_held {
	struct cd_record *records; /* their data are in `bytes` */
	size_t n, capacity;
	uint64_t n_bytes;
	struct cd_arena bytes;
	/* of the sample, after cd_held_sample() */
	struct cd_frame *frames;
	enum cd_frame_status *status;
	struct cd_instant *times;
	size_t n_sample;
	bool whole; /* nothing follows it */
};

/* All zero is empty. */
void cd_held_release(struct cd_held *held);
/* 0 or -1 (no memory), as all here. */
int cd_held_add(struct cd_held *held, const struct cd_record *record);

static inline bool cd_held_is_enough(const struct cd_held *held)
{
	return held->n >= CD_HELD_RECORDS || held->n_bytes >= CD_HELD_BYTES;
}

/* All records so far are the sample: read their frames. */
int cd_held_sample(struct cd_held *held);
/* What cd_stamp_detect() wants. */
struct cd_sample cd_held_view(const struct cd_held *held);

#endif
