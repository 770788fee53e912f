/*
 * Parses every frame of captures, each copied to memory of its exact size,
 * and prints for each file, with tabs between, what stands before the packets:
 *
 *	FILE ENCAPS TUNNELS PACKETS
 *
 * ENCAPS: the names joined by " + ", or "-". Frames without IP are left out.
 * -v prints a line for each frame instead, to compare with other dissectors:
 *
 *	NUMBER STATUS SOURCE DESTINATION PROTOCOL SPORT DPORT BYTES
 *
 * of the innermost packet, BYTES being those of its payload. Exit status 0;
 * anything else is a fault of the program.
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "capture/capture.h"
#include "frame/frame.h"

#define KINDS_MAX 64 /* of encapsulations in one file */

struct kind {
	uint16_t encaps;
	uint8_t tunnels;
	uint64_t packets;
};

static void check(bool holds, const char *what, const struct cd_record *record)
{
	if (holds)
		return;
	fprintf(stderr, "packet %llu: %s\n", (unsigned long long)record->number,
		what);
	exit(1);
}

static void check_inside(const struct cd_frame *f, enum cd_frame_status status,
			 const struct cd_record *record)
{
	const uint8_t *end = f->data + f->caplen;

	check(f->l3 == NULL || (f->l3 >= f->data && f->l3 <= end), "l3",
	      record);
	check(f->l4 == NULL || (f->l4 >= f->data && f->l4 <= end), "l4",
	      record);
	check(f->src == NULL || f->src + f->address_bytes <= end, "src",
	      record);
	check(f->dst == NULL || f->dst + f->address_bytes <= end, "dst",
	      record);
	check((f->payload != NULL) == (status == CD_FRAME_OK), "status",
	      record);
	check(f->payload_captured <= f->payload_bytes, "payload", record);
	check(f->payload == NULL || f->payload + f->payload_captured <= end,
	      "payload's end", record);
	check(f->padding_bytes <= f->frame_bytes, "padding", record);
}

static void count(struct kind *kinds, size_t *n, const struct cd_frame *f)
{
	size_t i = 0;

	while (i < *n &&
	       (kinds[i].encaps != f->encaps || kinds[i].tunnels != f->tunnels))
		i++;
	if (i == *n && *n == KINDS_MAX)
		return;
	if (i == *n)
		kinds[(*n)++] =
		    (struct kind){.encaps = f->encaps, .tunnels = f->tunnels};
	kinds[i].packets++;
}

static void print_frame(const struct cd_frame *f, enum cd_frame_status status,
			const struct cd_record *record)
{
	static const char *const names[] = {"ok", "not IP", "cut", "bad",
					    "link"};
	char src[INET6_ADDRSTRLEN] = "-", dst[INET6_ADDRSTRLEN] = "-";
	int family = f->address_bytes == 4 ? AF_INET : AF_INET6;

	if (f->src != NULL) {
		inet_ntop(family, f->src, src, sizeof(src));
		inet_ntop(family, f->dst, dst, sizeof(dst));
	}
	printf("%llu\t%s\t%s\t%s\t%u\t%u\t%u\t%u\n",
	       (unsigned long long)record->number, names[status], src, dst,
	       f->ip_protocol, f->src_port, f->dst_port, f->payload_bytes);
}

static void print_kind(const char *path, const struct kind *kind)
{
	const char *between = "";

	printf("%s\t", path);
	for (unsigned bit = 0; bit < CD_ENCAPS; bit++) {
		if ((kind->encaps >> bit & 1) == 0)
			continue;
		printf("%s%s", between, cd_encap_name(1u << bit));
		between = " + ";
	}
	printf("%s\t%u\t%llu\n", kind->encaps == 0 ? "-" : "", kind->tunnels,
	       (unsigned long long)kind->packets);
}

static void parse_record(const struct cd_record *record, bool verbose,
			 struct kind *kinds, size_t *n)
{
	uint8_t *memory = malloc(record->caplen == 0 ? 1 : record->caplen);
	uint8_t *data = record->caplen == 0 ? memory + 1 : memory;
	enum cd_frame_status status;
	struct cd_frame frame;

	if (memory == NULL)
		exit(2);
	memcpy(data, record->data, record->caplen);
	status = cd_frame_parse(record->linktype, data, record->caplen,
				record->origlen, record->fcs_bytes, &frame);
	check_inside(&frame, status, record);
	if (verbose)
		print_frame(&frame, status, record);
	else if (frame.src != NULL)
		count(kinds, n, &frame);
	free(memory);
}

static void parse_file(const char *path, bool verbose)
{
	struct kind kinds[KINDS_MAX];
	struct cd_error error = {0};
	struct cd_input *input = cd_input_open(path, &error);
	struct cd_capture *capture = NULL;
	struct cd_record record;
	size_t n = 0;

	if (input != NULL)
		capture = cd_capture_open(input, &error);
	if (capture == NULL)
		return;
	while (cd_capture_next(capture, &record, &error) == 1)
		parse_record(&record, verbose, kinds, &n);
	cd_capture_close(capture);
	for (size_t i = 0; i < n; i++)
		print_kind(path, &kinds[i]);
}

int main(int argc, char **argv)
{
	bool verbose = argc > 1 && strcmp(argv[1], "-v") == 0;

	for (int i = verbose ? 2 : 1; i < argc; i++) {
		alarm(60);
		parse_file(argv[i], verbose);
	}
	return 0;
}
