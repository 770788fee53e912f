#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "capture/set.h"
#include "capture/writer.h"

#define EPOCH_S 1700000000
#define PACKET_BYTES 60

/* A set under construction in a folder of its own. */
struct files {
	char folder[32];
	char *paths[8];
	size_t n;
	struct cd_writer_options options;
	uint64_t second; /* of the next packet */
};

static struct files new_files(void)
{
	struct files f = {
	    .folder = "test_set.XXXXXX",
	    .options = {.format = CD_WRITE_PCAPNG,
			.resolution = {10, 9},
			.linktype = 1,
			.fcs_bytes = -1,
			.application = "writer"},
	};

	cr_assert_not_null(mkdtemp(f.folder));
	return f;
}

static char *add_path(struct files *f)
{
	char *path = cd_strf("%s/%zu", f->folder, f->n);

	cr_assert_not_null(path);
	f->paths[f->n++] = path;
	return path;
}

/* A file of `n` packets, and statistics if they are given. */
static void add_file(struct files *f, unsigned n,
		     const struct cd_writer_statistics *statistics)
{
	uint8_t data[PACKET_BYTES] = {0};
	struct cd_writer *w = cd_writer_open(add_path(f), &f->options, NULL);

	cr_assert_not_null(w);
	for (unsigned i = 0; i < n; i++) {
		struct cd_writer_packet p = {
		    .time = {.s = (int64_t)(EPOCH_S + f->second)},
		    .data = data,
		    .caplen = PACKET_BYTES,
		    .origlen = PACKET_BYTES,
		};

		data[0] = (uint8_t)f->second++;
		cr_assert_eq(cd_writer_packet(w, &p, NULL), 0);
	}
	if (statistics != NULL)
		cr_assert_eq(cd_writer_statistics(w, statistics, NULL), 0);
	cr_assert_eq(cd_writer_close(w, NULL), 0);
}

static void add_bytes(struct files *f, const char *bytes, size_t n)
{
	FILE *out = fopen(add_path(f), "wb");

	cr_assert_not_null(out);
	cr_assert_eq(fwrite(bytes, 1, n, out), n);
	cr_assert_eq(fclose(out), 0);
}

static void remove_files(struct files *f)
{
	for (size_t i = 0; i < f->n; i++) {
		unlink(f->paths[i]);
		free(f->paths[i]);
	}
	rmdir(f->folder);
}

static struct cd_capture *open_files(const struct files *f,
				     struct cd_error *error)
{
	return cd_set_open((const char *const *)f->paths, f->n, error);
}

/* Read to the end: packets are numbered from 1, a second apart. */
static struct cd_capture *read_files(const struct files *f)
{
	struct cd_error error = {0};
	struct cd_capture *capture = open_files(f, &error);
	struct cd_record record;
	uint64_t n = 0;
	int got;

	cr_assert_not_null(capture, "%s", error.what);
	while ((got = cd_capture_next(capture, &record, &error)) > 0) {
		n++;
		cr_assert_eq(record.number, n);
		cr_assert_eq(record.caplen, PACKET_BYTES);
		cr_assert_lt(record.iface, capture->n_ifaces);
	}
	cr_assert_eq(got, 0, "%s", error.what);
	cr_assert_eq(capture->packets, n);
	cr_assert_eq(capture->bytes, n * PACKET_BYTES);
	return capture;
}

static const struct cd_member *members_of(const struct cd_capture *capture,
					  size_t wanted)
{
	size_t n;
	const struct cd_member *members = cd_set_members(capture, &n);

	cr_assert_eq(n, wanted);
	return members;
}

Test(set, files_one_after_the_other)
{
	struct files f = new_files();
	struct cd_capture *c;
	const struct cd_member *m;

	add_file(&f, 3, NULL);
	f.options.gzip = true;
	add_file(&f, 0, NULL);
	add_file(&f, 4, NULL);
	c = read_files(&f);
	cr_assert_eq(c->packets, 7);
	cr_assert_eq(c->n_ifaces, 1);
	cr_assert_eq(c->ifaces[0].packets, 7);
	cr_assert_eq(c->ifaces[0].received, CD_COUNT_NONE);
	cr_assert_str_eq(c->format->name, "pcapng");
	cr_assert_str_eq(c->application, "writer");
	m = members_of(c, 3);
	cr_assert_eq(m[0].packets, 3);
	cr_assert_eq(m[1].packets, 0);
	cr_assert_eq(m[2].packets, 4);
	cr_assert_eq(m[2].bytes, 4 * PACKET_BYTES);
	cr_assert_eq(m[0].compression, CD_PLAIN);
	cr_assert_eq(m[2].compression, CD_GZIP);
	cr_assert_null(m[0].stop);
	cr_assert_gt(cd_set_consumed(c), 3 * PACKET_BYTES);
	cd_capture_close(c);
	remove_files(&f);
}

