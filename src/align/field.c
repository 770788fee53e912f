#include "align/field.h"

#include "base/inverse.h"

/* Values this near the end of the cycle count as negative. */
#define BELOW_ZERO 256

struct cd_field cd_field(unsigned bits, int64_t step)
{
	uint64_t size = cd_magnitude(step);
	struct cd_field f = {
	    .mask = ~UINT64_C(0) >> (64 - bits),
	    .step = (uint64_t)step,
	    .bits = bits,
	    .shift = (unsigned)__builtin_ctzll(size),
	    .down = step < 0,
	};

	f.low_bits = (UINT64_C(1) << f.shift) - 1;
	f.inverse = cd_inverse_of_odd(size >> f.shift);
	return f;
}

uint64_t cd_field_first(const struct cd_field *f, uint64_t raw)
{
	uint64_t size = f->down ? 0 - f->step : f->step, n = raw / size;
	uint64_t below = f->mask - raw;

	if (f->bits < 64 && size == 1 && below < BELOW_ZERO &&
	    below < f->mask / 16)
		n = 0 - below - 1;
	return f->down ? 0 - n : n;
}
