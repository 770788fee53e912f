/* gzip (RFC 1952): all members, all checksums. */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/bytes.h"
#include "input/decoder.h"
#include "input/deflate.h"

enum place { BETWEEN_MEMBERS, IN_HEADER, IN_DATA, IN_TRAILER, AT_DAMAGE };

/* FLG of RFC 1952, 2.3.1 */
enum {
	HAS_HEADER_CRC = 0x02,
	HAS_EXTRA = 0x04,
	HAS_NAME = 0x08,
	HAS_COMMENT = 0x10,
	RESERVED = 0xe0
};

struct gzip {
	const struct cd_deflate *deflate;
	void *codec;
	struct cd_feed *feed;
	enum place place;
	bool full; /* the last piece filled its room: more may be waiting */
	struct cd_inflated last;
	uint32_t length;     /* of the member, inflated, modulo 2^32 */
	uint32_t header_crc; /* CRC-32 of the header so far */
};

static void *open_gzip(const struct cd_deflate *deflate, struct cd_feed *feed,
		       struct cd_error *error)
{
	struct gzip *g = calloc(1, sizeof(*g));

	if (g == NULL)
		goto no_memory;
	g->codec = deflate->open();
	if (g->codec == NULL)
		goto no_memory;
	g->deflate = deflate;
	g->feed = feed;
	g->place = IN_HEADER;
	return g;
no_memory:
	cd_error_memory(error);
	free(g);
	return NULL;
}

static void close_gzip(void *decoder)
{
	struct gzip *g = decoder;

	g->deflate->close(g->codec);
	free(g);
}

static int tell_cut(struct cd_error *error)
{
	return cd_error_set(error, CD_E_TRUNCATED,
			    "the gzip data are cut short");
}

static int tell_bad_header(struct cd_error *error, const char *why)
{
	return cd_error_set(error, CD_E_CORRUPT,
			    "the gzip data are damaged (%s)", why);
}

/* Whether damage is found by inflating or by a checksum depends on the
 * library, so that it is not told. */
static int tell_damage(struct cd_error *error)
{
	return cd_error_set(error, CD_E_CORRUPT, "the gzip data are damaged");
}

/* ---- the header ---- */

/* At least `n` bytes are there: 0; else -1. */
static int want(struct gzip *g, size_t n, struct cd_error *error)
{
	int got = cd_feed_need(g->feed, n, error);

	return got == 0 ? tell_cut(error) : got > 0 ? 0 : -1;
}

static void pass(struct gzip *g, size_t n)
{
	g->header_crc = (uint32_t)crc32(g->header_crc, g->feed->cur, (uInt)n);
	g->feed->cur += n;
}

static int pass_extra(struct gzip *g, struct cd_error *error)
{
	size_t left;

	if (want(g, 2, error) < 0)
		return -1;
	left = cd_le16(g->feed->cur);
	pass(g, 2);
	while (left > 0) {
		size_t n;

		if (want(g, 1, error) < 0)
			return -1;
		n = (size_t)(g->feed->end - g->feed->cur);
		if (n > left)
			n = left;
		pass(g, n);
		left -= n;
	}
	return 0;
}

/* A text that ends with a zero byte, of any length. */
static int pass_text(struct gzip *g, struct cd_error *error)
{
	for (;;) {
		struct cd_feed *feed = g->feed;
		const uint8_t *end;

		if (want(g, 1, error) < 0)
			return -1;
		end = memchr(feed->cur, 0, (size_t)(feed->end - feed->cur));
		if (end != NULL) {
			pass(g, (size_t)(end + 1 - feed->cur));
			return 0;
		}
		pass(g, (size_t)(feed->end - feed->cur));
	}
}

static int check_header(struct gzip *g, struct cd_error *error)
{
	uint32_t crc = g->header_crc & 0xffff;

	if (want(g, 2, error) < 0)
		return -1;
	if (cd_le16(g->feed->cur) != crc)
		return tell_bad_header(error, "wrong header checksum");
	g->feed->cur += 2;
	return 0;
}

static int read_header(struct gzip *g, struct cd_error *error)
{
	unsigned method, flags;

	if (want(g, 10, error) < 0)
		return -1;
	method = g->feed->cur[2];
	flags = g->feed->cur[3];
	if (method != Z_DEFLATED)
		return tell_bad_header(error, "unknown compression method");
	if ((flags & RESERVED) != 0)
		return tell_bad_header(error, "unknown header flags");
	g->header_crc = 0;
	pass(g, 10);
	if ((flags & HAS_EXTRA) != 0 && pass_extra(g, error) < 0)
		return -1;
	if ((flags & HAS_NAME) != 0 && pass_text(g, error) < 0)
		return -1;
	if ((flags & HAS_COMMENT) != 0 && pass_text(g, error) < 0)
		return -1;
	if ((flags & HAS_HEADER_CRC) != 0 && check_header(g, error) < 0)
		return -1;
	g->length = 0;
	g->full = false;
	g->place = IN_DATA;
	return 0;
}

