#include "render/chart_scale.h"

#include <stdlib.h>

/* How far outside, in ranges of those 98 %. */
#define FAR 4

static int compare(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Days are as good as more days, and their multiples fit. */
static int64_t clamp(int64_t ps)
{
	const int64_t most = INT64_MAX / 16;

	return ps > most ? most : ps < -most ? -most : ps;
}

static size_t collect(const struct cd_series *series, int column,
		      int64_t *values)
{
	size_t n = 0;

	for (size_t row = 0; row < series->n_rows; row++) {
		const struct cd_cell *cell =
		    cd_series_cell(series, row, column);

		if (cell->defined)
			values[n++] = clamp(cell->integer);
	}
	qsort(values, n, sizeof(*values), compare);
	return n;
}

static void widen(int64_t *from, int64_t *to, int64_t low, int64_t high,
		  bool first)
{
	if (first || low < *from)
		*from = low;
	if (first || high > *to)
		*to = high;
}

struct cd_scale cd_scale_of(const struct cd_series *series, int first, int last)
{
	int64_t *values = calloc(series->n_rows + 1, sizeof(*values));
	struct cd_scale s = {0};
	bool none = true;
	int64_t range;

	for (int column = first; values != NULL && column <= last; column++) {
		size_t n = collect(series, column, values);

		if (n == 0)
			continue;
		widen(&s.least_ps, &s.most_ps, values[0], values[n - 1], none);
		widen(&s.from_ps, &s.to_ps, values[n / 100],
		      values[n - 1 - n / 100], none);
		none = false;
	}
	free(values);
	range = s.to_ps - s.from_ps;
	s.from_ps = s.least_ps < s.from_ps - FAR * range ? s.from_ps - range / 2
							 : s.least_ps;
	s.to_ps =
	    s.most_ps > s.to_ps + FAR * range ? s.to_ps + range / 2 : s.most_ps;
	return s;
}
