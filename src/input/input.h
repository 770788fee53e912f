/*
 * Bytes of a file, a FIFO or standard input, inflated on the way, forward
 * only: no seeking, so everything that can be read can be piped. Compressions
 * are known by their first bytes, also inside each other.
 *
 * The reader sees a window [cur, end) of contiguous bytes over one reused
 * buffer (256 KiB, larger only while a single record needs more).
 */
#ifndef CAPDIFF_INPUT_INPUT_H
#define CAPDIFF_INPUT_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/error.h"

enum cd_compression {
	CD_PLAIN,
	CD_GZIP,
	CD_ZSTD,
	CD_LZ4,
	CD_XZ,	 /* known by magic, never readable: a clear error */
	CD_BZIP2 /* likewise */
};

/* Asked before and after a read that may block for long (a pipe): lets the
 * caller give its place to another thread meanwhile. May be NULL. */
struct cd_input_wait {
	void (*before)(void *context);
	void (*after)(void *context);
	void *context;
};

struct cd_input {
	const uint8_t *cur, *end; /* the window: bytes not yet consumed */
	uint64_t base;		  /* offset of `end` in the inflated bytes */
	bool at_end;		  /* nothing follows the window */
	struct cd_input_state *state;
};

/*
 * Open `path` ("-": standard input) without reading: regular files, FIFOs
 * (whose writer may come later) and character devices; a folder is an error
 * (CD_E_FOLDER); no such file: CD_E_OPEN, with a hint that names path.gz,
 * path.zst or path.lz4 if one of them is there. NULL on error.
 */
struct cd_input *cd_input_open(const char *path, struct cd_error *error);
/* The same over `n` bytes in memory, borrowed until it is closed, which
 * messages call `name`. */
struct cd_input *cd_input_open_bytes(const uint8_t *bytes, size_t n,
				     const char *name, struct cd_error *error);
void cd_input_close(struct cd_input *input);
void cd_input_set_wait(struct cd_input *input,
		       const struct cd_input_wait *wait);

/* As it was given to cd_input_open(). */
const char *cd_input_path(const struct cd_input *input);
/* CD_PLAIN until the first cd_input_need(). */
enum cd_compression cd_input_compression(const struct cd_input *input);
const char *cd_compression_name(enum cd_compression compression);
/* The library that inflates it, and its version; NULL: this build cannot. */
const char *cd_compression_library(enum cd_compression compression,
				   const char **version);
/* false for stdin, FIFOs, devices: what cannot be read a second time */
bool cd_input_regular(const struct cd_input *input);
/* bytes read from the file, before inflation, and the size of a regular file
 * (0 if not known): for progress. Safe to call from another thread. */
uint64_t cd_input_consumed(const struct cd_input *input);
uint64_t cd_input_size(const struct cd_input *input);

/* The slow half of cd_input_need(). */
int cd_input_more(struct cd_input *input, size_t n, struct cd_error *error);

/*
 * Make the window at least `n` bytes long, if the file has them.
 * 1: it is. 0: the file ends before (the window holds what is left).
 * -1: error (read, damaged or cut compressed data: CD_E_TRUNCATED when the
 * compressed stream ends early; the window then holds all bytes before it,
 * and the error is reported only once those do not suffice).
 * All bytes: of gzip data cut inside a block zlib may give one or two more than
 * ISA-L, of zstd and lz4 data there are only whole blocks.
 */
static inline int cd_input_need(struct cd_input *input, size_t n,
				struct cd_error *error)
{
	if (CD_LIKELY((size_t)(input->end - input->cur) >= n))
		return 1;
	return cd_input_more(input, n, error);
}

/* Offset of cur in the inflated bytes. */
static inline uint64_t cd_input_offset(const struct cd_input *input)
{
	return input->base - (uint64_t)(input->end - input->cur);
}

/* Pass over `n` bytes, needing no buffer for them: as cd_input_need(). */
int cd_input_skip(struct cd_input *input, uint64_t n, struct cd_error *error);

#endif
