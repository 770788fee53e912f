/* Annotated copies and picked packets of files put together by hand, also of
 * what no sound writer would make. */
#include "build.h"
#include "reading.h"

#include <sys/stat.h>
#include <unistd.h>

#include "capdiff/capdiff.h"
#include "extract/annotate.h"
#include "extract/pick.h"

#define IN "extract-in.XXXXXX"

static char in_path[] = IN, out_path[64];
static const char *const in_paths[] = {in_path};

static void write_in(const struct build *b)
{
	int fd;

	memcpy(in_path, IN, sizeof(in_path));
	fd = mkstemp(in_path);
	cr_assert_geq(fd, 0);
	cr_assert_eq(write(fd, b->bytes, b->n), (ssize_t)b->n);
	close(fd);
	snprintf(out_path, sizeof(out_path), "%s.out", in_path);
}

static struct build read_out(void)
{
	struct build b = {0};
	uint8_t bytes[4096];
	FILE *in = fopen(out_path, "rb");
	size_t n;

	cr_assert_not_null(in);
	while ((n = fread(bytes, 1, sizeof(bytes), in)) > 0)
		put_bytes(&b, bytes, n);
	fclose(in);
	return b;
}

static void remove_files(void)
{
	unlink(in_path);
	unlink(out_path);
}

/* A gap of `n` before each of these frames. */
static int annotate(const uint64_t *frames, size_t n_frames, bool may_stop,
		    struct cd_error *error)
{
	struct cd_watch watch;
	struct cd_marks marks = {0};
	struct cd_annotate what = {
	    .path = out_path,
	    .watch = &watch,
	    .may_stop = may_stop,
	    .marks = &marks,
	};
	int status;

	for (size_t i = 0; i < n_frames; i++)
		cd_marks_add(&marks, &(struct cd_mark){.frame = frames[i],
						       .n = 3,
						       .seq = 5,
						       .other = 7});
	cd_marks_sort(&marks);
	cr_assert_eq(cd_watch_begin(&watch, in_paths, 1, "-w", error), 0);
	status = cd_annotate(&what, error);
	cd_watch_release(&watch);
	cd_marks_release(&marks);
	return status;
}

#define NOTE "capdiff: 3 missing before this (IDs 5-7)"

/* Our two options as they are written. */
static void put_note(struct build *b)
{
	put_text_option(b, 1, NOTE);
	put_int_option(b, 4, 3, 8);
}

static void expect_out(const struct build *want)
{
	struct build got = read_out();

	cr_assert_eq(got.n, want->n, "%zu bytes, wanted %zu", got.n, want->n);
	cr_assert_arr_eq(got.bytes, want->bytes, want->n);
	free(got.bytes);
}

/* The marked copy of a file with one packet with these options, to which
 * `end` bytes of the list stand behind ours. */
static void check_options(bool big, const struct build *options, size_t end,
			  bool ends)
{
	struct build in = {.big = big}, want = {.big = big};
	struct cd_error error = {0};
	uint64_t frame = 1;

	for (int k = 0; k < 2; k++) {
		struct build *b = k == 0 ? &in : &want;
		size_t at;

		put_section(b);
		put_iface(b, 1, 262144, 9);
		at = begin_block(b, 6);
		put(b, 0, 4);
		put(b, 1, 4);
		put(b, 2, 4);
		put(b, 5, 4);
		put(b, 60, 4);
		put_packet(b, 9, 5);
		put_fill(b, 0xaa, 3);
		put_bytes(b, options->bytes, options->n - end);
		if (k == 1)
			put_note(b);
		if (end > 0)
			put_bytes(b, options->bytes + options->n - end, end);
		if (k == 1 && ends)
			put(b, 0, 4);
		end_block(b, at);
	}
	write_in(&in);
	cr_assert_eq(annotate(&frame, 1, false, &error), 0, "%s", error.what);
	expect_out(&want);
	remove_files();
	free(in.bytes);
	free(want.bytes);
}

