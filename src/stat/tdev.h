/*
 * Time deviation (ITU-T G.810; METRICS 5) of time errors on a regular grid:
 * how far means over tau stray from the line through their neighbours.
 */
#ifndef CAPDIFF_STAT_TDEV_H
#define CAPDIFF_STAT_TDEV_H

#include <stddef.h>

/*
 * TDEV(m tau0) of n values x, tau0 apart; NAN: the value is not known, and no
 * window that holds it counts. NAN if there is no window: n < 3 m, or all have
 * gaps. O(n).
 */
double cd_tdev(const double *x, size_t n, size_t m);

#endif
