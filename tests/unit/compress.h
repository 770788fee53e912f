/* Compressed data for tests, made by the libraries' own compressors. */
#ifndef CAPDIFF_TESTS_UNIT_COMPRESS_H
#define CAPDIFF_TESTS_UNIT_COMPRESS_H

#include "config.h"

#include <zlib.h>
#ifdef HAVE_LZ4
#include <lz4frame.h>
#endif
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "build.h"
#include "input/decoder.h"

#define WHOLE ((size_t)1 << 30) /* a piece that is everything */

/* Where the compressor was made to flush: all of the first `plain` bytes can
 * be inflated from the first `packed` ones. */
struct marks {
	size_t n;
	struct {
		size_t packed, plain;
	} at[64];
};

static inline void put_mark(struct marks *marks, size_t packed, size_t plain)
{
	if (marks == NULL)
		return;
	cr_assert_lt(marks->n, sizeof(marks->at) / sizeof(marks->at[0]));
	marks->at[marks->n].packed = packed;
	marks->at[marks->n].plain = plain;
	marks->n++;
}

/* How many bytes must come of the first `packed` ones. */
static inline size_t due(const struct marks *marks, size_t packed)
{
	size_t plain = 0;

	for (size_t i = 0; i < marks->n && marks->at[i].packed <= packed; i++)
		plain = marks->at[i].plain;
	return plain;
}

/* Like packets: some of it repeats, some is random, some is always zero. */
static inline struct build make_plain(size_t n)
{
	struct build b = {0};
	uint32_t random = 12345;

	for (size_t i = 0; i < n; i++) {
		size_t in_record = i % 120;
		uint64_t byte = in_record;

		random = random * 1664525u + 1013904223u;
		if (in_record < 4)
			byte = i / 120 >> 8 * in_record;
		else if (in_record < 16)
			byte = random >> 24;
		else if (in_record > 100)
			byte = 0;
		put(&b, byte, 1);
	}
	return b;
}

/* ---- gzip ---- */

struct how_gzip {
	int level, strategy;
	gz_header *header;
};

static inline void deflate_some(z_stream *z, struct build *b, int flush)
{
	uint8_t out[4096];

	do {
		int status;

		z->next_out = out;
		z->avail_out = sizeof(out);
		status = deflate(z, flush);
		cr_assert(status == Z_OK || status == Z_STREAM_END ||
			  status == Z_BUF_ERROR);
		put_bytes(b, out, sizeof(out) - z->avail_out);
	} while (z->avail_out == 0);
}

/* One member, flushed every `piece` bytes. */
static inline void put_gzip_as(struct build *b, const struct build *plain,
			       size_t piece, struct marks *marks,
			       struct how_gzip how)
{
	z_stream z = {0};

	cr_assert_eq(deflateInit2(&z, how.level, Z_DEFLATED, 15 + 16, 8,
				  how.strategy), Z_OK);
	if (how.header != NULL)
		cr_assert_eq(deflateSetHeader(&z, how.header), Z_OK);
	for (size_t at = 0; at < plain->n;) {
		size_t n = plain->n - at < piece ? plain->n - at : piece;

		z.next_in = plain->bytes + at;
		z.avail_in = (uInt)n;
		deflate_some(&z, b, Z_SYNC_FLUSH);
		at += n;
		put_mark(marks, b->n, at);
	}
	deflate_some(&z, b, Z_FINISH);
	deflateEnd(&z);
}

static inline void put_gzip(struct build *b, const struct build *plain,
			    size_t piece, struct marks *marks)
{
	struct how_gzip how = {6, Z_DEFAULT_STRATEGY, NULL};

	put_gzip_as(b, plain, piece, marks, how);
}

/* ---- zstd ---- */

#ifdef HAVE_ZSTD
struct how_zstd {
	int level, checksum, window_log;
};

static inline void zstd_some(ZSTD_CCtx *z, struct build *b,
			     const uint8_t *bytes, size_t n,
			     ZSTD_EndDirective flush)
{
	ZSTD_inBuffer in = {.src = bytes, .size = n};
	size_t left;

	do {
		uint8_t out[4096];
		ZSTD_outBuffer o = {.dst = out, .size = sizeof(out)};

		left = ZSTD_compressStream2(z, &o, &in, flush);
		cr_assert_not(ZSTD_isError(left));
		put_bytes(b, out, o.pos);
	} while (left > 0);
}

static inline void put_zstd_as(struct build *b, const struct build *plain,
			       size_t piece, struct marks *marks,
			       struct how_zstd how)
{
	ZSTD_CCtx *z = ZSTD_createCCtx();

	ZSTD_CCtx_setParameter(z, ZSTD_c_compressionLevel, how.level);
	ZSTD_CCtx_setParameter(z, ZSTD_c_checksumFlag, how.checksum);
	ZSTD_CCtx_setParameter(z, ZSTD_c_windowLog, how.window_log);
	for (size_t at = 0; at < plain->n;) {
		size_t n = plain->n - at < piece ? plain->n - at : piece;

		zstd_some(z, b, plain->bytes + at, n, ZSTD_e_flush);
		at += n;
		put_mark(marks, b->n, at);
	}
	zstd_some(z, b, NULL, 0, ZSTD_e_end);
	ZSTD_freeCCtx(z);
}

