#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "stat/blocks.h"
#include "stat/hull.h"
#include "stat/line.h"
#include "stat/ols.h"
#include "stat/wander.h"
#include "stat_random.h"

static int compare(const void *a, const void *b)
{
	double x, y;

	memcpy(&x, a, sizeof(x));
	memcpy(&y, b, sizeof(y));
	return (x > y) - (x < y);
}

static double sorted_median(double *v, size_t n)
{
	qsort(v, n, sizeof(*v), compare);
	return (v[(n - 1) / 2] + v[n / 2]) / 2;
}

Test(blocks, wanted)
{
	cr_assert_eq(cd_blocks_wanted(50, 1000, 0), 20);
	cr_assert_eq(cd_blocks_wanted(10000, 1000, 0), 50);
	cr_assert_eq(cd_blocks_wanted(1000000, 1000, 0), 200);
	/* 1 s with a 20 ms period: 100 ms a block at least */
	cr_assert_eq(cd_blocks_wanted(1000000, 1000, 20), 10);
	cr_assert_eq(cd_blocks_wanted(1000000, 1000, 500), 8);
	cr_assert_eq(cd_blocks_wanted(1000000, 0, INT64_MAX), 8);
}

Test(blocks, are_dealt_by_rows)
{
	uint64_t rows[] = {1000, 3000, 0, 1, 6000};
	size_t of[5];

	cr_assert_eq(cd_blocks_deal(rows, 5, 20, of), 20);
	cr_assert_eq(of[0], 2);
	cr_assert_eq(of[1], 6);
	cr_assert_eq(of[2], 0);
	cr_assert_eq(of[3], 1);
	cr_assert_eq(of[4], 11);
}

Test(blocks, never_more_than_rows_and_one_for_each)
{
	uint64_t few[] = {3, 2}, many[] = {5, 5, 5, 5}, none[] = {0, 0};
	uint64_t huge[] = {UINT64_MAX / 2, UINT64_MAX / 2};
	size_t of[4];

	cr_assert_eq(cd_blocks_deal(few, 2, 20, of), 5);
	cr_assert(of[0] == 3 && of[1] == 2);
	cr_assert_eq(cd_blocks_deal(many, 4, 3, of), 4);
	cr_assert(of[0] == 1 && of[3] == 1);
	cr_assert_eq(cd_blocks_deal(none, 2, 20, of), 0);
	cr_assert_eq(cd_blocks_deal(huge, 2, 201, of), 201);
	cr_assert(of[0] == 101 && of[1] == 100);
	cr_assert_eq(cd_blocks_deal(NULL, 0, 20, NULL), 0);
}

Test(blocks, tile_the_rows)
{
	for (uint64_t m = 1; m < 3000; m += 7) {
		cr_assert_eq(cd_block_first(m, 20, 0), 0);
		cr_assert_eq(cd_block_first(m, 20, 20), m);
		for (size_t b = 0; b < 20; b++)
			cr_assert_leq(cd_block_first(m, 20, b + 1) -
					  cd_block_first(m, 20, b),
				      m / 20 + 1);
	}
	cr_assert_eq(cd_block_first(UINT64_MAX, 200, 200), UINT64_MAX);
}

#define ROWS 5000

/* Coarse d, so that ties are common. */
static void check_pick(struct cd_block_scratch *scratch, size_t n,
		       uint64_t seed, double y)
{
	static int64_t x[ROWS], d[ROWS];
	static double r[ROWS];
	struct noise noise = noise_seed(seed);
	struct cd_block_floor got, quick;
	size_t row = 0;

	for (size_t i = 0; i < n; i++) {
		x[i] = (int64_t)i * (seed % 2 ? 1000 : 123456789);
		d[i] = (int64_t)noise_exponential(&noise, 5) * 1000000;
		r[i] = cd_residual(x[i], d[i], y);
	}
	cr_assert_eq(cd_block_pick(scratch, x, d, n, y, &got), 0);
	cr_assert_eq(cd_block_pick_floor(scratch, x, d, n, y, &quick), 0);
	qsort(r, n, sizeof(*r), compare);
	cr_assert_eq(got.floor, r[n / 100]);
	while (cd_residual(x[row], d[row], y) != got.floor)
		row++;
	cr_assert_eq(got.row, row);
	cr_assert_float_eq(got.median, sorted_median(r, n), 1e-6);
	cr_assert_eq(quick.row, got.row);
	cr_assert_eq(quick.floor, got.floor);
}

