/*
 * Captures cut at every byte, through whole runs: every complete packet is
 * counted, and what is missing at the end is never taken for a loss without a
 * word. CAPDIFF_LONG tries every offset, else each seventh.
 */
#include <stdio.h>
#include <stdlib.h>

#include "capdiff/capdiff.h"
#include "ingesting.h"

#define PACKETS 24

struct file {
	uint8_t *bytes;
	size_t n;
};

static char *write_stream(enum cd_writer_format format)
{
	struct cd_writer_options options = {
	    .format = format,
	    .resolution = {10, 9},
	    .linktype = 1,
	    .fcs_bytes = -1,
	    .hardware = "a card",
	};
	char *path = temporary_path();
	struct cd_writer *w = cd_writer_open(path, &options, NULL);

	cr_assert_not_null(w);
	for (unsigned i = 0; i < PACKETS; i++) {
		struct frame f;
		uint8_t *payload = begin_udp(&f, 40000, 9, 18);
		struct cd_writer_packet p = {
		    .time = {EPOCH_S, i * CD_PS_PER_MS},
		    .data = f.bytes,
		};

		be(payload, 0xbe9be955, 4);
		be(payload + 4, i + 1, 4);
		be(payload + 8, EPOCH_S, 4);
		p.caplen = p.origlen = f.n;
		cr_assert_eq(cd_writer_packet(w, &p, NULL), 0);
	}
	cr_assert_eq(cd_writer_close(w, NULL), 0);
	return path;
}

static struct file read_file(const char *path)
{
	FILE *f = fopen(path, "rb");
	struct file file = {malloc(65536), 0};

	cr_assert_not_null(f);
	file.n = fread(file.bytes, 1, 65536, f);
	fclose(f);
	return file;
}

static void write_start(const char *path, const struct file *file, size_t n)
{
	FILE *f = fopen(path, "wb");

	cr_assert_not_null(f);
	cr_assert_eq(fwrite(file->bytes, 1, n, f), n);
	cr_assert_eq(fclose(f), 0);
}

/* Complete packets in the first n bytes; *ends: they end with one, or with
 * another block. */
static unsigned count_pcap(const struct file *file, size_t n, bool *ends)
{
	size_t record = (file->n - 24) / PACKETS;

	*ends = n >= 24 && (n - 24) % record == 0;
	return n < 24 ? 0 : (unsigned)((n - 24) / record);
}

static unsigned count_pcapng(const struct file *file, size_t n, bool *ends)
{
	unsigned packets = 0;
	size_t at = 0;

	while (at + 8 <= file->n) {
		uint32_t type, length;

		memcpy(&type, file->bytes + at, 4);
		memcpy(&length, file->bytes + at + 4, 4);
		if (at + length > n)
			break;
		packets += type == 6;
		at += length;
	}
	*ends = at == n && n > 0;
	return packets;
}

static double value_of(const struct capdiff_report *report, const char *key)
{
	double value = -1;

	capdiff_value(report, key, &value);
	return value;
}

/* The cut file against the whole one, and alone. */
static void check_cut(const char *whole, const char *cut, unsigned packets,
		      bool ends)
{
	struct capdiff_capture captures[] = {{.path = whole, .label = "whole"},
					     {.path = cut, .label = "cut"}};
	struct capdiff_options options;
	struct capdiff_error error = {0};
	struct capdiff_report *report;

	capdiff_options_init(&options);
	options.captures = captures;
	options.n_captures = 2;
	report = capdiff_run(&options, &error);
	cr_assert(report != NULL || error.what[0] != '\0');
	if (report != NULL) {
		cr_assert_eq(value_of(report, "cut.file.packets"), packets);
		cr_assert_eq(value_of(report, "whole.file.packets"), PACKETS);
		cr_assert_eq(capdiff_status(report),
			     ends && packets > 0 ? 1 : 2);
	}
	capdiff_report_free(report);
	options.captures = captures + 1;
	options.n_captures = 1;
	error = (struct capdiff_error){0};
	report = capdiff_run(&options, &error);
	cr_assert(report != NULL || error.what[0] != '\0');
	cr_assert_eq(report != NULL, packets > 0, "%u packets: %s", packets,
		     error.what);
	if (report == NULL)
		cr_assert_null(strstr(error.hint, "analysed"));
	else
		cr_assert_eq(value_of(report, "cut.file.packets"), packets);
	capdiff_report_free(report);
}

static void cut_everywhere(enum cd_writer_format format,
			   unsigned (*count)(const struct file *file, size_t n,
					     bool *ends))
{
	char *whole = write_stream(format), *cut = temporary_path();
	struct file file = read_file(whole);
	size_t step = getenv("CAPDIFF_LONG") != NULL ? 1 : 7;
	bool ends;

	cr_assert_eq(count(&file, file.n, &ends), PACKETS);
	for (size_t n = 0; n < file.n; n += step) {
		unsigned packets = count(&file, n, &ends);

		write_start(cut, &file, n);
		check_cut(whole, cut, packets, ends);
	}
	free(file.bytes);
	drop(whole);
	drop(cut);
}

Test(truncated, pcap, .timeout = 600)
{
	cut_everywhere(CD_WRITE_PCAP, count_pcap);
}

Test(truncated, pcapng, .timeout = 600)
{
	cut_everywhere(CD_WRITE_PCAPNG, count_pcapng);
}
