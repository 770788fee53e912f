/*
 * Deltas of one capture: streamed through exact order statistics, one to three
 * passes over its tracks (METRICS 3.1).
 */
#ifndef CAPDIFF_METRIC_DELTA_H
#define CAPDIFF_METRIC_DELTA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "align/track.h"
#include "metric/metric.h"
#include "stat/histogram.h"

/* Frames from this length on have the threshold of it. */
#define CD_DELTA_LENGTHS 2048

/* A track, and what is wanted of it. */
struct cd_delta_source {
	const struct cd_track *track;
	bool raw;      /* all rows in file order, copies and strays too */
	bool numbered; /* first copies with neighbouring numbers from..to */
	int64_t from, to;
	int64_t threshold_ps;	      /* of raw ones; 0: do not count */
	const int64_t *thresholds_ps; /* or by frame length, CD_DELTA_LENGTHS
					 of them; NULL: one size */
};

struct cd_deltas {
	/* p5, p95 and p99.99 stay 0 */
	struct cd_distribution raw, numbered;
	uint64_t impossible; /* raw ones below the threshold */
};

/* `histogram` (may be NULL) takes the numbered deltas, or the raw ones if no
 * source has others. `sample`: some deltas from all over the tracks, reordered here; n_sample 0
 * costs passes only. 0, or -1 without memory. */
int cd_deltas_measure(const struct cd_delta_source *sources, size_t n,
		      int64_t *sample, size_t n_sample,
		      struct cd_histogram *histogram, struct cd_deltas *out);

#endif