Test(set, interfaces_that_differ_stay_apart)
{
	struct files f = new_files();
	struct cd_capture *c;

	add_file(&f, 2, NULL);
	f.options.format = CD_WRITE_PCAP;
	f.options.resolution = (struct cd_resolution){10, 6};
	add_file(&f, 3, NULL);
	f.options.format = CD_WRITE_PCAPNG;
	f.options.resolution = (struct cd_resolution){10, 9};
	add_file(&f, 4, NULL);
	c = read_files(&f);
	cr_assert_eq(c->n_ifaces, 2);
	cr_assert_eq(c->ifaces[0].packets, 6);
	cr_assert_eq(c->ifaces[1].packets, 3);
	cr_assert_eq(c->ifaces[1].resolution.exponent, 6);
	cd_capture_close(c);
	remove_files(&f);
}

/* ---- statistics ------------------------------------------------------------ */

static struct cd_writer_statistics counters(uint64_t received, uint64_t dropped,
					    int64_t start)
{
	return (struct cd_writer_statistics){
	    .time = {.s = EPOCH_S},
	    .has_start = start > 0,
	    .start = {.s = EPOCH_S + start},
	    .received = received,
	    .dropped = dropped,
	    .os_dropped = UINT64_MAX,
	};
}

/* Files of 10 packets with these counters (received, dropped, start). */
static void check_counters(const int64_t (*files)[3], size_t n,
			   uint64_t received, uint64_t dropped)
{
	struct files f = new_files();
	struct cd_capture *c;

	for (size_t i = 0; i < n; i++) {
		struct cd_writer_statistics s =
		    counters((uint64_t)files[i][0], (uint64_t)files[i][1],
			     files[i][2]);

		add_file(&f, 10, &s);
	}
	c = read_files(&f);
	cr_expect_eq(c->ifaces[0].received, received);
	cr_expect_eq(c->ifaces[0].dropped, dropped);
	cr_expect_eq(c->ifaces[0].os_dropped, CD_COUNT_NONE);
	cd_capture_close(c);
	remove_files(&f);
}

Test(set, counters_since_the_beginning_replace)
{
	check_counters((const int64_t[][3]){{12, 2, 1}, {24, 4, 1}, {34, 4, 1}},
		       3, 34, 4);
	check_counters((const int64_t[][3]){{12, 2, 0}, {24, 4, 0}, {34, 4, 0}},
		       3, 34, 4);
	/* the same beginning, whatever they say */
	check_counters((const int64_t[][3]){{10, 0, 1}, {15, 3, 1}}, 2, 15, 3);
}

Test(set, counters_of_each_file_add_up)
{
	check_counters((const int64_t[][3]){{12, 2, 1}, {24, 4, 5}, {34, 4, 9}},
		       3, 70, 10);
	check_counters((const int64_t[][3]){{12, 2, 0}, {12, 2, 0}, {12, 1, 0}},
		       3, 36, 5);
	/* 35 could go on from 24, but file 2 did not go on from file 1 */
	check_counters((const int64_t[][3]){{12, 2, 0}, {12, 2, 0}, {35, 25, 0}},
		       3, 59, 29);
	check_counters((const int64_t[][3]){{30, 20, 0}, {11, 1, 0}}, 2, 41, 21);
}

Test(set, counters_only_in_some_files)
{
	struct files f = new_files();
	struct cd_writer_statistics s = counters(31, 1, 0);
	struct cd_capture *c;

	add_file(&f, 10, NULL);
	add_file(&f, 10, NULL);
	add_file(&f, 10, &s);
	c = read_files(&f);
	cr_expect_eq(c->ifaces[0].received, 31);
	cr_expect_eq(c->ifaces[0].dropped, 1);
	cd_capture_close(c);
	remove_files(&f);
}

/* ---- faults ---------------------------------------------------------------- */

static void cut(const char *path, long bytes)
{
	struct cd_error error = {0};
	struct cd_input *input = cd_input_open(path, &error);
	long size = (long)cd_input_size(input);

	cd_input_close(input);
	cr_assert_eq(truncate(path, size - bytes), 0);
}

