#include "stat/moments.h"

#include <math.h>
#include <stdbool.h>

#include "stat/loglinear.h"

typedef unsigned __int128 u128;

#define CHUNK 4096
#define SMALL_BITS 50 /* CHUNK values below 2^50 add up inside int64 */
#define TINY_BITS 29
#define TINY_CHUNK 64 /* squares of such below 2^29 add up inside uint64 */

static struct cd_wide wide_of(u128 v)
{
	return (struct cd_wide){{(uint64_t)v, (uint64_t)(v >> 64), 0, 0}};
}

/* n <= CHUNK values of any size; `m` is empty. */
static void sum_large(struct cd_moments *m, const int64_t *v, size_t n)
{
	u128 low = 0;
	uint64_t high = 0;

	m->min = m->max = v[0];
	for (size_t i = 0; i < n; i++) {
		uint64_t magnitude = cd_magnitude(v[i]);
		u128 square = (u128)magnitude * magnitude;

		m->min = v[i] < m->min ? v[i] : m->min;
		m->max = v[i] > m->max ? v[i] : m->max;
		m->sum += v[i];
		low += square;
		high += low < square;
	}
	m->sum_squares = wide_of(low);
	m->sum_squares.w[2] = high;
}

/* The same where everything fits narrower sums, as it nearly always does;
 * false, and nothing said, where not. */
static bool sum_small(struct cd_moments *m, const int64_t *v, size_t n)
{
	int64_t min = v[0], max = v[0];
	uint64_t sum = 0;
	u128 squares = 0;

	for (size_t i = 0; i < n; i++) {
		min = v[i] < min ? v[i] : min;
		max = v[i] > max ? v[i] : max;
		sum += (uint64_t)v[i];
		squares += (u128)((__int128)v[i] * v[i]);
	}
	if ((cd_magnitude(min) | cd_magnitude(max)) >> SMALL_BITS)
		return false;
	m->min = min;
	m->max = max;
	m->sum = (int64_t)sum;
	m->sum_squares = wide_of(squares);
	return true;
}

/* And of squares that fit 64 bits, for some at a time. */
static bool sum_tiny(struct cd_moments *m, const int64_t *v, size_t n)
{
	int64_t min = v[0], max = v[0];
	uint64_t sum = 0;
	u128 squares = 0;

	for (size_t i = 0; i < n;) {
		size_t end = n - i < TINY_CHUNK ? n : i + TINY_CHUNK;
		uint64_t some = 0;

		for (; i < end; i++) {
			min = v[i] < min ? v[i] : min;
			max = v[i] > max ? v[i] : max;
			sum += (uint64_t)v[i];
			some += (uint64_t)v[i] * (uint64_t)v[i];
		}
		if ((cd_magnitude(min) | cd_magnitude(max)) >> TINY_BITS)
			return false;
		squares += some;
	}
	m->min = min;
	m->max = max;
	m->sum = (int64_t)sum;
	m->sum_squares = wide_of(squares);
	return true;
}

void cd_moments_add(struct cd_moments *m, const int64_t *v, size_t n)
{
	for (size_t done = 0; done < n; done += CHUNK) {
		size_t size = n - done < CHUNK ? n - done : CHUNK;
		struct cd_moments part = {.n = size};

		if (!sum_tiny(&part, v + done, size) &&
		    !sum_small(&part, v + done, size))
			sum_large(&part, v + done, size);
		cd_moments_merge(m, &part);
	}
}

void cd_moments_add_times(struct cd_moments *m, int64_t v, uint64_t times)
{
	uint64_t magnitude = cd_magnitude(v);
	u128 square = (u128)magnitude * magnitude;
	struct cd_moments part = {.n = times, .min = v, .max = v};

	part.sum = (__int128)v * (__int128)times;
	if (square >> 64 == 0)
		part.sum_squares = wide_of(square * times);
	else
		part.sum_squares = cd_wide_mul(wide_of(square), wide_of(times));
	cd_moments_merge(m, &part);
}

void cd_moments_merge(struct cd_moments *m, const struct cd_moments *other)
{
	if (other->n == 0)
		return;
	if (m->n == 0 || other->min < m->min)
		m->min = other->min;
	if (m->n == 0 || other->max > m->max)
		m->max = other->max;
	m->n += other->n;
	m->sum += other->sum;
	m->sum_squares = cd_wide_add(m->sum_squares, other->sum_squares);
}

double cd_moments_mean(const struct cd_moments *m)
{
	return m->n == 0 ? (double)NAN : (double)m->sum / (double)m->n;
}

double cd_moments_rms(const struct cd_moments *m)
{
	return m->n == 0
		   ? (double)NAN
		   : sqrt(cd_wide_double(m->sum_squares) / (double)m->n);
}

/* n^2 variance = n sum v^2 - (sum v)^2, in integers: nothing cancels. */
double cd_moments_deviation(const struct cd_moments *m)
{
	struct cd_wide sum = cd_wide_from(m->sum), scaled;

	if (m->n == 0)
		return (double)NAN;
	scaled = cd_wide_mul(m->sum_squares, cd_wide_from(m->n));
	scaled = cd_wide_sub(scaled, cd_wide_mul(sum, sum));
	return sqrt(cd_wide_double(scaled)) / (double)m->n;
}
