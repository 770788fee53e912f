/*
 * generate DIR N FRAME_BYTES: DIR/ref.pcap and DIR/dut.pcap, N numbered
 * packets (pktgen stamp), the second with 1 % lost, 0.1 % duplicated, 0.1 %
 * swapped, stamps in batches and a clock that drifts by 20 ppm. Prints what
 * capdiff must find: "missing duplicates reordered".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/writer.h"

#define SPACING_PS 10000000 /* 10 us */
#define BATCH_PS INT64_C(125000000)

static uint64_t random_state = 88172645463325252u;

static uint64_t random_next(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state >> 11;
}

static void put32(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)(v >> 24);
	p[1] = (uint8_t)(v >> 16);
	p[2] = (uint8_t)(v >> 8);
	p[3] = (uint8_t)v;
}

static void put16(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

static void frame_init(uint8_t *f, uint32_t bytes)
{
	memset(f, 0, bytes);
	memcpy(f, "\x02\0\0\0\0\x02\x02\0\0\0\0\x01\x08\0\x45", 15);
	put16(f + 16, bytes - 14);
	f[22] = 64;
	f[23] = 17;
	memcpy(f + 26, "\x0a\0\0\x01\x0a\0\0\x02", 8);
	put16(f + 34, 9);
	put16(f + 36, 9);
	put16(f + 38, bytes - 34);
	put32(f + 42, 0xbe9be955);
}

struct side {
	struct cd_writer *writer;
	uint8_t frame[1514];
	uint32_t bytes;
};

static int put_packet(struct side *side, uint32_t seq, int64_t ps)
{
	struct cd_writer_packet packet = {
	    .time = {1700000000 + ps / CD_PS_PER_S, ps % CD_PS_PER_S},
	    .data = side->frame,
	    .caplen = side->bytes,
	    .origlen = side->bytes,
	};
	int64_t sent = (int64_t)seq * SPACING_PS;

	put32(side->frame + 46, seq);
	put32(side->frame + 50, (uint32_t)(1700000000 + sent / CD_PS_PER_S));
	put32(side->frame + 54, (uint32_t)(sent % CD_PS_PER_S / 1000000));
	return cd_writer_packet(side->writer, &packet, NULL);
}

static int64_t dut_time(int64_t ps)
{
	int64_t late = (ps + BATCH_PS - 1) / BATCH_PS * BATCH_PS;

	return late + late / 50000; /* 20 ppm */
}

static int side_open(struct side *side, const char *dir, const char *name,
		     uint32_t bytes)
{
	struct cd_writer_options options = {
	    .format = CD_WRITE_PCAP,
	    .resolution = {10, 9},
	    .linktype = 1,
	    .fcs_bytes = -1,
	};
	char path[512];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	side->bytes = bytes;
	frame_init(side->frame, bytes);
	side->writer = cd_writer_open(path, &options, NULL);
	return side->writer == NULL ? -1 : 0;
}

int main(int argc, char **argv)
{
	struct side ref, dut;
	unsigned long missing = 0, copies = 0, swapped = 0;
	uint32_t n, held = 0;

	if (argc != 4)
		return 2;
	n = (uint32_t)strtoul(argv[2], NULL, 10);
	if (side_open(&ref, argv[1], "ref.pcap",
		      (uint32_t)strtoul(argv[3], NULL, 10)) ||
	    side_open(&dut, argv[1], "dut.pcap",
		      (uint32_t)strtoul(argv[3], NULL, 10)))
		return 1;
	for (uint32_t seq = 1; seq <= n; seq++) {
		int64_t ps = (int64_t)seq * SPACING_PS;
		uint64_t dice = random_next() % 10000;
		int bad = put_packet(&ref, seq, ps);

		if (seq > 1 && seq < n - 1 && dice < 100 && held == 0) {
			missing++;
			continue;
		}
		if (seq > 1 && seq < n - 1 && dice < 110 && held == 0) {
			held = seq;
			continue;
		}
		bad |= put_packet(&dut, seq, dut_time(ps));
		if (held != 0) {
			bad |= put_packet(&dut, held, dut_time(ps));
			swapped++;
			held = 0;
		}
		if (dice >= 9990) {
			bad |= put_packet(&dut, seq, dut_time(ps));
			copies++;
		}
		if (bad)
			return 1;
	}
	printf("%lu %lu %lu\n", missing, copies, swapped);
	return cd_writer_close(ref.writer, NULL) ||
	       cd_writer_close(dut.writer, NULL);
}
