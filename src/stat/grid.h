/*
 * One-pass order statistics, where a sample of the stream tells what it is
 * like (stat/select.c). If the values lie on a coarse grid, as differences of
 * time stamps do, every one is counted; else they are counted in cells, and
 * those near the wanted ranks are kept (stat/aim.h). A poor sample leaves
 * ranks unanswered, and never answers one wrongly.
 */
#ifndef CAPDIFF_STAT_GRID_H
#define CAPDIFF_STAT_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stat/moments.h"

struct cd_grid; /* opaque; at most 5 MB, and what the aim keeps */

/* For the wanted shares 0..1 of a stream, at most CD_AIM_MAX; n > 0, the
 * sample is reordered. NULL without memory. */
struct cd_grid *cd_grid_new(int64_t *sample, size_t n, const double *shares,
			    size_t n_wanted);
void cd_grid_free(struct cd_grid *grid);

/* All values pass through here once. */
void cd_grid_add(struct cd_grid *grid, const int64_t *v, size_t n);
/* No more values; their moments. */
void cd_grid_end(struct cd_grid *grid, struct cd_moments *moments);
/* Then: the value of 0-based rank < n. False if it is not known. */
bool cd_grid_rank(struct cd_grid *grid, uint64_t rank, int64_t *value);

#endif
