/*
 * What zero or few losses prove: exact binomial and Poisson bounds
 * (METRICS 1.3).
 */
#ifndef CAPDIFF_STAT_BINOMIAL_H
#define CAPDIFF_STAT_BINOMIAL_H

#include <stdint.h>

/* Regularised incomplete beta I_x(a, b), a, b > 0, 0 <= x <= 1, to about 1e-12:
 * of itself where x is below the mean, absolute above. Takes O(sqrt(max(a, b)))
 * near the mean, little far from it. */
double cd_beta_regularised(double a, double b, double x);
/* Regularised upper incomplete gamma Q(a, x), a > 0, x >= 0; as good. */
double cd_gamma_q(double a, double x);

struct cd_interval {
	double low, high;
};
/* Clopper-Pearson for x of n > 0 at `level` (0.95), two-sided. */
struct cd_interval cd_binomial_interval(uint64_t x, uint64_t n, double level);
/* One-sided upper bound BetaInv(level; x + 1, n - x); 1 - (1-level)^(1/n)
 * ("rule of three") for x = 0, 1 for x = n. */
double cd_binomial_upper(uint64_t x, uint64_t n, double level);

/* Quantile of chi-square with `degrees` > 0 of freedom. */
double cd_chi_square_quantile(double level, double degrees);
/* Upper bound of the mean of a Poisson count of m: half the chi-square
 * quantile with 2 (m + 1) degrees. Divided by the time seen it is the event
 * bound: 2.996 for m = 0. */
double cd_poisson_upper(uint64_t m, double level);

#endif
