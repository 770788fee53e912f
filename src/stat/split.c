#include "stat/split.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
	int64_t x, y;

	memcpy(&x, a, sizeof(x));
	memcpy(&y, b, sizeof(y));
	return x < y ? -1 : x > y;
}

/* Square roots make a few long gaps and many short ones comparable, whatever
 * the unit. */
static double root(int64_t gap)
{
	return gap > 0 ? sqrt((double)gap) : 0;
}

/* Of the classes 0..k-1 and k..n-1 with these sums, times n. */
static double distance(size_t n, size_t k, double below, double above)
{
	double low = below / (double)k, high = above / (double)(n - k);

	return (double)k * (double)(n - k) / (double)n * (high - low) *
	       (high - low);
}

/* The first gap of the upper class, 0 if there is one class. */
static size_t best_split(const int64_t *gaps, size_t n)
{
	double all = 0, below = 0, best = 0;
	size_t at = 0;

	for (size_t i = 0; i < n; i++)
		all += root(gaps[i]);
	for (size_t k = 1; k < n; k++) {
		double d;

		below += root(gaps[k - 1]);
		if (gaps[k] <= 0 || gaps[k] == gaps[k - 1])
			continue;
		d = distance(n, k, below, all - below);
		if (d > best) {
			best = d;
			at = k;
		}
	}
	return at;
}

bool cd_split_gaps(int64_t *gaps, size_t n, int64_t *threshold)
{
	size_t at, back = 0;
	double middle;

	qsort(gaps, n, sizeof(*gaps), compare);
	at = best_split(gaps, n);
	if (at == 0)
		return false;
	middle = (root(gaps[at - 1]) + root(gaps[at])) / 2;
	*threshold = gaps[at];
	if (middle * middle < (double)gaps[at])
		*threshold = (int64_t)ceil(middle * middle);
	while (back < n && gaps[back] <= -*threshold)
		back++;
	return back <= (n - at) / 10;
}
