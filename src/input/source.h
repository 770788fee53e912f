/*
 * The undermost bytes of an input: a file, FIFO, device or standard input,
 * read in sequence. Nothing but this file talks to the system.
 */
#ifndef CAPDIFF_INPUT_SOURCE_H
#define CAPDIFF_INPUT_SOURCE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "input/input.h"

struct cd_source {
	int fd;
	const uint8_t *bytes, *bytes_end; /* of cd_source_bytes(), else NULL */
	bool owned;   /* to be closed: not standard input */
	bool regular; /* can be opened and read a second time */
	bool waits;   /* a read may block for long */
	bool fifo;    /* whose writer may not be there yet */
	bool begun;   /* a byte came */
	uint64_t size;
	_Atomic uint64_t consumed;
	struct cd_input_wait wait;
};

/* As cd_input_open(). 0 or -1. */
int cd_source_open(struct cd_source *source, const char *path,
		   struct cd_error *error);
/* As cd_input_open_bytes(). */
void cd_source_bytes(struct cd_source *source, const uint8_t *bytes, size_t n);
void cd_source_close(struct cd_source *source);

/* Up to `size` bytes to `to`: their number, 0 at the end, -1 on error. Waits
 * for the first writer of a FIFO. */
ptrdiff_t cd_source_read(struct cd_source *source, uint8_t *to, size_t size,
			 struct cd_error *error);

#endif
