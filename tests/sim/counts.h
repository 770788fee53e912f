/* Counts of a report against those of the truth. */
#ifndef CAPDIFF_TESTS_SIM_COUNTS_H
#define CAPDIFF_TESTS_SIM_COUNTS_H

#include "trial.h"

/* Of the first stream: expected, lost, copies, order, gaps, equal stamps,
 * drops; all exactly. */
void check_counts(const struct trial *t);

#endif
