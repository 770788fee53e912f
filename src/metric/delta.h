/*
 * Deltas of one capture: streamed through exact order statistics, two or three
 * passes over its tracks.
 */
#ifndef CAPDIFF_METRIC_DELTA_H
#define CAPDIFF_METRIC_DELTA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "align/track.h"
#include "metric/metric.h"

/* A track, or a part of it. */
struct cd_delta_source {
	const struct cd_track *track;
	bool whole; /* all rows in file order, copies and strays too; else
		       first copies with neighbouring numbers from..to */
	int64_t from, to;
	int64_t threshold_ps; /* for frames of one size; 0: do not count */
	const int64_t *thresholds_ps; /* or by frame length, CD_DELTA_LENGTHS
					 of them; NULL: one size */
};

/* Frames from this length on have the threshold of it. */
#define CD_DELTA_LENGTHS 2048

struct cd_deltas {
	struct cd_distribution d; /* p5, p95 and p99.99 stay 0 */
	uint64_t impossible;	  /* below the threshold */
};

/* 0, or -1 without memory. */
int cd_deltas_measure(const struct cd_delta_source *sources, size_t n,
		      struct cd_deltas *out);

#endif
