#include "stat/tdev.h"

#include <math.h>
#include <stdbool.h>

/* The sum over a window, and how many of its values are not known. */
struct sum {
	double value;
	size_t unknown;
};

static void take(struct sum *sum, double x, double weight)
{
	if (isnan(x))
		sum->unknown += weight > 0 ? 1 : (size_t)-1;
	else
		sum->value += weight * x;
}

/* Sum of m values from x on. */
static struct sum sum_of(const double *x, size_t m)
{
	struct sum sum = {0, 0};

	for (size_t i = 0; i < m; i++)
		take(&sum, x[i], 1);
	return sum;
}

/* The window one further on. */
static void move(struct sum *sum, const double *x, size_t m)
{
	take(sum, x[0], -1);
	take(sum, x[m], 1);
}

/*
 *	TVAR(m) = sum over j of (sum over i = j .. j+m-1 of
 *		  x[i+2m] - 2 x[i+m] + x[i])^2 / (6 m^2 (n - 3m + 1))
 */
double cd_tdev(const double *x, size_t n, size_t m)
{
	struct sum first, middle, last;
	double squares = 0;
	size_t windows = 0;

	if (m == 0 || n / 3 < m)
		return NAN;
	first = sum_of(x, m);
	middle = sum_of(x + m, m);
	last = sum_of(x + 2 * m, m);
	for (size_t j = 0;; j++) {
		double d = last.value - 2 * middle.value + first.value;

		if (first.unknown + middle.unknown + last.unknown == 0) {
			squares += d * d;
			windows++;
		}
		if (j + 3 * m == n)
			break;
		move(&first, x + j, m);
		move(&middle, x + m + j, m);
		move(&last, x + 2 * m + j, m);
	}
	return windows == 0 ? NAN
			    : sqrt(squares / 6 / (double)windows) / (double)m;
}
