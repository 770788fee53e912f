/* Compressed data that are cut short, damaged or absurd. */
#include "config.h"

#include <criterion/criterion.h>
#include <sys/resource.h>
#include <xxhash.h>

#include "compress.h"
#include "input/input.h"

/* Two members, flushed now and then, with something to skip between. */
struct sample {
	struct build plain, packed;
	struct marks marks;
	size_t second; /* where the second member begins, in `packed` */
};

static struct sample make_sample(const struct codec *codec)
{
	struct sample s = {.plain = make_plain(4000)};
	struct build half = {.bytes = s.plain.bytes, .n = 2500};
	struct marks rest = {0};

	codec->put(&s.packed, &half, 300, &s.marks);
	if (codec->put != put_gzip)
		put_skippable(&s.packed, 5, 40);
	s.second = s.packed.n;
	half.bytes += 2500;
	half.n = 1500;
	codec->put(&s.packed, &half, 400, &rest);
	for (size_t i = 0; i < rest.n; i++)
		put_mark(&s.marks, rest.at[i].packed,
			 2500 + rest.at[i].plain);
	return s;
}

static void free_sample(struct sample *s)
{
	free(s->plain.bytes);
	free(s->packed.bytes);
}

Test(codecs_damage, cut_anywhere_gives_all_complete_bytes)
{
	static const size_t sizes[][2] = {{65536, 65536}, {1, 7}, {65536, 1}};

	for (size_t i = 0; i < 3 * N_CODECS; i++) {
		const struct codec *codec = &codecs[i / 3];
		struct sample s = make_sample(codec);
		struct build cut = s.packed;
		size_t ends = 0;

		for (cut.n = 1; cut.n < s.packed.n; cut.n++) {
			struct cd_error error;
			struct build got =
			    decode(codec->decoder, &cut, sizes[i % 3][0],
				   sizes[i % 3][1], &error);

			ends += error.fault == CD_OK;
			cr_assert(error.fault == CD_OK
				      ? got.n == 2500 && cut.n <= s.second
				      : error.fault == CD_E_TRUNCATED,
				  "%s cut at %zu: %s", codec->name, cut.n,
				  error.what);
			cr_assert_geq(got.n, due(&s.marks, cut.n),
				      "%s cut at %zu gives %zu", codec->name,
				      cut.n, got.n);
			cr_assert_eq(same_bytes(&got, &s.plain), got.n);
			free(got.bytes);
		}
		/* after the first member, and the frame to be skipped */
		cr_assert_eq(ends, codec->put == put_gzip ? 1 : 2);
		free_sample(&s);
	}
}

static void expect_damage(const struct codec *codec, const struct sample *s,
			  size_t at, size_t in, size_t out)
{
	struct cd_error error;
	struct build got = decode(codec->decoder, &s->packed, in, out, &error);
	size_t good = due(&s->marks, at);

	cr_assert(error.fault == CD_OK || error.fault == CD_E_CORRUPT ||
		  error.fault == CD_E_TRUNCATED ||
		  error.fault == CD_E_COMPRESSION);
	cr_assert_geq(same_bytes(&got, &s->plain), good,
		      "%s at %zu: %zu good, %zu got: %s", codec->name, at,
		      good, got.n, error.what);
	if (error.fault == CD_OK)
		cr_assert_eq(got.n, s->plain.n);
	if (error.fault == CD_OK)
		cr_assert_eq(same_bytes(&got, &s->plain), got.n,
			     "%s at %zu", codec->name, at);
	free(got.bytes);
}

/* No wrong byte goes unnoticed, and none before it is lost. */
Test(codecs_damage, any_flipped_bit, .timeout = 300)
{
	for (size_t i = 0; i < N_CODECS; i++) {
		struct sample s = make_sample(&codecs[i]);

		for (size_t at = 0; at < s.packed.n; at++) {
			size_t step = at < 20 ? 1 : 5;

			for (size_t bit = at % step; bit < 8; bit += step) {
				s.packed.bytes[at] ^= (uint8_t)(1u << bit);
				expect_damage(&codecs[i], &s, at, 65536,
					      65536);
				expect_damage(&codecs[i], &s, at, 65536, 11);
				s.packed.bytes[at] ^= (uint8_t)(1u << bit);
			}
		}
		expect_damage(&codecs[i], &s, s.packed.n, 65536, 65536);
		free_sample(&s);
	}
}

/* Larger than all buffers. */
Test(codecs_damage, flipped_bits_in_large_files)
{
	struct sample s = {.plain = make_plain(600000)};

	for (size_t c = 0; c < N_CODECS; c++) {
		s.packed = (struct build){0};
		s.marks.n = 0;
		codecs[c].put(&s.packed, &s.plain, 20000, &s.marks);
		for (size_t at = 30; at < s.packed.n; at += s.packed.n / 50) {
			s.packed.bytes[at] ^= 4;
			expect_damage(&codecs[c], &s, at, 65536, 262144);
			expect_damage(&codecs[c], &s, at, 3000, 70000);
			expect_damage(&codecs[c], &s, at, 65536, 1001);
			s.packed.bytes[at] ^= 4;
		}
		free(s.packed.bytes);
	}
	free(s.plain.bytes);
}

