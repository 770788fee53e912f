/*
 * How far a drift may really be off. Sen's interval (METRICS 4.3) takes the
 * floors for independent of each other, and the delay of the stamps for the
 * same all along; this widens it where they are not.
 */
#ifndef CAPDIFF_METRIC_DOUBT_H
#define CAPDIFF_METRIC_DOUBT_H

#include "metric/fit.h"

/* Widen fit->slope by what the blocks of the last pass show. 0, or -1 without
 * memory. */
int cd_doubt_slope(struct cd_fit *fit);

#endif
