#define ZLIB_CONST

#include "input/deflate.h"

#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

struct zlib {
	z_stream z;
	uint32_t crc;
};

static void *open_zlib(void)
{
	struct zlib *l = calloc(1, sizeof(*l));

	if (l == NULL || inflateInit2(&l->z, -MAX_WBITS) != Z_OK) {
		free(l);
		return NULL;
	}
	return l;
}

static void close_zlib(void *library)
{
	struct zlib *l = library;

	inflateEnd(&l->z);
	free(l);
}

static void reset_zlib(void *library)
{
	struct zlib *l = library;

	(void)inflateReset(&l->z);
	l->crc = 0;
}

static enum cd_deflate_status translate(int status)
{
	switch (status) {
	case Z_STREAM_END:
		return CD_DEFLATE_ENDS;
	case Z_OK:
	case Z_BUF_ERROR:
		return CD_DEFLATE_GOES_ON;
	case Z_MEM_ERROR:
		return CD_DEFLATE_NO_MEMORY;
	default:
		return CD_DEFLATE_DAMAGED;
	}
}

static void inflate_zlib(void *library, struct cd_feed *feed, uint8_t *to,
			 size_t size, struct cd_inflated *result)
{
	struct zlib *l = library;
	size_t left = (size_t)(feed->end - feed->cur);
	uInt room = size > UINT_MAX ? UINT_MAX : (uInt)size;

	l->z.next_in = feed->cur;
	l->z.avail_in = left > UINT_MAX ? UINT_MAX : (uInt)left;
	l->z.next_out = to;
	l->z.avail_out = room;
	result->status = translate(inflate(&l->z, Z_NO_FLUSH));
	feed->cur = l->z.next_in;
	result->made = room - l->z.avail_out;
	l->crc = (uint32_t)crc32(l->crc, to, room - l->z.avail_out);
	result->crc = l->crc;
	result->n_rest = 0;
}

const struct cd_deflate cd_deflate_zlib = {
	.wants = 1,
	.open = open_zlib,
	.close = close_zlib,
	.reset = reset_zlib,
	.inflate = inflate_zlib,
};
