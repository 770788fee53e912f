/* Arithmetic on sequence numbers and times that may be any int64. */
#ifndef CAPDIFF_METRIC_NUMBERS_H
#define CAPDIFF_METRIC_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

/* Modulo 2^64: never undefined, right wherever the result fits. */
static inline int64_t cd_wrap_minus(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a - (uint64_t)b);
}

/* Is b the number after a? */
static inline bool cd_follows(int64_t a, int64_t b)
{
	return (uint64_t)b - (uint64_t)a == 1;
}

#endif
