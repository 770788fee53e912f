/*
 * Order statistics of arrays in memory, in place, without random numbers:
 * the same input gives the same bits. Expected O(n), worst O(n log n).
 * No NAN among the values.
 */
#ifndef CAPDIFF_STAT_ORDER_H
#define CAPDIFF_STAT_ORDER_H

#include <stddef.h>
#include <stdint.h>

/*
 * The value of 0-based rank k < n. Afterwards v[k] is it, nothing before it
 * is greater and nothing behind it is smaller; so a next, greater k only needs
 * cd_nth_x(v + k + 1, n - k - 1, ...).
 */
int64_t cd_nth_i64(int64_t *v, size_t n, size_t k);
double cd_nth_f64(double *v, size_t n, size_t k);

/* A *reported* median: always an observed value, the lower of the two central
 * ones for even n (METRICS 0.5). n > 0; reorders v. */
int64_t cd_median_i64(int64_t *v, size_t n);

/* The median inside *estimators*: the plain middle, the mean of the two
 * central values for even n. n > 0; reorders v. */
double cd_median_f64(double *v, size_t n);

/* Median (plain middle) of |v - median(v)|, not scaled. n > 0; overwrites v. */
double cd_mad_f64(double *v, size_t n);

#endif
