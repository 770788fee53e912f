#include "stat/grid.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/inverse.h"
#include "stat/aim.h"
#include "stat/order.h"

#define POINTS_MAX ((size_t)1 << 18)
#define POINTS_SPARE ((size_t)1 << 10)
/* Every point has as many counters as values are added at a time: the same one
 * raised twice in a row would wait for itself. */
#define LANES 4
#define CELLS ((size_t)1 << 12)
#define NO_RANGE 255
#define FAR (INT64_C(1) << 60)
#define STEP_MAX (INT64_C(1) << 40)

/* The window low..last, in `size` parts: points `step` apart, or cells of
 * 2^shift values. */
struct cd_grid {
	bool exact;
	int64_t low, last;
	size_t size;
	uint32_t *counts;
	uint64_t n;   /* values counted */
	bool spoiled; /* not all are: no rank can be told */
	struct cd_aim *aim; /* everything outside, and around wanted ranks */
	struct cd_moments moments;

	/* points: step = odd << rotate, inverse * odd = 1 modulo 2^64 */
	uint64_t step, inverse;
	unsigned rotate;

	/* cells */
	unsigned shift;
	uint8_t *range_of; /* first range that reaches into a cell */

	uint64_t below[CD_AIM_MAX + 2]; /* values below each range */
};

/* ---- layout --------------------------------------------------------------------- */

struct extent {
	int64_t low, high;
};

static struct extent extent_of(const int64_t *v, size_t n)
{
	struct extent e = {v[0], v[0]};

	for (size_t i = 1; i < n; i++) {
		e.low = v[i] < e.low ? v[i] : e.low;
		e.high = v[i] > e.high ? v[i] : e.high;
	}
	return e;
}

