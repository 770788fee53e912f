#include "input/decoder.h"

#include <string.h>

/* Known by their first bytes; this build cannot inflate them. */
static const struct cd_decoder zstd = {
	.compression = CD_ZSTD,
	.tool = "zstd -dc",
	.magic = {0x28, 0xb5, 0x2f, 0xfd},
	.magic_size = 4,
};

static const struct cd_decoder lz4 = {
	.compression = CD_LZ4,
	.tool = "lz4 -dc",
	.magic = {0x04, 0x22, 0x4d, 0x18},
	.magic_size = 4,
};

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
	&cd_decoder_gzip, &zstd, &lz4, &xz, &bzip2, NULL,
};

int cd_feed_need(struct cd_feed *feed, size_t n, struct cd_error *error)
{
	while ((size_t)(feed->end - feed->cur) < n) {
		size_t left = (size_t)(feed->end - feed->cur);
		ptrdiff_t got;

		if (feed->at_end)
			return 0;
		memmove(feed->buffer, feed->cur, left);
		got = feed->pull(feed->below, feed->buffer + left,
				 feed->capacity - left, error);
		if (got < 0)
			return -1;
		feed->at_end = got == 0;
		feed->cur = feed->buffer;
		feed->end = feed->buffer + left + got;
	}
	return 1;
}
