/* gzip, and that it does not matter which library inflates it. */
#include "config.h"

#include <criterion/criterion.h>

#include "compress.h"

Test(gzip, of_all_kinds)
{
	static const struct how_gzip kinds[] = {
		{0, Z_DEFAULT_STRATEGY, NULL}, {1, Z_DEFAULT_STRATEGY, NULL},
		{9, Z_DEFAULT_STRATEGY, NULL}, {6, Z_HUFFMAN_ONLY, NULL},
		{6, Z_RLE, NULL},	       {6, Z_FIXED, NULL},
	};
	struct build plain = make_plain(200000);

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		for (size_t c = 0; c < N_CODECS; c++) {
			struct build packed = {0};

			if (codecs[c].put != put_gzip)
				continue;
			put_gzip_as(&packed, &plain, WHOLE, NULL, kinds[i]);
			expect_plain(codecs[c].decoder, &packed, &plain,
				     65536, 65536);
			free(packed.bytes);
		}
	free(plain.bytes);
}

/* Every combination of the optional parts, longer than the feed's buffer. */
Test(gzip, headers)
{
	struct build plain = make_plain(1000);
	struct build text = {0}, extra = {0};

	put_fill(&text, 'n', 100000);
	put(&text, 0, 1);
	put_fill(&extra, 0, 65535);
	for (unsigned parts = 0; parts < 16; parts++) {
		gz_header header = {.os = 255};
		struct build packed = {0};

		header.name = parts & 1 ? text.bytes : NULL;
		header.comment = parts & 2 ? text.bytes : NULL;
		header.extra = parts & 4 ? extra.bytes : NULL;
		header.extra_len = 65535;
		header.hcrc = (parts & 8) != 0;
		put_gzip_as(&packed, &plain, WHOLE, NULL,
			    (struct how_gzip){6, Z_FIXED, &header});
		for (size_t c = 0; c < N_CODECS; c++)
			if (codecs[c].put == put_gzip)
				expect_plain(codecs[c].decoder, &packed,
					     &plain, 4096, 65536);
		free(packed.bytes);
	}
	free(plain.bytes);
	free(text.bytes);
	free(extra.bytes);
}

Test(gzip, headers_that_are_wrong)
{
	static const struct {
		size_t at;
		uint8_t value;
		enum cd_fault fault;
	} wrong[] = {
		{2, 7, CD_E_CORRUPT},    {3, 0x22, CD_E_CORRUPT},
		{3, 0x42, CD_E_CORRUPT}, {3, 0x82, CD_E_CORRUPT},
		{4, 1, CD_E_CORRUPT},    {10, 'y', CD_E_CORRUPT},
		{3, 0x12, CD_E_CORRUPT},
	};
	struct build plain = make_plain(5);
	uint8_t name[] = "x";
	gz_header header = {.os = 3, .name = name, .hcrc = 1};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		for (size_t c = 0; c < N_CODECS; c++) {
			struct build packed = {0}, got;
			struct cd_error error;

			if (codecs[c].put != put_gzip)
				continue;
			put_gzip_as(&packed, &plain, WHOLE, NULL,
				    (struct how_gzip){6, 0, &header});
			packed.bytes[wrong[i].at] = wrong[i].value;
			got = decode(codecs[c].decoder, &packed, 1, 1, &error);
			cr_assert_eq(error.fault, wrong[i].fault, "%zu", i);
			cr_assert_eq(got.n, 0);
			free(got.bytes);
			free(packed.bytes);
		}
	free(plain.bytes);
}

#ifdef HAVE_ISAL

/* What the two make of the same bytes. */
struct both {
	struct build zlib, isal;
	struct cd_error zlib_error, isal_error;
};

static struct both decode_both(const struct build *packed, size_t in,
			       size_t out)
{
	struct both b;

	b.zlib = decode(&cd_decoder_gzip_zlib, packed, in, out,
			&b.zlib_error);
	b.isal = decode(&cd_decoder_gzip_isal, packed, in, out,
			&b.isal_error);
	cr_assert_eq(b.isal_error.fault == CD_OK, b.zlib_error.fault == CD_OK);
	return b;
}

static bool is_alike(const struct both *b)
{
	return b->isal_error.fault == b->zlib_error.fault &&
	       strcmp(b->isal_error.what, b->zlib_error.what) == 0;
}

