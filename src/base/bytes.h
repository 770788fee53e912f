/*
 * Bytes from outside: unaligned loads, and a bounded cursor whose failure is
 * sticky, so that a parser reads a whole structure and asks once.
 */
#ifndef CAPDIFF_BASE_BYTES_H
#define CAPDIFF_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define CD_LIKELY(x) __builtin_expect(!!(x), 1)
#define CD_UNLIKELY(x) __builtin_expect(!!(x), 0)

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define CD_FROM_LE(bits, v) (v)
#define CD_FROM_BE(bits, v) __builtin_bswap##bits(v)
#else
#define CD_FROM_LE(bits, v) __builtin_bswap##bits(v)
#define CD_FROM_BE(bits, v) (v)
#endif

/* Loads from memory that holds at least the bytes read; any alignment. */
static inline uint16_t cd_be16(const uint8_t *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return CD_FROM_BE(16, v);
}

static inline uint16_t cd_le16(const uint8_t *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return CD_FROM_LE(16, v);
}

static inline uint32_t cd_be32(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return CD_FROM_BE(32, v);
}

static inline uint32_t cd_le32(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return CD_FROM_LE(32, v);
}

static inline uint64_t cd_be64(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return CD_FROM_BE(64, v);
}

static inline uint64_t cd_le64(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return CD_FROM_LE(64, v);
}

/* `width` bytes, 1..8, most (be) or least (le) significant first. */
static inline uint64_t cd_be_n(const uint8_t *p, unsigned width)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < width; i++)
		v = v << 8 | p[i];
	return v;
}

static inline uint64_t cd_le_n(const uint8_t *p, unsigned width)
{
	uint64_t v = 0;

	for (unsigned i = width; i > 0; i--)
		v = v << 8 | p[i - 1];
	return v;
}

/* A window on bytes; `bad` is set for good by the first read past the end,
 * and every read from then on gives 0 (or NULL). */
struct cd_cursor {
	const uint8_t *p, *end;
	bool swap; /* u16() .. u64() read little endian if set, else big */
	bool bad;
};

static inline struct cd_cursor cd_cursor(const uint8_t *p, size_t n,
					 bool little)
{
	return (struct cd_cursor){.p = p, .end = p + n, .swap = little};
}

static inline size_t cd_cursor_left(const struct cd_cursor *c)
{
	return (size_t)(c->end - c->p);
}

/* `n` bytes and past them, or NULL. */
static inline const uint8_t *cd_cursor_take(struct cd_cursor *c, size_t n)
{
	const uint8_t *p = c->p;

	if (c->bad || cd_cursor_left(c) < n) {
		c->bad = true;
		return NULL;
	}
	c->p += n;
	return p;
}

static inline uint8_t cd_cursor_u8(struct cd_cursor *c)
{
	const uint8_t *p = cd_cursor_take(c, 1);

	return p == NULL ? 0 : *p;
}

static inline uint16_t cd_cursor_u16(struct cd_cursor *c)
{
	const uint8_t *p = cd_cursor_take(c, 2);

	return p == NULL ? 0 : c->swap ? cd_le16(p) : cd_be16(p);
}

static inline uint32_t cd_cursor_u32(struct cd_cursor *c)
{
	const uint8_t *p = cd_cursor_take(c, 4);

	return p == NULL ? 0 : c->swap ? cd_le32(p) : cd_be32(p);
}

static inline uint64_t cd_cursor_u64(struct cd_cursor *c)
{
	const uint8_t *p = cd_cursor_take(c, 8);

	return p == NULL ? 0 : c->swap ? cd_le64(p) : cd_be64(p);
}

#endif