static uint64_t gcd(uint64_t a, uint64_t b)
{
	while (b != 0) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* The step of the grid that the sample lies on; a small one, if that takes too
 * many points. */
static uint64_t find_step(const int64_t *v, size_t n, struct extent e)
{
	uint64_t span = (uint64_t)e.high - (uint64_t)e.low, step = span;

	for (size_t i = 0; i < n && step > span / POINTS_MAX; i++)
		step = gcd((uint64_t)v[i] - (uint64_t)e.low, step);
	return step == 0 ? 1 : step;
}

static void set_inverse(struct cd_grid *grid)
{
	grid->rotate = (unsigned)__builtin_ctzll(grid->step);
	grid->inverse = cd_inverse_of_odd(grid->step >> grid->rotate);
}

/* Points from below the sample to above it; false: too many. */
static bool lay_points(struct cd_grid *grid, const int64_t *sample, size_t n)
{
	struct extent e = extent_of(sample, n);
	uint64_t points;

	if (e.low < -FAR || e.high > FAR)
		return false;
	grid->step = find_step(sample, n, e);
	points = (uint64_t)(e.high - e.low) / grid->step + 1;
	if (points > POINTS_MAX / 4 * 3 || grid->step > STEP_MAX)
		return false;
	grid->size = 2 * points + POINTS_SPARE;
	if (grid->size > POINTS_MAX)
		grid->size = POINTS_MAX;
	grid->low = e.low - (int64_t)((grid->size - points) / 4 * grid->step);
	grid->last = grid->low + (int64_t)((grid->size - 1) * grid->step);
	set_inverse(grid);
	return true;
}

/* Cells over all but the ends of the sample. */
static void lay_cells(struct cd_grid *grid, int64_t *sample, size_t n)
{
	size_t cut = n / 2048;
	int64_t low = cd_nth_i64(sample, n, cut);
	int64_t high = cd_nth_i64(sample + cut, n - cut, n - 1 - 2 * cut);
	uint64_t margin;

	low = low < -FAR ? -FAR : low > FAR ? FAR : low;
	high = high < low ? low : high > FAR ? FAR : high;
	margin = (uint64_t)(high - low) / 4 + CELLS / 4;
	grid->low = low - (int64_t)margin;
	margin = (uint64_t)(high - low) + 2 * margin;
	while (margin >> grid->shift >= CELLS)
		grid->shift++;
	grid->size = CELLS;
	grid->last = (int64_t)((uint64_t)grid->low +
			       ((uint64_t)CELLS << grid->shift) - 1);
}

static size_t cell_of(const struct cd_grid *grid, int64_t v)
{
	if (v < grid->low)
		return 0;
	if (v > grid->last)
		return CELLS - 1;
	return (size_t)(((uint64_t)v - (uint64_t)grid->low) >> grid->shift);
}

static int mark_ranges(struct cd_grid *grid)
{
	const struct cd_aim *aim = grid->aim;

	grid->range_of = malloc(CELLS);
	if (grid->range_of == NULL)
		return -1;
	memset(grid->range_of, NO_RANGE, CELLS);
	for (size_t r = aim->n; r-- > 0;) {
		size_t to = cell_of(grid, aim->ranges[r].high);

		if (aim->ranges[r].high < grid->low ||
		    aim->ranges[r].low > grid->last)
			continue;
		for (size_t i = cell_of(grid, aim->ranges[r].low); i <= to; i++)
			grid->range_of[i] = (uint8_t)r;
	}
	return 0;
}

static int lay_out(struct cd_grid *grid, int64_t *sample, size_t n,
		   const double *shares, size_t n_wanted)
{
	grid->exact = lay_points(grid, sample, n);
	if (!grid->exact)
		lay_cells(grid, sample, n);
	grid->counts = calloc(grid->exact ? LANES * grid->size : grid->size,
			      sizeof(*grid->counts));
	grid->aim = cd_aim_new(sample, n, shares, grid->exact ? 0 : n_wanted,
			       grid->low, grid->last);
	if (grid->counts == NULL || grid->aim == NULL)
		return -1;
	return grid->exact ? 0 : mark_ranges(grid);
}

struct cd_grid *cd_grid_new(int64_t *sample, size_t n, const double *shares,
			    size_t n_wanted)
{
	struct cd_grid *grid = calloc(1, sizeof(*grid));

	assert(n > 0 && n_wanted <= CD_AIM_MAX);
	if (grid == NULL)
		return NULL;
	if (lay_out(grid, sample, n, shares, n_wanted) == 0)
		return grid;
	cd_grid_free(grid);
	return NULL;
}

void cd_grid_free(struct cd_grid *grid)
{
	if (grid == NULL)
		return;
	cd_aim_free(grid->aim);
	free(grid->counts);
	free(grid->range_of);
	free(grid);
}

/* ---- values ----------------------------------------------------------------------- */

/* The point of a value; of one that is on none, no number below size: for
 * v - low = q * step it is q, and nothing else gives that q. */
static inline uint64_t point_of(const struct cd_grid *grid, int64_t v)
{
	uint64_t x = ((uint64_t)v - (uint64_t)grid->low) * grid->inverse;

	return x >> grid->rotate | x << (-grid->rotate & 63);
}

/* Make a point of v, which lies between two. False if that takes too many, or
 * memory. */
static bool refine_points(struct cd_grid *grid, int64_t v)
{
	uint64_t step =
	    gcd(grid->step, (uint64_t)v - (uint64_t)grid->low);
	size_t parts = (size_t)(grid->step / step);
	size_t size = (grid->size - 1) * parts + 1;
	uint32_t *counts;

	if (parts >= POINTS_MAX || size > POINTS_MAX)
		return false;
	counts = calloc(LANES * size, sizeof(*counts));
	if (counts == NULL)
		return false;
	for (size_t q = 0; q < grid->size; q++)
		memcpy(counts + LANES * parts * q, grid->counts + LANES * q,
		       LANES * sizeof(*counts));
	free(grid->counts);
	grid->counts = counts;
	grid->size = size;
	grid->step = step;
	set_inverse(grid);
	return true;
}

static void __attribute__((noinline))
add_off_points(struct cd_grid *grid, const int64_t *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		bool inside = v[i] >= grid->low && v[i] <= grid->last;

		if (inside && (point_of(grid, v[i]) < grid->size ||
			       refine_points(grid, v[i]))) {
			grid->counts[LANES * point_of(grid, v[i])]++;
			continue;
		}
		cd_moments_add(&grid->moments, &v[i], 1);
		if (inside)
			grid->spoiled = true;
		else
			cd_aim_add(grid->aim, 0, v[i]);
	}
}

static void add_points(struct cd_grid *grid, const int64_t *v, size_t n)
{
	size_t i = 0;

	for (; i + LANES <= n; i += LANES) {
		uint64_t a = point_of(grid, v[i]), b = point_of(grid, v[i + 1]);
		uint64_t c = point_of(grid, v[i + 2]);
		uint64_t d = point_of(grid, v[i + 3]);
		uint32_t *counts = grid->counts;
		uint64_t size = grid->size;

		if (CD_UNLIKELY(a >= size || b >= size || c >= size ||
				d >= size)) {
			add_off_points(grid, v + i, LANES);
			continue;
		}
		counts[LANES * a]++;
		counts[LANES * b + 1]++;
		counts[LANES * c + 2]++;
		counts[LANES * d + 3]++;
	}
	add_off_points(grid, v + i, n - i);
}

