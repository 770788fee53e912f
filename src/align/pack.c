#include "align/pack.h"

#include <stdbool.h>
#include <string.h>

#include "base/bytes.h"

/*
 * A run: width (0..56 or 64), bytes of the smallest difference (0..8), that
 * difference zigzag coded, then ceil(n * width / 8) bytes. Widths 57..63 are
 * stored as 64 so that one unaligned load always holds a whole value.
 *
 * Or, where few differences are greater than the smallest: FEW + how many, the
 * upper four bits of the second byte how many bytes each excess has, the
 * difference, their places, the excesses. A loss now and then looks like that,
 * and so do the times of a batch.
 */
#define WIDTH_MAX 56
#define FEW 0x80u
#define FEW_MAX 16

static void put_le64(uint8_t *p, uint64_t v)
{
	/* written out, so that compilers make it one store */
	p[0] = (uint8_t)v;
	p[1] = (uint8_t)(v >> 8);
	p[2] = (uint8_t)(v >> 16);
	p[3] = (uint8_t)(v >> 24);
	p[4] = (uint8_t)(v >> 32);
	p[5] = (uint8_t)(v >> 40);
	p[6] = (uint8_t)(v >> 48);
	p[7] = (uint8_t)(v >> 56);
}

static uint64_t zigzag(uint64_t v)
{
	return v << 1 ^ (uint64_t)-(int64_t)(v >> 63);
}

static uint64_t unzigzag(uint64_t v)
{
	return v >> 1 ^ (uint64_t)-(int64_t)(v & 1);
}

static unsigned bits_of(uint64_t v)
{
	unsigned n = v == 0 ? 0 : 64 - (unsigned)__builtin_clzll(v);

	return n > WIDTH_MAX ? 64 : n;
}

static uint8_t *put_head(uint8_t *out, unsigned width, uint64_t least)
{
	uint64_t z = zigzag(least);
	unsigned bytes = z == 0 ? 0 : (71 - (unsigned)__builtin_clzll(z)) / 8;

	out[0] = (uint8_t)width;
	out[1] = (uint8_t)bytes;
	put_le64(out + 2, z);
	return out + 2 + bytes;
}

static const uint8_t *get_head(const uint8_t *in, uint64_t *least)
{
	unsigned bytes = in[1] & 15;
	uint64_t z = cd_le64(in + 2);

	if (bytes < 8)
		z &= (UINT64_C(1) << 8 * bytes) - 1;
	*least = unzigzag(z);
	return in + 2 + bytes;
}

/* Branch-free: the bytes that are complete move out with every value. */
static void put_bits(uint8_t *out, const uint64_t *delta, size_t n,
		     unsigned width, uint64_t least)
{
	uint64_t pending = 0;
	unsigned bits = 0;

	for (size_t i = 0; i < n; i++) {
		unsigned whole = (bits + width) & ~7u;

		pending |= (delta[i] - least) << bits;
		put_le64(out, pending);
		out += whole / 8;
		pending >>= whole;
		bits = (bits + width) & 7;
	}
	*out = (uint8_t)pending;
}

static void put_words(uint8_t *out, const uint64_t *delta, size_t n,
		      uint64_t least)
{
	for (size_t i = 0; i < n; i++)
		put_le64(out + 8 * i, delta[i] - least);
}

/* All differences alike: the common case of numbers, lengths, interfaces. */
static bool is_even(const uint64_t *values, size_t n, uint64_t previous,
		    uint64_t *step)
{
	uint64_t first = values[0] - previous, odd = 0;
	size_t i = 1;

	if (values[n - 1] - previous != n * first)
		return false;
	for (; i + 8 <= n; i += 8) /* a fixed length makes vectors of it */
		for (size_t k = 0; k < 8; k++)
			odd |= (values[i + k] - values[i + k - 1]) ^ first;
	for (; i < n; i++)
		odd |= (values[i] - values[i - 1]) ^ first;
	*step = first;
	return odd == 0;
}

/* Where the differences are that are not `least`; more than FEW_MAX: too
 * many. */
