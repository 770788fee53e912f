/* Counting the rows of a lane: who has them, and the pattern of what the
 * compared capture lacks. */
#ifndef CAPDIFF_METRIC_COUNT_H
#define CAPDIFF_METRIC_COUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "metric/gaps.h"
#include "metric/metric.h"

/* What one pass over C found. */
struct cd_row_count {
	uint64_t both, ref_only, dut_only;
	uint64_t matched;		/* both, with valid times */
	int64_t ref_from_ps, ref_to_ps; /* first and last time of the reference
					   (of D in a lane of D alone) */
	struct cd_gaps gaps;
	/* every matched packet has this offset T_D - T_R, and there are some */
	bool same_offset;
	int64_t offset_ps;
};

/* Count the rows from..to. `spacing` (may be NULL) takes the times between the
 * onsets of gaps. 0 or -1 (no memory). */
int cd_count_rows(const struct cd_lane *lane, int64_t from, int64_t to,
		  struct cd_histogram *spacing, struct cd_row_count *count);

#endif
