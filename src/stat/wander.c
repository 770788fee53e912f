#include "stat/wander.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "stat/order.h"
#include "stat/percentile.h"

struct cd_wander_range cd_wander_range(double *floors, size_t n)
{
	size_t low = (size_t)cd_percentile_rank(n, 2500);
	size_t high = (size_t)cd_percentile_rank(n, 97500);
	double min, max, lower, upper;

	assert(n > 0);
	min = max = floors[0];
	for (size_t i = 1; i < n; i++) {
		min = floors[i] < min ? floors[i] : min;
		max = floors[i] > max ? floors[i] : max;
	}
	lower = cd_nth_f64(floors, n, low);
	upper = cd_nth_f64(floors, n, high);
	return (struct cd_wander_range){max - min, upper - lower};
}

struct ranked {
	double floor;
	size_t at;
};

static int compare_ranked(const void *a, const void *b)
{
	const struct ranked *p = a, *q = b;

	if (p->floor != q->floor)
		return p->floor < q->floor ? -1 : 1;
	return p->at < q->at ? -1 : p->at > q->at;
}

/* Ranks about their middle, in the order of the floors; NULL: no memory. */
static double *rank_floors(const double *floors, size_t n)
{
	struct ranked *sorted = malloc(n * sizeof(*sorted));
	double *ranks = malloc(n * sizeof(*ranks));

	if (sorted == NULL || ranks == NULL) {
		free(sorted);
		free(ranks);
		return NULL;
	}
	for (size_t i = 0; i < n; i++)
		sorted[i] = (struct ranked){floors[i], i};
	qsort(sorted, n, sizeof(*sorted), compare_ranked);
	for (size_t i = 0; i < n; i++)
		ranks[sorted[i].at] = (double)i - (double)(n - 1) / 2;
	free(sorted);
	return ranks;
}

/* Mean square of the means of k ranks each, times k. */
static double mean_square(const double *ranks, size_t n, size_t k)
{
	double sum = 0;

	for (size_t b = 0; b < n / k; b++) {
		double mean = 0;

		for (size_t i = b * k; i < (b + 1) * k; i++)
			mean += ranks[i] / (double)k;
		sum += mean * mean;
	}
	return sum / (double)(n / k) * (double)k;
}

double cd_wander_widening(const double *floors, size_t n)
{
	double *ranks, all, most = 1;

	if (n < 16)
		return 1;
	ranks = rank_floors(floors, n);
	if (ranks == NULL)
		return NAN;
	all = mean_square(ranks, n, 1);
	for (size_t k = 2; k <= n / 8; k *= 2) {
		double ratio = mean_square(ranks, n, k) / all;

		/* 1 + 2.33 sqrt(2 / means): 1 % for each of the few k */
		if (ratio > 1 + 3.3 / sqrt((double)(n / k)) && ratio > most)
			most = ratio;
	}
	free(ranks);
	return sqrt(most);
}