Test(blocks, pick_equals_a_sort)
{
	static const size_t sizes[] = {1, 2, 3, 4, 99, 100, 101, 250, 5000};
	struct cd_block_scratch scratch = {0};

	for (uint64_t seed = 1; seed <= 6; seed++)
		for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
			check_pick(&scratch, sizes[i], seed, 0);
			check_pick(&scratch, sizes[i], seed, 43e-6);
		}
	cd_block_scratch_release(&scratch);
}

Test(blocks, extremes_are_defined)
{
	int64_t x[] = {0, INT64_MAX, INT64_MIN}, d[] = {INT64_MIN, 0, INT64_MAX};
	struct cd_block_scratch scratch = {0};
	struct cd_block_floor got;

	cr_assert_eq(cd_block_pick(&scratch, x, d, 3, 1e-6, &got), 0);
	cr_assert_eq(got.row, 0);
	cr_assert_eq(got.floor, -0x1p63);
	cd_block_scratch_release(&scratch);
}

/* Slow and plain: every pair, a full sort, floating point ranks. */
static double reference_slope(const struct cd_line_point *p, size_t n,
			      double *low, double *high, size_t group_size)
{
	double *v = malloc(n * n * sizeof(*v)), y, c;
	size_t pairs = 0;
	double b = (double)group_size;

	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++)
			if (p[i].group == p[j].group && p[i].x != p[j].x)
				v[pairs++] = (double)(p[j].d - p[i].d) /
					     (double)(p[j].x - p[i].x);
	y = sorted_median(v, pairs);
	c = 1.96 * sqrt((double)n / b * b * (b - 1) * (2 * b + 5) / 18);
	*low = v[(size_t)floor(((double)pairs - ceil(c)) / 2)];
	*high = v[(size_t)ceil(((double)pairs + ceil(c)) / 2)];
	free(v);
	return y;
}

Test(line, equals_all_pairs_sorted)
{
	struct cd_line_scratch scratch = {0};

	for (uint64_t seed = 1; seed < 30; seed++) {
		struct noise noise = noise_seed(seed);
		size_t groups = 1 + seed % 3, size = 20 + seed % 2;
		struct cd_line_point p[80];
		struct cd_slope got;
		double low, high, y;
		size_t n = groups * size;

		for (size_t i = 0; i < n; i++) {
			p[i].x = (int64_t)i * 1000000;
			p[i].d = (int64_t)noise_exponential(&noise, 1e4) +
				 40 * (int64_t)i;
			p[i].group = i % groups;
		}
		y = reference_slope(p, n, &low, &high, size);
		cr_assert_eq(cd_line_slope(&scratch, p, n, &got), 1);
		cr_assert_float_eq(got.y, y, 1e-15);
		cr_assert_eq(got.low, low);
		cr_assert_eq(got.high, high);
		cr_assert(got.bounded);
	}
	cd_line_scratch_release(&scratch);
}

Test(line, groups_share_a_slope_not_an_offset)
{
	struct cd_line_point p[40];
	struct cd_line_scratch scratch = {0};
	struct cd_slope got;
	double s0, offset;

	for (int i = 0; i < 40; i++)
		p[i] = (struct cd_line_point){
		    i * 1000000, i * 50 + (i < 20 ? 0 : 77777777), i >= 20};
	cr_assert_eq(cd_line_slope(&scratch, p, 40, &got), 1);
	cr_assert_eq(got.y, 50e-6);
	cr_assert_eq(got.low, 50e-6);
	cr_assert_eq(got.pairs, 2 * 190);
	cr_assert_eq(cd_line_adjacent_slope(&scratch, p, 40, &s0), 1);
	cr_assert_eq(s0, 50e-6);
	cr_assert_eq(cd_line_offset(&scratch, p + 20, 20, got.y, &offset), 0);
	cr_assert_float_eq(offset, 77777777, 1e-6);
	cd_line_scratch_release(&scratch);
}

