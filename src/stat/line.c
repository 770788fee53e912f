#include "stat/line.h"

#include <assert.h>
#include <stdlib.h>

#include "base/array.h"
#include "stat/order.h"
#include "stat/percentile.h"

void cd_line_scratch_release(struct cd_line_scratch *scratch)
{
	free(scratch->v);
	*scratch = (struct cd_line_scratch){0};
}

static int reserve(struct cd_line_scratch *scratch, size_t n)
{
	return cd_grow(&scratch->v, &scratch->capacity, n, sizeof(double));
}

/* a - b, exact up to 2^53 and rounded once above, even past int64. */
static double difference(int64_t a, int64_t b)
{
	int64_t exact;

	if (__builtin_sub_overflow(a, b, &exact))
		return (double)a - (double)b;
	return (double)exact;
}

/* 18 times the variance of Kendall's score of one group of n:
 * n (n - 1) (2 n + 5). */
static unsigned __int128 variance18(size_t n)
{
	return (unsigned __int128)n * (n - 1) * (2 * n + 5);
}

/*
 * All slopes inside groups, and 18 times the variance summed over the groups:
 * a point that has c later ones of its group brings the group from c to c + 1.
 */
static int collect(struct cd_line_scratch *scratch,
		   const struct cd_line_point *points, size_t n,
		   size_t *pairs, unsigned __int128 *variance)
{
	*pairs = 0;
	*variance = 0;
	for (size_t a = 0; a < n; a++) {
		size_t later = 0;

		if (reserve(scratch, *pairs + n) != 0)
			return -1;
		for (size_t b = a + 1; b < n; b++) {
			double dx;

			if (points[b].group != points[a].group)
				continue;
			later++;
			dx = difference(points[b].x, points[a].x);
			if (dx == 0)
				continue;
			scratch->v[(*pairs)++] =
			    difference(points[b].d, points[a].d) / dx;
		}
		if (later > 0)
			*variance += variance18(later + 1) - variance18(later);
	}
	return 0;
}

/* ceil(1.96 sqrt(variance18 / 18)) */
static uint64_t sen_width(unsigned __int128 variance)
{
	unsigned __int128 square = variance * 38416;
	uint64_t c = cd_isqrt(square / 180000);

	while ((unsigned __int128)c * c * 180000 < square)
		c++;
	return c;
}

/* Sen (1968): the slopes of 0-based ranks (N -+ C)/2, rounded outwards, and
 * their middle, by three selections that each leave less to the next. */
static void pick_slopes(double *v, size_t n, uint64_t c, struct cd_slope *out)
{
	size_t low = c < n ? (n - c) / 2 : 0;
	size_t high = c < n ? (n + c + 1) / 2 : n - 1;
	size_t mid = (n - 1) / 2, from;

	if (high > n - 1)
		high = n - 1;
	if (low > mid)
		low = mid;
	out->bounded = c < n;
	out->pairs = n;
	out->low = cd_nth_f64(v, n, low);
	from = low < mid ? low + 1 : low;
	out->y = cd_nth_f64(v + from, n - from, mid - from);
	if (n % 2 == 0) {
		double upper = cd_nth_f64(v + mid + 1, n - mid - 1, 0);

		out->y += (upper - out->y) / 2;
	}
	from = high > mid ? mid + 1 : mid;
	out->high = cd_nth_f64(v + from, n - from, high - from);
}

int cd_line_slope(struct cd_line_scratch *scratch,
		  const struct cd_line_point *points, size_t n,
		  struct cd_slope *out)
{
	unsigned __int128 variance;
	size_t pairs;

	if (collect(scratch, points, n, &pairs, &variance) != 0)
		return -1;
	if (pairs == 0)
		return 0;
	pick_slopes(scratch->v, pairs, sen_width(variance), out);
	return 1;
}

int cd_line_adjacent_slope(struct cd_line_scratch *scratch,
			   const struct cd_line_point *points, size_t n,
			   double *slope)
{
	size_t pairs = 0;

	if (reserve(scratch, n) != 0)
		return -1;
	for (size_t i = 1; i < n; i++) {
		const struct cd_line_point *a = &points[i - 1], *b = &points[i];
		double dx = difference(b->x, a->x);

		if (a->group == b->group && dx != 0)
			scratch->v[pairs++] = difference(b->d, a->d) / dx;
	}
	if (pairs == 0)
		return 0;
	*slope = cd_median_f64(scratch->v, pairs);
	return 1;
}

int cd_line_offset(struct cd_line_scratch *scratch,
		   const struct cd_line_point *points, size_t n, double y,
		   double *offset)
{
	assert(n > 0);
	if (reserve(scratch, n) != 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		scratch->v[i] = (double)points[i].d - y * (double)points[i].x;
	*offset = cd_median_f64(scratch->v, n);
	return 0;
}
