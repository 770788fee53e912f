/*
 * What zstd and lz4 have in common: any number of frames, each with its own
 * magic number, and frames to be skipped between them, which look the same in
 * both (RFC 8878, 3.1.2).
 */
#ifndef CAPDIFF_INPUT_FRAMED_H
#define CAPDIFF_INPUT_FRAMED_H

#include <stddef.h>
#include <stdint.h>

#include "input/decoder.h"

#define CD_FRAMED_FAILED SIZE_MAX

/* The state of such a decoder; the first member of its structure. */
struct cd_framed {
	struct cd_feed *feed;
	const char *name;
	uint32_t magic;	 /* of a frame, little endian */
	size_t at_first; /* bytes that the library wants of a new frame */
	size_t ahead;	 /* and beyond a block: the next one's header */
	void *codec;
	/*
	 * Inflate: *n_in bytes of `in` to at most *n_to at `to`; sets both to
	 * what was used and made. Returns how many bytes the library wants
	 * next, 0 at the end of a frame, or CD_FRAMED_FAILED.
	 */
	size_t (*step)(void *library, const uint8_t *in, size_t *n_in,
		       uint8_t *to, size_t *n_to, struct cd_error *error);
	size_t wanted; /* 0: between frames */
	bool full;     /* the last step filled its room: more may be waiting */
};

/* struct cd_decoder.read for a struct cd_framed. */
ptrdiff_t cd_framed_read(void *framed, uint8_t *to, size_t size,
			 struct cd_error *error);

#endif