Test(line, too_few_points)
{
	struct cd_line_point p[3] = {{5, 1, 0}, {5, 9, 0}, {7, 9, 1}};
	struct cd_line_scratch scratch = {0};
	struct cd_slope got;
	double s0;

	cr_assert_eq(cd_line_slope(&scratch, p, 0, &got), 0);
	cr_assert_eq(cd_line_slope(&scratch, p, 3, &got), 0);
	cr_assert_eq(cd_line_adjacent_slope(&scratch, p, 3, &s0), 0);
	p[2].group = 0;
	cr_assert_eq(cd_line_slope(&scratch, p, 3, &got), 1);
	cr_assert_eq(got.pairs, 2);
	cr_assert_eq(got.y, 2);
	cr_assert_not(got.bounded);
	cr_assert_eq(got.low, 0);
	cr_assert_eq(got.high, 4);
	cd_line_scratch_release(&scratch);
}

Test(line, extremes_do_not_overflow)
{
	struct cd_line_point p[2] = {{INT64_MIN, INT64_MAX, 0},
				     {INT64_MAX, INT64_MIN, 0}};
	struct cd_line_scratch scratch = {0};
	struct cd_slope got;

	cr_assert_eq(cd_line_slope(&scratch, p, 2, &got), 1);
	cr_assert_eq(got.y, -1);
	cd_line_scratch_release(&scratch);
}

/* ---- BQTS with known truth: the table of METRICS 4.2 ---- */

#define PACKETS 20000
#define DELTA_PS 49213757.7 /* 0.984 s of packets, no ratio to 125 us */
#define TRUE_Y 43.21e-6

static int64_t x_of[PACKETS], d_of[PACKETS];

/* One BQTS fit over all packets, two iterations (METRICS 4.3). */
static struct cd_slope fit_bqts(void)
{
	size_t blocks = cd_blocks_wanted(PACKETS, x_of[PACKETS - 1], 0);
	struct cd_block_scratch scratch = {0};
	struct cd_line_scratch line = {0};
	struct cd_line_point p[200];
	struct cd_slope slope = {0};

	for (int turn = 0; turn < 2; turn++) {
		for (size_t b = 0; b < blocks; b++) {
			size_t from = cd_block_first(PACKETS, blocks, b);
			size_t to = cd_block_first(PACKETS, blocks, b + 1);
			struct cd_block_floor f;

			cr_assert_eq(cd_block_pick_floor(&scratch, x_of + from,
							 d_of + from, to - from,
							 slope.y, &f),
				     0);
			p[b] = (struct cd_line_point){x_of[from + f.row],
						      d_of[from + f.row], 0};
		}
		cr_assert_eq(cd_line_slope(&line, p, blocks, &slope), 1);
	}
	cd_block_scratch_release(&scratch);
	cd_line_scratch_release(&line);
	return slope;
}

enum model { GAUSS, UNIFORM, EXPONENTIAL, COALESCED, PARETO, EARLY };

static double error_of(struct noise *r, enum model model, double t)
{
	switch (model) {
	case GAUSS:
		return noise_gauss(r, 10e6);
	case UNIFORM:
		return 125e6 * noise_uniform(r);
	case EXPONENTIAL:
		return noise_exponential(r, 20e6);
	case COALESCED: /* M1, a free-running timer of 125 us */
		return ceil(t / 125e6) * 125e6 - t;
	case PARETO:
		if (noise_uniform(r) < 0.01)
			return 1e9 / noise_uniform(r);
		return noise_exponential(r, 20e6);
	case EARLY:
		if (noise_uniform(r) < 0.001)
			return -1e9 * noise_uniform(r);
		return noise_exponential(r, 20e6);
	}
	return 0;
}

static void simulate(uint64_t seed, enum model model)
{
	struct noise r = noise_seed(seed);
	double phase = noise_uniform(&r) * 125e6;

	for (int i = 0; i < PACKETS; i++) {
		double t = i * DELTA_PS;

		x_of[i] = (int64_t)t;
		d_of[i] = (int64_t)(TRUE_Y * t +
				    error_of(&r, model, t + phase));
	}
	for (int i = PACKETS - 1; i >= 0; i--) {
		x_of[i] -= x_of[0];
		d_of[i] -= d_of[0];
	}
}

