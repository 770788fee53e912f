/* Blocks and the Theil-Sen line. */
#include "line_data.h"

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
