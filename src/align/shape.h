/*
 * What the frames of a stream look like besides their packets. Nearly all look
 * like the first, so only the others are counted, and those at the end.
 */
#ifndef CAPDIFF_ALIGN_SHAPE_H
#define CAPDIFF_ALIGN_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "align/point.h"
#include "frame/frame.h"

struct cd_shape {
	/* of the first frame, as shape_*_of() make them; `lengths` 0: every
	 * frame is looked at */
	uint64_t lengths, kind;
	uint64_t others; /* frames counted on their own */
};

static inline uint64_t shape_lengths_of(const struct cd_frame *frame)
{
	return (uint64_t)frame->payload_bytes << 32 | frame->frame_bytes;
}

static inline uint64_t shape_kind_of(const struct cd_frame *frame)
{
	return (uint64_t)frame->padding_bytes << 32 |
	       (uint32_t)frame->encaps << 16 | frame->flags;
}

/* Then there is nothing to note. */
static inline bool shape_is(const struct cd_shape *shape,
			    const struct cd_frame *frame)
{
	return ((shape_lengths_of(frame) ^ shape->lengths) |
		(shape_kind_of(frame) ^ shape->kind)) == 0;
}

/* A frame that is not like the first, or is the first (stream->packets 1). */
void cd_shape_note(struct cd_shape *shape, struct cd_stream *stream,
		   const struct cd_frame *frame);
/* No more frames: all of stream->packets are counted. */
void cd_shape_finish(const struct cd_shape *shape, struct cd_stream *stream);

#endif
