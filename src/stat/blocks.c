#include "stat/blocks.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/array.h"
#include "stat/order.h"

size_t cd_blocks_wanted(uint64_t m, int64_t span, int64_t period)
{
	uint64_t blocks = m / 200;

	if (blocks < 20)
		blocks = 20;
	if (blocks > 200)
		blocks = 200;
	if (period > 0) {
		uint64_t most = span > 0 ? (uint64_t)(span / 5 / period) : 0;

		if (most < 8)
			most = 8;
		if (blocks > most)
			blocks = most;
	}
	return (size_t)blocks;
}

/* Hand one more block to the stream that most lacks one. `lack` of a stream is
 * its exact share minus what it has, times the number of rows. False if all
 * have a block per row. */
static bool deal_one(const uint64_t *rows, size_t n, size_t blocks,
		     uint64_t total, size_t *blocks_of)
{
	__int128 best = 0;
	size_t at = n;

	for (size_t i = 0; i < n; i++) {
		__int128 lack = (__int128)rows[i] * blocks -
				(__int128)total * blocks_of[i];

		if (blocks_of[i] < rows[i] && (at == n || lack > best)) {
			best = lack;
			at = i;
		}
	}
	if (at == n)
		return false;
	blocks_of[at]++;
	return true;
}

size_t cd_blocks_deal(const uint64_t *rows, size_t n, size_t blocks,
		      size_t *blocks_of)
{
	uint64_t total = 0;
	size_t dealt = 0;

	for (size_t i = 0; i < n; i++)
		total += rows[i];
	for (size_t i = 0; i < n; i++) {
		unsigned __int128 share = (unsigned __int128)rows[i] * blocks;

		blocks_of[i] = total == 0 ? 0 : (size_t)(share / total);
		if (blocks_of[i] > rows[i])
			blocks_of[i] = (size_t)rows[i];
		if (blocks_of[i] == 0 && rows[i] > 0)
			blocks_of[i] = 1;
		dealt += blocks_of[i];
	}
	while (dealt < blocks && deal_one(rows, n, blocks, total, blocks_of))
		dealt++;
	return dealt;
}

uint64_t cd_block_first(uint64_t m, size_t blocks, size_t b)
{
	return (uint64_t)((unsigned __int128)m * b / blocks);
}

void cd_block_scratch_release(struct cd_block_scratch *scratch)
{
	free(scratch->r);
	*scratch = (struct cd_block_scratch){0};
}

/* The residuals into scratch, and the earliest row of rank floor(n/100). */
static int pick_floor(struct cd_block_scratch *scratch, const int64_t *x,
		      const int64_t *d, size_t n, double y,
		      struct cd_block_floor *out)
{
	assert(n > 0);
	if (cd_grow(&scratch->r, &scratch->capacity, n, sizeof(double)) != 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		scratch->r[i] = cd_residual(x[i], d[i], y);
	out->median = 0;
	out->floor = cd_nth_f64(scratch->r, n, n / 100);
	out->row = 0;
	while (cd_residual(x[out->row], d[out->row], y) != out->floor)
		out->row++;
	return 0;
}

int cd_block_pick_floor(struct cd_block_scratch *scratch, const int64_t *x,
			const int64_t *d, size_t n, double y,
			struct cd_block_floor *out)
{
	return pick_floor(scratch, x, d, n, y, out);
}

/* Selection of the floor leaves everything above it behind it. */
int cd_block_pick(struct cd_block_scratch *scratch, const int64_t *x,
		  const int64_t *d, size_t n, double y,
		  struct cd_block_floor *out)
{
	size_t floor_rank = n / 100, k = (n - 1) / 2, from;
	double *r, upper;

	if (pick_floor(scratch, x, d, n, y, out) != 0)
		return -1;
	r = scratch->r;
	from = k > floor_rank ? floor_rank + 1 : floor_rank;
	out->median = cd_nth_f64(r + from, n - from, k - from);
	if (n % 2 == 1)
		return 0;
	upper = r[k + 1];
	for (size_t i = k + 2; i < n; i++)
		upper = r[i] < upper ? r[i] : upper;
	out->median += (upper - out->median) / 2;
	return 0;
}