/* rms error over seeds, and how often Sen's interval held the truth. */
static double rms_error(enum model model, int runs, int *covered)
{
	double sum = 0;

	*covered = 0;
	for (int seed = 1; seed <= runs; seed++) {
		struct cd_slope s;

		simulate((uint64_t)seed, model);
		s = fit_bqts();
		sum += (s.y - TRUE_Y) * (s.y - TRUE_Y);
		*covered += s.low <= TRUE_Y && TRUE_Y <= s.high;
	}
	return sqrt(sum / runs);
}

/*
 * 4.2 measured rms errors e with 200,000 packets over 9.84 s; here are 20,000
 * over 0.984 s, so that e grows by 10 (T) and sqrt(10) (n). 1.8 is room for
 * the 20 seeds and for blocks that are not 200.
 */
static void check_table(enum model model, double table_ppb)
{
	int covered;
	double rms = rms_error(model, 20, &covered) * 1e9;

	cr_log_info("rms %.1f ppb, %d of 20 covered", rms, covered);
	cr_assert_leq(rms, table_ppb * 10 * sqrt(10) * 1.8);
	cr_assert_geq(covered, 15);
}

Test(bqts, gauss)
{
	check_table(GAUSS, 32);
}

Test(bqts, uniform)
{
	check_table(UNIFORM, 10);
}

Test(bqts, exponential)
{
	check_table(EXPONENTIAL, 2.4);
}

Test(bqts, coalesced)
{
	check_table(COALESCED, 1.6);
}

Test(bqts, late_tail)
{
	check_table(PARETO, 2.0);
}

Test(bqts, one_in_a_thousand_early)
{
	check_table(EARLY, 1.2);
}

Test(bqts, noise_free_is_exact)
{
	struct cd_slope s;

	for (int i = 0; i < PACKETS; i++) {
		x_of[i] = (int64_t)i * 50000000;
		d_of[i] = (int64_t)i * 50000000 / 1000000 * 43;
	}
	s = fit_bqts();
	cr_assert_eq(s.y, 43e-6);
	cr_assert(s.low <= s.y && s.y <= s.high);
}

Test(ols, exact_over_thirty_days)
{
	/* V22: 43.21 ppm as an exact rational, 30 days in ps */
	struct cd_ols o = {0}, half = {0};
	struct cd_ols_line line, merged;
	int64_t span = INT64_C(30) * 86400 * 1000000000000;
	int64_t step = span / 25000 / 100000000 * 100000000;
	int64_t x, d;

	for (int i = 0; i < 25000; i++) {
		x = i * step;
		d = x / 100000000 * 4321;
		cd_ols_add(i % 2 ? &o : &half, &x, &d, 1);
	}
	cd_ols_merge(&o, &half);
	cr_assert(cd_ols_line(&o, &line));
	/* 0.01 ns over 30 days */
	cr_assert_leq(fabs(line.slope - 4321e-8) * (double)span, 10);
	cr_assert_float_eq(line.intercept, 0, 1);
	cd_ols_merge(&o, &(struct cd_ols){0});
	cr_assert(cd_ols_line(&o, &merged));
	cr_assert_eq(memcmp(&line, &merged, sizeof(line)), 0);
}

/* Field by field: padding may hold anything. */
static bool same_sums(const struct cd_ols *a, const struct cd_ols *b)
{
	return a->n == b->n && a->sum_x == b->sum_x && a->sum_d == b->sum_d &&
	       memcmp(&a->sum_xx, &b->sum_xx, sizeof(a->sum_xx)) == 0 &&
	       memcmp(&a->sum_xd, &b->sum_xd, sizeof(a->sum_xd)) == 0;
}

Test(ols, any_split_gives_the_same_bits)
{
	static int64_t x[20000], d[20000];
	struct noise r = noise_seed(3);
	struct cd_ols whole = {0}, parts = {0}, single = {0};

	for (int i = 0; i < 20000; i++) {
		/* some chunks of small values, some of large ones */
		x[i] = i < 9000 ? INT64_C(12300000) * i : (int64_t)noise_bits(&r);
		d[i] = i < 9000 ? (int64_t)noise_gauss(&r, 1e7)
				: (int64_t)noise_bits(&r);
	}
	cd_ols_add(&whole, x, d, 20000);
	for (size_t i = 0; i < 20000; i++)
		cd_ols_add(&single, x + i, d + i, 1);
	for (size_t i = 0; i < 20000; i += 1000) {
		struct cd_ols part = {0};

		cd_ols_add(&part, x + i, d + i, 1000);
		cd_ols_merge(&parts, &part);
	}
	cr_assert(same_sums(&whole, &parts));
	cr_assert(same_sums(&whole, &single));
}

