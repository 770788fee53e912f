/*
 * Short gaps and long ones in one sample: inside batches and between them.
 */
#ifndef CAPDIFF_STAT_SPLIT_H
#define CAPDIFF_STAT_SPLIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A gap is long from *threshold on, which parts the square roots of the gaps
 * into the two classes that lie furthest apart (Otsu 1979); gaps below zero
 * count as none. False if there are no two classes: all gaps are alike, or
 * nearly as many go back by the threshold as forward (values that scatter
 * instead of coming in batches). Sorts the gaps; n > 0.
 */
bool cd_split_gaps(int64_t *gaps, size_t n, int64_t *threshold);

#endif
