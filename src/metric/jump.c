#include "metric/jump.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/time.h"
#include "stat/blocks.h"
#include "stat/order.h"
#include "stat/steps.h"

#define ANY_LANE SIZE_MAX

/* Rows of a stretch of time, and those of them below the middle of a step. */
struct side {
	int64_t from_x_ps, to_x_ps;
	uint64_t rows, below;
};

/* A step somewhere in a stretch of time, and the packet before which it fits
 * best so far. */
struct jump {
	size_t lane; /* ANY_LANE: the series was pooled */
	int64_t from_x_ps, to_x_ps;
	double size_ps;
	double middle_ps; /* between the levels before and after */
	struct side before, after;
	double below, above; /* what a row says for lying before the step */
	double sum, best;    /* of that up to a row */
	bool here;	     /* the next row is the first after the step */
	bool placed;
	struct cd_step step;
	/* equal stamps up to a row: how many, and the second of them */
	uint64_t still;
	int64_t still_ps, still_x_ps, still_seq;
};

/* Blocks of one lane, or of all, in time order. */
struct series {
	const struct cd_floor_block **blocks;
	double *floors, *medians;
	size_t n;
};

struct search {
	struct cd_fit *fit;
	double median_delta_ps, tick_ps;
	struct series series;
	struct jump *jumps;
	size_t n, capacity;
	size_t noisiest; /* blocks of the series whose noise was kept */
};

static double mid_x(const struct cd_floor_block *block)
{
	return (double)block->first_x_ps +
	       (double)(block->last_x_ps - block->first_x_ps) / 2;
}

#define SIDE 4 /* blocks that show how rows lie on one side of a step */

/* The blocks from..to-1 of the series; none where there are none. */
static struct side side_of(const struct series *series, size_t from, size_t to)
{
	struct side side = {.from_x_ps = INT64_MAX, .to_x_ps = INT64_MIN};

	if (to > series->n)
		to = series->n;
	if (from >= to)
		return side;
	side.from_x_ps = series->blocks[from]->first_x_ps;
	side.to_x_ps = series->blocks[to - 1]->last_x_ps;
	return side;
}

static int add_jump(struct search *search, size_t lane,
		    const struct cd_step_found *found)
{
	const struct series *series = &search->series;
	size_t b = found->block, before = b > SIDE ? b - 1 - SIDE : 0;

	if (cd_grow(&search->jumps, &search->capacity, search->n + 1,
		    sizeof(*search->jumps)) < 0)
		return -1;
	search->jumps[search->n++] = (struct jump){
	    .lane = lane,
	    .from_x_ps = series->blocks[b - 1]->first_x_ps,
	    .to_x_ps = series->blocks[b]->last_x_ps,
	    .size_ps = found->size,
	    .middle_ps = found->middle,
	    .before = side_of(series, before, b - 1),
	    .after = side_of(series, b + 1, b + 1 + SIDE),
	};
	return 0;
}

static int search_series(struct search *search, size_t lane)
{
	const struct series *series = &search->series;
	struct cd_steps steps;
	struct cd_steps_input in = {
	    .floors = series->floors,
	    .medians = series->medians,
	    .n = series->n,
	    .median_delta = search->median_delta_ps,
	    .tick = search->tick_ps,
	    .least = (double)CD_PS_PER_US,
	};

	if (cd_steps_find(&in, &steps) < 0)
		return -1;
	if (series->n > search->noisiest) {
		search->noisiest = series->n;
		search->fit->pair->clock.block_noise_ps = steps.noise;
	}
	for (size_t i = 0; i < steps.n; i++)
		if (add_jump(search, lane, &steps.found[i]) < 0)
			return -1;
	return 0;
}

/* Blocks from..to-1 detrended with s0 instead of the slope of the pass. */
static void fill_series(struct search *search, size_t from, size_t to)
{
	const struct cd_fit *fit = search->fit;
	struct series *series = &search->series;
	double tilt = fit->first_y - fit->s0;

	series->n = to - from;
	for (size_t b = from; b < to; b++) {
		const struct cd_floor_block *block = &fit->floors.blocks[b];
		size_t i = b - from;

		series->blocks[i] = block;
		series->floors[i] =
		    block->floor + tilt * (double)block->point.x;
		series->medians[i] = block->median + tilt * mid_x(block);
	}
}