/* V4: minimum variance on Gaussian noise, sqrt(12) sigma / (sqrt(n) T). */
Test(ols, gauss)
{
	for (uint64_t seed = 1; seed <= 10; seed++) {
		double expected = sqrt(12) * 10e6 /
				  (sqrt(PACKETS) * PACKETS * DELTA_PS);
		struct cd_ols o = {0};
		struct cd_ols_line line;

		simulate(seed, GAUSS);
		cd_ols_add(&o, x_of, d_of, PACKETS);
		cr_assert(cd_ols_line(&o, &line));
		cr_assert_leq(fabs(line.slope - TRUE_Y), 5 * expected);
	}
}

Test(ols, closed_form_and_degenerate)
{
	int64_t x[] = {0, 1, 2, 3}, d[] = {1, 3, 2, 6}, same[] = {5, 5, 5, 5};
	struct cd_ols o = {0}, flat = {0};
	struct cd_ols_line line;

	cr_assert_not(cd_ols_line(&o, &line));
	cd_ols_add(&o, x, d, 1);
	cr_assert_not(cd_ols_line(&o, &line));
	cd_ols_add(&o, x + 1, d + 1, 3);
	cr_assert(cd_ols_line(&o, &line));
	cr_assert_eq(line.slope, 1.4);
	cr_assert_float_eq(line.intercept, 0.9, 1e-15);
	cd_ols_add(&flat, same, d, 4);
	cr_assert_not(cd_ols_line(&flat, &line));
}

Test(ols, extremes_do_not_overflow)
{
	int64_t x[] = {INT64_MIN, INT64_MAX}, d[] = {INT64_MAX, INT64_MIN};
	struct cd_ols o = {0};
	struct cd_ols_line line;

	for (int i = 0; i < 1000; i++)
		cd_ols_add(&o, x, d, 2);
	cr_assert(cd_ols_line(&o, &line));
	cr_assert_eq(line.slope, -1);
}

/* ---- hull ---- */

/* Sign of the cross product (b - a) x (p - a), in 256 bits. */
static int wide_turn(struct cd_hull_point a, struct cd_hull_point b,
		     struct cd_hull_point p)
{
	struct cd_wide left =
	    cd_wide_mul(cd_wide_from((__int128)b.x - a.x),
			cd_wide_from((__int128)p.d - a.d));
	struct cd_wide right =
	    cd_wide_mul(cd_wide_from((__int128)b.d - a.d),
			cd_wide_from((__int128)p.x - a.x));

	return cd_wide_sign(cd_wide_sub(left, right));
}

/* Gift wrapping: from vertex to vertex along the flattest way, the farthest of
 * equal ones; O(n) each. */
static size_t reference_hull(const struct cd_hull_point *p, size_t n,
			     struct cd_hull_point *out)
{
	struct cd_hull_point at = p[0];
	size_t found = 0;

	for (size_t i = 1; i < n; i++)
		if (p[i].x < at.x || (p[i].x == at.x && p[i].d < at.d))
			at = p[i];
	for (;;) {
		struct cd_hull_point best = at;

		out[found++] = at;
		for (size_t i = 0; i < n; i++) {
			int side;

			if (p[i].x <= at.x)
				continue;
			side = best.x == at.x ? -1 : wide_turn(at, best, p[i]);
			if (side < 0 || (side == 0 && p[i].x > best.x))
				best = p[i];
		}
		if (best.x == at.x)
			return found;
		at = best;
	}
}

#define HULL_POINTS 400

static void check_hull(struct cd_hull *h, const struct cd_hull_point *p,
		       size_t n)
{
	struct cd_hull_point want[HULL_POINTS];
	size_t wanted = reference_hull(p, n, want), got;
	const struct cd_hull_point *v = cd_hull_vertices(h, &got);

	cr_assert_eq(got, wanted);
	cr_assert_eq(memcmp(v, want, got * sizeof(*v)), 0);
}

