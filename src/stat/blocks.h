/*
 * Blocks of matched rows and their floors: the points that the robust floor
 * line BQTS is drawn through (METRICS 4.3).
 */
#ifndef CAPDIFF_STAT_BLOCKS_H
#define CAPDIFF_STAT_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

/*
 * How many blocks m rows over `span` make: clamp(m/200, 20, 200), fewer (but
 * at least 8) where a block would be shorter than 5 coalescing periods;
 * `period` 0: none known. Same unit for both.
 */
size_t cd_blocks_wanted(uint64_t m, int64_t span, int64_t period);

/*
 * Deal `blocks` to n streams by their rows: blocks_of[i] of them to stream i.
 * A stream with rows gets at least one and never more than it has rows; the
 * rest by largest remainder, ties to the lower index. Returns the number dealt:
 * `blocks`, or fewer if there are fewer rows, or more where small streams got
 * their one. O(n^2) at worst.
 */
size_t cd_blocks_deal(const uint64_t *rows, size_t n, size_t blocks,
		      size_t *blocks_of);

/* First row of block b of `blocks`: floor(b m / blocks); b = blocks gives m. */
uint64_t cd_block_first(uint64_t m, size_t blocks, size_t b);

/* One block's floor. */
struct cd_block_floor {
	size_t row;	/* of rank floor(n/100) of r = d - y x; of equal ones
			   the earliest */
	double floor;	/* its r */
	double median;	/* of r, the plain middle */
};

/* Room for the r of one block; reused, all zero at first. */
struct cd_block_scratch {
	double *r;
	size_t capacity;
};
void cd_block_scratch_release(struct cd_block_scratch *scratch);

/*
 * Of n > 0 rows; x and d relative to the first matched row (METRICS 0.2), in
 * one unit. `floor` leaves `median` alone (0) and is quicker. O(n). 0, or -1
 * without memory.
 */
int cd_block_pick(struct cd_block_scratch *scratch, const int64_t *x,
		  const int64_t *d, size_t n, double y,
		  struct cd_block_floor *out);
int cd_block_pick_floor(struct cd_block_scratch *scratch, const int64_t *x,
			const int64_t *d, size_t n, double y,
			struct cd_block_floor *out);

/* r = d - y x, the way all of capdiff evaluates it: one rounding per
 * operation, never fused. */
static inline double cd_residual(int64_t x, int64_t d, double y)
{
	return (double)d - y * (double)x;
}

#endif
