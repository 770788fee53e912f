#include "stat/binomial.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

#define TINY 1e-300
#define TERMS 20000000 /* of a continued fraction; sqrt(n) are needed */

static const double two_pi = 6.283185307179586476925;

/* What Stirling's formula lacks: ln(n!) - ln(sqrt(2 pi n) (n/e)^n), n > 0.
 * Small n climb: S(n) = S(n+1) + (n + 1/2) ln(1 + 1/n) - 1. */
static double stirling_error(double n)
{
	double climbed = 0, square;

	for (; n < 16; n++)
		climbed += (n + 0.5) * log1p(1 / n) - 1;
	square = n * n;
	return climbed + (1.0 / 12 -
			  (1.0 / 360 -
			   (1.0 / 1260 - (1.0 / 1680 - 1.0 / 1188 / square) /
					     square) /
			       square) /
			      square) /
			     n;
}

/* x ln(x/m) + m - x without cancellation (Loader, Fast and Accurate
 * Computation of Binomial Probabilities, 2000). */
static double deviance(double x, double m)
{
	double v = (x - m) / (x + m), sum, next, term, odd;

	if (fabs(v) >= 0.1)
		return x * log(x / m) + m - x;
	sum = (x - m) * v;
	term = 2 * x * v;
	for (odd = 3;; odd += 2) {
		term *= v * v;
		next = sum + term / odd;
		if (next == sum)
			return sum;
		sum = next;
	}
}

/* x^a (1-x)^b / B(a, b), 0 < x < 1 */
static double beta_front(double a, double b, double x)
{
	double n = a + b;
	double log_p = stirling_error(n) - stirling_error(a) -
		       stirling_error(b) - deviance(a, n * x) -
		       deviance(b, n * (1 - x));

	return exp(log_p) * sqrt(a * b / (two_pi * n));
}

static double away_from_zero(double v)
{
	return fabs(v) < TINY ? TINY : v;
}

/* The continued fraction of the incomplete beta (DLMF 8.17.22), evaluated
 * forwards (Lentz). */
static double beta_fraction(double a, double b, double x)
{
	double c = 1, f, d = away_from_zero(1 - (a + b) * x / (a + 1));

	d = 1 / d;
	f = d;
	for (int i = 1; i < TERMS; i++) {
		double m = i, even, odd, change;

		even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		d = 1 / away_from_zero(1 + even * d);
		c = away_from_zero(1 + even / c);
		f *= d * c;
		odd = -(a + m) * (a + b + m) * x /
		      ((a + 2 * m) * (a + 2 * m + 1));
		d = 1 / away_from_zero(1 + odd * d);
		c = away_from_zero(1 + odd / c);
		change = d * c;
		f *= change;
		if (fabs(change - 1) < 4 * DBL_EPSILON)
			break;
	}
	return f;
}

double cd_beta_regularised(double a, double b, double x)
{
	if (x <= 0)
		return 0;
	if (x >= 1)
		return 1;
	if (x < (a + 1) / (a + b + 2))
		return beta_front(a, b, x) * beta_fraction(a, b, x) / a;
	return 1 - beta_front(a, b, x) * beta_fraction(b, a, 1 - x) / b;
}

/* P(a, x) = front (1/a + x/(a(a+1)) + ...) (DLMF 8.7.1) */
static double gamma_series(double a, double x)
{
	double term = 1 / a, sum = term;

	for (int i = 1; i < TERMS; i++) {
		term *= x / (a + i);
		sum += term;
		if (term < sum * DBL_EPSILON / 4)
			break;
	}
	return sum;
}

/* Q(a, x) = front * this (DLMF 8.9.2) */
static double gamma_fraction(double a, double x)
{
	double b = x + 1 - a, c = 1 / TINY;
	double d = 1 / away_from_zero(b), f = d;

	for (int i = 1; i < TERMS; i++) {
		double k = i, top = -k * (k - a), change;

		b += 2;
		d = 1 / away_from_zero(top * d + b);
		c = away_from_zero(b + top / c);
		change = c * d;
		f *= change;
		if (fabs(change - 1) < 4 * DBL_EPSILON)
			break;
	}
	return f;
}

double cd_gamma_q(double a, double x)
{
	double front;

	if (x <= 0)
		return 1;
	/* x^a e^-x / Gamma(a) */
	front = a * exp(-stirling_error(a) - deviance(a, x)) /
		sqrt(two_pi * a);
	return x < a + 1 ? 1 - front * gamma_series(a, x)
			 : front * gamma_fraction(a, x);
}

/* p with I_p(a, b) = target by bisection in log p: small ones keep all their
 * digits. */
static double invert_beta(double a, double b, double target)
{
	double low = log(DBL_MIN), high = 0;

	while (high - low > 1e-14 + 2e-16 * fabs(low)) {
		double middle = low + (high - low) / 2;

		if (middle <= low || middle >= high)
			break;
		if (cd_beta_regularised(a, b, exp(middle)) < target)
			low = middle;
		else
			high = middle;
	}
	return exp(low + (high - low) / 2);
}

struct cd_interval cd_binomial_interval(uint64_t x, uint64_t n, double level)
{
	double hits = (double)x, misses = (double)(n - x);
	double tail = (1 - level) / 2;
	struct cd_interval interval = {0, 1};

	if (x > 0)
		interval.low = invert_beta(hits, misses + 1, tail);
	if (x < n)
		interval.high = invert_beta(hits + 1, misses, 1 - tail);
	return interval;
}

double cd_binomial_upper(uint64_t x, uint64_t n, double level)
{
	if (x == 0)
		return -expm1(log1p(-level) / (double)n);
	if (x >= n)
		return 1;
	return invert_beta((double)x + 1, (double)(n - x), level);
}

/* x with Q(a, x) = target, falling in x. */
static double invert_gamma(double a, double target)
{
	double low = log(DBL_MIN), high = log(a + 10) + 7;

	while (high - low > 1e-14) {
		double middle = low + (high - low) / 2;

		if (middle <= low || middle >= high)
			break;
		if (cd_gamma_q(a, exp(middle)) > target)
			low = middle;
		else
			high = middle;
	}
	return exp(low + (high - low) / 2);
}

double cd_chi_square_quantile(double level, double degrees)
{
	return 2 * invert_gamma(degrees / 2, 1 - level);
}

double cd_poisson_upper(uint64_t m, double level)
{
	return invert_gamma((double)m + 1, 1 - level);
}