static void expect_alike(const struct codec *codec, const struct build *packed)
{
	static const size_t sizes[] = {1, 777, 9999};
	struct cd_error expected, error;
	struct build whole = decode(codec->decoder, packed, 65536, 262144,
				    &expected);

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct build got = decode(codec->decoder, packed, sizes[i],
					  262144, &error);

		cr_assert_eq(got.n, whole.n, "%s", codec->name);
		cr_assert_eq(same_bytes(&got, &whole), whole.n);
		cr_assert_eq(error.fault, expected.fault);
		cr_assert_str_eq(error.what, expected.what);
		free(got.bytes);
	}
	free(whole.bytes);
}

Test(codecs_damage, how_the_bytes_arrive_changes_nothing)
{
	static const size_t sizes[] = {700, 4000, 500000};

	for (size_t c = 0; c < 3 * N_CODECS; c++) {
		struct build plain = make_plain(sizes[c % 3]);
		struct build packed = {0}, cut;

		codecs[c / 3].put(&packed, &plain, WHOLE, NULL);
		cut = packed;
		for (unsigned i = 1; i < 40; i++) {
			cut.n = packed.n * i / 40;
			expect_alike(&codecs[c / 3], &cut);
			cut.bytes[cut.n] ^= 1;
			expect_alike(&codecs[c / 3], &packed);
			cut.bytes[cut.n] ^= 1;
		}
		free(plain.bytes);
		free(packed.bytes);
	}
}

/* ---- what follows, and checksums ---- */

struct ending {
	uint8_t bytes[5];
	size_t n;
	enum cd_fault fault;
};

static void expect_ending(const struct codec *codec, const struct build *plain,
			  const struct ending *ending)
{
	struct build packed = {0}, got;
	struct cd_error error;

	codec->put(&packed, plain, WHOLE, NULL);
	put_bytes(&packed, ending->bytes, ending->n);
	got = decode(codec->decoder, &packed, 65536, 65536, &error);
	cr_assert_eq(error.fault, ending->fault, "%s, then %02x…: %s",
		     codec->name, ending->bytes[0], error.what);
	cr_assert_eq(got.n, plain->n);
	free(got.bytes);
	free(packed.bytes);
}

Test(codecs_damage, something_behind)
{
	static const struct ending behind_gzip[] = {
		{{0x1f}, 1, CD_E_TRUNCATED},
		{{0x1f, 0x8b}, 2, CD_E_TRUNCATED},
		{{0, 0, 0x1f, 0x8b, 8}, 5, CD_E_TRUNCATED},
		{{0x1f, 0x1f}, 2, CD_E_CORRUPT},
		{{'x'}, 1, CD_E_CORRUPT},
		{{0, 0, 'x'}, 3, CD_E_CORRUPT},
		{{0, 0, 0, 0, 0}, 5, CD_OK},
	};
	static const struct ending behind_frames[] = {
		{{'x'}, 1, CD_E_CORRUPT},
		{{0, 0, 0, 0, 0}, 5, CD_E_CORRUPT},
		{{0x5f, 0x2a, 0x4d, 0x18}, 4, CD_E_TRUNCATED},
		{{0x50, 0x2a}, 2, CD_E_TRUNCATED},
		{{0x60, 0x2a}, 2, CD_E_CORRUPT},
		{{0x60, 0x2a, 0x4d, 0x18}, 4, CD_E_CORRUPT},
	};
	struct build plain = make_plain(5000);

	for (size_t c = 0; c < N_CODECS; c++) {
		bool gzip = codecs[c].put == put_gzip;
		const struct cd_decoder *d = codecs[c].decoder;
		struct ending again = {.n = 3, .fault = CD_E_TRUNCATED};

		for (size_t i = 0; i < (gzip ? 7 : 6); i++)
			expect_ending(&codecs[c], &plain,
				      gzip ? &behind_gzip[i]
					   : &behind_frames[i]);
		memcpy(again.bytes, d->magic, 3);
		expect_ending(&codecs[c], &plain, &again);
	}
	free(plain.bytes);
}

/* The last bytes are a checksum in all of them (and the length in gzip). */
Test(codecs_damage, wrong_checksums_come_after_all_bytes)
{
	struct build plain = make_plain(500000);

	for (size_t c = 0; c < N_CODECS; c++)
		for (size_t i = 1; i <= (codecs[c].put == put_gzip ? 8 : 4);
		     i++) {
			struct build packed = {0}, got;
			struct cd_error error;

			codecs[c].put(&packed, &plain, WHOLE, NULL);
			packed.bytes[packed.n - i] ^= 0x10;
			got = decode(codecs[c].decoder, &packed, 65536, 262144,
				     &error);
			cr_assert_eq(error.fault, CD_E_CORRUPT);
			cr_assert_eq(got.n, plain.n, "%s", codecs[c].name);
			cr_assert_eq(same_bytes(&got, &plain), plain.n);
			free(got.bytes);
			free(packed.bytes);
		}
	free(plain.bytes);
}

