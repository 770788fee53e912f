/* gzip (RFC 1952), all members, through zlib. */
#define ZLIB_CONST

#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

#include "input/decoder.h"

struct gzip {
	z_stream z;
	struct cd_feed *feed;
	bool inside; /* a member has begun and not ended */
	bool padded; /* zero bytes followed the last member */
};

static void *open_gzip(struct cd_feed *feed, struct cd_error *error)
{
	struct gzip *g = calloc(1, sizeof(*g));

	if (g == NULL || inflateInit2(&g->z, 15 + 16) != Z_OK) {
		cd_error_memory(error);
		free(g);
		return NULL;
	}
	g->feed = feed;
	g->inside = true;
	return g;
}

static void close_gzip(void *decoder)
{
	struct gzip *g = decoder;

	inflateEnd(&g->z);
	free(g);
}

/* Between members: 1 another one begins, 0 nothing but zero padding is left
 * (tape blocks), -1 something else follows. */
static int begin_member(struct gzip *g, struct cd_error *error)
{
	struct cd_feed *feed = g->feed;
	int got;

	while ((got = cd_feed_need(feed, 1, error)) == 1 && *feed->cur == 0) {
		feed->cur++;
		g->padded = true;
	}
	if (got <= 0)
		return got;
	got = cd_feed_need(feed, 2, error);
	if (got < 0)
		return -1;
	if (feed->cur[0] != 0x1f || (got == 1 && feed->cur[1] != 0x8b))
		return cd_error_set(error, CD_E_CORRUPT,
				    "the gzip data are followed by something "
				    "else");
	if (got == 0)
		return cd_error_set(error, CD_E_TRUNCATED,
				    "the gzip data are cut short");
	if (inflateReset(&g->z) != Z_OK)
		return cd_error_set(error, CD_E_CORRUPT,
				    "the gzip data cannot be inflated");
	g->inside = true;
	return 1;
}

static int explain(struct gzip *g, int status, struct cd_error *error)
{
	if (status == Z_MEM_ERROR)
		return cd_error_memory(error);
	return cd_error_set(error, CD_E_CORRUPT,
			    "the gzip data are damaged (%s)",
			    g->z.msg != NULL ? g->z.msg : "cannot be inflated");
}

/* One call of inflate() with what is in the feed. Bytes made, or -1. */
static ptrdiff_t inflate_some(struct gzip *g, uint8_t *to, size_t size,
			      struct cd_error *error)
{
	struct cd_feed *feed = g->feed;
	size_t left = (size_t)(feed->end - feed->cur);
	uInt room = size > UINT_MAX ? UINT_MAX : (uInt)size;
	uInt given = left > UINT_MAX ? UINT_MAX : (uInt)left;
	int status;

	g->z.next_in = feed->cur;
	g->z.avail_in = given;
	g->z.next_out = to;
	g->z.avail_out = room;
	status = inflate(&g->z, Z_NO_FLUSH);
	feed->cur += given - g->z.avail_in;
	if (status == Z_STREAM_END)
		g->inside = false;
	else if (status != Z_OK && status != Z_BUF_ERROR &&
		 g->z.avail_out == room)
		return explain(g, status, error);
	return (ptrdiff_t)(room - g->z.avail_out);
}

static ptrdiff_t read_gzip(void *decoder, uint8_t *to, size_t size,
			   struct cd_error *error)
{
	struct gzip *g = decoder;

	for (;;) {
		ptrdiff_t made;
		int more;

		if (!g->inside) {
			more = begin_member(g, error);
			if (more <= 0)
				return more;
		}
		more = cd_feed_need(g->feed, 1, error);
		if (more < 0)
			return -1;
		made = inflate_some(g, to, size, error);
		if (made != 0)
			return made;
		if (more == 0 && g->inside)
			return cd_error_set(error, CD_E_TRUNCATED,
					    "the gzip data are cut short");
	}
}

const struct cd_decoder cd_decoder_gzip = {
	.compression = CD_GZIP,
	.tool = "gzip -dc",
	.magic = {0x1f, 0x8b},
	.magic_size = 2,
	.open = open_gzip,
	.read = read_gzip,
	.close = close_gzip,
};