static size_t lane_end(const struct cd_floors *floors, size_t from)
{
	size_t to = from + 1;

	while (to < floors->n &&
	       floors->blocks[to].lane == floors->blocks[from].lane)
		to++;
	return to;
}

/* Series shorter than this have no steps (stat/steps.h). */
#define SERIES_LEAST 9

static int search_lanes(struct search *search)
{
	const struct cd_floors *floors = &search->fit->floors;
	size_t to;

	for (size_t from = 0; from < floors->n; from = to) {
		to = lane_end(floors, from);
		if (to - from < SERIES_LEAST)
			continue;
		fill_series(search, from, to);
		if (search_series(search, floors->blocks[from].lane) < 0)
			return -1;
	}
	return 0;
}

struct pooled {
	const struct cd_floor_block *block;
	double mid_x, floor, median;
};

static int compare_pooled(const void *a, const void *b)
{
	const struct pooled *p = a, *q = b;

	if (p->mid_x != q->mid_x)
		return p->mid_x < q->mid_x ? -1 : 1;
	return p->block < q->block ? -1 : p->block > q->block;
}

/* One lane's blocks about their own median: lanes differ in theta. */
static void pool_lane(struct search *search, struct pooled *pool, size_t from,
		      size_t to, double *scratch)
{
	struct series *series = &search->series;
	double zero;

	fill_series(search, from, to);
	for (size_t i = 0; i < series->n; i++)
		scratch[i] = series->floors[i];
	zero = cd_median_f64(scratch, series->n);
	for (size_t i = 0; i < series->n; i++)
		pool[from + i] = (struct pooled){
		    .block = series->blocks[i],
		    .mid_x = mid_x(series->blocks[i]),
		    .floor = series->floors[i] - zero,
		    .median = series->medians[i] - zero,
		};
}

/* All lanes together, where each alone is too short. */
static int search_pool(struct search *search)
{
	const struct cd_floors *floors = &search->fit->floors;
	struct series *series = &search->series;
	struct pooled *pool = malloc((floors->n + 1) * sizeof(*pool));
	double *scratch = malloc((floors->n + 1) * sizeof(*scratch));
	int result = -1;
	size_t to;

	if (pool == NULL || scratch == NULL)
		goto out;
	for (size_t from = 0; from < floors->n; from = to) {
		to = lane_end(floors, from);
		pool_lane(search, pool, from, to, scratch);
	}
	qsort(pool, floors->n, sizeof(*pool), compare_pooled);
	series->n = floors->n;
	for (size_t i = 0; i < series->n; i++) {
		series->blocks[i] = pool[i].block;
		series->floors[i] = pool[i].floor;
		series->medians[i] = pool[i].median;
	}
	result = search_series(search, ANY_LANE);
out:
	free(pool);
	free(scratch);
	return result;
}

/* ---- the packet -----------------------------------------------------------
 */

/* Lanes differ in theta, so where they were pooled only neighbours can be
 * compared: the pair with the largest delta error of the jump's sign. */
static void try_pairs(struct jump *jump, double s0,
		      const struct cd_walk_block *block, int64_t before_x_ps,
		      int64_t before_d_ps)
{
	double sign = jump->size_ps < 0 ? -1 : 1;
	double previous = cd_residual(before_x_ps, before_d_ps, s0);

	for (size_t i = 0; i < block->n; i++) {
		double r = cd_residual(block->x_ps[i], block->d_ps[i], s0);
		double error = (r - previous) * sign;

		previous = r;
		if (error <= jump->best || block->x_ps[i] <= jump->from_x_ps ||
		    block->x_ps[i] > jump->to_x_ps)
			continue;
		jump->best = error;
		jump->placed = true;
		jump->step = (struct cd_step){
		    .lane = (uint32_t)block->lane,
		    .seq = block->seq[i],
		    .x_ps = block->x_ps[i],
		    .size_ps = jump->size_ps,
		};
	}
}

static void count_side(struct side *side, int64_t x_ps, bool below)
{
	if (x_ps < side->from_x_ps || x_ps > side->to_x_ps)
		return;
	side->rows++;
	side->below += below;
}