Test(codecs_damage, told_with_the_offset)
{
	struct build plain = make_plain(500000);

	for (size_t c = 0; c < N_CODECS; c++) {
		struct build packed = {0};
		struct cd_error error = {0};
		struct cd_input *input;
		char *path;

		codecs[c].put(&packed, &plain, WHOLE, NULL);
		packed.bytes[packed.n - 1] ^= 1;
		path = save(packed.bytes, packed.n);
		input = cd_input_open(path, NULL);
		cr_assert_eq(cd_input_skip(input, plain.n + 1, &error), -1);
		cr_assert_eq(error.fault, CD_E_CORRUPT);
		cr_assert_eq(error.offset, plain.n);
		cr_assert_str_eq(error.file, path);
		cd_input_close(input);
		discard(path);
		free(packed.bytes);
	}
	free(plain.bytes);
}

/* ---- headers that ask for much ---- */

#if defined(__SANITIZE_ADDRESS__)
#define HAS_ASAN 1
#elif defined(__has_feature)
#define HAS_ASAN __has_feature(address_sanitizer)
#else
#define HAS_ASAN 0
#endif

/* Sanitizers need the address space for themselves. */
static inline void limit_memory(size_t bytes)
{
#if !HAS_ASAN
	struct rlimit limit = {.rlim_cur = bytes, .rlim_max = bytes};

	cr_assert_eq(setrlimit(RLIMIT_AS, &limit), 0);
#else
	(void)bytes;
#endif
}

#ifdef HAVE_ZSTD
/* A frame with one raw block, "abc". */
static struct cd_error read_frame(uint8_t descriptor, const void *header,
				  size_t n)
{
	struct build packed = {0}, got;
	struct cd_error error;

	put(&packed, 0xfd2fb528, 4);
	put(&packed, descriptor, 1);
	put_bytes(&packed, header, n);
	put(&packed, 3 << 3 | 1, 3);
	put_bytes(&packed, "abc", 3);
	got = decode(&cd_decoder_zstd, &packed, 65536, 65536, &error);
	cr_assert_eq(got.n, error.fault == CD_OK ? 3 : 0);
	free(got.bytes);
	free(packed.bytes);
	return error;
}

Test(codecs_damage, zstd_windows)
{
	limit_memory((size_t)1 << 30);
	for (unsigned log = 10; log <= 41; log++) {
		uint8_t window = (uint8_t)((log - 10) << 3);
		struct cd_error error = read_frame(0, &window, 1);

		cr_assert_eq(error.fault, log <= 27 ? CD_OK : CD_E_COMPRESSION,
			     "window of 2^%u: %s", log, error.what);
		cr_assert_eq(error.hint[0] != '\0', log > 27);
	}
}

Test(codecs_damage, zstd_sizes_and_dictionaries)
{
	static const uint8_t size[8] = {0, 0, 0, 0, 0, 0, 1, 0};
	static const uint8_t dictionary[2] = {0, 77};
	struct cd_error error;

	limit_memory((size_t)1 << 30);
	error = read_frame(0xe0, size, 8); /* one segment of 2^48 */
	cr_assert_eq(error.fault, CD_E_COMPRESSION);
	error = read_frame(0x01, dictionary, 2);
	cr_assert_eq(error.fault, CD_E_COMPRESSION);
	cr_assert_not_null(strstr(error.hint, "-D DICTIONARY"));
	error = read_frame(0x08, dictionary, 1); /* a reserved bit */
	cr_assert_eq(error.fault, CD_E_CORRUPT);
}
#endif

#ifdef HAVE_LZ4
/* A frame with one raw block, "abc", whose header may lie. */
static struct cd_error read_lz4(uint64_t size, uint32_t block, size_t made)
{
	struct build packed = {0}, got;
	struct cd_error error;

	put(&packed, 0x184d2204, 4);
	put(&packed, 0x68, 1); /* version 1, independent, content size */
	put(&packed, 0x70, 1); /* blocks of up to 4 MiB */
	put(&packed, size, 8);
	put(&packed, XXH32(packed.bytes + 4, 10, 0) >> 8, 1);
	put(&packed, block, 4);
	put_bytes(&packed, "abc", 3);
	put(&packed, 0, 4);
	got = decode(&cd_decoder_lz4, &packed, 65536, 65536, &error);
	cr_assert_eq(got.n, made);
	free(got.bytes);
	free(packed.bytes);
	return error;
}

Test(codecs_damage, lz4_sizes)
{
	limit_memory((size_t)1 << 30);
	cr_assert_eq(read_lz4(3, 0x80000003, 3).fault, CD_OK);
	cr_assert_eq(read_lz4(4, 0x80000003, 3).fault, CD_E_CORRUPT);
	cr_assert_eq(read_lz4(UINT64_MAX, 0x80000003, 3).fault, CD_E_CORRUPT);
	cr_assert_eq(read_lz4(3, 0x7fffffff, 0).fault, CD_E_CORRUPT);
	cr_assert_eq(read_lz4(3, 0xffffffff, 0).fault, CD_E_CORRUPT);
	cr_assert_eq(read_lz4(7, 0x80400000, 7).fault, CD_E_TRUNCATED);
}
#endif
