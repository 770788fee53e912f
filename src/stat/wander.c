#include "stat/wander.h"

#include <assert.h>

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
