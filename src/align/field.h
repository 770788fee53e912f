/*
 * Sequence fields: counters of 1..64 bits that a generator raises (or lowers)
 * by a constant step and that go round. Differences of two values divide by
 * the step exactly, modulo the field.
 */
#ifndef CAPDIFF_ALIGN_FIELD_H
#define CAPDIFF_ALIGN_FIELD_H

#include <stdbool.h>
#include <stdint.h>

#define CD_FAR INT64_MIN /* distance to what is no number of this stream */

struct cd_field {
	/* |step| = odd << shift, inverse * odd = 1 modulo 2^64 */
	uint64_t mask, low_bits, inverse, step;
	unsigned bits, shift;
	bool down;
};

/* bits 1..64, step not 0. */
struct cd_field cd_field(unsigned bits, int64_t step);

/* Bits of a number, which is the field divided by the step. */
static inline unsigned cd_field_number_bits(const struct cd_field *f)
{
	return f->bits > f->shift ? f->bits - f->shift : 1;
}

/* Half the numbers of a cycle: M / 2, at most 2^63. */
static inline uint64_t cd_field_half(const struct cd_field *f)
{
	return UINT64_C(1) << (cd_field_number_bits(f) - 1);
}

/* sext(to - from) of METRICS 0.3, in numbers, or CD_FAR. */
static inline int64_t cd_field_distance(const struct cd_field *f, uint64_t to,
					uint64_t from)
{
	uint64_t d = (f->down ? from - to : to - from) & f->mask;
	unsigned unused = 64 - cd_field_number_bits(f);

	if (d & f->low_bits)
		return CD_FAR;
	d = (d >> f->shift) * f->inverse;
	return (int64_t)(d << unused) >> unused;
}

static inline uint64_t cd_magnitude(int64_t d)
{
	return d < 0 ? 0 - (uint64_t)d : (uint64_t)d;
}

/*
 * The number of the first packet of an epoch (modulo 2^64): the field divided
 * by the step, so that captures that begin at different packets agree. Just
 * below the end of the cycle it is negative (generators that begin at -2).
 */
uint64_t cd_field_first(const struct cd_field *f, uint64_t raw);

#endif