static void count_rows(struct jump *jump, double s0,
		       const struct cd_walk_block *block)
{
	for (size_t i = 0; i < block->n; i++) {
		double r = cd_residual(block->x_ps[i], block->d_ps[i], s0);
		bool below = r < jump->middle_ps;

		count_side(&jump->before, block->x_ps[i], below);
		count_side(&jump->after, block->x_ps[i], below);
	}
}

/* Share of rows below the middle, never 0 or 1. */
static double share_below(const struct side *side)
{
	return ((double)side->below + 0.5) / ((double)side->rows + 1);
}

/* What a row says for lying before the step: the logarithm of how much
 * likelier it is there than behind. */
static void weigh(struct jump *jump)
{
	double before = share_below(&jump->before);
	double after = share_below(&jump->after);

	jump->below = log(before / after);
	jump->above = log((1 - before) / (1 - after));
	jump->here = true;
}

static void note_still(struct jump *jump, const struct cd_walk_block *block,
		       size_t i)
{
	if (jump->still > 0 && block->dut_ps[i] == jump->still_ps) {
		if (++jump->still == 2) {
			jump->still_seq = block->seq[i];
			jump->still_x_ps = block->x_ps[i];
		}
		return;
	}
	jump->still = 1;
	jump->still_ps = block->dut_ps[i];
}

/*
 * Where stamps must not fall they stand still behind a step back until the
 * clock has caught up, and half of that passes before they are below the
 * middle: the step came before the first of them.
 */
static void move_to_standstill(struct jump *jump)
{
	double since = (double)(jump->step.x_ps - jump->still_x_ps);

	if (jump->size_ps > 0 || jump->still < 2 ||
	    since < -jump->size_ps / 4 || since > -jump->size_ps)
		return;
	jump->step.seq = jump->still_seq;
	jump->step.x_ps = jump->still_x_ps;
}

/*
 * The step lies where the rows up to there say most for lying before it. Late
 * stamps, however many, cannot move it far: what counts is how often rows lie
 * below the middle of the step on its two sides.
 */
static void try_rows(struct jump *jump, double s0,
		     const struct cd_walk_block *block)
{
	for (size_t i = 0; i < block->n; i++) {
		int64_t x_ps = block->x_ps[i];
		double r = cd_residual(x_ps, block->d_ps[i], s0);

		if (x_ps < jump->from_x_ps)
			continue;
		note_still(jump, block, i);
		if (jump->here) {
			jump->placed = true;
			jump->step = (struct cd_step){
			    .lane = (uint32_t)block->lane,
			    .seq = block->seq[i],
			    .x_ps = x_ps,
			    .size_ps = jump->size_ps,
			};
			move_to_standstill(jump);
		}
		jump->here = false;
		if (x_ps > jump->to_x_ps)
			return;
		jump->sum +=
		    r < jump->middle_ps ? jump->below : jump->above;
		if (jump->sum > jump->best) {
			jump->best = jump->sum;
			jump->here = true;
		}
	}
}

static bool overlaps(const struct jump *jump, const struct cd_walk_block *block,
		     int64_t from_x_ps, int64_t to_x_ps)
{
	return (jump->lane == ANY_LANE || jump->lane == block->lane) &&
	       block->x_ps[block->n - 1] >= from_x_ps &&
	       block->x_ps[0] <= to_x_ps;
}

/* Counts the rows on either side of the steps. */
static void look_around(struct search *search, const struct cd_walk_block *block)
{
	for (size_t i = 0; i < search->n; i++) {
		struct jump *jump = &search->jumps[i];

		if (overlaps(jump, block, jump->before.from_x_ps,
			     jump->before.to_x_ps) ||
		    overlaps(jump, block, jump->after.from_x_ps,
			     jump->after.to_x_ps))
			count_rows(jump, search->fit->s0, block);
	}
}

static void look_inside(struct search *search,
			const struct cd_walk_block *block, int64_t x_ps,
			int64_t d_ps)
{
	for (size_t i = 0; i < search->n; i++) {
		struct jump *jump = &search->jumps[i];

		if (jump->lane != ANY_LANE && jump->lane == block->lane &&
		    (jump->here || overlaps(jump, block, jump->from_x_ps,
					    jump->to_x_ps)))
			try_rows(jump, search->fit->s0, block);
		else if (jump->lane == ANY_LANE &&
			 overlaps(jump, block, jump->from_x_ps, jump->to_x_ps))
			try_pairs(jump, search->fit->s0, block, x_ps, d_ps);
	}
}

