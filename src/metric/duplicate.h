/* Copies of packets in two captures (METRICS 2.1, RFC 5560). */
#ifndef CAPDIFF_METRIC_DUPLICATE_H
#define CAPDIFF_METRIC_DUPLICATE_H

#include <stdint.h>

#include "align/track.h"

struct cd_duplicates {
	uint64_t unique;	  /* n_u: numbers in D */
	uint64_t copies;	  /* beyond the first */
	uint64_t replicated;	  /* numbers with copies */
	uint64_t inversions;	  /* stamped before the first */
	uint64_t conflicts;	  /* sampled copies that are other packets */
	uint64_t excess, deficit; /* against the reference's copies */
	uint64_t common;	  /* copies that the reference has as well */
};

/* Count the copies of `dut` with numbers from..to into `sum`, against those of
 * `ref` (NULL: no reference). 0 or -1 (no memory). */
int cd_duplicates_count(const struct cd_track *ref, const struct cd_track *dut,
			int64_t from, int64_t to, struct cd_duplicates *sum);

#endif