static int64_t hull_value(struct noise *r, uint64_t kind, bool is_x, size_t i)
{
	switch (kind % 4) {
	case 0: /* rising x, late noise */
		return is_x ? (int64_t)i * 1000
			    : (int64_t)noise_exponential(r, 1e6);
	case 1: /* many equal x and straight lines */
		return (int64_t)noise_below(r, is_x ? 40 : 3);
	case 2: /* mostly rising */
		return is_x ? (int64_t)(i * 1000 + noise_below(r, 9000))
			    : (int64_t)noise_gauss(r, 1e6);
	default: /* any int64 */
		return (int64_t)noise_bits(r);
	}
}

/* By x only: what is equal in x stays in any order of d. */
static int compare_points(const void *left, const void *right)
{
	struct cd_hull_point a, b;

	memcpy(&a, left, sizeof(a));
	memcpy(&b, right, sizeof(b));
	return (a.x > b.x) - (a.x < b.x);
}

/* Every third block into `half`. */
static void add_in_blocks(struct cd_hull *h, struct cd_hull *half,
			  const struct cd_hull_point *p, size_t n, size_t block)
{
	int64_t x[HULL_POINTS], d[HULL_POINTS];

	for (size_t i = 0; i < n; i++) {
		x[i] = p[i].x;
		d[i] = p[i].d;
	}
	for (size_t i = 0, turn = 0; i < n; i += block, turn++)
		cr_assert_eq(cd_hull_add(turn % 3 == 1 ? half : h, x + i, d + i,
					 n - i < block ? n - i : block),
			     0);
}

Test(hull, equals_gift_wrapping)
{
	for (uint64_t seed = 0; seed < 300; seed++) {
		struct noise r = noise_seed(seed + 1);
		size_t n = 1 + noise_below(&r, HULL_POINTS);
		struct cd_hull_point p[HULL_POINTS];
		struct cd_hull h = {0}, half = {0};

		for (size_t i = 0; i < n; i++) {
			p[i].x = hull_value(&r, seed, true, i);
			p[i].d = hull_value(&r, seed, false, i);
		}
		if (seed % 3 == 0)
			qsort(p, n, sizeof(*p), compare_points);
		add_in_blocks(&h, &half, p, n, 1 + noise_below(&r, n));
		cr_assert_eq(cd_hull_merge(&h, &half), 0);
		check_hull(&h, p, n);
		cr_assert_eq(h.n, n);
		cd_hull_release(&h);
		cd_hull_release(&half);
	}
}

Test(hull, falling_x_goes_through_the_side_list)
{
	struct cd_hull h = {0}, rising = {0};
	size_t n, m;
	const struct cd_hull_point *v, *w;

	for (int64_t i = 0; i < 5000; i++) {
		int64_t x = 5000 - i, d = (x - 1700) * (x - 1700);
		int64_t up = i + 1, e = (up - 1700) * (up - 1700);

		cr_assert_eq(cd_hull_add(&h, &x, &d, 1), 0);
		cr_assert_eq(cd_hull_add(&rising, &up, &e, 1), 0);
	}
	v = cd_hull_vertices(&h, &n);
	w = cd_hull_vertices(&rising, &m);
	cr_assert_eq(n, 5000);
	cr_assert_eq(m, 5000);
	cr_assert_eq(memcmp(v, w, n * sizeof(*v)), 0);
	cd_hull_release(&h);
	cd_hull_release(&rising);
}

