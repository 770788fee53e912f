/*
 * Whole runs. The bytes make one to three captures of up to two streams: an
 * option byte, then six bytes for each run of packets: the captures, stream
 * and time scale, the step of the number, the time to the next packet, how
 * many. Any of it gives a report in every format, the same for any number of
 * threads.
 */
#include "fuzz.h"

#include <jansson.h>
#include <stdio.h>
#include <unistd.h>

#include "base/array.h"
#include "base/bytes.h"
#include "capdiff/capdiff.h"

#define CAPTURES 3
#define STREAMS 2
#define PACKETS_MAX 4000
#define FRAME_BYTES 60

struct maker {
	FILE *files[CAPTURES];
	uint32_t seq[CAPTURES][STREAMS];
	int64_t time_ns[CAPTURES];
	size_t packets;
};

static char folder[] = "/tmp/capdiff-fuzz.XXXXXX";
static char paths[CAPTURES][sizeof(folder) + 8];

static void remove_files(void)
{
	for (size_t i = 0; i < CAPTURES; i++)
		unlink(paths[i]);
	rmdir(folder);
}

static void name_files(void)
{
	if (paths[0][0] != '\0')
		return;
	MUST(mkdtemp(folder) != NULL);
	for (size_t i = 0; i < CAPTURES; i++)
		snprintf(paths[i], sizeof(paths[i]), "%s/%c.pcap", folder,
			 (char)('a' + i));
	atexit(remove_files);
}

static void put32(uint8_t *p, uint32_t value)
{
	p[0] = (uint8_t)(value >> 24);
	p[1] = (uint8_t)(value >> 16);
	p[2] = (uint8_t)(value >> 8);
	p[3] = (uint8_t)value;
}

static void begin_file(FILE *file)
{
	uint8_t head[24] = {0xa1, 0xb2, 0x3c, 0x4d, 0, 2, 0, 4};

	put32(head + 16, 65535);
	put32(head + 20, 1);
	MUST(fwrite(head, sizeof(head), 1, file) == 1);
}

/* A packet of pktgen. */
static void put_packet(FILE *file, int64_t time_ns, unsigned stream,
		       uint32_t seq)
{
	static const uint8_t start[42] = {
	    2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 8, 0, 0x45, 0, 0, 46,
	    0, 0, 0, 0, 32, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2,
	    0, 9, 0, 9, 0, 26, 0, 0};
	uint8_t record[16 + FRAME_BYTES] = {0};

	put32(record, (uint32_t)(time_ns / 1000000000));
	put32(record + 4, (uint32_t)(time_ns % 1000000000));
	put32(record + 8, FRAME_BYTES);
	put32(record + 12, FRAME_BYTES);
	memcpy(record + 16, start, sizeof(start));
	record[16 + 35] = (uint8_t)(9 + stream);
	put32(record + 58, 0xbe9be955);
	put32(record + 62, seq);
	put32(record + 66, (uint32_t)(time_ns / 1000000000));
	MUST(fwrite(record, sizeof(record), 1, file) == 1);
}

/* Times stay what a pcap file can hold. */
static int64_t move(int64_t time_ns, int64_t by)
{
	int64_t most = INT64_C(4294967295999999999);

	time_ns += by;
	return time_ns < 0 ? 0 : time_ns > most ? most : time_ns;
}

static void make_packets(struct maker *m, const uint8_t *op)
{
	unsigned which = op[0] & 7, stream = op[0] >> 3 & 1;
	unsigned scale = op[0] >> 4;
	int64_t by = (int64_t)(int16_t)cd_be16(op + 2) * (INT64_C(1) << scale);
	uint32_t step = (uint32_t)(int8_t)op[1];
	size_t n = cd_be16(op + 4) & 1023;

	if (op[4] & 0x80)
		step <<= 24;
	if (op[4] & 0x40)
		by *= 65536;
	for (; n > 0 && m->packets < PACKETS_MAX; n--)
		for (size_t c = 0; c < CAPTURES; c++) {
			if ((which >> c & 1) == 0)
				continue;
			m->seq[c][stream] += step;
			m->time_ns[c] = move(m->time_ns[c], by);
			put_packet(m->files[c], m->time_ns[c], stream,
				   m->seq[c][stream]);
			m->packets++;
		}
}

static void make_captures(const uint8_t *bytes, size_t n)
{
	struct maker m = {.packets = 0};

	for (size_t c = 0; c < CAPTURES; c++) {
		m.files[c] = fopen(paths[c], "wb");
		MUST(m.files[c] != NULL);
		begin_file(m.files[c]);
		m.time_ns[c] = INT64_C(1700000000000000000);
	}
	for (; n >= 6; n -= 6, bytes += 6)
		make_packets(&m, bytes);
	for (size_t c = 0; c < CAPTURES; c++)
		MUST(fclose(m.files[c]) == 0);
}

static void check_json(const char *text)
{
	json_error_t error;
	json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, &error);

	MUST(json != NULL);
	json_decref(json);
}

/* The reports in all formats, and the status. */
static char *run(struct capdiff_options *options, unsigned threads)
{
	static const char *const formats[] = {"text", "csv", "json"};
	struct capdiff_error error = {0};
	struct capdiff_report *report;
	char *texts[3] = {NULL}, *all;
	size_t size = 1;

	options->threads = threads;
	report = capdiff_run(options, &error);
	MUST(report != NULL || error.fault != CAPDIFF_OK);
	if (report == NULL)
		return cd_strdup(error.what);
	MUST(capdiff_status(report) >= 0 && capdiff_status(report) <= 2);
	for (size_t i = 0; i < 3; i++) {
		texts[i] = capdiff_render(report, formats[i], 80);
		MUST(texts[i] != NULL);
		size += strlen(texts[i]);
	}
	check_json(texts[2]);
	all = malloc(size);
	MUST(all != NULL);
	snprintf(all, size, "%s%s%s", texts[0], texts[1], texts[2]);
	for (size_t i = 0; i < 3; i++)
		free(texts[i]);
	capdiff_report_free(report);
	return all;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	static const char *const estimators[] = {NULL, "ols", "hull", "bqts"};
	struct capdiff_capture captures[CAPTURES] = {{.path = NULL}};
	struct capdiff_options options;
	char *one, *four;

	if (n == 0)
		return 0;
	name_files();
	make_captures(bytes + 1, n - 1);
	for (size_t c = 0; c < CAPTURES; c++)
		captures[c].path = paths[c];
	capdiff_options_init(&options);
	options.captures = captures;
	options.n_captures = bytes[0] % CAPTURES + 1u;
	options.estimator = estimators[bytes[0] >> 2 & 3];
	options.union_universe = bytes[0] >> 4 & 1;
	options.force_skew = bytes[0] >> 5 & 1;
	options.guard_ps = bytes[0] >> 6 & 1 ? 1000000000 : 0;
	options.clocks_synchronised = bytes[0] >> 7;
	one = run(&options, 1);
	four = run(&options, 4);
	MUST(one != NULL && four != NULL && strcmp(one, four) == 0);
	free(one);
	free(four);
	return 0;
}
