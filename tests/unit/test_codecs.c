#include "config.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <time.h>

#include "capture/capture.h"
#include "compress.h"

/* ---- one layer ---- */

Test(codecs, round_trips_in_pieces_of_any_size)
{
	static const size_t sizes[] = {0, 1, 2, 119, 5000, 70000};
	static const size_t pieces[] = {1, 13, 4096, 65536};

	for (size_t c = 0; c < N_CODECS; c++)
		for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
			struct build plain = make_plain(sizes[i]);
			struct build packed = {0};

			codecs[c].put(&packed, &plain, WHOLE, NULL);
			for (size_t j = 0; j < 16; j++)
				expect_plain(codecs[c].decoder, &packed,
					     &plain, pieces[j / 4],
					     pieces[j % 4]);
			free(plain.bytes);
			free(packed.bytes);
		}
}

Test(codecs, large_files_flushed_now_and_then)
{
	struct build plain = make_plain(3000000);

	for (size_t c = 0; c < N_CODECS; c++) {
		struct build packed = {0};

		codecs[c].put(&packed, &plain, 99999, NULL);
		expect_plain(codecs[c].decoder, &packed, &plain, 65536, 262144);
		expect_plain(codecs[c].decoder, &packed, &plain, 1000, 262144);
		expect_plain(codecs[c].decoder, &packed, &plain, 65536, 333);
		free(packed.bytes);
	}
	free(plain.bytes);
}

Test(codecs, many_members_some_empty)
{
	struct build plain = make_plain(40 * 1200);

	for (size_t c = 0; c < N_CODECS; c++) {
		struct build packed = {0}, none = {0};

		codecs[c].put(&packed, &none, WHOLE, NULL);
		for (size_t i = 0; i < 40; i++) {
			struct build part = {.bytes = plain.bytes + i * 1200,
					     .n = 1200};

			codecs[c].put(&packed, &part, 500, NULL);
			codecs[c].put(&packed, &none, WHOLE, NULL);
		}
		expect_plain(codecs[c].decoder, &packed, &plain, 65536, 65536);
		expect_plain(codecs[c].decoder, &packed, &plain, 1, 65536);
		free(packed.bytes);
	}
	free(plain.bytes);
}

#ifdef HAVE_ZSTD
Test(codecs, zstd_of_all_kinds)
{
	static const struct how_zstd kinds[] = {
		{-5, 0, 0}, {1, 0, 10}, {3, 1, 17}, {19, 1, 0}, {9, 1, 27},
	};
	struct build plain = make_plain(400000);

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct build packed = {0};

		put_zstd_as(&packed, &plain, WHOLE, NULL, kinds[i]);
		expect_plain(&cd_decoder_zstd, &packed, &plain, 65536, 262144);
		expect_plain(&cd_decoder_zstd, &packed, &plain, 1000, 1000);
		free(packed.bytes);
	}
	free(plain.bytes);
}
#endif

#ifdef HAVE_LZ4
Test(codecs, lz4_of_all_kinds)
{
	static const LZ4F_blockSizeID_t sizes[] = {
		LZ4F_max64KB, LZ4F_max256KB, LZ4F_max1MB, LZ4F_max4MB,
	};
	struct build plain = make_plain(1500000);

	for (unsigned i = 0; i < 16; i++) {
		struct build packed = {0};
		LZ4F_preferences_t how = {
			.frameInfo.blockSizeID = sizes[i % 4],
			.frameInfo.blockMode = i & 4 ? LZ4F_blockLinked
						     : LZ4F_blockIndependent,
			.frameInfo.contentSize = i & 8 ? plain.n : 0,
			.frameInfo.blockChecksumFlag =
			    i & 8 ? LZ4F_blockChecksumEnabled
				  : LZ4F_noBlockChecksum,
		};

		put_lz4_as(&packed, &plain, plain.n, NULL, &how);
		expect_plain(&cd_decoder_lz4, &packed, &plain, 65536, 262144);
		free(packed.bytes);
	}
	free(plain.bytes);
}
#endif

static bool is_framed(const struct codec *codec)
{
	return codec->put != put_gzip;
}

