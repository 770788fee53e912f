#include "align/shape.h"

/* Longer frames than any link takes (jumbo frames end at 9,728 bytes) come of
 * receive offload. */
#define OFFLOAD_BYTES 9728

static bool is_odd(const struct cd_frame *frame)
{
	return frame->frame_bytes > OFFLOAD_BYTES ||
	       (frame->flags & (CD_FRAME_LENGTH_0 | CD_FRAME_FRAGMENT)) != 0;
}

static void note_first(struct cd_shape *shape, struct cd_stream *stream,
		       const struct cd_frame *frame)
{
	stream->payload_bytes = frame->payload_bytes;
	stream->frame_bytes = frame->frame_bytes;
	stream->encaps_any = stream->encaps_all = frame->encaps;
	shape->lengths = is_odd(frame) ? 0 : shape_lengths_of(frame);
	shape->kind = shape_kind_of(frame);
}

void cd_shape_note(struct cd_shape *shape, struct cd_stream *stream,
		   const struct cd_frame *frame)
{
	if (stream->packets == 1)
		note_first(shape, stream, frame);
	stream->one_size &= frame->payload_bytes == stream->payload_bytes;
	if (frame->frame_bytes > stream->frame_bytes_max)
		stream->frame_bytes_max = frame->frame_bytes;
	if (frame->frame_bytes > OFFLOAD_BYTES ||
	    (frame->flags & CD_FRAME_LENGTH_0) != 0)
		stream->offload++;
	stream->fragments += (frame->flags & CD_FRAME_FRAGMENT) != 0;
	stream->encaps_any |= frame->encaps;
	stream->encaps_all &= frame->encaps;
	stream->encapsulated += frame->encaps != 0;
	stream->fcs += (frame->flags & CD_FRAME_FCS) != 0;
	stream->padded += frame->padding_bytes != 0;
	shape->others++;
}

void cd_shape_finish(const struct cd_shape *shape, struct cd_stream *stream)
{
	uint64_t like = stream->packets - shape->others;

	if ((shape->kind >> 16 & UINT16_MAX) != 0)
		stream->encapsulated += like;
	if ((shape->kind & CD_FRAME_FCS) != 0)
		stream->fcs += like;
	if (shape->kind >> 32 != 0)
		stream->padded += like;
}