static size_t find_others(const uint64_t *delta, size_t n, uint64_t least,
			  uint8_t *places)
{
	size_t count = 0;

	for (size_t i = 0; i < n && count <= FEW_MAX;) {
		size_t end = n - i < 32 ? n : i + 32;

		for (; i < end; i++) {
			places[count] = (uint8_t)i;
			count += delta[i] != least;
		}
	}
	return count;
}

static uint8_t *put_few(uint8_t *out, const uint64_t *delta, uint64_t least,
			const uint8_t *places, size_t count, unsigned bytes)
{
	uint8_t *head = out;

	out = put_head(out, FEW + (unsigned)count, least);
	head[1] = (uint8_t)(head[1] | bytes << 4);
	memcpy(out, places, count);
	out += count;
	for (size_t i = 0; i < count; i++, out += bytes)
		put_le64(out, delta[places[i]] - least);
	return out;
}

uint8_t *cd_pack(uint8_t *out, const uint64_t *values, size_t n,
		 uint64_t previous)
{
	uint8_t places[FEW_MAX + 32 + 1];
	size_t others;
	uint64_t delta[CD_PACK_RUN];
	int64_t least, most;
	unsigned width;

	if (is_even(values, n, previous, delta))
		return put_head(out, 0, delta[0]);
	delta[0] = values[0] - previous;
	least = most = (int64_t)delta[0];
	for (size_t i = 1; i < n; i++) {
		int64_t d = (int64_t)(values[i] - values[i - 1]);

		delta[i] = (uint64_t)d;
		least = d < least ? d : least;
		most = d > most ? d : most;
	}
	width = bits_of((uint64_t)most - (uint64_t)least);
	others = find_others(delta, n, (uint64_t)least, places);
	if (others <= FEW_MAX && others * (1 + (width + 7) / 8) < n * width / 8)
		return put_few(out, delta, (uint64_t)least, places, others,
			       (width + 7) / 8);
	out = put_head(out, width, (uint64_t)least);
	if (width == 64)
		put_words(out, delta, n, (uint64_t)least);
	else
		put_bits(out, delta, n, width, (uint64_t)least);
	return out + (n * width + 7) / 8;
}

uint8_t *cd_pack32(uint8_t *out, const uint32_t *values, size_t n,
		   uint32_t previous)
{
	uint64_t wide[CD_PACK_RUN];
	uint32_t odd = 0;
	size_t even = 0;

	for (; even + 8 <= n; even += 8)
		for (size_t k = 0; k < 8; k++)
			odd |= values[even + k] ^ previous;
	for (; even < n; even++)
		odd |= values[even] ^ previous;
	if (odd == 0)
		return put_head(out, 0, 0);
	for (size_t i = 0; i < n; i++)
		wide[i] = values[i];
	return cd_pack(out, wide, n, previous);
}

/* How the values of a run are made. */
struct unpacking {
	unsigned width;
	uint64_t least, sum, scale;
};

/* Eight values of `width` bits begin on a byte boundary every `width` bytes. */
#define GET(k)                                                               \
	(sum += least + (cd_le64(in + (k)*width / 8) >> (k)*width % 8 & mask), \
	 values[i + (k)] = sum * scale)

/* In line, so that `width` is a constant where the caller's is. */
static inline __attribute__((always_inline)) void
get_bits(const uint8_t *in, uint64_t *values, size_t n, unsigned width,
	 const struct unpacking *u)
{
	uint64_t mask = (UINT64_C(1) << width) - 1, sum = u->sum;
	uint64_t least = u->least, scale = u->scale;
	size_t i = 0;

	for (; i + 8 <= n; i += 8, in += width) {
		GET(0);
		GET(1);
		GET(2);
		GET(3);
		GET(4);
		GET(5);
		GET(6);
		GET(7);
	}
	for (unsigned bit = 0; i < n; i++, bit += width) {
		sum += least + (cd_le64(in + bit / 8) >> bit % 8 & mask);
		values[i] = sum * scale;
	}
}