Test(extract, options_stay)
{
	for (int big = 0; big < 2; big++) {
		struct build none = {.big = big}, some = {.big = big};
		struct build behind = {.big = big}, bad = {.big = big};
		uint8_t huge[65535] = "huge";

		check_options(big, &none, 0, true);
		put_text_option(&some, 1, "a comment");
		put_option(&some, 40000, huge, sizeof(huge));
		put_option(&some, 2988, "\0\0\1\2x", 5);
		check_options(big, &some, 0, true);
		put(&some, 0, 4);
		check_options(big, &some, 4, false);
		put_text_option(&behind, 1, "x");
		put(&behind, 0, 4);
		put_fill(&behind, 0x55, 16);
		check_options(big, &behind, 20, false);
		/* the last one says more than there is */
		put_text_option(&bad, 1, "x");
		put(&bad, 1, 2);
		put(&bad, 65535, 2);
		put_fill(&bad, 'y', 8);
		check_options(big, &bad, 12, false);
		free(some.bytes);
		free(behind.bytes);
		free(bad.bytes);
	}
}

static void put_simple(struct build *b, unsigned seed)
{
	size_t at = begin_block(b, 3);

	put(b, 61, 4);
	put_packet(b, seed, 61);
	put_fill(b, 0, 3);
	end_block(b, at);
}

/* A simple packet block has no time: it stays one, unless it is marked, and then
 * the comment says that the time is none. */
Test(extract, simple_blocks)
{
	for (int big = 0; big < 2; big++) {
		struct build in = {.big = big}, want = {.big = big};
		struct cd_error error = {0};
		uint64_t frame = 2;
		size_t at;

		put_section(&in);
		put_iface(&in, 1, 262144, 9);
		put_simple(&in, 1);
		put_bytes(&want, in.bytes, in.n);
		put_simple(&in, 0);
		at = begin_epb(&want, 0, 0, 61, 61);
		put_text_option(&want, 1, NOTE "; the file says no time");
		put_int_option(&want, 4, 3, 8);
		put(&want, 0, 4);
		end_block(&want, at);
		put_simple(&in, 2);
		put_simple(&want, 2);
		write_in(&in);
		cr_assert_eq(annotate(&frame, 1, false, &error), 0, "%s",
			     error.what);
		expect_out(&want);
		remove_files();
		free(in.bytes);
		free(want.bytes);
	}
}

/* A drop count is replaced where it stands, and told. */
Test(extract, drop_count_is_replaced)
{
	struct build in = {0};
	struct cd_error error = {0};
	struct cd_record r;
	struct cd_capture *c;
	uint64_t frame = 1;
	size_t at;

	put_section(&in);
	put_iface(&in, 1, 262144, 9);
	at = begin_block(&in, 6);
	put(&in, 0, 4);
	put(&in, 0, 8);
	put(&in, 0, 4);
	put(&in, 60, 4);
	put_int_option(&in, 4, 77, 8);
	end_block(&in, at);
	write_in(&in);
	cr_assert_eq(annotate(&frame, 1, false, &error), 0);
	free(in.bytes);
	in = read_out();
	c = open_build(&in);
	cr_assert_eq(cd_capture_next(c, &r, &error), 1);
	cr_assert_eq(r.drops, 3);
	cr_assert_str_eq(c->comment,
			 NOTE "; the drop count of the file was 77");
	cr_assert_eq(c->faults, 0);
	cd_capture_close(c);
	remove_files();
}

/* Lengths that leave the padding out, or are wrong at the end: copied as they
 * are, and mended where something is added. */
