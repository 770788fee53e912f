#include "config.h"

#include "input/decoder.h"

#include <string.h>

/* Known by their first bytes; this build cannot inflate them. */
#ifndef HAVE_ZSTD
const struct cd_decoder cd_decoder_zstd = {
	.compression = CD_ZSTD,
	.tool = "zstd -dc",
	.magic = {0x28, 0xb5, 0x2f, 0xfd},
	.magic_size = 4,
};
#endif

#ifndef HAVE_LZ4
const struct cd_decoder cd_decoder_lz4 = {
	.compression = CD_LZ4,
	.tool = "lz4 -dc",
	.magic = {0x04, 0x22, 0x4d, 0x18},
	.magic_size = 4,
};
#endif

static const struct cd_decoder xz = {
	.compression = CD_XZ,
	.tool = "xz -dc",
	.magic = {0xfd, '7', 'z', 'X', 'Z', 0},
	.magic_size = 6,
};

static const struct cd_decoder bzip2 = {
	.compression = CD_BZIP2,
	.tool = "bzip2 -dc",
	.magic = {'B', 'Z', 'h'},
	.magic_size = 3,
};

const struct cd_decoder *const cd_decoders[] = {
#ifdef HAVE_ISAL
	&cd_decoder_gzip_isal,
#else
	&cd_decoder_gzip_zlib,
#endif
	&cd_decoder_zstd,
	&cd_decoder_lz4,
	&xz,
	&bzip2,
	NULL,
};

int cd_feed_need(struct cd_feed *feed, size_t n, struct cd_error *error)
{
	while ((size_t)(feed->end - feed->cur) < n) {
		size_t left = (size_t)(feed->end - feed->cur);
		ptrdiff_t got;

		if (feed->at_end)
			return 0;
		if (feed->failed.fault != CD_OK) {
			if (error != NULL && error->fault == CD_OK)
				*error = feed->failed;
			return -1;
		}
		memmove(feed->buffer, feed->cur, left);
		feed->cur = feed->buffer;
		feed->end = feed->buffer + left;
		got = feed->pull(feed->below, feed->buffer + left,
				 feed->capacity - left, &feed->failed);
		feed->at_end = got == 0;
		if (got > 0)
			feed->end += got;
	}
	return 1;
}
