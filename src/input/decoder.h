/*
 * Decompression: a decoder turns the bytes of a feed into other bytes. All
 * decoders are in the table cd_decoders[]; a new one is its own file, a line
 * there and one in Makefile.am.
 */
#ifndef CAPDIFF_INPUT_DECODER_H
#define CAPDIFF_INPUT_DECODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/error.h"
#include "input/input.h"

/* Compressed bytes, buffered: what a decoder reads. */
struct cd_feed {
	const uint8_t *cur, *end; /* not yet consumed, over `buffer` */
	bool at_end;		  /* nothing follows them */
	struct cd_error failed;	  /* why nothing follows them */
	uint8_t *buffer;
	size_t capacity;
	/* The layer below: bytes to `to`; their number, 0 end, -1 error. */
	ptrdiff_t (*pull)(void *below, uint8_t *to, size_t size,
			  struct cd_error *error);
	void *below;
};

/* `n` bytes at feed->cur, n <= feed->capacity. 1: they are there; 0: the end
 * comes before; -1: an error does (either way what is left stays). */
int cd_feed_need(struct cd_feed *feed, size_t n, struct cd_error *error);

#define CD_MAGIC_MAX 6

struct cd_decoder {
	enum cd_compression compression;
	const char *tool; /* the command that inflates to its output */
	uint8_t magic[CD_MAGIC_MAX];
	uint8_t magic_size;
	/* All NULL: known, but cannot be read. */
	const char *codec_name; /* the library that inflates */
	const char *(*version)(void);
	/* The decoder's state, reading from `feed` (borrowed), or NULL. */
	void *(*open)(struct cd_feed *feed, struct cd_error *error);
	/* Some bytes (1..size) to `to`: their number; 0 at a good end; -1:
	 * CD_E_TRUNCATED, CD_E_CORRUPT and others, after all good bytes. */
	ptrdiff_t (*read)(void *decoder, uint8_t *to, size_t size,
			  struct cd_error *error);
	void (*close)(void *decoder);
};

extern const struct cd_decoder *const cd_decoders[]; /* ends with NULL */

extern const struct cd_decoder cd_decoder_gzip_zlib;
extern const struct cd_decoder cd_decoder_gzip_isal; /* with HAVE_ISAL */
extern const struct cd_decoder cd_decoder_zstd;
extern const struct cd_decoder cd_decoder_lz4;

/* The least of the 16 magic numbers of frames that zstd and lz4 pass over:
 * pzstd begins its files with one. Eight bytes, the last four the size of what
 * follows (RFC 8878, 3.1.2). */
#define CD_SKIPPABLE 0x184d2a50u

static inline bool cd_is_skippable(const uint8_t *four_bytes)
{
	return (cd_le32(four_bytes) & 0xfffffff0u) == CD_SKIPPABLE;
}

#endif