Test(hull, line_is_the_highest_at_the_mean)
{
	struct noise r = noise_seed(5);
	struct cd_hull h = {0};
	struct cd_hull_line line;
	const struct cd_hull_point *v;
	int64_t x[500], d[500];
	double mean = 0, at_mean;
	size_t n;

	for (int i = 0; i < 500; i++) {
		x[i] = i * 1000 + (int64_t)noise_below(&r, 900);
		d[i] = x[i] / 100 + (int64_t)noise_exponential(&r, 500);
		mean += (double)x[i] / 500;
	}
	cr_assert_eq(cd_hull_add(&h, x, d, 500), 0);
	cr_assert_eq(cd_hull_line(&h, &line), 1);
	at_mean = (double)line.left.d +
		  line.slope * (mean - (double)line.left.x);
	v = cd_hull_vertices(&h, &n);
	for (size_t i = 1; i < n; i++) {
		double slope = (double)(v[i].d - v[i - 1].d) /
			       (double)(v[i].x - v[i - 1].x);

		cr_assert_leq((double)v[i].d +
				  slope * (mean - (double)v[i].x),
			      at_mean + 1e-6);
	}
	for (int i = 0; i < 500; i++)
		cr_assert_geq(wide_turn(line.left, line.right,
					(struct cd_hull_point){x[i], d[i]}),
			      0);
	cd_hull_release(&h);
}

Test(hull, line_needs_two_x)
{
	int64_t x[] = {7, 7, 9}, d[] = {1, 0, 4};
	struct cd_hull h = {0};
	struct cd_hull_line line;
	size_t n;

	cr_assert_eq(cd_hull_line(&h, &line), 0);
	cr_assert_null(cd_hull_vertices(&h, &n));
	cr_assert_eq(cd_hull_add(&h, x, d, 2), 0);
	cr_assert_eq(cd_hull_line(&h, &line), 0);
	cr_assert_eq(cd_hull_add(&h, x + 2, d + 2, 1), 0);
	cr_assert_eq(cd_hull_line(&h, &line), 1);
	cr_assert_eq(line.slope, 2);
	cd_hull_release(&h);
}

static double hull_slope(void)
{
	struct cd_hull h = {0};
	struct cd_hull_line line;

	cr_assert_eq(cd_hull_add(&h, x_of, d_of, PACKETS), 0);
	cr_assert_eq(cd_hull_line(&h, &line), 1);
	cd_hull_release(&h);
	return line.slope;
}

/* METRICS 4.2 and V5: best for late errors, ruined by one early packet, which
 * the default does not mind. */
Test(hull, one_early_packet_ruins_it_but_not_the_default)
{
	simulate(3, EXPONENTIAL);
	cr_assert_leq(fabs(hull_slope() - TRUE_Y), 50e-9);
	cr_assert_leq(fabs(fit_bqts().y - TRUE_Y), 500e-9);
	d_of[PACKETS / 3] -= 5000000000;
	cr_assert_geq(fabs(hull_slope() - TRUE_Y), 1e-6);
	cr_assert_leq(fabs(fit_bqts().y - TRUE_Y), 500e-9);
}

/* The plain definition, from scratch for every x. */
static double reference_wander(const struct cd_wander_point *p, size_t n,
			       double x)
{
	if (x <= p[0].x)
		return p[0].floor;
	for (size_t i = 1; i < n; i++)
		if (x < p[i].x)
			return p[i - 1].floor +
			       (p[i].floor - p[i - 1].floor) /
				   (p[i].x - p[i - 1].x) * (x - p[i - 1].x);
	return p[n - 1].floor;
}

Test(wander, interpolates_whatever_was_asked_before)
{
	struct cd_wander_point p[] = {
	    {10, 5}, {20, 7}, {25, -3}, {100, 0}, {101, 50}};
	struct noise r = noise_seed(1);

	for (size_t n = 1; n <= 5; n++) {
		struct cd_wander rising = {.points = p, .n = n};
		struct cd_wander jumping = rising;

		for (double x = 0; x < 130; x += 0.25) {
			double far = 130 * noise_uniform(&r);

			cr_assert_eq(cd_wander_at(&rising, x),
				     reference_wander(p, n, x));
			cr_assert_eq(cd_wander_at(&jumping, far),
				     reference_wander(p, n, far));
		}
	}
}

Test(wander, range)
{
	double floors[200], one[] = {4};
	struct cd_wander_range range;

	for (int i = 0; i < 200; i++)
		floors[i] = (i * 77) % 200;
	range = cd_wander_range(floors, 200);
	cr_assert_eq(range.peak_to_peak, 199);
	/* the 5th and the 195th of 0..199 */
	cr_assert_eq(range.central, 194 - 4);
	range = cd_wander_range(one, 1);
	cr_assert(range.peak_to_peak == 0 && range.central == 0);
}