Test(codecs, frames_to_be_skipped)
{
	static const size_t sizes[] = {0, 1, 12, 70000};
	struct build plain = make_plain(3000);

	for (size_t c = 0; c < N_CODECS; c++) {
		struct build twice = {0}, packed = {0};

		if (!is_framed(&codecs[c]))
			continue;
		for (unsigned i = 0; i < 64; i++)
			put_skippable(&packed, i % 16, sizes[i / 16]);
		for (unsigned i = 0; i < 2; i++) {
			put_bytes(&twice, plain.bytes, plain.n);
			codecs[c].put(&packed, &plain, 700, NULL);
			put_skippable(&packed, i, 1000 * i);
		}
		expect_plain(codecs[c].decoder, &packed, &twice, 65536, 65536);
		expect_plain(codecs[c].decoder, &packed, &twice, 3, 3);
		free(twice.bytes);
		free(packed.bytes);
	}
	free(plain.bytes);
}

/* ---- through cd_input, by magic ---- */

static struct build read_path(const char *path, enum cd_compression compression,
			      struct cd_error *error)
{
	struct cd_input *input = cd_input_open(path, error);
	struct build b = {0};
	int got;

	cr_assert_not_null(input);
	do {
		got = cd_input_need(input, 1, error);
		put_bytes(&b, input->cur, (size_t)(input->end - input->cur));
		input->cur = input->end;
	} while (got == 1);
	cr_assert_eq(cd_input_offset(input), b.n);
	cr_assert_eq(cd_input_compression(input), compression);
	cr_assert_eq(error->fault == CD_OK, got == 0);
	cd_input_close(input);
	return b;
}

static struct cd_error read_packed(const struct build *packed,
				   enum cd_compression compression,
				   const struct build *plain)
{
	struct cd_error error = {0};
	char *path = save(packed->bytes, packed->n);
	struct build got = read_path(path, compression, &error);

	cr_assert_eq(got.n, plain->n);
	cr_assert_eq(same_bytes(&got, plain), plain->n);
	if (error.fault != CD_OK) {
		cr_assert_eq(error.offset, plain->n);
		cr_assert_str_eq(error.file, path);
	}
	free(got.bytes);
	discard(path);
	return error;
}

Test(codecs, up_to_three_inside_each_other)
{
	struct build plain = make_plain(300000);

	for (size_t i = 0; i < N_CODECS * N_CODECS * N_CODECS; i++) {
		const struct codec *outer = &codecs[i / N_CODECS / N_CODECS];
		struct build one = {0}, two = {0}, three = {0};

		codecs[i % N_CODECS].put(&one, &plain, WHOLE, NULL);
		codecs[i / N_CODECS % N_CODECS].put(&two, &one, WHOLE, NULL);
		outer->put(&three, &two, 33333, NULL);
		cr_assert_eq(read_packed(&three, outer->decoder->compression,
					 &plain).fault, CD_OK);
		free(one.bytes);
		free(two.bytes);
		free(three.bytes);
	}
	free(plain.bytes);
}

Test(codecs, four_inside_each_other_are_refused)
{
	struct build b = make_plain(10), none = {0};
	struct cd_error error;

	for (int i = 0; i < 4; i++) {
		struct build packed = {0};

		put_gzip(&packed, &b, WHOLE, NULL);
		free(b.bytes);
		b = packed;
	}
	error = read_packed(&b, CD_GZIP, &none);
	cr_assert_eq(error.fault, CD_E_COMPRESSION);
	cr_assert_not_null(strstr(error.hint,
				  "| gzip -dc | gzip -dc | gzip -dc | capdiff"));
	free(b.bytes);
}

Test(codecs, cut_short_inside_another)
{
	struct build plain = make_plain(600000);

	for (size_t i = 0; i < N_CODECS * N_CODECS; i++) {
		const struct codec *outer = &codecs[i / N_CODECS];
		struct build one = {0}, two = {0}, got;
		struct marks marks = {0};
		struct cd_error error = {0};
		char *path;

		codecs[i % N_CODECS].put(&one, &plain, 10000, &marks);
		one.n = marks.at[50].packed;
		outer->put(&two, &one, WHOLE, NULL);
		path = save(two.bytes, two.n);
		got = read_path(path, outer->decoder->compression, &error);
		cr_assert_eq(error.fault, CD_E_TRUNCATED);
		cr_assert_eq(got.n, marks.at[50].plain);
		cr_assert_eq(same_bytes(&got, &plain), got.n);
		free(got.bytes);
		free(one.bytes);
		free(two.bytes);
		discard(path);
	}
	free(plain.bytes);
}

