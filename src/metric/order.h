/* Order of one track against a reference (METRICS 2.2, RFC 4737). */
#ifndef CAPDIFF_METRIC_ORDER_H
#define CAPDIFF_METRIC_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "align/track.h"

/* Of first copies with numbers in a range. */
struct cd_disorder {
	uint64_t arrivals;
	uint64_t reordered_file; /* in file order */
	uint64_t reordered_time; /* after a stable sort by time */
	uint64_t extent_max, n_max;
	bool has_late;
	int64_t late_max_ps; /* largest late time known */
	bool moves_known;    /* not when too many are out of place */
	uint64_t moves;
};

struct cd_order_task {
	const struct cd_track *ref; /* NULL: order by number */
	const struct cd_track *dut;
	int64_t from, to;
	uint64_t arrivals; /* first copies in the range */
	bool steps_back;   /* D's times do not always rise in file order */
	size_t window;	   /* 0: default; for tests, a power of two >= 64 */
};

/*
 * Costs nothing where nothing is late in either track and no time steps back,
 * one pass over D where everything is out of place by less than the window, and
 * a few otherwise. 0 or -1 (no memory).
 */
int cd_order_measure(const struct cd_order_task *task,
		     struct cd_disorder *order);

#endif
