/* Captures of numbered packets for the tests of reading them all. */
#ifndef CAPDIFF_TESTS_UNIT_INGESTING_H
#define CAPDIFF_TESTS_UNIT_INGESTING_H

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "align/ingest.h"
#include "base/array.h"
#include "capture/writer.h"

#define FRAME_MAX 300
#define EPOCH_S 1700000000

/* xorshift64*: the same numbers everywhere. */
static inline uint64_t next_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * UINT64_C(2685821657736338717);
}

static inline void be(uint8_t *p, uint64_t value, unsigned width)
{
	for (unsigned i = 0; i < width; i++)
		p[i] = (uint8_t)(value >> 8 * (width - 1 - i));
}

/* ---- frames ---------------------------------------------------------------- */

struct frame {
	uint8_t bytes[FRAME_MAX];
	uint32_t n;
};

/* Ethernet, IPv4, and `l4_bytes` bytes still to be filled in: their start. */
static inline uint8_t *begin_ip(struct frame *f, uint8_t protocol,
				uint32_t l4_bytes)
{
	static const uint8_t head[34] = {2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1,
					 8, 0, 0x45, 0, 0, 0, 0, 0, 0, 0, 64};

	*f = (struct frame){.n = 34 + l4_bytes};
	cr_assert_leq(f->n, FRAME_MAX);
	memcpy(f->bytes, head, 34);
	be(f->bytes + 16, 20 + l4_bytes, 2);
	f->bytes[23] = protocol;
	be(f->bytes + 26, 0x0a000001, 4);
	be(f->bytes + 30, 0x0a000002, 4);
	return f->bytes + 34;
}

static inline uint8_t *begin_udp(struct frame *f, uint16_t from, uint16_t to,
				 uint32_t payload_bytes)
{
	uint8_t *udp = begin_ip(f, 17, 8 + payload_bytes);

	be(udp, from, 2);
	be(udp + 2, to, 2);
	be(udp + 4, 8 + payload_bytes, 2);
	return udp + 8;
}

/* Kernel pktgen with `us` as its send time. */
static inline struct frame pktgen_frame(uint16_t port, uint32_t seq,
					uint64_t us)
{
	struct frame f;
	uint8_t *p = begin_udp(&f, port, 9, 18);

	be(p, 0xbe9be955, 4);
	be(p + 4, seq, 4);
	be(p + 8, us / 1000000, 4);
	be(p + 12, us % 1000000, 4);
	return f;
}

/* ICMP echo request; the data are all `fill`. */
static inline struct frame ping_frame(uint16_t id, uint16_t seq, uint64_t fill)
{
	struct frame f;
	uint8_t *p = begin_ip(&f, 1, 8 + 24);

	p[0] = 8;
	be(p + 4, id, 2);
	be(p + 6, seq, 2);
	for (unsigned i = 0; i < 3; i++)
		be(p + 8 + 8 * i, fill, 8);
	return f;
}

/* ---- files ----------------------------------------------------------------- */

struct packet {
	struct frame frame;
	int64_t ps; /* since EPOCH_S */
	uint32_t caplen; /* 0: all */
	uint32_t iface;
};

struct list {
	struct packet *packets;
	size_t n, capacity;
};

static inline void add_at(struct list *l, struct frame frame, int64_t ps)
{
	cr_assert_eq(cd_grow(&l->packets, &l->capacity, l->n + 1,
			     sizeof(*l->packets)), 0);
	l->packets[l->n++] = (struct packet){.frame = frame, .ps = ps};
}

/* Packet `seq`, sent and seen every 10 us. */
static inline void add_pktgen(struct list *l, uint32_t seq)
{
	uint64_t us = (uint64_t)EPOCH_S * 1000000 + seq * UINT64_C(10);

	add_at(l, pktgen_frame(9, seq, us),
	       (int64_t)seq * 10 * CD_PS_PER_US);
}

static inline char *temporary_path(void)
{
	char *path = strdup("test_ingest.XXXXXX");
	int fd = mkstemp(path);

	cr_assert_geq(fd, 0);
	close(fd);
	return path;
}

static inline void write_list(const struct list *l, const char *path,
			      const struct cd_writer_options *options)
{
	struct cd_writer *w = cd_writer_open(path, options, NULL);

	cr_assert_not_null(w);
	for (size_t i = 0; i < l->n; i++) {
		const struct packet *p = &l->packets[i];
		struct cd_writer_packet out = {
		    .time = cd_instant_add((struct cd_instant){.s = EPOCH_S},
					   (struct cd_span){p->ps}),
		    .data = p->frame.bytes,
		    .caplen = p->caplen == 0 ? p->frame.n : p->caplen,
		    .origlen = p->frame.n,
		    .iface = p->iface};

		cr_assert_eq(cd_writer_packet(w, &out, NULL), 0);
	}
	cr_assert_eq(cd_writer_close(w, NULL), 0);
}

static const struct cd_writer_options pcap_ns = {
    .format = CD_WRITE_PCAP,
    .resolution = {10, 9},
    .linktype = 1,
    .fcs_bytes = -1,
};

/* The list is freed; the caller owns the path. */
static inline char *save_list(struct list *l)
{
	char *path = temporary_path();

	write_list(l, path, &pcap_ns);
	free(l->packets);
	*l = (struct list){0};
	return path;
}

static inline void drop(char *path)
{
	unlink(path);
	free(path);
}

/* ---- reading --------------------------------------------------------------- */

struct reading {
	struct cd_point points[8];
	size_t n;
	struct cd_ingest_options options;
	struct cd_ingest_result result;
	struct cd_error error;
};

static inline struct reading *new_reading(size_t n, char *const *paths)
{
	struct reading *r = calloc(1, sizeof(*r));

	cr_assert_not_null(r);
	r->n = n;
	r->options.threads = 2;
	for (size_t i = 0; i < n; i++)
		r->points[i].path = paths[i];
	return r;
}

static inline int read_all(struct reading *r)
{
	return cd_ingest(r->points, r->n, &r->options, &r->result, &r->error);
}

static inline void must_read(struct reading *r)
{
	int status = read_all(r);

	cr_assert_eq(status, 0, "%s: %s", r->error.file, r->error.what);
}

static inline void end_reading(struct reading *r)
{
	for (size_t i = 0; i < r->n; i++)
		cd_point_release(&r->points[i]);
	cd_detection_release(&r->result.detection);
	free(r);
}

/* One capture of a list, read with the options of `r` so far. */
static inline struct reading *read_list(struct list *l)
{
	char *path = save_list(l);
	struct reading *r = new_reading(1, &path);

	must_read(r);
	drop(path);
	r->points[0].path = NULL;
	return r;
}

static inline const struct cd_track *track_of(const struct reading *r, size_t k)
{
	cr_assert_geq(r->points[k].n_streams, 1);
	return r->points[k].streams[0].epochs[0];
}

#endif