static void free_both(struct both *b)
{
	free(b->zlib.bytes);
	free(b->isal.bytes);
}

static const struct how_gzip kinds[] = {
	{0, Z_DEFAULT_STRATEGY, NULL}, {1, Z_DEFAULT_STRATEGY, NULL},
	{9, Z_DEFAULT_STRATEGY, NULL}, {6, Z_HUFFMAN_ONLY, NULL},
	{6, Z_FIXED, NULL},
};

#define N_KINDS (sizeof(kinds) / sizeof(kinds[0]))

/* ISA-L looks up to three symbols up at once, and waits if it has not got the
 * last one whole: of the first two one may wish to know, but cannot. */
#define HELD_BACK 2

Test(gzip, both_libraries_get_the_same_of_what_is_cut_short)
{
	struct build plain = make_plain(9000);

	for (size_t i = 0; i < N_KINDS; i++) {
		struct build packed = {0};
		size_t n;

		put_gzip_as(&packed, &plain, WHOLE, NULL, kinds[i]);
		n = packed.n;
		for (packed.n = 1; packed.n < n; packed.n++) {
			struct both b = decode_both(&packed, 65536, 4096);

			cr_assert_eq(b.zlib_error.fault, CD_E_TRUNCATED);
			cr_assert(is_alike(&b));
			cr_assert_leq(b.isal.n, b.zlib.n);
			cr_assert_geq(b.isal.n + HELD_BACK, b.zlib.n);
			cr_assert_eq(same_bytes(&b.isal, &plain), b.isal.n);
			cr_assert_eq(same_bytes(&b.zlib, &plain), b.zlib.n);
			free_both(&b);
		}
		free(packed.bytes);
	}
	free(plain.bytes);
}

/* ISA-L takes codes that are not complete, zlib does not: of damaged data they
 * may notice it sooner or later, hardly ever in another way. */
#define ALIKE 0.99

/* Flipped bits: of what precedes them nothing is lost. */
Test(gzip, both_libraries_complain_alike, .timeout = 120)
{
	struct build plain = make_plain(4000);
	unsigned tried = 0, alike = 0;

	for (size_t i = 0; i < N_KINDS; i++) {
		struct build packed = {0};

		put_gzip_as(&packed, &plain, WHOLE, NULL, kinds[i]);
		for (size_t at = 10; at < packed.n; at++) {
			struct build cut = {.bytes = packed.bytes, .n = at};
			struct both b, before;

			before = decode_both(&cut, 65536, 65536);
			packed.bytes[at] ^= (uint8_t)(1u << at % 7);
			b = decode_both(&packed, 65536, 65536);
			packed.bytes[at] ^= (uint8_t)(1u << at % 7);
			tried++;
			alike += is_alike(&b);
			/* the padding of stored blocks means nothing */
			if (b.zlib_error.fault == CD_OK)
				cr_assert_eq(same_bytes(&b.zlib, &b.isal),
					     plain.n);
			cr_assert_geq(same_bytes(&b.isal, &plain) + HELD_BACK,
				      before.isal.n);
			cr_assert_geq(same_bytes(&b.zlib, &plain),
				      before.zlib.n);
			free_both(&b);
			free_both(&before);
		}
		free(packed.bytes);
	}
	cr_assert_geq(alike, ALIKE * tried, "%u of %u", alike, tried);
	free(plain.bytes);
}

/* Streams that begin well and then are noise. */
Test(gzip, both_libraries_and_noise)
{
	uint32_t random = 1;
	unsigned alike = 0;

	for (unsigned i = 0; i < 3000; i++) {
		struct build packed = {0};
		struct both b;

		put(&packed, 0x00088b1f, 4);
		put(&packed, 0, 6);
		for (unsigned n = 0; n < 400; n++) {
			random = random * 1664525u + 1013904223u;
			put(&packed, random >> 24, 1);
		}
		b = decode_both(&packed, 65536, 65536);
		alike += is_alike(&b);
		cr_assert_neq(b.zlib_error.fault, CD_OK);
		free_both(&b);
		free(packed.bytes);
	}
	cr_assert_geq(alike, ALIKE * 3000, "%u of 3000", alike);
}

#endif
