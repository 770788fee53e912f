/*
 * Neighbours in the file, of whatever stream (METRICS 2.2): how often time steps
 * back or stands still from a record to the next. Counted in the point.
 */
#ifndef CAPDIFF_ALIGN_PAIRS_H
#define CAPDIFF_ALIGN_PAIRS_H

#include <stdint.h>

#include "align/flows.h"
#include "align/point.h"

struct cd_pairs {
	int64_t before_ps; /* time of the last record, INT64_MAX: none */
};

void cd_pairs_note(struct cd_pairs *pairs, struct cd_point *point,
		   int64_t time_ps);
/* n records of one flow in a row, which it has counted itself since it was
 * `before`, its largest step back set to 0 then. */
void cd_pairs_note_run(struct cd_pairs *pairs, struct cd_point *point,
		       struct cd_flow *flow, const struct cd_stream *before,
		       uint64_t n);

#endif