static void add_cells(struct cd_grid *grid, const int64_t *v, size_t n)
{
	const uint8_t *range_of = grid->range_of;
	uint32_t *counts = grid->counts;
	uint64_t low = (uint64_t)grid->low;
	unsigned shift = grid->shift;

	cd_moments_add(&grid->moments, v, n);
	for (size_t i = 0; i < n; i++) {
		uint64_t cell = ((uint64_t)v[i] - low) >> shift;

		if (CD_UNLIKELY(cell >= CELLS))
			cd_aim_add(grid->aim, 0, v[i]);
		else if (range_of[cell] == NO_RANGE)
			counts[cell]++;
		else
			cd_aim_add(grid->aim, range_of[cell], v[i]);
	}
}

/* The lanes of a point become one. */
static void sum_points(struct cd_grid *grid)
{
	for (size_t q = 0; q < grid->size; q++) {
		const uint32_t *c = grid->counts + LANES * q;
		uint32_t sum = c[0] + c[1] + c[2] + c[3];

		if (sum > 0)
			cd_moments_add_times(&grid->moments,
					     grid->low +
						 (int64_t)(q * grid->step),
					     sum);
		grid->counts[q] = sum;
	}
}

/* Counters are about to go round: only the moments go on. */
static void start_over(struct cd_grid *grid)
{
	if (grid->exact) {
		sum_points(grid);
		memset(grid->counts, 0,
		       LANES * grid->size * sizeof(*grid->counts));
	}
	grid->n = 0;
	grid->spoiled = true;
}

void cd_grid_add(struct cd_grid *grid, const int64_t *v, size_t n)
{
	if (n > UINT32_MAX - grid->n)
		start_over(grid);
	grid->n += n;
	if (grid->exact)
		add_points(grid, v, n);
	else
		add_cells(grid, v, n);
}

/* ---- answers ---------------------------------------------------------------------- */

/* Values below each range: those of the cells below that no range reaches,
 * and what the ranges counted. */
static void count_below(struct cd_grid *grid)
{
	const struct cd_aim *aim = grid->aim;
	uint64_t sum = 0, ranged = 0;
	size_t r = 0;

	for (size_t i = 0; i < grid->size; i++) {
		uint64_t low = (uint64_t)grid->low + ((uint64_t)i << grid->shift);

		if (grid->range_of[i] != NO_RANGE)
			continue;
		while (r < aim->n && aim->ranges[r].low < (int64_t)low)
			grid->below[r++] = sum;
		sum += grid->counts[i];
	}
	while (r < aim->n)
		grid->below[r++] = sum;
	for (r = 0; r < aim->n; r++) {
		ranged += aim->ranges[r].before;
		grid->below[r] += ranged;
		ranged += cd_aim_count(&aim->ranges[r]);
	}
}

void cd_grid_end(struct cd_grid *grid, struct cd_moments *moments)
{
	if (grid->exact)
		sum_points(grid);
	else
		count_below(grid);
	*moments = grid->moments;
}

static bool pick(struct cd_aim_range *range, uint64_t rank, int64_t *value)
{
	if (range->full)
		return false;
	*value = cd_aim_pick(range, rank);
	return true;
}

/* Ranges lie below and above the points. */
static bool find_point(const struct cd_grid *grid, uint64_t rank,
		       int64_t *value)
{
	uint64_t under = cd_aim_count(&grid->aim->ranges[0]);

	if (rank < under)
		return pick(&grid->aim->ranges[0], rank, value);
	rank -= under;
	for (size_t q = 0; q < grid->size; q++) {
		if (rank < grid->counts[q]) {
			*value = grid->low + (int64_t)(q * grid->step);
			return true;
		}
		rank -= grid->counts[q];
	}
	return pick(&grid->aim->ranges[1], rank, value);
}

bool cd_grid_rank(struct cd_grid *grid, uint64_t rank, int64_t *value)
{
	if (grid->spoiled)
		return false;
	if (grid->exact)
		return find_point(grid, rank, value);
	for (size_t r = 0; r < grid->aim->n; r++) {
		struct cd_aim_range *range = &grid->aim->ranges[r];

		if (rank >= grid->below[r] &&
		    rank - grid->below[r] < cd_aim_count(range))
			return pick(range, rank - grid->below[r], value);
	}
	return false;
}
