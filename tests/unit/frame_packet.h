/* Packets put together in memory, for the tests of frames. */
#ifndef CAPDIFF_TESTS_FRAME_PACKET_H
#define CAPDIFF_TESTS_FRAME_PACKET_H

#include <stdint.h>
#include <string.h>

#include "base/bytes.h"
#include "frame/frame.h"

/* A packet put together header by header. */
struct packet {
	uint8_t bytes[2048];
	uint32_t n;
};

static inline void put(struct packet *p, const void *bytes, size_t n)
{
	memcpy(p->bytes + p->n, bytes, n);
	p->n += (uint32_t)n;
}

static inline void put8(struct packet *p, unsigned v)
{
	p->bytes[p->n++] = (uint8_t)v;
}

static inline void put16(struct packet *p, unsigned v)
{
	put8(p, v >> 8);
	put8(p, v & 255);
}

static inline void put32(struct packet *p, uint32_t v)
{
	put16(p, v >> 16);
	put16(p, v & 0xffff);
}

static inline void put_n(struct packet *p, uint8_t byte, size_t n)
{
	memset(p->bytes + p->n, byte, n);
	p->n += (uint32_t)n;
}

static inline void put_ether(struct packet *p, unsigned type)
{
	put(p, "\x02\0\0\0\0\1\x02\0\0\0\0\2", 12);
	put16(p, type);
}

/* RFC 791: of the bytes from `from` on, at `at`. */
static inline void put_checksum(struct packet *p, uint32_t from, uint32_t at)
{
	uint32_t sum = 0;

	p->bytes[at] = p->bytes[at + 1] = 0;
	for (uint32_t i = from; i < p->n; i += 2)
		sum += cd_be16(p->bytes + i);
	sum = (sum & 0xffff) + (sum >> 16);
	sum = ~(sum + (sum >> 16));
	p->bytes[at] = (uint8_t)(sum >> 8);
	p->bytes[at + 1] = (uint8_t)sum;
}

static inline void put_ipv4(struct packet *p, unsigned protocol, unsigned payload)
{
	put16(p, 0x4500);
	put16(p, 20 + payload);
	put16(p, 0x1234);
	put16(p, 0);
	put8(p, 64);
	put8(p, protocol);
	put16(p, 0);
	put(p, "\x0a\0\0\1\x0a\0\0\2", 8);
	put_checksum(p, p->n - 20, p->n - 10);
}

static inline void put_ipv6(struct packet *p, unsigned next, unsigned payload)
{
	put32(p, 0x60000000);
	put16(p, payload);
	put8(p, next);
	put8(p, 64);
	put(p, "\x20\1\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\1", 16);
	put(p, "\x20\1\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\2", 16);
}

static inline void put_udp(struct packet *p, unsigned payload)
{
	put16(p, 40000);
	put16(p, 5001);
	put16(p, 8 + payload);
	put16(p, 0);
}

static inline void put_tcp(struct packet *p, unsigned options)
{
	put16(p, 40000);
	put16(p, 80);
	put32(p, 1);
	put32(p, 2);
	put8(p, (20 + options) / 4 << 4);
	put8(p, 0x18);
	put16(p, 1000);
	put32(p, 0);
	put_n(p, 1, options);
}

static inline enum cd_frame_status parse(const struct packet *p, uint32_t linktype,
				  struct cd_frame *f)
{
	return cd_frame_parse(linktype, p->bytes, p->n, p->n, 0xff, f);
}

/* UDP over IPv4 with a payload of `n` bytes of 'x', headers as given before. */
static inline void put_udp4(struct packet *p, unsigned n)
{
	put_ipv4(p, 17, 8 + n);
	put_udp(p, n);
	put_n(p, 'x', n);
}

#endif