static inline void put_zstd(struct build *b, const struct build *plain,
			    size_t piece, struct marks *marks)
{
	struct how_zstd how = {3, 1, 0};

	put_zstd_as(b, plain, piece, marks, how);
}
#endif

/* ---- lz4 ---- */

#ifdef HAVE_LZ4
static inline void put_lz4_as(struct build *b, const struct build *plain,
			      size_t piece, struct marks *marks,
			      const LZ4F_preferences_t *how)
{
	LZ4F_cctx *l;
	size_t room = LZ4F_compressBound(piece, how) + LZ4F_HEADER_SIZE_MAX;
	uint8_t *out = malloc(room);

	cr_assert_not(LZ4F_isError(
	    LZ4F_createCompressionContext(&l, LZ4F_VERSION)));
	put_bytes(b, out, LZ4F_compressBegin(l, out, room, how));
	for (size_t at = 0; at < plain->n;) {
		size_t n = plain->n - at < piece ? plain->n - at : piece;
		size_t made = LZ4F_compressUpdate(l, out, room,
						  plain->bytes + at, n, NULL);

		cr_assert_not(LZ4F_isError(made));
		put_bytes(b, out, made);
		put_bytes(b, out, LZ4F_flush(l, out, room, NULL));
		at += n;
		put_mark(marks, b->n, at);
	}
	put_bytes(b, out, LZ4F_compressEnd(l, out, room, NULL));
	LZ4F_freeCompressionContext(l);
	free(out);
}

static inline void put_lz4(struct build *b, const struct build *plain,
			   size_t piece, struct marks *marks)
{
	LZ4F_preferences_t how = {
		.frameInfo.blockMode = LZ4F_blockLinked,
		.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled,
	};

	put_lz4_as(b, plain, piece, marks, &how);
}
#endif

/* ---- all of them ---- */

struct codec {
	const char *name;
	const struct cd_decoder *decoder;
	/* One member or frame with a checksum, flushed every `piece` bytes. */
	void (*put)(struct build *b, const struct build *plain, size_t piece,
		    struct marks *marks);
};

static const struct codec codecs[] = {
	{"gzip by zlib", &cd_decoder_gzip_zlib, put_gzip},
#ifdef HAVE_ISAL
	{"gzip by ISA-L", &cd_decoder_gzip_isal, put_gzip},
#endif
#ifdef HAVE_ZSTD
	{"zstd", &cd_decoder_zstd, put_zstd},
#endif
#ifdef HAVE_LZ4
	{"lz4", &cd_decoder_lz4, put_lz4},
#endif
};

#define N_CODECS (sizeof(codecs) / sizeof(codecs[0]))

/* zstd and lz4 pass over these. */
static inline void put_skippable(struct build *b, unsigned kind, size_t n)
{
	put(b, CD_SKIPPABLE + kind, 4);
	put(b, n, 4);
	put_fill(b, 0xfd, n);
}

/* ---- and back ---- */

/* Bytes that are read in pieces. */
struct memory {
	const uint8_t *bytes;
	size_t n, piece;
};

static inline ptrdiff_t pull_memory(void *below, uint8_t *to, size_t size,
				    struct cd_error *error)
{
	struct memory *m = below;
	size_t n = m->n < m->piece ? m->n : m->piece;

	(void)error;
	if (n > size)
		n = size;
	memcpy(to, m->bytes, n);
	m->bytes += n;
	m->n -= n;
	return (ptrdiff_t)n;
}

/* What `decoder` makes of `packed`, fed `in` bytes at a time and asked for
 * `out` bytes at a time. */
static inline struct build decode(const struct cd_decoder *decoder,
				  const struct build *packed, size_t in,
				  size_t out, struct cd_error *error)
{
	struct memory memory = {packed->bytes, packed->n, in};
	struct cd_feed feed = {.pull = pull_memory, .below = &memory};
	struct build b = {0};
	void *state;
	ptrdiff_t n;

	*error = (struct cd_error){0};
	feed.capacity = 65536;
	feed.buffer = malloc(feed.capacity);
	feed.cur = feed.end = feed.buffer;
	state = decoder->open(&feed, error);
	cr_assert_not_null(state);
	do {
		cr_assert_eq(cd_grow(&b.bytes, &b.capacity, b.n + out, 1), 0);
		n = decoder->read(state, b.bytes + b.n, out, error);
		if (n > 0)
			b.n += (size_t)n;
	} while (n > 0);
	cr_assert_eq(n < 0, error->fault != CD_OK);
	cr_assert_eq(error->fault != CD_OK, error->what[0] != '\0');
	decoder->close(state);
	free(feed.buffer);
	return b;
}

/* How many bytes are the same from the start. */
static inline size_t same_bytes(const struct build *a, const struct build *b)
{
	size_t n = 0;

	while (n < a->n && n < b->n && a->bytes[n] == b->bytes[n])
		n++;
	return n;
}

static inline void expect_plain(const struct cd_decoder *decoder,
				const struct build *packed,
				const struct build *plain, size_t in,
				size_t out)
{
	struct cd_error error;
	struct build got = decode(decoder, packed, in, out, &error);

	cr_assert_eq(error.fault, CD_OK, "%s", error.what);
	cr_assert_eq(got.n, plain->n);
	cr_assert_eq(same_bytes(&got, plain), plain->n);
	free(got.bytes);
}

#endif