Test(codecs, files_that_begin_with_frames_to_be_skipped)
{
	struct build plain = make_plain(3000), none = {0};

	for (size_t c = 0; c < N_CODECS; c++) {
		struct build packed = {0}, twice = {0};
		enum cd_compression compression =
		    codecs[c].decoder->compression;

		if (!is_framed(&codecs[c]))
			continue;
		put_skippable(&packed, 0, 4);
		put_skippable(&packed, 15, 300000);
		codecs[c].put(&packed, &plain, WHOLE, NULL);
		cr_assert_eq(read_packed(&packed, compression, &plain).fault,
			     CD_OK);
		put_gzip(&twice, &packed, WHOLE, NULL);
		cr_assert_eq(read_packed(&twice, CD_GZIP, &plain).fault,
			     CD_OK);
		packed.n = 300000;
		cr_assert_eq(read_packed(&packed, CD_PLAIN, &none).fault,
			     CD_E_TRUNCATED);
		packed.n = 7;
		cr_assert_eq(read_packed(&packed, CD_PLAIN, &none).fault,
			     CD_E_TRUNCATED);
		packed.n = 12;
		cr_assert_eq(read_packed(&packed, CD_PLAIN, &none).fault,
			     CD_OK);
		free(packed.bytes);
		free(twice.bytes);
	}
	free(plain.bytes);
}

Test(codecs, unreadable_ones_say_which_commands_to_use)
{
	struct build xz = {0}, packed = {0}, none = {0};
	struct cd_error error;
	char *path, *hint;

	put_bytes(&xz, "\xfd" "7zXZ\0 and more", 15);
	put_gzip(&packed, &xz, WHOLE, NULL);
	error = read_packed(&packed, CD_GZIP, &none);
	cr_assert_eq(error.fault, CD_E_COMPRESSION);
	hint = cd_strf("gzip -dc %s | xz -dc | capdiff REF -", error.file);
	cr_assert_str_eq(error.hint, hint);
	free(hint);
	path = cd_strdup("codecs file.xz");
	cr_assert_eq(rename(save(xz.bytes, xz.n), path), 0);
	error = (struct cd_error){0};
	none = read_path(path, CD_XZ, &error);
	cr_assert_str_eq(error.hint, "xz -dc FILE | capdiff REF -");
	discard(path);
	free(none.bytes);
	free(xz.bytes);
	free(packed.bytes);
}

/* INTERFACE 4.2, message 14, where a library was not there. */
Test(codecs, what_is_not_built_in)
{
	static const struct {
		const char *magic, *tool;
		enum cd_compression compression;
	} missing[] = {
		{"BZh91AY", "bzip2 -dc ", CD_BZIP2},
#ifndef HAVE_ZSTD
		{"\x28\xb5\x2f\xfd", "zstd -dc ", CD_ZSTD},
#endif
#ifndef HAVE_LZ4
		{"\x04\x22\x4d\x18", "lz4 -dc ", CD_LZ4},
#endif
	};
	struct build none = {0};

	for (size_t i = 0; i < sizeof(missing) / sizeof(missing[0]); i++) {
		struct build b = {0};
		struct cd_error error;

		put_bytes(&b, missing[i].magic, strlen(missing[i].magic));
		put_fill(&b, 0, 10);
		error = read_packed(&b, missing[i].compression, &none);
		cr_assert_eq(error.fault, CD_E_COMPRESSION);
		cr_assert_eq(strncmp(error.hint, missing[i].tool,
				     strlen(missing[i].tool)), 0);
		free(b.bytes);
	}
}

Test(codecs, libraries_have_names)
{
	const char *version = NULL;

	cr_assert_not_null(cd_compression_library(CD_GZIP, &version));
	cr_assert(version[0] >= '1' && version[0] <= '9');
	for (size_t c = 0; c < N_CODECS; c++) {
		const struct cd_decoder *d = codecs[c].decoder;

		cr_assert_not_null(cd_compression_library(d->compression,
							  &version));
		cr_assert_not_null(strchr(version, '.'));
	}
	cr_assert_null(cd_compression_library(CD_PLAIN, &version));
	cr_assert_null(cd_compression_library(CD_XZ, &version));
}

/* ---- FIFOs ---- */

struct writer {
	const char *path;
	const struct build *packed;
};

static void *write_slowly(void *argument)
{
	const struct writer *w = argument;
	struct timespec pause = {.tv_nsec = 1000000};
	int fd = open(w->path, O_WRONLY);

	for (size_t at = 0; at < w->packed->n;) {
		size_t n = at == 0 ? 3 : w->packed->n / 20 + 1;

		if (n > w->packed->n - at)
			n = w->packed->n - at;
		cr_assert_eq(write(fd, w->packed->bytes + at, n), (ssize_t)n);
		at += n;
		nanosleep(&pause, NULL);
	}
	close(fd);
	return NULL;
}

