/* Lanes: the streams and epochs of a pair, side by side. */
#ifndef CAPDIFF_METRIC_LANES_H
#define CAPDIFF_METRIC_LANES_H

#include <stdbool.h>
#include <stdint.h>

#include "align/rows.h"
#include "base/error.h"
#include "metric/metric.h"

/* a - b, saturated: stamps of a damaged file may be anything. */
static inline int64_t cd_minus(int64_t a, int64_t b)
{
	int64_t r;

	if (!__builtin_sub_overflow(a, b, &r))
		return r;
	return a < 0 ? INT64_MIN : INT64_MAX;
}

static inline int64_t cd_plus(int64_t a, int64_t b)
{
	int64_t r;

	if (!__builtin_add_overflow(a, b, &r))
		return r;
	return a < 0 ? INT64_MIN : INT64_MAX;
}

/* Is the number inside the common interval of the lane? */
static inline bool cd_is_common(const struct cd_lane *lane, int64_t seq)
{
	return lane->common && seq >= lane->a && seq <= lane->b;
}

/* Packets that make the window W of METRICS 0.3 in this stream. */
uint64_t cd_reorder_window(const struct cd_stream *stream);

/* Base of capture `b`'s times minus that of `a`'s, ps, saturated. */
int64_t cd_base_between(const struct cd_point *a, const struct cd_point *b);

/* Fill pair->lanes, each with its common interval, after the streams were
 * matched. 0 or -1 (no memory). */
int cd_lanes_make(struct cd_analysis *analysis, struct cd_pair *pair,
		  struct cd_error *error);

/* The rows of a lane, whichever tracks it has, numbers from..to, in order. */
struct cd_lane_rows {
	struct cd_rows *rows;
	bool both, ref_only;
	struct cd_rows_block block;
	/* of the block; the other's are NULL in a lane of one */
	const int64_t *ref_ps, *dut_ps;
	const uint32_t *ref_length, *dut_length;
};

enum { CD_HAS_REF = 1, CD_HAS_DUT = 2 };

/* `columns`: of CD_COLUMN_TIME and CD_COLUMN_LENGTH. 0 or -1 (no memory). */
int cd_lane_rows_open(struct cd_lane_rows *rows, const struct cd_lane *lane,
		      int64_t from, int64_t to, unsigned columns);
/* 1: a block; 0: end. */
int cd_lane_rows_next(struct cd_lane_rows *rows);
void cd_lane_rows_close(struct cd_lane_rows *rows);

/* Who has row i of the block: CD_HAS_REF | CD_HAS_DUT. */
static inline unsigned cd_lane_rows_mask(const struct cd_lane_rows *rows,
					 size_t i)
{
	if (rows->both)
		return (unsigned)rows->block.mask[i];
	return rows->ref_only ? CD_HAS_REF : CD_HAS_DUT;
}

#endif
