#include "stat/order.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

#define SAMPLE 31 /* values behind a pivot; ranges up to it are sorted */
#define WORK 12	  /* moves a value before selection gives up and sorts */

#define TYPE int64_t
#define NTH cd_nth_i64
#define SORT_SMALL sort_small_i64
#define SORT_HEAP sort_heap_i64
#define CHOOSE_PIVOT choose_pivot_i64
#define PART part_i64
#include "stat/nth.h"
#undef TYPE
#undef NTH
#undef SORT_SMALL
#undef SORT_HEAP
#undef CHOOSE_PIVOT
#undef PART

#define TYPE double
#define NTH cd_nth_f64
#define SORT_SMALL sort_small_f64
#define SORT_HEAP sort_heap_f64
#define CHOOSE_PIVOT choose_pivot_f64
#define PART part_f64
#include "stat/nth.h"

int64_t cd_median_i64(int64_t *v, size_t n)
{
	return cd_nth_i64(v, n, (n - 1) / 2);
}

double cd_median_f64(double *v, size_t n)
{
	size_t k = (n - 1) / 2;
	double lower = cd_nth_f64(v, n, k), upper;

	if (n % 2 == 1)
		return lower;
	upper = v[k + 1];
	for (size_t i = k + 2; i < n; i++)
		upper = v[i] < upper ? v[i] : upper;
	return lower + (upper - lower) / 2;
}

double cd_mad_f64(double *v, size_t n)
{
	double median = cd_median_f64(v, n);

	for (size_t i = 0; i < n; i++)
		v[i] = fabs(v[i] - median);
	return cd_median_f64(v, n);
}