Test(codecs, fifos, .timeout = 30)
{
	struct build plain = make_plain(200000);

	for (size_t c = 0; c < N_CODECS; c++) {
		struct build packed = {0}, got;
		struct cd_error error = {0};
		char *path = save("", 0);
		struct writer writer = {path, &packed};
		pthread_t thread;

		codecs[c].put(&packed, &plain, 7777, NULL);
		unlink(path);
		cr_assert_eq(mkfifo(path, 0600), 0);
		cr_assert_eq(pthread_create(&thread, NULL, write_slowly,
					    &writer), 0);
		got = read_path(path, codecs[c].decoder->compression, &error);
		pthread_join(thread, NULL);
		cr_assert_eq(error.fault, CD_OK);
		cr_assert_eq(got.n, plain.n);
		cr_assert_eq(same_bytes(&got, &plain), plain.n);
		free(got.bytes);
		free(packed.bytes);
		discard(path);
	}
	free(plain.bytes);
}

/* ---- captures of others ---- */

static const char *corpus_path(const char *name)
{
	static char path[1024];
	const char *shared = getenv("CAPDIFF_SHARED");
	const char *srcdir = getenv("srcdir");

	snprintf(path, sizeof(path), "%s%s/corpus/%s",
		 shared != NULL ? shared : srcdir != NULL ? srcdir : ".",
		 shared != NULL ? "" : "/../shared", name);
	return path;
}

static uint64_t count_packets(const char *path)
{
	struct cd_error error = {0};
	struct cd_input *input = cd_input_open(path, &error);
	struct cd_capture *capture;
	struct cd_record record;
	uint64_t packets;

	cr_assert_not_null(input, "%s", path);
	capture = cd_capture_open(input, &error);
	cr_assert_not_null(capture, "%s: %s", path, error.what);
	while (cd_capture_next(capture, &record, &error) == 1)
		;
	cr_assert_eq(error.fault, CD_OK, "%s: %s", path, error.what);
	packets = capture->packets;
	cd_capture_close(capture);
	return packets;
}

static bool is_readable(const char *format)
{
	bool readable = false;

#ifdef HAVE_ZSTD
	readable = strncmp(format, "zstd ", 5) == 0;
#endif
#ifdef HAVE_LZ4
	readable = readable || strncmp(format, "lz4 ", 4) == 0;
#endif
	return readable || strncmp(format, "gz(", 3) == 0;
}

/* Columns: path, source, size, format, what is special, packets. */
Test(codecs, captures_of_the_corpus)
{
	FILE *index = fopen(corpus_path("INDEX.tsv"), "r");
	char line[4096];
	unsigned checked = 0;

	if (index == NULL)
		cr_skip("no corpus beside the sources");
	while (fgets(line, sizeof(line), index) != NULL) {
		char *column[6];
		char *at = line;

		for (size_t i = 0; i < 6 && at != NULL; i++)
			column[i] = strsep(&at, "\t");
		if (at == NULL || !is_readable(column[3]) ||
		    strstr(column[3], "erf") != NULL)
			continue;
		cr_assert_eq(count_packets(corpus_path(column[0])),
			     strtoull(column[5], NULL, 10), "%s", column[0]);
		checked++;
	}
	cr_assert_geq(checked, 50);
	fclose(index);
}

/* One capture, compressed by the commands of each kind. */
Test(codecs, the_same_capture_in_all_containers)
{
	static const struct {
		const char *name;
		enum cd_compression compression;
	} files[] = {
#ifdef HAVE_ZSTD
		{"derived_containers/one.pcap.zst", CD_ZSTD},
#endif
#ifdef HAVE_LZ4
		{"derived_containers/one.pcap.lz4", CD_LZ4},
#endif
		{"derived_containers/one.pcap.gz", CD_GZIP},
	};
	struct cd_error error = {0};
	struct build gzip;

	if (access(corpus_path(files[0].name), R_OK) < 0)
		cr_skip("no corpus beside the sources");
	gzip = read_path(corpus_path("derived_containers/one.pcap.gz"),
			 CD_GZIP, &error);
	cr_assert_eq(gzip.n, 176024);
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct build got = read_path(corpus_path(files[i].name),
					     files[i].compression, &error);

		cr_assert_eq(error.fault, CD_OK);
		cr_assert_eq(got.n, gzip.n);
		cr_assert_eq(same_bytes(&got, &gzip), gzip.n);
		free(got.bytes);
	}
	free(gzip.bytes);
}