Test(extract, odd_blocks)
{
	for (int marked = 0; marked < 2; marked++) {
		struct build in = {0}, got;
		struct cd_error error = {0};
		struct cd_record r;
		struct cd_capture *c;
		uint64_t frame = 1;
		size_t at;

		put_section(&in);
		put_iface(&in, 1, 262144, 9);
		at = begin_block(&in, 6);
		put(&in, 0, 4);
		put(&in, 1, 8);
		put(&in, 61, 4);
		put(&in, 61, 4);
		put_packet(&in, 1, 61);
		put(&in, 0, 3);
		put(&in, 93, 4); /* 28 + 61 + 4 */
		set32(&in, at + 4, 93);
		put_epb(&in, 0, 5, 20, 20);
		set32(&in, in.n - 4, 12345);
		write_in(&in);
		cr_assert_eq(annotate(&frame, (size_t)marked, false, &error), 0,
			     "%s", error.what);
		got = read_out();
		if (marked == 0)
			expect_out(&in);
		c = open_build(&got);
		cr_assert_eq(cd_capture_next(c, &r, &error), 1);
		cr_assert_eq(r.caplen, 61);
		cr_assert_eq(r.data[60], 61);
		cr_assert_eq(c->faults, marked == 0);
		cr_assert_eq(cd_capture_next(c, &r, &error), 1);
		cr_assert_eq(cd_capture_next(c, &r, &error), 0);
		cd_capture_close(c);
		remove_files();
		free(in.bytes);
	}
}

/* Every cut of a file: the copy ends where the capture does; unless nothing
 * should have been cut. */
Test(extract, cut_anywhere)
{
	struct build in = {0};
	size_t at, whole;

	put_section(&in);
	put_iface(&in, 1, 262144, 9);
	put_epb(&in, 0, 5, 20, 20);
	at = begin_block(&in, 0xbad);
	put_fill(&in, 7, 40);
	end_block(&in, at);
	put_epb(&in, 0, 6, 21, 21);
	whole = in.n;
	for (size_t n = at; n < whole; n++) {
		struct cd_error error = {0};
		uint64_t frame = 1;
		struct build got;

		in.n = n;
		write_in(&in);
		cr_assert_eq(annotate(&frame, 1, true, &error), 0);
		got = read_out();
		cr_assert_leq(got.n, n + 80);
		free(got.bytes);
		unlink(out_path);
		if (n != at && n != at + 52) {
			cr_assert_eq(annotate(&frame, 1, false, &error), -1);
			cr_assert_eq(access(out_path, F_OK), -1);
		}
		remove_files();
	}
	free(in.bytes);
}

/* A mark of a packet that is not there any more: nothing is written. */
Test(extract, marks_must_fit)
{
	struct build in = {0};
	struct cd_error error = {0};
	uint64_t frames[] = {1, 3};

	put_pcap(&in, PCAP_NS, 0, 1);
	put_record(&in, 1, 2, 20, 20);
	put_record(&in, 1, 3, 20, 20);
	write_in(&in);
	cr_assert_eq(annotate(frames, 2, true, &error), -1);
	cr_assert_eq(error.fault, CD_E_READ);
	cr_assert_str_eq(error.what, "changed while it was read");
	cr_assert_eq(access(out_path, F_OK), -1);
	remove_files();
	free(in.bytes);
}

/* pcap of any kind: seconds and fraction bit for bit, also nonsense. */
Test(extract, pcap_times)
{
	static const struct {
		uint32_t magic, s, fraction;
		uint64_t ticks;
	} cases[] = {
	    {PCAP_US, 0xffffffff, 999999, UINT64_C(4294967295999999)},
	    {PCAP_NS, 7, 123456789, UINT64_C(7123456789)},
	    {PCAP_US, 7, 123456789, UINT64_C(130456789)},
	    {PCAP_NS, 0, 0, 0},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct build in = {.big = i % 2 == 1}, got;
		struct cd_error error = {0};
		uint64_t frame = 1;

		put_pcap(&in, cases[i].magic, 0, 1);
		put_record(&in, cases[i].s, cases[i].fraction, 20, 20);
		write_in(&in);
		cr_assert_eq(annotate(&frame, 1, false, &error), 0);
		got = read_out();
		/* section 28 + application, interface 32: then the packet */
		for (size_t at = 0; at < got.n;) {
			uint32_t type = cd_le32(got.bytes + at);

			if (type == 6)
				cr_assert_eq(
				    (uint64_t)cd_le32(got.bytes + at + 12)
					    << 32 |
					cd_le32(got.bytes + at + 16),
				    cases[i].ticks);
			at += cd_le32(got.bytes + at + 4);
		}
		free(got.bytes);
		remove_files();
		free(in.bytes);
	}
}

