/*
 * Batches of stamps told from the gaps between them (METRICS 3.5). A quarter
 * of the packet spacing, by which the coalescing index is counted, lies inside
 * batches whose packets are stamped some time apart; their period and size
 * need the gap that really parts them.
 */
#ifndef CAPDIFF_METRIC_BUNCH_H
#define CAPDIFF_METRIC_BUNCH_H

#include <stdint.h>

#include "metric/fit.h"
#include "metric/sample.h"

/* Count again what the first pass has left in fit->bursts, if it found
 * bunches. 0, or -1 without memory. */
int cd_bunch_refine(struct cd_fit *fit);

/* The gap from which on a new batch begins in a capture alone, CD_TIME_NONE if
 * there are no batches. 0, or -1 without memory. */
int cd_bunch_gap(const struct cd_sample_times *times, int64_t *gap_ps);

/* `fine`, the batches, with the coalescing index of `rough`. */
struct cd_cluster_summary
cd_bunch_join(const struct cd_cluster_summary *rough,
	      const struct cd_cluster_summary *fine);

#endif
