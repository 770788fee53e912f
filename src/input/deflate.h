/*
 * Raw deflate data (RFC 1951), inflated by one library or another. What is
 * around them (headers, checksums, members) is read by gzip.c alone, so that
 * all libraries give the same bytes and the same errors.
 */
#ifndef CAPDIFF_INPUT_DEFLATE_H
#define CAPDIFF_INPUT_DEFLATE_H

#include <stddef.h>
#include <stdint.h>

#include "input/decoder.h"

enum cd_deflate_status {
	CD_DEFLATE_GOES_ON,
	CD_DEFLATE_ENDS,
	CD_DEFLATE_DAMAGED, /* after the bytes made; not to be called again */
	CD_DEFLATE_NO_MEMORY
};

#define CD_DEFLATE_REST 8

struct cd_inflated {
	enum cd_deflate_status status;
	size_t made;  /* bytes written */
	uint32_t crc; /* CRC-32 of all bytes of the stream so far */
	/* At the end: bytes taken from the feed which follow the stream. */
	uint8_t rest[CD_DEFLATE_REST];
	size_t n_rest;
};

struct cd_deflate {
	/* How many bytes should be in the feed, unless it ends before. At most
	 * its capacity. */
	size_t wants;
	/* Ready for a stream, or NULL: no memory. */
	void *(*open)(void);
	void (*close)(void *library);
	/* Ready for another stream. */
	void (*reset)(void *library);
	/* Up to `size` bytes to `to`, of what is in the feed now: the caller
	 * refills it. What it makes of a stream, and be it cut or damaged, does
	 * not depend on how the bytes arrive. */
	void (*inflate)(void *library, struct cd_feed *feed, uint8_t *to,
			size_t size, struct cd_inflated *result);
};

extern const struct cd_deflate cd_deflate_zlib;
extern const struct cd_deflate cd_deflate_isal; /* with HAVE_ISAL */
const char *cd_isal_version(void);

#endif
