/* Loss of one capture, or of one of its streams, as values. */
#ifndef CAPDIFF_METRIC_LOSS_H
#define CAPDIFF_METRIC_LOSS_H

#include <stdbool.h>
#include <stdint.h>

#include "metric/metric.h"
#include "metric/put.h"

/* Sums over the lanes of a pair or of one stream. */
struct cd_loss {
	uint64_t lanes, common_lanes;
	uint64_t both_have, matched, ref_has, dut_has;
	uint64_t expected, missing, ref_miss, both_miss, all_miss;
	uint64_t union_expected;
	uint64_t head_excluded, tail_excluded, head_surplus, tail_surplus;
	uint64_t head_lost, tail_lost;
	int64_t excluded_ps; /* largest of the lanes */
	double seconds;	     /* reference time inside C, summed */
	struct cd_gaps gaps;
	const struct cd_lane *longest; /* the lane of gaps.longest */
	int64_t first_seq, last_seq;   /* C of the last common lane */
	bool ambiguous;		       /* a wrap could not be counted */
};

void cd_loss_add(struct cd_loss *loss, const struct cd_lane *lane,
		 int64_t excluded_ps, uint64_t all_miss);

/* All loss.* values of one place, but those of the file's counters and of
 * --expect. 0 or -1 (no memory). */
int cd_loss_put(const struct cd_place *place,
		const struct cd_analysis *analysis, const struct cd_pair *pair,
		const struct cd_loss *loss);

#endif
