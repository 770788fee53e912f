/* MTIE and TDEV against slow reference implementations (METRICS 10, V24). */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "stat/mtie.h"
#include "stat/tdev.h"
#include "stat_random.h"

#define N 3000

/* ---- MTIE ----------------------------------------------------------------- */

static uint64_t slow_mtie(const int64_t *x, const int64_t *v, size_t n,
			  int64_t tau)
{
	uint64_t worst = 0;

	for (size_t i = 0; i < n; i++) {
		int64_t low = v[i], high = v[i];

		for (size_t k = i; k < n && x[k] - x[i] <= tau; k++) {
			low = v[k] < low ? v[k] : low;
			high = v[k] > high ? v[k] : high;
		}
		if ((uint64_t)high - (uint64_t)low > worst)
			worst = (uint64_t)high - (uint64_t)low;
	}
	return worst;
}

static uint64_t fast_mtie(const int64_t *x, const int64_t *v, size_t n,
			  int64_t tau, size_t part)
{
	struct cd_mtie m;
	uint64_t worst;

	cd_mtie_init(&m, tau);
	for (size_t i = 0; i < n; i += part)
		cr_assert_eq(cd_mtie_add(&m, x + i, v + i,
					 n - i < part ? n - i : part),
			     0);
	worst = m.worst;
	cd_mtie_release(&m);
	return worst;
}

/* Irregular samples, some at the same time. */
static void make_samples(int64_t *x, int64_t *v, uint64_t seed, int shape)
{
	struct noise noise = noise_seed(seed);
	int64_t now = -1000000, walk = 0;

	for (size_t i = 0; i < N; i++) {
		now += noise_uniform(&noise) < 0.2
			   ? 0
			   : llround(noise_exponential(&noise, 1000));
		x[i] = now;
		walk += llround(noise_gauss(&noise, 50));
		v[i] = shape == 0   ? llround(noise_gauss(&noise, 1e4))
		       : shape == 1 ? walk
		       : shape == 2 ? (int64_t)i * 7
				    : -(int64_t)i * 7;
	}
}

Test(stat_clock, mtie_as_brute_force)
{
	static const int64_t taus[] = {0,    1,	    500,    1000,   1001,
				       5000, 33333, 200000, 999999, 100000000};
	static int64_t x[N], v[N];

	for (int shape = 0; shape < 4; shape++) {
		make_samples(x, v, (uint64_t)shape + 1, shape);
		for (size_t i = 0; i < sizeof(taus) / sizeof(*taus); i++) {
			uint64_t slow = slow_mtie(x, v, N, taus[i]);

			cr_assert_eq(fast_mtie(x, v, N, taus[i], N), slow);
			cr_assert_eq(fast_mtie(x, v, N, taus[i], 7), slow);
		}
	}
}

Test(stat_clock, mtie_of_extreme_values)
{
	const int64_t x[] = {INT64_MIN + 1, 0, INT64_MAX};
	const int64_t v[] = {INT64_MIN, INT64_MAX, 0};

	cr_assert_eq(fast_mtie(x, v, 3, INT64_MAX, 3), UINT64_MAX);
	cr_assert_eq(fast_mtie(x, v, 3, 5, 3), 0);
	cr_assert_eq(fast_mtie(x, v, 0, 5, 3), 0);
}

/* No window over both series; time that goes back stands still. */
Test(stat_clock, mtie_of_two_series)
{
	const int64_t x[] = {0, 10, 5, 20}, v[] = {0, 3, 9, 4};
	struct cd_mtie m;

	cd_mtie_init(&m, 9);
	cr_assert_eq(cd_mtie_add(&m, x, v, 4), 0);
	cr_assert_eq(m.worst, 6);
	cd_mtie_break(&m);
	cr_assert_eq(cd_mtie_add(&m, (int64_t[]){0}, (int64_t[]){1000}, 1), 0);
	cr_assert_eq(m.worst, 6);
	cd_mtie_release(&m);
}

/* ---- TDEV ----------------------------------------------------------------- */

static double slow_tdev(const double *x, size_t n, size_t m)
{
	double sum = 0;
	size_t windows = 0;

	for (size_t j = 0; j + 3 * m <= n; j++) {
		double inner = 0;

		for (size_t i = j; i < j + m; i++)
			inner += x[i + 2 * m] - 2 * x[i + m] + x[i];
		if (isnan(inner))
			continue;
		sum += inner * inner;
		windows++;
	}
	return windows == 0 ? NAN
			    : sqrt(sum / (6 * (double)(m * m) *
					  (double)windows));
}

Test(stat_clock, tdev_as_by_its_formula)
{
	static double x[N];
	struct noise noise = noise_seed(3);

	for (size_t i = 0; i < N; i++)
		x[i] = noise_gauss(&noise, 1000);
	for (size_t m = 1; m <= N / 3; m = 2 * m + 1)
		cr_assert_float_eq(cd_tdev(x, N, m), slow_tdev(x, N, m), 1e-6);
	cr_assert(isnan(cd_tdev(x, N, N / 3 + 1)));
	cr_assert(isnan(cd_tdev(x, 2, 1)));
	cr_assert(!isnan(cd_tdev(x, 3, 1)));
	for (size_t i = 100; i < N; i += 700)
		x[i] = NAN;
	for (size_t m = 1; m <= N / 3; m = 2 * m + 1) {
		double slow = slow_tdev(x, N, m);

		if (isnan(slow))
			cr_assert(isnan(cd_tdev(x, N, m)));
		else
			cr_assert_float_eq(cd_tdev(x, N, m), slow, 1e-6);
	}
}

/* White noise falls with the square root of the time; a drift has none. */
Test(stat_clock, tdev_of_known_noise)
{
	enum { LONG = 200000 };
	double *x = malloc(LONG * sizeof(*x));
	struct noise noise = noise_seed(4);

	for (size_t i = 0; i < LONG; i++)
		x[i] = noise_gauss(&noise, 1000);
	cr_assert_float_eq(cd_tdev(x, LONG, 1), 1000, 10);
	cr_assert_float_eq(cd_tdev(x, LONG, 10), 1000 / sqrt(10), 8);
	cr_assert_float_eq(cd_tdev(x, LONG, 100), 100, 8);
	for (size_t i = 0; i < LONG; i++)
		x[i] = 5 + 3 * (double)i;
	cr_assert_float_eq(cd_tdev(x, LONG, 64), 0, 1e-6);
	free(x);
}
