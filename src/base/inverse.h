/* Exact division by multiplying: for n = q * odd, q is n * inverse. */
#ifndef CAPDIFF_BASE_INVERSE_H
#define CAPDIFF_BASE_INVERSE_H

#include <stdint.h>

/* The inverse of an odd number modulo 2^64. Newton's iteration: every step
 * doubles the number of right bits, of which `odd` itself has 3. */
static inline uint64_t cd_inverse_of_odd(uint64_t odd)
{
	uint64_t x = odd;

	for (int i = 0; i < 5; i++)
		x *= 2 - odd * x;
	return x;
}

#endif