static int walk_rows(struct search *search, bool inside)
{
	struct cd_walk walk;
	struct cd_walk_block block;
	int64_t x_ps = 0, d_ps = 0;
	int got;

	if (cd_walk_init(&walk, search->fit->pair, 0,
			 search->fit->pair->n_lanes) < 0)
		return -1;
	while ((got = cd_walk_next(&walk, &block)) == 1) {
		if (block.row == 0) {
			x_ps = block.x_ps[0];
			d_ps = block.d_ps[0];
		}
		if (inside)
			look_inside(search, &block, x_ps, d_ps);
		else
			look_around(search, &block);
		x_ps = block.x_ps[block.n - 1];
		d_ps = block.d_ps[block.n - 1];
	}
	cd_walk_release(&walk);
	return got;
}

static int localise(struct search *search)
{
	if (walk_rows(search, false) < 0)
		return -1;
	for (size_t i = 0; i < search->n; i++)
		weigh(&search->jumps[i]);
	return walk_rows(search, true);
}

/* ---- steps ----------------------------------------------------------------
 */

static int compare_jumps(const void *a, const void *b)
{
	const struct jump *p = a, *q = b;

	if (p->step.x_ps != q->step.x_ps)
		return p->step.x_ps < q->step.x_ps ? -1 : 1;
	return p->step.lane < q->step.lane ? -1 : p->step.lane > q->step.lane;
}

static bool same_step(const struct jump *a, const struct jump *b)
{
	return a->to_x_ps >= b->from_x_ps && b->to_x_ps >= a->from_x_ps &&
	       (a->size_ps < 0) == (b->size_ps < 0);
}

/* Sort by time; of those that several lanes show, keep the sharpest. */
static size_t merge_jumps(struct jump *jumps, size_t n)
{
	size_t kept = 0;

	if (n > 0)
		qsort(jumps, n, sizeof(*jumps), compare_jumps);
	for (size_t i = 0; i < n; i++) {
		if (!jumps[i].placed)
			continue;
		if (kept == 0 ||
		    (jumps[kept - 1].step.x_ps != jumps[i].step.x_ps &&
		     !same_step(&jumps[kept - 1], &jumps[i])))
			jumps[kept++] = jumps[i];
		else if (jumps[i].best > jumps[kept - 1].best)
			jumps[kept - 1] = jumps[i];
	}
	return kept;
}

static int keep_steps(struct cd_clock *clock, const struct jump *jumps,
		      size_t n)
{
	clock->n_steps = 0;
	clock->n_segments = 1;
	if (n == 0)
		return 0;
	clock->steps = malloc(n * sizeof(*clock->steps));
	if (clock->steps == NULL)
		return -1;
	for (size_t i = 0; i < n; i++)
		clock->steps[i] = jumps[i].step;
	clock->n_steps = n;
	clock->n_segments = n + 1;
	return 0;
}

static int search_and_keep(struct search *search)
{
	if (search_lanes(search) < 0)
		return -1;
	if (search->noisiest == 0 && search_pool(search) < 0)
		return -1;
	if (search->n > 0 && localise(search) < 0)
		return -1;
	return keep_steps(&search->fit->pair->clock, search->jumps,
			  merge_jumps(search->jumps, search->n));
}

int cd_jumps_find(struct cd_fit *fit, double median_delta_ps, double tick_ps)
{
	size_t n = fit->floors.n + 1;
	struct search search = {
	    .fit = fit,
	    .median_delta_ps = median_delta_ps,
	    .tick_ps = tick_ps,
	    .series =
		{
		    .blocks = malloc(n * sizeof(*search.series.blocks)),
		    .floors = malloc(n * sizeof(double)),
		    .medians = malloc(n * sizeof(double)),
		},
	};
	int result = -1;

	if (search.series.blocks != NULL && search.series.floors != NULL &&
	    search.series.medians != NULL)
		result = search_and_keep(&search);
	free(search.series.blocks);
	free(search.series.floors);
	free(search.series.medians);
	free(search.jumps);
	return result;
}
