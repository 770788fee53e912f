#include "metric/floors.h"

#include <assert.h>
#include <stdlib.h>

#include "base/array.h"
#include "stat/blocks.h"
#include "stat/order.h"

#define SAMPLES 1024 /* rows for tenth and median, at most 2047 */

struct entry {
	double r;
	int64_t x, d;
};

/*
 * The floor of a block is the greatest of its `keep` lowest rows. `low` holds
 * every row that can still be one of them, in sequence order: once there are
 * `keep`, a row not below the greatest of them, `bar`, cannot. When `low` is
 * full it is cut back to `keep`, so a row costs little more than one compare.
 */
struct cd_floor_pick {
	size_t keep;
	struct entry *low;
	size_t n, limit, capacity;
	double bar;
	double *scratch;
	size_t scratch_capacity;
	double sample[2 * SAMPLES];
	size_t n_samples;
	uint64_t next_sample; /* row of the block */
	uint64_t row;	      /* rows of the block seen */
};

static uint64_t sample_row(uint64_t rows, uint64_t i)
{
	uint64_t stride = rows / SAMPLES;

	/* a fixed stride could beat with a period of the data */
	if (stride < 2)
		return i;
	return i * stride + (i * UINT64_C(0x9e3779b97f4a7c15) >> 32) % stride;
}

static int begin_block(struct cd_floor_pick *pick, uint64_t rows)
{
	pick->keep = (size_t)(rows / 100) + 1;
	pick->limit = pick->keep * 4 + 64;
	pick->n = 0;
	pick->bar = INFINITY;
	pick->n_samples = 0;
	pick->next_sample = sample_row(rows, 0);
	pick->row = 0;
	if (cd_grow(&pick->low, &pick->capacity, pick->limit,
		    sizeof(*pick->low)) < 0)
		return -1;
	return cd_grow(&pick->scratch, &pick->scratch_capacity, pick->limit,
		       sizeof(*pick->scratch));
}

/* Keep the lowest rows and set the bar; of equal ones the earliest stay. */
static void cut_back(struct cd_floor_pick *pick)
{
	size_t below = 0, equal, n = 0;

	for (size_t i = 0; i < pick->n; i++)
		pick->scratch[i] = pick->low[i].r;
	pick->bar = cd_nth_f64(pick->scratch, pick->n, pick->keep - 1);
	for (size_t i = 0; i < pick->n; i++)
		below += pick->low[i].r < pick->bar;
	equal = pick->keep - below;
	for (size_t i = 0; i < pick->n; i++) {
		if (pick->low[i].r > pick->bar)
			continue;
		if (pick->low[i].r == pick->bar) {
			if (equal == 0)
				continue;
			equal--;
		}
		pick->low[n++] = pick->low[i];
	}
	pick->n = n;
}

static void add_low(struct cd_floor_pick *pick, double y, const int64_t *x,
		    const int64_t *d, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		double r = cd_residual(x[i], d[i], y);

		if (r >= pick->bar)
			continue;
		pick->low[pick->n++] = (struct entry){r, x[i], d[i]};
		if (pick->n == pick->limit)
			cut_back(pick);
	}
}

static void add_samples(struct cd_floor_pick *pick, uint64_t rows, double y,
			const int64_t *x, const int64_t *d, size_t n)
{
	while (pick->next_sample < pick->row + n &&
	       pick->n_samples < 2 * SAMPLES) {
		size_t i = (size_t)(pick->next_sample - pick->row);

		pick->sample[pick->n_samples++] = cd_residual(x[i], d[i], y);
		pick->next_sample = sample_row(rows, pick->n_samples);
	}
}

static void end_block(struct cd_floor_pick *pick, struct cd_floor_block *block)
{
	const struct entry *e = pick->low;

	cut_back(pick);
	while (e->r != pick->bar)
		e++;
	block->point.x = e->x;
	block->point.d = e->d;
	block->floor = e->r;
	block->tenth =
	    cd_nth_f64(pick->sample, pick->n_samples, pick->n_samples / 10);
	block->median = cd_median_f64(pick->sample, pick->n_samples);
}

static size_t count_blocks(const size_t *blocks_of, size_t n)
{
	size_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += blocks_of[i];
	return sum;
}

static void lay_out(struct cd_floors *floors,
		    const struct cd_floor_group *groups, size_t n_groups,
		    const size_t *blocks_of)
{
	struct cd_floor_block *block = floors->blocks;

	for (size_t g = 0; g < n_groups; g++)
		for (size_t b = 0; b < blocks_of[g]; b++, block++) {
			uint64_t m = groups[g].rows;
			uint64_t first = cd_block_first(m, blocks_of[g], b);
			uint64_t end = cd_block_first(m, blocks_of[g], b + 1);

			block->lane = groups[g].lane;
			block->segment = groups[g].segment;
			block->first_row = groups[g].first_row + first;
			block->rows = end - first;
			block->point.group = g;
		}
}

int cd_floors_init(struct cd_floors *floors,
		   const struct cd_floor_group *groups, size_t n_groups,
		   size_t blocks)
{
	uint64_t *rows = calloc(n_groups + 1, sizeof(*rows));
	size_t *blocks_of = calloc(n_groups + 1, sizeof(*blocks_of));
	int result = -1;

	*floors = (struct cd_floors){0};
	floors->pick = calloc(1, sizeof(*floors->pick));
	if (rows == NULL || blocks_of == NULL || floors->pick == NULL)
		goto out;
	for (size_t g = 0; g < n_groups; g++)
		rows[g] = groups[g].rows;
	cd_blocks_deal(rows, n_groups, blocks, blocks_of);
	floors->n = count_blocks(blocks_of, n_groups);
	floors->blocks = calloc(floors->n + 1, sizeof(*floors->blocks));
	if (floors->blocks == NULL)
		goto out;
	lay_out(floors, groups, n_groups, blocks_of);
	result = 0;
out:
	free(rows);
	free(blocks_of);
	return result;
}

void cd_floors_release(struct cd_floors *floors)
{
	if (floors->pick != NULL) {
		free(floors->pick->low);
		free(floors->pick->scratch);
	}
	free(floors->pick);
	free(floors->blocks);
	*floors = (struct cd_floors){0};
}

void cd_floors_begin(struct cd_floors *floors, double y)
{
	floors->y = y;
	floors->at = 0;
	floors->pick->row = 0;
}

static size_t least(uint64_t a, size_t b)
{
	return a < b ? (size_t)a : b;
}

int cd_floors_add(struct cd_floors *floors, const struct cd_walk_block *rows)
{
	struct cd_floor_pick *pick = floors->pick;
	size_t n;

	for (size_t i = 0; i < rows->n; i += n) {
		struct cd_floor_block *block = &floors->blocks[floors->at];
		const int64_t *x = rows->x_ps + i, *d = rows->d_ps + i;

		assert(floors->at < floors->n);
		n = least(block->rows - pick->row, rows->n - i);
		if (pick->row == 0) {
			if (begin_block(pick, block->rows) < 0)
				return -1;
			block->first_seq = rows->seq[i];
			block->first_x_ps = x[0];
		}
		add_low(pick, floors->y, x, d, n);
		add_samples(pick, block->rows, floors->y, x, d, n);
		pick->row += n;
		if (pick->row < block->rows)
			continue;
		block->last_seq = rows->seq[i + n - 1];
		block->last_x_ps = x[n - 1];
		end_block(pick, block);
		pick->row = 0;
		floors->at++;
	}
	return 0;
}
