#include <criterion/criterion.h>

#include "stat/binomial.h"
#include "stat_random.h"

static void near(double got, double want, double relative)
{
	cr_assert_leq(fabs(got - want), fabs(want) * relative,
		      "%.17g is not %.17g", got, want);
}

Test(binomial, published_values)
{
	struct cd_interval i = cd_binomial_interval(5, 10, 0.95);

	near(i.low, 0.1870860284, 1e-9);
	near(i.high, 0.8129139716, 1e-9);
	i = cd_binomial_interval(1, 10, 0.95);
	near(i.low, 0.002528578544, 1e-9);
	near(i.high, 0.4450161174, 1e-9);
	i = cd_binomial_interval(0, 10, 0.95);
	cr_assert_eq(i.low, 0);
	near(i.high, 0.3084971078, 1e-9);
	i = cd_binomial_interval(10, 10, 0.95);
	near(i.low, 1 - 0.3084971078, 1e-9);
	cr_assert_eq(i.high, 1);
	near(cd_chi_square_quantile(0.95, 1), 3.841458821, 1e-9);
	near(cd_chi_square_quantile(0.95, 2), 5.991464547, 1e-9);
	near(cd_chi_square_quantile(0.95, 4), 9.487729037, 1e-9);
	near(cd_chi_square_quantile(0.95, 6), 12.59158724, 1e-9);
	near(cd_chi_square_quantile(0.95, 10), 18.30703805, 1e-9);
	near(cd_chi_square_quantile(0.95, 20), 31.41043284, 1e-9);
	near(cd_chi_square_quantile(0.95, 10), 18.30703805, 1e-9);
	near(cd_chi_square_quantile(0.5, 100), 99.33412924, 1e-9);
}

Test(binomial, rule_of_three)
{
	near(cd_binomial_upper(0, 30000, 0.95), 2.9957322736 / 30000, 1e-4);
	/* METRICS 1.3: 0 of 1,234,567: below 2.43 ppm */
	near(cd_binomial_upper(0, 1234567, 0.95), 2.42655e-6, 1e-5);
	near(cd_binomial_upper(0, 1000000000, 0.95), 2.9957322736e-9, 1e-8);
	near(cd_binomial_upper(0, 1, 0.95), 0.95, 1e-12);
	cr_assert_eq(cd_binomial_upper(7, 7, 0.95), 1);
	near(cd_poisson_upper(0, 0.95), 2.9957322736, 1e-9);
	near(cd_poisson_upper(3, 0.95), 7.753656528, 1e-9);
}

/* P(X <= x) by adding up, in the test's own way. */
static double binomial_tail(int x, int n, double p)
{
	double term = pow(1 - p, n), sum = term;

	for (int k = 0; k < x; k++) {
		term *= (double)(n - k) / (k + 1) * p / (1 - p);
		sum += term;
	}
	return sum;
}

Test(binomial, beta_is_the_binomial_tail)
{
	for (int n = 1; n <= 60; n += 7)
		for (int x = 0; x < n; x++)
			for (double p = 0.01; p < 1; p += 0.097)
				cr_assert_float_eq(
				    1 - cd_beta_regularised(x + 1, n - x, p),
				    binomial_tail(x, n, p), 1e-12);
	cr_assert_eq(cd_beta_regularised(2, 3, 0), 0);
	cr_assert_eq(cd_beta_regularised(2, 3, 1), 1);
}

Test(binomial, gamma_is_the_poisson_tail)
{
	for (int m = 0; m < 40; m += 3)
		for (double mean = 0.1; mean < 60; mean *= 1.9) {
			double term = exp(-mean), sum = term;

			for (int k = 1; k <= m; k++) {
				term *= mean / k;
				sum += term;
			}
			near(cd_gamma_q(m + 1, mean), sum, 1e-12);
		}
}

/* The bounds solve their own equation, far beyond what can be added up. */
Test(binomial, large_counts)
{
	static const uint64_t sizes[] = {1000, 1000000, 1000000000,
					 UINT64_C(1000000000000)};

	for (int i = 0; i < 4; i++) {
		uint64_t n = sizes[i];

		for (uint64_t x = 1; x <= 1000 && x < n; x *= 10) {
			struct cd_interval c = cd_binomial_interval(x, n, 0.95);
			double a = (double)x, b = (double)(n - x);

			near(cd_beta_regularised(a, b + 1, c.low), 0.025, 1e-9);
			near(cd_beta_regularised(a + 1, b, c.high), 0.975,
			     1e-9);
			cr_assert_lt(c.low, a / (double)n);
			cr_assert_gt(c.high, a / (double)n);
			/* Poisson is the limit of rare losses */
			if (n >= 1000000000)
				near(cd_binomial_upper(x, n, 0.95) * (double)n,
				     cd_poisson_upper(x, 0.95), 1e-5);
		}
	}
}

Test(binomial, half_of_a_million_is_nearly_gauss)
{
	struct cd_interval c = cd_binomial_interval(500000, 1000000, 0.95);

	near(c.high - c.low, 2 * 1.959964 * 0.0005, 2e-3);
	near(c.high + c.low, 1, 1e-9);
}

Test(binomial, symmetric)
{
	for (uint64_t x = 0; x <= 37; x++) {
		struct cd_interval a = cd_binomial_interval(x, 37, 0.9);
		struct cd_interval b = cd_binomial_interval(37 - x, 37, 0.9);

		cr_assert_float_eq(a.low, 1 - b.high, 1e-12);
		cr_assert_float_eq(a.high, 1 - b.low, 1e-12);
	}
}

/* V16: coverage is at least the level, for any n and p. */
Test(binomial, interval_covers)
{
	static const double shares[] = {0.001, 0.02, 0.3, 0.5};
	struct noise r = noise_seed(16);

	for (int n = 20; n <= 500; n *= 5)
		for (int s = 0; s < 4; s++) {
			int hits = 0;

			for (int run = 0; run < 2000; run++) {
				struct cd_interval c;
				uint64_t x = 0;

				for (int i = 0; i < n; i++)
					x += noise_uniform(&r) < shares[s];
				c = cd_binomial_interval(x, (uint64_t)n, 0.95);
				hits += c.low <= shares[s] &&
					shares[s] <= c.high;
			}
			/* 5 standard errors below 95 % */
			cr_assert_geq(hits, 1900 - 49);
		}
}