Test(extract, picked_pcap_is_the_same_records)
{
	struct build in = {0}, want = {0};
	struct cd_error error = {0};
	struct cd_frame_set frames = {0};
	struct cd_watch watch;
	struct cd_pick what = {.watch = &watch, .frames = &frames};

	put_pcap(&in, PCAP_US, 0, 1);
	put_pcap(&want, PCAP_US, 262144, 1);
	for (uint32_t i = 1; i <= 9; i++)
		put_record(&in, i, i * 200000, 10 + i, 2000);
	for (uint32_t i = 9; i > 6; i--)
		cr_assert_eq(cd_frame_set_add(&frames, i), 0);
	cr_assert_eq(cd_frame_set_add(&frames, 2), 0);
	cd_frame_set_sort(&frames);
	cr_assert_eq(frames.n, 2);
	cr_assert_eq(cd_frame_set_count(&frames), 4);
	put_record(&want, 2, 400000, 12, 2000);
	for (uint32_t i = 7; i <= 9; i++)
		put_record(&want, i, i * 200000, 10 + i, 2000);
	write_in(&in);
	snprintf(out_path, sizeof(out_path), "%s.pcap", in_path);
	what.path = out_path;
	cr_assert_eq(cd_watch_begin(&watch, in_paths, 1, "", &error), 0);
	cr_assert_eq(cd_pick(&what, &error), 0, "%s", error.what);
	expect_out(&want);
	cd_watch_release(&watch);
	cd_frame_set_release(&frames);
	remove_files();
	free(in.bytes);
	free(want.bytes);
}

/* Two link types do not go into one pcap file. */
Test(extract, picked_link_types)
{
	struct build in = {0};
	struct cd_error error = {0};
	struct cd_frame_set frames = {0};
	struct cd_watch watch;
	struct cd_pick what = {.watch = &watch, .frames = &frames};

	put_section(&in);
	put_iface(&in, 1, 0, 9);
	put_iface(&in, 101, 0, 9);
	put_epb(&in, 0, 5, 20, 20);
	put_epb(&in, 1, 5, 20, 20);
	cd_frame_set_add(&frames, 1);
	cd_frame_set_add(&frames, 2);
	write_in(&in);
	snprintf(out_path, sizeof(out_path), "%s.pcap", in_path);
	what.path = out_path;
	cr_assert_eq(cd_watch_begin(&watch, in_paths, 1, "", &error), 0);
	cr_assert_eq(cd_pick(&what, &error), -1);
	cr_assert_eq(error.fault, CD_E_DATA);
	cr_assert_eq(access(out_path, F_OK), -1);
	cd_watch_release(&watch);
	cd_frame_set_release(&frames);
	remove_files();
	free(in.bytes);
}

/* ---- damage ---------------------------------------------------------------
 */

static struct build sample(bool big)
{
	struct build b = {.big = big};
	size_t at;

	put_section(&b);
	put_iface(&b, 1, 96, 9);
	for (unsigned i = 0; i < 6; i++) {
		at = begin_epb(&b, 0, 1000 + i, 20 + i, 60);
		if (i % 2 == 0)
			put_text_option(&b, 1, "a comment");
		if (i % 3 == 0)
			put_int_option(&b, 4, 9, 8);
		if (i % 2 == 0)
			put_end_of_options(&b);
		end_block(&b, at);
		put_custom_block(&b, 0xbad, i);
	}
	at = begin_block(&b, 3);
	put(&b, 33, 4);
	put_packet(&b, 7, 33);
	end_block(&b, at);
	at = begin_block(&b, 2);
	put(&b, 0, 2);
	put(&b, 4, 2);
	put(&b, 1, 8);
	put(&b, 30, 4);
	put(&b, 30, 4);
	put_packet(&b, 8, 30);
	put_padding(&b, at);
	put_text_option(&b, 1, "old");
	end_block(&b, at);
	put_counters(&b, 0, 8, 1);
	return b;
}

