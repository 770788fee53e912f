/* Files for tests, put together from readable pieces. */
#ifndef CAPDIFF_TESTS_UNIT_BUILD_H
#define CAPDIFF_TESTS_UNIT_BUILD_H

#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"

struct build {
	uint8_t *bytes;
	size_t n, capacity;
	bool big; /* byte order of what follows */
};

static inline void put_bytes(struct build *b, const void *bytes, size_t n)
{
	cr_assert_eq(cd_grow(&b->bytes, &b->capacity, b->n + n + 1, 1), 0);
	if (n > 0)
		memcpy(b->bytes + b->n, bytes, n);
	b->n += n;
}

/* The low `width` bytes of `value`. */
static inline void put(struct build *b, uint64_t value, unsigned width)
{
	for (unsigned i = 0; i < width; i++) {
		unsigned shift = 8 * (b->big ? width - 1 - i : i);
		uint8_t byte = (uint8_t)(value >> shift);

		put_bytes(b, &byte, 1);
	}
}

static inline void put_fill(struct build *b, uint8_t byte, size_t n)
{
	for (size_t i = 0; i < n; i++)
		put_bytes(b, &byte, 1);
}

static inline void put_padding(struct build *b, size_t from)
{
	put_fill(b, 0, (4 - (b->n - from) % 4) % 4);
}

static inline void set32(struct build *b, size_t at, uint32_t value)
{
	size_t n = b->n;

	b->n = at;
	put(b, value, 4);
	b->n = n;
}

/* Recognisable packet bytes: `seed`, `seed` + 1, … */
static inline void put_packet(struct build *b, unsigned seed, size_t n)
{
	for (size_t i = 0; i < n; i++)
		put(b, seed + i, 1);
}

/* ---- pcap ---- */

#define PCAP_US 0xa1b2c3d4u
#define PCAP_NS 0xa1b23c4du
#define PCAP_MODIFIED 0xa1b2cd34u

static inline void put_pcap(struct build *b, uint32_t magic, uint32_t snaplen,
			    uint32_t linktype)
{
	put(b, magic, 4);
	put(b, 2, 2);
	put(b, 4, 2);
	put(b, 0, 4);
	put(b, 0, 4);
	put(b, snaplen, 4);
	put(b, linktype, 4);
}

static inline void put_head(struct build *b, uint32_t s, uint32_t fraction,
			    uint32_t caplen, uint32_t origlen)
{
	put(b, s, 4);
	put(b, fraction, 4);
	put(b, caplen, 4);
	put(b, origlen, 4);
}

static inline void put_record(struct build *b, uint32_t s, uint32_t fraction,
			      uint32_t caplen, uint32_t origlen)
{
	put_head(b, s, fraction, caplen, origlen);
	put_packet(b, fraction, caplen);
}

/* ---- pcapng ---- */

/* begin_block(b, type); …; end_block(b, at) */
static inline size_t begin_block(struct build *b, uint32_t type)
{
	size_t at = b->n;

	put(b, type, 4);
	put(b, 0, 4);
	return at;
}

static inline void end_block(struct build *b, size_t at)
{
	uint32_t length;

	put_padding(b, at);
	length = (uint32_t)(b->n - at + 4);
	put(b, length, 4);
	set32(b, at + 4, length);
}

static inline void put_option(struct build *b, uint16_t code,
			      const void *value, size_t n)
{
	size_t at = b->n;

	put(b, code, 2);
	put(b, n, 2);
	put_bytes(b, value, n);
	put_padding(b, at);
}

static inline void put_text_option(struct build *b, uint16_t code,
				   const char *text)
{
	put_option(b, code, text, strlen(text));
}

static inline void put_int_option(struct build *b, uint16_t code,
				  uint64_t value, unsigned width)
{
	size_t at = b->n;

	put(b, code, 2);
	put(b, width, 2);
	put(b, value, width);
	put_padding(b, at);
}

static inline void put_end_of_options(struct build *b)
{
	put(b, 0, 4);
}

static inline size_t begin_section(struct build *b)
{
	size_t at = begin_block(b, 0x0a0d0d0a);

	put(b, 0x1a2b3c4d, 4);
	put(b, 1, 2);
	put(b, 0, 2);
	put(b, UINT64_MAX, 8);
	return at;
}

static inline void put_section(struct build *b)
{
	end_block(b, begin_section(b));
}

static inline size_t begin_iface(struct build *b, uint16_t linktype,
				 uint32_t snaplen)
{
	size_t at = begin_block(b, 1);

	put(b, linktype, 2);
	put(b, 0, 2);
	put(b, snaplen, 4);
	return at;
}

/* tsresol as in the file: 6, 9, 0x80 | 10 … */
static inline void put_iface(struct build *b, uint16_t linktype,
			     uint32_t snaplen, uint8_t tsresol)
{
	size_t at = begin_iface(b, linktype, snaplen);

	put_option(b, 9, &tsresol, 1);
	put_end_of_options(b);
	end_block(b, at);
}

static inline size_t begin_epb(struct build *b, uint32_t iface,
			       uint64_t ticks, uint32_t caplen,
			       uint32_t origlen)
{
	size_t at = begin_block(b, 6);

	put(b, iface, 4);
	put(b, ticks >> 32, 4);
	put(b, ticks, 4);
	put(b, caplen, 4);
	put(b, origlen, 4);
	put_packet(b, (unsigned)ticks, caplen);
	put_padding(b, at);
	return at;
}

static inline void put_epb(struct build *b, uint32_t iface, uint64_t ticks,
			   uint32_t caplen, uint32_t origlen)
{
	end_block(b, begin_epb(b, iface, ticks, caplen, origlen));
}

static inline void put_custom_block(struct build *b, uint32_t type,
				    size_t n)
{
	size_t at = begin_block(b, type);

	put(b, 32473, 4); /* the example enterprise number, RFC 5612 */
	put_fill(b, 0xa5, n);
	end_block(b, at);
}

static inline void put_counters(struct build *b, uint32_t iface,
				uint64_t received, uint64_t dropped)
{
	size_t at = begin_block(b, 5);

	put(b, iface, 4);
	put(b, 0, 8);
	put_int_option(b, 4, received, 8);
	put_int_option(b, 5, dropped, 8);
	put_end_of_options(b);
	end_block(b, at);
}

/* ---- on disk ---- */

/* A file with these bytes in the working directory; to be unlinked by name
 * and freed. */
static inline char *save(const void *bytes, size_t n)
{
	char *path = cd_strdup("capture_XXXXXX");
	int fd = mkstemp(path);

	cr_assert_geq(fd, 0);
	cr_assert_eq(write(fd, bytes, n), (ssize_t)n);
	close(fd);
	return path;
}

static inline void discard(char *path)
{
	unlink(path);
	free(path);
}

#endif
