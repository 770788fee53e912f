/*
 * What lies before and after the common interval (METRICS 1.1): excluded, or
 * lost, because the other capture was evidently running at that time.
 */
#ifndef CAPDIFF_METRIC_EDGES_H
#define CAPDIFF_METRIC_EDGES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "metric/metric.h"

/* Times in which a capture was running for sure; none if from > to. */
struct cd_window {
	int64_t from_ps, to_ps;
};

/* Evidence of one capture by its own clock: any record of any traffic, and the
 * start and end its interface statistics tell. */
struct cd_window cd_evidence(const struct cd_point *point);

/* g: how much a time must be inside to count, max(10 ms, 10 x lateness). */
int64_t cd_evidence_guard(const struct cd_pair *pair);

/* Offsets of the longest lane that has them, for those that have none: streams
 * of one capture share its clock. NULL if none has. */
const double *cd_edges_theta(const struct cd_pair *pair);

/* Where a packet of the reference in this lane is surely inside D's capture (by
 * the reference's clock). O(lanes) where this one has no offset. */
struct cd_window cd_window_of_dut(const struct cd_analysis *analysis,
				  const struct cd_pair *pair,
				  const struct cd_lane *lane);

/* What was found outside C in one lane, beside the counts of the lane. */
struct cd_edges {
	int64_t excluded_ps; /* reference time of what was excluded */
};

/* Count head and tail of the lane into it, promoting to lost what the evidence
 * says; `theta`: cd_edges_theta() of the pair; `foreign`: D's packets never
 * are. 0 or -1 (no memory). */
int cd_edges_count(const struct cd_analysis *analysis,
		   const struct cd_pair *pair, const double *theta,
		   struct cd_lane *lane, bool foreign, struct cd_edges *edges);

#endif
