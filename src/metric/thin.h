/* A few of many matched rows, evenly spread: what later passes will meet. */
#ifndef CAPDIFF_METRIC_THIN_H
#define CAPDIFF_METRIC_THIN_H

#include <stddef.h>
#include <stdint.h>

#include "metric/metric.h"
#include "metric/walk.h"

struct cd_thin {
	struct cd_clock_row *rows;
	size_t n, most;
	uint64_t stride; /* of matched rows, all lanes */
	uint64_t seen, next;
	int64_t seq, x_ps, d_ps; /* the row before the block */
};

/* About `most` of m rows, 0: none. 0, or -1 without memory; release in any
 * case, unless `rows` was taken over. */
int cd_thin_init(struct cd_thin *thin, uint64_t m, size_t most);
void cd_thin_release(struct cd_thin *thin);
/* The next block of a walk over all lanes. */
void cd_thin_add(struct cd_thin *thin, const struct cd_walk_block *block);

#endif
