/*
 * Captures cut and joined anew for the shell tests:
 *	recut split IN OUT...	the packets of IN, in equal parts, to the OUTs
 *	recut ports IN0 IN1 OUT	both as interfaces 0 and 1 of OUT, by time
 * .pcapng anywhere in its name makes a file pcapng, else it is pcap; .gz at
 * its end packs it. All have a resolution of 1 ns.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/capture.h"
#include "capture/writer.h"

static void fail(const struct cd_error *error)
{
	fprintf(stderr, "recut: %s: %s\n", error->file, error->what);
	exit(1);
}

static struct cd_capture *open_in(const char *path)
{
	struct cd_error error = {0};
	struct cd_input *input = cd_input_open(path, &error);
	struct cd_capture *capture =
	    input == NULL ? NULL : cd_capture_open(input, &error);

	if (capture == NULL)
		fail(&error);
	return capture;
}

static struct cd_writer *open_out(const char *path, uint32_t interfaces)
{
	size_t n = strlen(path);
	struct cd_writer_options options = {
	    .format = strstr(path, ".pcapng") != NULL ? CD_WRITE_PCAPNG
						      : CD_WRITE_PCAP,
	    .gzip = n > 3 && strcmp(path + n - 3, ".gz") == 0,
	    .resolution = {10, 9},
	    .linktype = 1,
	    .fcs_bytes = -1,
	    .interfaces = interfaces,
	};
	struct cd_error error = {0};
	struct cd_writer *writer = cd_writer_open(path, &options, &error);

	if (writer == NULL)
		fail(&error);
	return writer;
}

static void close_out(struct cd_writer *writer)
{
	struct cd_error error = {0};

	if (cd_writer_close(writer, &error))
		fail(&error);
}

static void put(struct cd_writer *writer, const struct cd_record *record,
		uint32_t iface)
{
	struct cd_error error = {0};
	struct cd_writer_packet packet = {
	    .time = record->time,
	    .data = record->data,
	    .caplen = record->caplen,
	    .origlen = record->origlen,
	    .iface = iface,
	};

	if (cd_writer_packet(writer, &packet, &error))
		fail(&error);
}

static int next(struct cd_capture *capture, struct cd_record *record)
{
	struct cd_error error = {0};
	int got = cd_capture_next(capture, record, &error);

	if (got < 0)
		fail(&error);
	return got;
}

static uint64_t count_packets(const char *path)
{
	struct cd_capture *in = open_in(path);
	struct cd_record record;
	uint64_t n = 0;

	while (next(in, &record) > 0)
		n++;
	cd_capture_close(in);
	return n;
}

static void split(const char *path, char **outs, uint64_t n)
{
	uint64_t all = count_packets(path);
	struct cd_capture *in = open_in(path);
	struct cd_record record;

	for (uint64_t i = 0; i < n; i++) {
		struct cd_writer *out = open_out(outs[i], 1);

		while (in->packets < all * (i + 1) / n &&
		       next(in, &record) > 0)
			put(out, &record, 0);
		close_out(out);
	}
	cd_capture_close(in);
}

static void join_ports(char **ins, const char *path)
{
	struct cd_capture *in[2] = {open_in(ins[0]), open_in(ins[1])};
	struct cd_writer *out = open_out(path, 2);
	struct cd_record record[2];
	int got[2] = {next(in[0], &record[0]), next(in[1], &record[1])};

	while (got[0] > 0 || got[1] > 0) {
		int k = got[0] == 0 ||
			(got[1] > 0 && cd_instant_compare(record[1].time,
							  record[0].time) < 0);

		put(out, &record[k], (uint32_t)k);
		got[k] = next(in[k], &record[k]);
	}
	cd_capture_close(in[0]);
	cd_capture_close(in[1]);
	close_out(out);
}

int main(int argc, char **argv)
{
	if (argc >= 4 && strcmp(argv[1], "split") == 0) {
		split(argv[2], argv + 3, (uint64_t)argc - 3);
	} else if (argc == 5 && strcmp(argv[1], "ports") == 0) {
		join_ports(argv + 2, argv[4]);
	} else {
		fprintf(stderr, "usage: recut split IN OUT...\n"
				"       recut ports IN0 IN1 OUT\n");
		return 2;
	}
	return 0;
}
