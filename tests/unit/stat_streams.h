/* Streams of values for selections, and a full sort to hold them against. */
#ifndef CAPDIFF_TESTS_STAT_STREAMS_H
#define CAPDIFF_TESTS_STAT_STREAMS_H

#include <criterion/criterion.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "stat/select.h"
#include "stat_random.h"

static inline int compare_values(const void *a, const void *b)
{
	int64_t x, y;

	memcpy(&x, a, sizeof(x));
	memcpy(&y, b, sizeof(y));
	return (x > y) - (x < y);
}

static inline int64_t *sorted_copy(const int64_t *v, size_t n)
{
	int64_t *copy = malloc((n + 1) * sizeof(*copy));

	cr_assert_not_null(copy);
	memcpy(copy, v, n * sizeof(*v));
	qsort(copy, n, sizeof(*copy), compare_values);
	return copy;
}

#define KINDS 10

/* Streams that a selection has to survive, many of them ugly. */
static inline int64_t draw(struct noise *r, int kind, size_t i, size_t n)
{
	switch (kind) {
	case 0: /* latency in ps */
		return (int64_t)noise_exponential(r, 20e6);
	case 1: /* symmetric */
		return (int64_t)noise_gauss(r, 3e6);
	case 2: /* any int64 */
		return (int64_t)noise_bits(r);
	case 3: /* one value */
		return -123456789;
	case 4: /* few values */
		return (int64_t)noise_below(r, 3) - 1;
	case 5: /* the extremes */
		return noise_bits(r) % 2 ? INT64_MIN : INT64_MAX;
	case 6: /* rising */
		return (int64_t)i * 1000 - 5000;
	case 7: /* falling, dense, far from zero: one fat bucket */
		return INT64_C(1) << 40 | (int64_t)(n - i);
	case 8: /* heavy tail, both sides */
		return (int64_t)(1e6 / noise_uniform(r)) *
		       (noise_bits(r) % 2 ? 1 : -1);
	default: /* a far outlier on each side of a spike */
		return i == n / 2   ? INT64_MAX
		       : i == n / 3 ? INT64_MIN
				    : 1000000000000 + (int64_t)(i % 2);
	}
}

static inline int64_t *stream(int kind, size_t n, uint64_t seed)
{
	struct noise r = noise_seed(seed);
	int64_t *v = malloc((n + 1) * sizeof(*v));

	cr_assert_not_null(v);
	for (size_t i = 0; i < n; i++)
		v[i] = draw(&r, kind, i, n);
	return v;
}

/* Play v through s in blocks of `block` until done; how many passes. */
static inline int play(struct cd_select *s, const int64_t *v, size_t n, size_t block)
{
	int passes = 0, more;

	do {
		for (size_t i = 0; i < n; i += block)
			cd_select_add(s, v + i, n - i < block ? n - i : block);
		passes++;
		more = cd_select_end_pass(s);
		cr_assert_geq(more, 0);
	} while (more == 1);
	return passes;
}

#endif