/* ---- the data ---- */

/* Bytes made, perhaps 0; -1 on error. */
static ptrdiff_t read_data(struct gzip *g, uint8_t *to, size_t size,
			   struct cd_error *error)
{
	bool nothing;

	/* An error of the feed waits there until its bytes are used. */
	(void)cd_feed_need(g->feed, g->deflate->wants, NULL);
	nothing = g->feed->cur == g->feed->end && !g->full;
	if (nothing && cd_feed_need(g->feed, 1, error) < 0)
		return -1;
	g->deflate->inflate(g->codec, g->feed, to, size, &g->last);
	g->full = g->last.made == size;
	g->length += (uint32_t)g->last.made;
	switch (g->last.status) {
	case CD_DEFLATE_ENDS:
		g->place = IN_TRAILER;
		break;
	case CD_DEFLATE_DAMAGED:
		g->place = AT_DAMAGE;
		break;
	case CD_DEFLATE_NO_MEMORY:
		return cd_error_memory(error);
	case CD_DEFLATE_GOES_ON:
		if (nothing && g->last.made == 0)
			return tell_cut(error);
		break;
	}
	return (ptrdiff_t)g->last.made;
}

/* ---- what follows ---- */

static int read_trailer(struct gzip *g, struct cd_error *error)
{
	uint8_t trailer[8];
	size_t have = g->last.n_rest;

	memcpy(trailer, g->last.rest, have);
	if (want(g, sizeof(trailer) - have, error) < 0)
		return -1;
	memcpy(trailer + have, g->feed->cur, sizeof(trailer) - have);
	g->feed->cur += sizeof(trailer) - have;
	if (cd_le32(trailer) != g->last.crc ||
	    cd_le32(trailer + 4) != g->length)
		return tell_damage(error);
	g->place = BETWEEN_MEMBERS;
	return 0;
}

/* 1 another member begins, 0 nothing but zero padding is left (tape blocks),
 * -1 something else follows. */
static int find_member(struct gzip *g, struct cd_error *error)
{
	struct cd_feed *feed = g->feed;
	int got;

	while ((got = cd_feed_need(feed, 1, error)) == 1 && *feed->cur == 0)
		feed->cur++;
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
		return tell_cut(error);
	g->deflate->reset(g->codec);
	g->place = IN_HEADER;
	return 1;
}

static ptrdiff_t read_gzip(void *decoder, uint8_t *to, size_t size,
			   struct cd_error *error)
{
	struct gzip *g = decoder;
	ptrdiff_t made = 0;
	int status = 1;

	while (made == 0 && status > 0) {
		switch (g->place) {
		case BETWEEN_MEMBERS:
			status = find_member(g, error);
			break;
		case IN_HEADER:
			status = read_header(g, error) < 0 ? -1 : 1;
			break;
		case IN_DATA:
			made = read_data(g, to, size, error);
			break;
		case IN_TRAILER:
			status = read_trailer(g, error) < 0 ? -1 : 1;
			break;
		case AT_DAMAGE:
			return tell_damage(error);
		}
	}
	return status < 0 ? -1 : made;
}

static void *open_with_zlib(struct cd_feed *feed, struct cd_error *error)
{
	return open_gzip(&cd_deflate_zlib, feed, error);
}

const struct cd_decoder cd_decoder_gzip_zlib = {
	.compression = CD_GZIP,
	.tool = "gzip -dc",
	.magic = {0x1f, 0x8b},
	.magic_size = 2,
	.codec_name = "zlib",
	.version = zlibVersion,
	.open = open_with_zlib,
	.read = read_gzip,
	.close = close_gzip,
};

#ifdef HAVE_ISAL
static void *open_with_isal(struct cd_feed *feed, struct cd_error *error)
{
	return open_gzip(&cd_deflate_isal, feed, error);
}

const struct cd_decoder cd_decoder_gzip_isal = {
	.compression = CD_GZIP,
	.tool = "gzip -dc",
	.magic = {0x1f, 0x8b},
	.magic_size = 2,
	.codec_name = "ISA-L",
	.version = cd_isal_version,
	.open = open_with_isal,
	.read = read_gzip,
	.close = close_gzip,
};
#endif
