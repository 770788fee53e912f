/* Random orders, and what the definitions make of them. */
#ifndef CAPDIFF_TESTS_UNIT_RANDOM_ORDER_H
#define CAPDIFF_TESTS_UNIT_RANDOM_ORDER_H

#include "count_scene.h"

/* xorshift64*: the same numbers everywhere. */
static inline uint64_t next_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * UINT64_C(2685821657736338717);
}

static inline bool chance(uint64_t *state, unsigned per_mille)
{
	return (next_random(state) >> 20) % 1000 < per_mille;
}

#define NUMBERS 400
#define ROWS 2000

/* RFC 4737 4.2.1 word for word. */
static inline uint64_t extent_of(const int64_t *s, size_t i)
{
	for (size_t j = 0; j < i; j++)
		if (s[j] > s[i])
			return i - j;
	return 0;
}

static inline size_t longest_rising(const int64_t *s, size_t n)
{
	size_t length[ROWS], best = 0;

	for (size_t i = 0; i < n; i++) {
		length[i] = 1;
		for (size_t j = 0; j < i; j++)
			if (s[j] < s[i] && length[j] >= length[i])
				length[i] = length[j] + 1;
		best = length[i] > best ? length[i] : best;
	}
	return best;
}

#endif
