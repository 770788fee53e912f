#include "metric/walk.h"

#include <stdlib.h>

#define FITS (INT64_C(1) << 62)

int cd_walk_init(struct cd_walk *walk, const struct cd_pair *pair, size_t from,
		 size_t to)
{
	int64_t *memory = malloc(2 * CD_BLOCK_ROWS * sizeof(*memory));

	*walk = (struct cd_walk){
	    .pair = pair, .from = from, .to = to, .lane = from, .x_ps = memory};
	if (memory == NULL)
		return -1;
	walk->d_ps = memory + CD_BLOCK_ROWS;
	return 0;
}

void cd_walk_release(struct cd_walk *walk)
{
	cd_rows_free(walk->rows);
	free(walk->x_ps);
	*walk = (struct cd_walk){0};
}

static int open_lane(struct cd_walk *walk)
{
	const struct cd_lane *lane = &walk->pair->lanes[walk->lane];
	const struct cd_track *tracks[] = {lane->ref, lane->dut};
	struct cd_rows_options options = {
	    .tracks = tracks,
	    .n = 2,
	    .from = lane->a,
	    .to = lane->b,
	    .mode = CD_ROWS_MATCHED,
	    .columns = CD_COLUMN_TIME | (walk->lengths ? CD_COLUMN_LENGTH : 0),
	};

	walk->row = 0;
	walk->rows = cd_rows_new(&options);
	return walk->rows == NULL ? -1 : 0;
}

static bool is_empty(const struct cd_lane *lane)
{
	return !lane->common || lane->ref == NULL || lane->dut == NULL ||
	       lane->matched == 0;
}

static void hand_out(struct cd_walk *walk, const struct cd_rows_block *rows,
		     struct cd_walk_block *block)
{
	const struct cd_clock *clock = &walk->pair->clock;
	const int64_t *ref = rows->time_ps[0], *dut = rows->time_ps[1];

	for (size_t i = 0; i < rows->n; i++) {
		walk->x_ps[i] = ref[i] - clock->x0_ps;
		walk->d_ps[i] = dut[i] - ref[i] - clock->d0_ps;
	}
	*block = (struct cd_walk_block){
	    .lane = walk->lane,
	    .row = walk->row,
	    .n = rows->n,
	    .seq = rows->seq,
	    .ref_ps = ref,
	    .dut_ps = dut,
	    .x_ps = walk->x_ps,
	    .d_ps = walk->d_ps,
	    .length = walk->lengths ? rows->length[0] : NULL,
	};
	walk->row += rows->n;
}

int cd_walk_next(struct cd_walk *walk, struct cd_walk_block *block)
{
	struct cd_rows_block rows;

	for (; walk->lane < walk->to; walk->lane++) {
		if (is_empty(&walk->pair->lanes[walk->lane]))
			continue;
		if (walk->rows == NULL && open_lane(walk) < 0)
			return -1;
		if (cd_rows_next(walk->rows, &rows) == 1) {
			hand_out(walk, &rows, block);
			return 1;
		}
		cd_rows_free(walk->rows);
		walk->rows = NULL;
	}
	return 0;
}

struct range {
	int64_t low, high;
};

static void widen(struct range *range, const struct cd_stream *stream)
{
	if (stream->first_ps < range->low)
		range->low = stream->first_ps;
	if (stream->last_ps > range->high)
		range->high = stream->last_ps;
}

static bool difference_fits(int64_t a, int64_t b)
{
	__int128 difference = (__int128)a - b;

	return difference > -FITS && difference < FITS;
}

bool cd_walk_fits(const struct cd_pair *pair)
{
	struct range ref = {INT64_MAX, INT64_MIN}, dut = ref;
	bool any = false;

	for (size_t i = 0; i < pair->n_lanes; i++)
		if (!is_empty(&pair->lanes[i])) {
			widen(&ref, pair->lanes[i].ref_stream);
			widen(&dut, pair->lanes[i].dut_stream);
			any = true;
		}
	return !any || (difference_fits(ref.high, ref.low) &&
			difference_fits(dut.high, dut.low) &&
			difference_fits(dut.high, ref.low) &&
			difference_fits(dut.low, ref.high));
}
