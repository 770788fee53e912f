/* Least squares, hulls, wander. */
#include "line_data.h"

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
