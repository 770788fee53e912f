/*
 * Many of everything, within seconds: the limits are wide, but what grows with
 * the square does not keep them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "capdiff/capdiff.h"
#include "ingesting.h"

#define STREAMS 20000
#define CPU_SECONDS 8 /* several times what it takes without sanitizers */
#define INTERFACES 10000

static struct cd_writer *open_writer(char **path, uint32_t interfaces)
{
	struct cd_writer_options options = {
	    .format = interfaces > 1 ? CD_WRITE_PCAPNG : CD_WRITE_PCAP,
	    .resolution = {10, 9},
	    .linktype = 1,
	    .fcs_bytes = -1,
	    .interfaces = interfaces,
	};
	struct cd_writer *w;

	*path = temporary_path();
	w = cd_writer_open(*path, &options, NULL);
	cr_assert_not_null(w);
	return w;
}

static void put_numbered(struct cd_writer *w, uint64_t at, uint32_t iface,
			 uint32_t host, uint16_t port, uint32_t seq)
{
	struct frame f;
	uint8_t *payload = begin_udp(&f, port, 9, 18);
	struct cd_writer_packet p = {
	    .time = {EPOCH_S, (int64_t)at * 2 * CD_PS_PER_US},
	    .data = f.bytes,
	    .iface = iface,
	};

	be(f.bytes + 26, host, 4);
	be(payload, 0xbe9be955, 4);
	be(payload + 4, seq, 4);
	be(payload + 8, EPOCH_S, 4);
	p.caplen = p.origlen = f.n;
	cr_assert_eq(cd_writer_packet(w, &p, NULL), 0);
}

/* Two packets of each stream, every second one from `host`. */
static char *write_streams(uint32_t host)
{
	char *path;
	struct cd_writer *w = open_writer(&path, 1);
	uint64_t at = 0;

	for (uint32_t seq = 1; seq <= 2; seq++)
		for (uint16_t i = 0; i < STREAMS; i++)
			put_numbered(w, at++, 0, i % 2 ? host : 0x0a000001,
				     (uint16_t)(1024 + i), seq);
	cr_assert_eq(cd_writer_close(w, NULL), 0);
	return path;
}

static struct capdiff_report *run(struct capdiff_capture *captures, size_t n,
				  struct capdiff_error *error)
{
	struct capdiff_options options;

	capdiff_options_init(&options);
	options.captures = captures;
	options.n_captures = n;
	*error = (struct capdiff_error){0};
	return capdiff_run(&options, error);
}

static double value_of(const struct capdiff_report *report, const char *key)
{
	double value = -1;

	cr_assert(capdiff_value(report, key, &value), "%s", key);
	return value;
}

#if defined(__SANITIZE_ADDRESS__)
#define HAS_ASAN 1
#elif defined(__has_feature)
#define HAS_ASAN __has_feature(address_sanitizer)
#else
#define HAS_ASAN 0
#endif

static void check_cpu(void)
{
	double seconds = (double)clock() / CLOCKS_PER_SEC;

	cr_assert(HAS_ASAN || seconds < CPU_SECONDS, "%.1f s", seconds);
}

/* Half of the streams have no partner, and no offset of their own. */
Test(scale, streams, .timeout = 200)
{
	char *ref = write_streams(0x0a000001), *dut = write_streams(0x0a000007);
	struct capdiff_capture captures[] = {{.path = ref, .label = "ref"},
					     {.path = dut, .label = "dut"}};
	struct capdiff_error error;
	struct capdiff_report *report = run(captures, 2, &error);

	cr_assert_not_null(report, "%s", error.what);
	cr_assert_eq(value_of(report, "dut.file.packets"), 2 * STREAMS);
	cr_assert_eq(value_of(report, "dut.match.matched"), STREAMS);
	capdiff_report_free(report);
	report = run(captures, 1, &error);
	cr_assert_not_null(report, "%s", error.what);
	cr_assert_eq(value_of(report, "ref.stream.count"), STREAMS);
	capdiff_report_free(report);
	check_cpu();
	drop(ref);
	drop(dut);
}

Test(scale, interfaces, .timeout = 200)
{
	char *path;
	struct cd_writer *w = open_writer(&path, INTERFACES);
	struct capdiff_capture captures[] = {
	    {.path = path, .label = "first", .one_interface = true},
	    {.path = path, .label = "last", .one_interface = true,
	     .interface = INTERFACES - 1}};
	struct capdiff_report *report;
	struct capdiff_error error;

	/* each number at every hundredth interface */
	for (uint32_t i = 0; i < 2 * INTERFACES; i++)
		put_numbered(w, i, i % INTERFACES, 0x0a000001, 1024,
			     i / INTERFACES + 1);
	cr_assert_eq(cd_writer_close(w, NULL), 0);
	report = run(captures, 2, &error);
	cr_assert_not_null(report, "%s", error.what);
	cr_assert_eq(value_of(report, "last.file.packets"), 2);
	cr_assert_eq(value_of(report, "last.match.matched"), 2);
	capdiff_report_free(report);
	captures[1].interface = INTERFACES;
	report = run(captures, 2, &error);
	cr_assert(report == NULL || capdiff_status(report) == 2);
	capdiff_report_free(report);
	drop(path);
}

Test(scale, captures, .timeout = 200)
{
	struct capdiff_capture captures[CAPDIFF_MAX_CAPTURES + 1];
	char labels[CAPDIFF_MAX_CAPTURES + 1][8];
	char *paths[CAPDIFF_MAX_CAPTURES + 1];
	struct capdiff_report *report;
	struct capdiff_error error;

	for (size_t i = 0; i <= CAPDIFF_MAX_CAPTURES; i++) {
		struct cd_writer *w = open_writer(&paths[i], 1);

		for (uint32_t seq = 1; seq <= 100; seq++)
			put_numbered(w, seq, 0, 0x0a000001, 1024, seq);
		cr_assert_eq(cd_writer_close(w, NULL), 0);
		snprintf(labels[i], sizeof(labels[i]), "c%zu", i);
		captures[i] = (struct capdiff_capture){.path = paths[i],
						       .label = labels[i]};
	}
	report = run(captures, CAPDIFF_MAX_CAPTURES, &error);
	cr_assert_not_null(report, "%s", error.what);
	cr_assert_eq(value_of(report, "c63.match.matched"), 100);
	capdiff_report_free(report);
	report = run(captures, CAPDIFF_MAX_CAPTURES + 1, &error);
	cr_assert_null(report);
	cr_assert_eq(error.fault, CAPDIFF_USAGE, "%s", error.what);
	for (size_t i = 0; i <= CAPDIFF_MAX_CAPTURES; i++)
		drop(paths[i]);
}