Test(set, a_fault_ends_its_file_only)
{
	struct files f = new_files();
	struct cd_capture *c;
	const struct cd_member *m;

	add_file(&f, 3, NULL);
	add_file(&f, 3, NULL);
	cut(f.paths[1], 5);
	add_bytes(&f, "", 0);
	add_bytes(&f, "no capture at all", 17);
	add_file(&f, 3, NULL);
	c = read_files(&f);
	cr_assert_eq(c->packets, 3 + 2 + 3);
	m = members_of(c, 5);
	cr_assert_null(m[0].stop);
	cr_assert_eq(m[1].stop->fault, CD_E_TRUNCATED);
	cr_assert_eq(m[1].stop->packets, 2);
	cr_assert_str_eq(m[1].stop->file, f.paths[1]);
	cr_assert_eq(m[2].stop->fault, CD_E_TRUNCATED);
	cr_assert_null(m[2].format);
	cr_assert_eq(m[3].stop->fault, CD_E_FORMAT);
	cr_assert_null(m[4].stop);
	cr_assert_eq(m[4].packets, 3);
	cd_capture_close(c);
	remove_files(&f);
}

Test(set, a_file_that_went_away)
{
	struct files f = new_files();
	struct cd_capture *c;

	add_file(&f, 3, NULL);
	add_path(&f);
	add_file(&f, 3, NULL);
	c = read_files(&f);
	cr_assert_eq(c->packets, 6);
	cr_assert_eq(members_of(c, 3)[1].stop->fault, CD_E_OPEN);
	cd_capture_close(c);
	remove_files(&f);
}

Test(set, nothing_can_be_read)
{
	struct files f = new_files();
	struct cd_error error = {0};

	add_bytes(&f, "no capture at all", 17);
	add_bytes(&f, "", 0);
	cr_assert_null(open_files(&f, &error));
	cr_assert_eq(error.fault, CD_E_FORMAT);
	cr_assert_str_eq(error.file, f.paths[0]);
	remove_files(&f);
}

Test(set, members_outlive_the_capture)
{
	struct files f = new_files();
	struct cd_capture *c;
	struct cd_record record;
	struct cd_member *m;
	size_t n;

	add_file(&f, 3, NULL);
	add_file(&f, 3, NULL);
	c = open_files(&f, NULL);
	for (int i = 0; i < 4; i++)
		cr_assert_eq(cd_capture_next(c, &record, NULL), 1);
	m = cd_set_take_members(c, &n);
	cd_capture_close(c);
	cr_assert_eq(n, 2);
	cr_assert_eq(m[0].packets, 3);
	cr_assert_eq(m[1].packets, 1);
	cr_assert_str_eq(m[1].path, f.paths[1]);
	cd_members_free(m, n);
	remove_files(&f);
}

Test(set, a_file_alone_is_no_set)
{
	struct files f = new_files();
	struct cd_capture *c;
	size_t n = 7;

	add_file(&f, 3, NULL);
	c = cd_capture_open(cd_input_open(f.paths[0], NULL), NULL);
	cr_assert_null(cd_set_members(c, &n));
	cr_assert_eq(n, 0);
	cr_assert_null(cd_set_take_members(c, &n));
	cr_assert_gt(cd_set_consumed(c), 0);
	cd_capture_close(c);
	remove_files(&f);
}

/* ---- the time of a file ------------------------------------------------------ */

Test(set, time_of_a_file)
{
	struct files f = new_files();
	struct cd_instant time = {0, 0};
	struct cd_error error = {0};

	f.second = 100;
	add_file(&f, 9, NULL);
	add_file(&f, 0, NULL);
	add_bytes(&f, "", 0);
	add_bytes(&f, "no capture at all", 17);
	cr_assert_eq(cd_capture_time(f.paths[0], &time, &error), 1);
	cr_assert_eq(time.s, EPOCH_S + 104);
	cr_assert_eq(cd_capture_time(f.paths[1], &time, &error), 0);
	cr_assert_eq(cd_capture_time(f.paths[2], &time, &error), 0);
	cr_assert_eq(error.fault, CD_OK);
	cr_assert_eq(cd_capture_time(f.paths[3], &time, &error), -1);
	cr_assert_eq(error.fault, CD_E_FORMAT);
	remove_files(&f);
}