static uint64_t next_random(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return *state >> 33;
}

/* Packets of a file as far as it can be read, and a sum over their bytes and
 * times. */
static size_t digest(const char *path, uint64_t *sum)
{
	struct cd_input *input = cd_input_open(path, NULL);
	struct cd_capture *c = cd_capture_open(input, NULL);
	struct cd_record r;
	size_t n = 0;

	*sum = 0;
	if (c == NULL)
		return 0;
	while (cd_capture_next(c, &r, NULL) > 0) {
		n++;
		for (uint32_t i = 0; i < r.caplen; i++)
			*sum = *sum * 31 + r.data[i];
		*sum = *sum * 31 + (uint64_t)r.time.s + (uint64_t)r.time.ps +
		       r.origlen + r.iface;
	}
	cd_capture_close(c);
	return n;
}

/* Whatever is damaged: all packets that can be read are in the copy, each with
 * its mark, and nothing is read that is not there. */
Test(extract, damaged_anywhere)
{
	uint64_t state = 20261201;

	for (int round = 0; round < 1500; round++) {
		struct build b = sample(round % 2 == 1);
		struct cd_error error = {0};
		uint64_t frames[64], in_sum, out_sum;
		size_t n;

		for (uint64_t k = next_random(&state) % 4; k < 4; k++)
			b.bytes[28 + next_random(&state) % (b.n - 28)] =
			    (uint8_t)(next_random(&state) % 3 == 0
					  ? next_random(&state) % 8
					  : next_random(&state));
		write_in(&b);
		n = digest(in_path, &in_sum);
		cr_assert_leq(n, 64);
		for (size_t i = 0; i < n; i++)
			frames[i] = i + 1;
		cr_assert_eq(annotate(frames, n, true, &error), 0, "%s",
			     error.what);
		cr_assert_eq(digest(out_path, &out_sum), n, "round %d", round);
		cr_assert_eq(in_sum, out_sum, "round %d", round);
		remove_files();
		free(b.bytes);
	}
}

/* ---- the library ----------------------------------------------------------
 */

static struct capdiff_report *run_pair(const char *marked, const char *rows,
				       struct capdiff_error *error)
{
	const char *top = getenv("srcdir");
	char hw[512], laptop[512];
	struct capdiff_capture captures[] = {{.path = hw}, {.path = laptop}};
	struct capdiff_options options;

	top = top == NULL ? "." : top;
	snprintf(hw, sizeof(hw), "%s/data/hw.pcapng.gz", top);
	snprintf(laptop, sizeof(laptop), "%s/data/laptop.pcapng.gz", top);
	capdiff_options_init(&options);
	options.captures = captures;
	options.n_captures = 2;
	options.write_marked = marked;
	options.write_packets = rows;
	return capdiff_run(&options, error);
}

Test(extract, by_the_library)
{
	struct capdiff_error error = {0};
	struct capdiff_report *report;
	uint64_t sum;

	memcpy(in_path, IN, sizeof(in_path));
	close(mkstemp(in_path));
	snprintf(out_path, sizeof(out_path), "%s.out", in_path);
	report = run_pair(out_path, in_path, &error);
	cr_assert_not_null(report, "%s", error.what);
	cr_assert_eq(error.fault, CAPDIFF_OK);
	cr_assert_eq(capdiff_status(report), 1);
	cr_assert_eq(digest(out_path, &sum), 19491);
	capdiff_report_free(report);
	remove_files();
}

/* The report is not lost with the file. */
Test(extract, report_without_the_file)
{
	struct capdiff_error error = {0};
	struct capdiff_report *report =
	    run_pair("no/such/folder/x.pcapng", NULL, &error);
	double missing;

	cr_assert_not_null(report);
	cr_assert_eq(error.fault, CAPDIFF_INPUT);
	cr_assert_str_eq(error.file, "no/such/folder/x.pcapng");
	cr_assert_eq(capdiff_status(report), 2);
	cr_assert(capdiff_value(report, "laptop.loss.missing", &missing));
	cr_assert_eq(missing, 513);
	capdiff_report_free(report);
}