/* The widths that differences of times and numbers mostly have. */
#define CASE(w)                              \
	case w:                              \
		get_bits(in, values, n, w, u); \
		break
#define CASES(w)     \
	CASE(w);     \
	CASE(w + 1); \
	CASE(w + 2); \
	CASE(w + 3)

static void get_any_bits(const uint8_t *in, uint64_t *values, size_t n,
			 const struct unpacking *u)
{
	switch (u->width) {
		CASES(1);
		CASES(5);
		CASES(9);
		CASES(13);
		CASES(17);
		CASES(21);
	default:
		get_bits(in, values, n, u->width, u);
	}
}

static void get_words(const uint8_t *in, uint64_t *values, size_t n,
		      const struct unpacking *u)
{
	uint64_t sum = u->sum;

	for (size_t i = 0; i < n; i++) {
		sum += u->least + cd_le64(in + 8 * i);
		values[i] = sum * u->scale;
	}
}

/* Two values at a time. */
typedef uint64_t pair __attribute__((vector_size(16)));

#define SURPLUS 16

/* `count` values from `value` + `step` on; where there is room, SURPLUS are
 * written whatever the count, as that is never guessed wrong. Returns the
 * last. */
static inline uint64_t fill(uint64_t *values, size_t count, size_t room,
			    uint64_t value, uint64_t step)
{
	pair v = {value + step, value + 2 * step};
	size_t i = 0;

	if (room >= SURPLUS)
		for (; i < SURPLUS; i += 2, v += 2 * step)
			memcpy(values + i, &v, sizeof(v));
	for (; i + 2 <= count; i += 2, v += 2 * step)
		memcpy(values + i, &v, sizeof(v));
	if (i < count)
		values[i] = v[0];
	return value + count * step;
}

static const uint8_t *get_few(const uint8_t *in, uint64_t *values, size_t n,
			      const uint8_t *head, const struct unpacking *u)
{
	size_t count = head[0] - FEW, bytes = head[1] >> 4, at = 0;
	const uint8_t *places = in, *excess = in + count;
	uint64_t mask = ~UINT64_C(0) >> (64 - 8 * bytes);
	uint64_t step = u->least * u->scale, value = u->sum * u->scale;

	for (size_t i = 0; i < count; i++, excess += bytes) {
		size_t place = places[i];

		value = fill(values + at, place - at, n - at, value, step);
		value += step + (cd_le64(excess) & mask) * u->scale;
		values[place] = value;
		at = place + 1;
	}
	fill(values + at, n - at, n - at, value, step);
	return excess;
}

const uint8_t *cd_unpack(const uint8_t *in, uint64_t *values, size_t n,
			 uint64_t previous, uint64_t scale)
{
	struct unpacking u = {
	    .width = in[0], .sum = previous, .scale = scale};
	const uint8_t *head = in;

	in = get_head(in, &u.least);
	if (u.width == 0)
		fill(values, n, n, u.sum * scale, u.least * scale);
	else if (u.width >= FEW)
		return get_few(in, values, n, head, &u);
	else if (u.width <= WIDTH_MAX)
		get_any_bits(in, values, n, &u);
	else
		get_words(in, values, n, &u);
	return in + (n * u.width + 7) / 8;
}

const uint8_t *cd_unpack32(const uint8_t *in, uint32_t *values, size_t n,
			   uint32_t previous)
{
	uint64_t wide[CD_PACK_RUN];

	if (in[0] == 0 && in[1] == 0) {
		for (size_t i = 0; i < n; i++)
			values[i] = previous;
		return in + 2;
	}
	in = cd_unpack(in, wide, n, previous, 1);
	for (size_t i = 0; i < n; i++)
		values[i] = (uint32_t)wide[i];
	return in;
}

const uint8_t *cd_pack_skip(const uint8_t *in, size_t n)
{
	const uint8_t *rest = in + 2 + (in[1] & 15);

	if (in[0] >= FEW)
		return rest + (in[0] - FEW) * (1 + (in[1] >> 4));
	return rest + (n * in[0] + 7) / 8;
}
