#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "stat/histogram.h"
#include "stat/loglinear.h"
#include "stat/moments.h"
#include "stat/order.h"
#include "stat/percentile.h"
#include "stat/select.h"
#include "stat/wide.h"
#include "stat_random.h"
#include "stat_streams.h"

Test(wide, products_and_sums_are_exact)
{
	struct cd_wide sum = {{0}}, least;
	struct cd_wide limit = cd_wide_from((__int128)INT64_MIN * INT64_MIN);

	for (int i = 0; i < 6; i++)
		cd_wide_add_product(&sum, INT64_MIN, INT64_MIN);
	cr_assert_eq(cd_wide_sign(sum), 1);
	cr_assert_eq(cd_wide_double(sum), 6 * 0x1p126);
	for (int i = 0; i < 6; i++)
		sum = cd_wide_sub(sum, limit);
	cr_assert_eq(cd_wide_sign(sum), 0);
	for (int i = 0; i < 6; i++)
		cd_wide_add_product(&sum, INT64_MIN, INT64_MAX);
	cr_assert_eq(cd_wide_sign(sum), -1);
	cr_assert_eq(cd_wide_double(sum), -6 * 0x1p126);
	least = cd_wide_mul(limit, cd_wide_from(-1));
	cr_assert_eq(cd_wide_double(cd_wide_mul(least, limit)), -0x1p252);
}

Test(wide, doubles_are_the_nearest)
{
	__int128 one = 1, v = (one << 100) + (one << 47);

	/* 2^100 has ulp 2^48: a tie, to even; the least bit more breaks it */
	cr_assert_eq(cd_wide_double(cd_wide_from(v)), 0x1p100);
	cr_assert_eq(cd_wide_double(cd_wide_from(v + 1)),
		     0x1p100 + 0x1p48);
	cr_assert_eq(cd_wide_double(cd_wide_from(-v - 1)),
		     -0x1p100 - 0x1p48);
	cr_assert_eq(cd_wide_double(cd_wide_from(INT64_MIN)), -0x1p63);
	cr_assert_eq(cd_wide_double(cd_wide_from(0)), 0);
}

Test(moments, match_128_bit_arithmetic)
{
	for (int kind = 0; kind < KINDS; kind++) {
		int64_t *v = stream(kind, 10001, 7);
		struct cd_moments m = {0};
		struct cd_wide squares = {{0}};
		__int128 sum = 0;
		int64_t *sorted = sorted_copy(v, 10001);

		cd_moments_add(&m, v, 10001);
		for (size_t i = 0; i < 10001; i++) {
			sum += v[i];
			cd_wide_add_product(&squares, v[i], v[i]);
		}
		cr_assert_eq(m.n, 10001);
		cr_assert(m.sum == sum);
		cr_assert_eq(memcmp(&squares, &m.sum_squares, sizeof(squares)),
			     0);
		cr_assert_eq(m.min, sorted[0]);
		cr_assert_eq(m.max, sorted[10000]);
		free(v);
		free(sorted);
	}
}

Test(moments, closed_forms)
{
	int64_t v[] = {1, 2, 3, 4, -10};
	struct cd_moments m = {0};

	cr_assert(isnan(cd_moments_mean(&m)));
	cr_assert(isnan(cd_moments_deviation(&m)));
	cd_moments_add(&m, v, 5);
	cr_assert_eq(cd_moments_mean(&m), 0);
	cr_assert_eq(cd_moments_rms(&m), sqrt(26));
	cr_assert_eq(cd_moments_deviation(&m), sqrt(26));
}

Test(moments, deviation_does_not_cancel)
{
	/* sd 1 around 10^18: double sums would leave nothing of it */
	struct cd_moments m = {0};

	for (int i = 0; i < 1000; i++) {
		int64_t v = INT64_C(1000000000000000000) + (i % 2 ? 1 : -1);

		cd_moments_add(&m, &v, 1);
	}
	cr_assert_eq(cd_moments_deviation(&m), 1);
}

/* Field by field: padding may hold anything. */
static bool same_moments(const struct cd_moments *a, const struct cd_moments *b)
{
	return a->n == b->n && a->min == b->min && a->max == b->max &&
	       a->sum == b->sum &&
	       memcmp(&a->sum_squares, &b->sum_squares,
		      sizeof(a->sum_squares)) == 0;
}

Test(moments, merge_is_concatenation)
{
	for (int kind = 0; kind < KINDS; kind++) {
		int64_t *v = stream(kind, 9000, 3);
		struct cd_moments all = {0}, left = {0}, right = {0};

		cd_moments_add(&all, v, 9000);
		cd_moments_add(&left, v, 17);
		for (size_t i = 17; i < 9000; i += 499)
			cd_moments_add(&right, v + i,
				       9000 - i < 499 ? 9000 - i : 499);
		cd_moments_merge(&right, &left);
		cr_assert(same_moments(&all, &right));
		free(v);
	}
}

Test(percentile, rfc2330_worked_example)
{
	/* RFC 2330 11.3: -2, 7, 7, 4, 18, -5 */
	int64_t v[] = {-5, -2, 4, 7, 7, 18};

	cr_assert_eq(v[cd_percentile_rank(6, 50000)], 4);
	cr_assert_eq(v[cd_percentile_rank(6, 25000)], -2);
	cr_assert_eq(v[cd_percentile_rank(6, 100000)], 18);
	cr_assert_eq(v[cd_percentile_rank(6, 0)], -5);
	cr_assert_eq(cd_median_i64(v, 6), 4);
}

Test(percentile, ranks_are_exact)
{
	/* 0.999 * 1000 is 999.0000000000001 in a double */
	cr_assert_eq(cd_percentile_rank(1000, 99900), 998);
	cr_assert_eq(cd_percentile_rank(1001, 99900), 999);
	cr_assert_eq(cd_percentile_rank(1, 1), 0);
	cr_assert_eq(cd_percentile_rank(UINT64_MAX, 100000), UINT64_MAX - 1);
}

Test(percentile, defined_only_where_the_sample_resolves_it)
{
	cr_assert(cd_percentile_defined(1000, 99900));
	cr_assert_not(cd_percentile_defined(999, 99900));
	cr_assert(cd_percentile_defined(1000, 100));
	cr_assert_not(cd_percentile_defined(999, 100));
	cr_assert(cd_percentile_low_confidence(9999, 99900));
	cr_assert_not(cd_percentile_low_confidence(10000, 99900));
	cr_assert_not(cd_percentile_low_confidence(999, 99900));
	cr_assert(cd_percentile_defined(1, 0));
	cr_assert(cd_percentile_defined(1, 100000));
	cr_assert_not(cd_percentile_defined(0, 100000));
}

Test(percentile, interval_of_the_median)
{
	struct cd_rank_interval i = cd_percentile_interval(100, 100, 50000);

	/* 50 -+ 9.8, 1-based 40 and 60 */
	cr_assert_eq(i.low, 39);
	cr_assert_eq(i.high, 59);
	/* a quarter as many independent ones: twice as wide */
	i = cd_percentile_interval(100, 25, 50000);
	cr_assert_eq(i.low, 29);
	cr_assert_eq(i.high, 69);
	i = cd_percentile_interval(1, 1, 50000);
	cr_assert_eq(i.low, 0);
	cr_assert_eq(i.high, 0);
	i = cd_percentile_interval(UINT64_C(1) << 60, UINT64_C(1) << 60, 50000);
	cr_assert_float_eq((double)(i.high - i.low), 1.96 * 0x1p30, 1e5);
}

Test(percentile, interval_covers)
{
	/* p90 of uniform noise is known: 0.9 */
	struct noise r = noise_seed(11);
	int hits = 0;

	for (int run = 0; run < 1000; run++) {
		int64_t v[300], *sorted;
		struct cd_rank_interval i =
		    cd_percentile_interval(300, 300, 90000);

		for (int k = 0; k < 300; k++)
			v[k] = (int64_t)noise_below(&r, 1000000);
		sorted = sorted_copy(v, 300);
		hits += sorted[i.low] <= 900000 && 900000 <= sorted[i.high];
		free(sorted);
	}
	/* 5 standard errors of a coverage of 0.95 over 1000 runs: 0.035 */
	cr_assert_geq(hits, 915);
	cr_assert_leq(hits, 990);
}

Test(percentile, isqrt_at_its_edges)
{
	cr_assert_eq(cd_isqrt(0), 0);
	cr_assert_eq(cd_isqrt(15), 3);
	cr_assert_eq(cd_isqrt(16), 4);
	cr_assert_eq(cd_isqrt(~(unsigned __int128)0), UINT64_MAX);
	cr_assert_eq(cd_isqrt((unsigned __int128)UINT64_MAX * UINT64_MAX - 1),
		     UINT64_MAX - 1);
}

Test(loglinear, buckets_are_gap_free_and_narrow)
{
	for (unsigned p = 0; p <= 12; p++) {
		size_t last = cd_loglinear_buckets(p) - 1;
		uint64_t next = 0;

		for (size_t i = 0; i < last; i++) {
			uint64_t low = cd_loglinear_low(i, p);
			uint64_t width = cd_loglinear_width(i, p);

			cr_assert_eq(low, next);
			cr_assert(width == 1 || width <= low >> p);
			cr_assert_eq(cd_loglinear_index(low, p), i);
			cr_assert_eq(cd_loglinear_index(low + width - 1, p), i);
			next = low + width;
		}
		cr_assert_eq(next, UINT64_C(1) << 63);
		cr_assert_eq(cd_loglinear_index(next, p), last);
	}
	cr_assert_eq(cd_loglinear_buckets(7), 7297);
	cr_assert_eq(cd_magnitude(INT64_MIN), UINT64_C(1) << 63);
	cr_assert_eq(cd_magnitude(-1), 1);
}

static const uint32_t percentiles[] = {0,     100,   1000,  5000,  25000,
				       50000, 95000, 99000, 99900, 99990,
				       100000};
#define N_PERCENTILES (sizeof(percentiles) / sizeof(percentiles[0]))

static void check_select(const int64_t *v, size_t n, size_t block)
{
	struct cd_select *s = cd_select_new();
	int64_t *sorted = sorted_copy(v, n);
	size_t handles[N_PERCENTILES], third;

	cr_assert_not_null(s);
	for (size_t i = 0; i < N_PERCENTILES; i++)
		handles[i] = cd_select_want(s, percentiles[i]);
	third = cd_select_want_rank(s, n / 3);
	play(s, v, n, block);
	for (size_t i = 0; i < N_PERCENTILES; i++)
		cr_assert_eq(cd_select_result(s, handles[i]),
			     sorted[cd_percentile_rank(n, percentiles[i])]);
	cr_assert_eq(cd_select_result(s, third), sorted[n / 3]);
	cr_assert_eq(cd_select_moments(s)->n, n);
	cr_assert_eq(cd_select_moments(s)->max, sorted[n - 1]);
	free(sorted);
	cd_select_free(s);
}

Test(select, equals_a_full_sort)
{
	static const size_t sizes[] = {1, 2, 3, 10, 1000, 30000};

	for (int kind = 0; kind < KINDS; kind++)
		for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
			int64_t *v = stream(kind, sizes[i], 5 + i);

			check_select(v, sizes[i], 4096);
			free(v);
		}
}

Test(select, fat_buckets_are_split)
{
	/* more values in one bucket than are ever gathered, spread over 2^33 */
	size_t n = 300000;
	int64_t *v = malloc(n * sizeof(*v));
	struct noise r = noise_seed(2);

	cr_assert_not_null(v);
	for (size_t i = 0; i < n; i++)
		v[i] = -(INT64_C(1) << 40) - (int64_t)noise_below(&r, 1u << 31);
	check_select(v, n, 1000);
	for (size_t i = 0; i < n; i++)
		v[i] = INT64_MIN + (int64_t)(noise_bits(&r) >> 10);
	check_select(v, n, 1000);
	free(v);
}

Test(select, takes_few_passes)
{
	size_t n = 400000;
	int64_t *v = stream(0, n, 1);
	struct cd_select *s = cd_select_new();

	cd_select_want(s, 50000);
	cd_select_want(s, 99900);
	cr_assert_leq(play(s, v, n, 4096), 3);
	cd_select_free(s);
	s = cd_select_new();
	cd_select_want(s, 0);
	cd_select_want(s, 100000);
	cr_assert_eq(play(s, v, n, 4096), 1);
	cd_select_free(s);
	free(v);
}

Test(select, nothing_added)
{
	struct cd_select *s = cd_select_new();

	cd_select_want(s, 50000);
	cr_assert_eq(cd_select_end_pass(s), 0);
	cr_assert_eq(cd_select_moments(s)->n, 0);
	cd_select_free(s);
	cd_select_free(NULL);
}

/* One pass in `parts` forks, merged in an odd order. */
static void play_forked(struct cd_select *s, const int64_t *v, size_t n,
			size_t parts)
{
	struct cd_select *fork[8];

	for (size_t i = 0; i < parts; i++) {
		size_t from = n * i / parts, to = n * (i + 1) / parts;

		fork[i] = cd_select_fork(s);
		cr_assert_not_null(fork[i]);
		cd_select_add(fork[i], v + from, to - from);
	}
	for (size_t i = 0; i < parts; i++) {
		size_t at = (i * 3 + 1) % parts;

		cd_select_merge(s, fork[at]);
		cd_select_free(fork[at]);
	}
}

Test(select, forks_merge_exactly)
{
	for (int kind = 0; kind < KINDS; kind++) {
		size_t n = 200003;
		int64_t *v = stream(kind, n, 9), *sorted = sorted_copy(v, n);
		struct cd_select *s = cd_select_new();
		size_t p50 = cd_select_want(s, 50000);
		size_t p1 = cd_select_want(s, 1000);
		int more;

		do {
			play_forked(s, v, n, 7);
			more = cd_select_end_pass(s);
		} while (more == 1);
		cr_assert_eq(more, 0);
		cr_assert_eq(cd_select_result(s, p50),
			     sorted[cd_percentile_rank(n, 50000)]);
		cr_assert_eq(cd_select_result(s, p1),
			     sorted[cd_percentile_rank(n, 1000)]);
		cd_select_free(s);
		free(sorted);
		free(v);
	}
}

Test(histogram, error_is_within_the_bound)
{
	for (int kind = 0; kind < KINDS; kind++) {
		size_t n = 20000;
		int64_t *v = stream(kind, n, 21), *sorted = sorted_copy(v, n);

		for (unsigned p = 7; p <= 10; p += 3) {
			struct cd_histogram h;

			cr_assert_eq(cd_histogram_init(&h, p), 0);
			cd_histogram_add(&h, v, n);
			for (size_t k = 0; k < n; k += 61) {
				double want = (double)sorted[k];
				double got = (double)cd_histogram_rank(&h, k);

				cr_assert_leq(fabs(got - want),
					      fabs(want) / (double)(2u << p));
			}
			cr_assert_eq(cd_histogram_rank(&h, 0), sorted[0]);
			cr_assert_eq(cd_histogram_rank(&h, n - 1),
				     sorted[n - 1]);
			cd_histogram_release(&h);
		}
		free(sorted);
		free(v);
	}
}

Test(histogram, merge_is_concatenation)
{
	size_t buckets = cd_loglinear_buckets(7), n = 5000;
	int64_t *v = stream(2, n, 4);
	struct cd_histogram all, left, right;

	cd_histogram_init(&all, 7);
	cd_histogram_init(&left, 7);
	cd_histogram_init(&right, 7);
	cd_histogram_add(&all, v, n);
	cd_histogram_add(&left, v, 1234);
	cd_histogram_add(&right, v + 1234, n - 1234);
	cd_histogram_merge(&right, &left);
	cr_assert_eq(memcmp(all.positive, right.positive,
			    2 * buckets * sizeof(uint64_t)),
		     0);
	cr_assert(same_moments(&all.moments, &right.moments));
	cd_histogram_release(&all);
	cd_histogram_release(&left);
	cd_histogram_release(&right);
	free(v);
}

Test(histogram, add_times_is_adding_often)
{
	int32_t v[] = {0, -1, 7, INT32_MIN, INT32_MAX};
	struct cd_histogram once, often;

	cd_histogram_init(&once, 7);
	cd_histogram_init(&often, 7);
	for (int i = 0; i < 5; i++) {
		cd_histogram_add_times(&once, v[i], 1000);
		cd_histogram_add_times(&once, v[i], 0);
		for (int k = 0; k < 1000; k++) {
			int64_t same = v[i];

			cd_histogram_add(&often, &same, 1);
		}
	}
	cr_assert(same_moments(&once.moments, &often.moments));
	cr_assert_eq(memcmp(once.positive, often.positive,
			    2 * cd_loglinear_buckets(7) * sizeof(uint64_t)),
		     0);
	cd_histogram_release(&once);
	cd_histogram_release(&often);
}

Test(histogram, buckets_come_by_rising_value)
{
	int64_t v[] = {INT64_MIN, INT64_MAX, 0, -1, 1, 1, 255, 256, 257, -300};
	static const struct cd_bucket want[] = {
	    {INT64_MIN, INT64_MIN, 1}, {-301, -300, 1}, {-1, -1, 1},
	    {0, 0, 1},		       {1, 1, 2},	{255, 255, 1},
	    {256, 257, 2},	       {INT64_C(255) << 55, INT64_MAX, 1}};
	struct cd_histogram h;
	struct cd_bucket b;
	size_t at = 0, i = 0;

	cd_histogram_init(&h, 7);
	cd_histogram_add(&h, v, 10);
	while (cd_histogram_next(&h, &at, &b)) {
		cr_assert_lt(i, 8);
		cr_assert_eq(b.low, want[i].low);
		cr_assert_eq(b.high, want[i].high);
		cr_assert_eq(b.count, want[i].count);
		i++;
	}
	cr_assert_eq(i, 8);
	cd_histogram_release(&h);
}

Test(histogram, rebins_for_charts)
{
	int64_t v[] = {-5000, -20, -10, 0, 9, 10, 99, 100, 70000};
	int64_t edges[] = {-10, 0, 10, 100};
	uint64_t counts[5], want[5] = {2, 1, 2, 2, 2};
	struct cd_histogram h;

	cd_histogram_init(&h, 7);
	cd_histogram_add(&h, v, 9);
	cd_histogram_rebin(&h, edges, 4, counts);
	cr_assert_eq(memcmp(counts, want, sizeof(want)), 0);
	cd_histogram_release(&h);
}

Test(order, nth_equals_a_sort_and_partitions)
{
	static const size_t sizes[] = {1, 2, 3, 31, 32, 33, 1000, 5000};

	for (int kind = 0; kind < KINDS; kind++)
		for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
			size_t n = sizes[s], step = n / 17 + 1;
			int64_t *v = stream(kind, n, s);
			int64_t *sorted = sorted_copy(v, n);

			for (size_t k = 0; k < n; k += step) {
				int64_t got = cd_nth_i64(v, n, k);

				cr_assert_eq(got, sorted[k]);
				cr_assert_eq(v[k], got);
				for (size_t i = 0; i < k; i++)
					cr_assert_leq(v[i], got);
				for (size_t i = k; i < n; i++)
					cr_assert_geq(v[i], got);
			}
			free(v);
			free(sorted);
		}
}

/* Rows whose evenly spaced samples are all among the greatest: the pivots
 * are bad again and again. */
Test(order, hostile_order_still_ends_right)
{
	size_t n = 100000;
	int64_t *v = malloc(n * sizeof(*v));
	double *f = malloc(n * sizeof(*f));

	for (size_t i = 0; i < n; i++) {
		v[i] = (int64_t)(i % (n / 31) == n / 62 ? 2 * n + i : n - i);
		f[i] = (double)v[i];
	}
	for (size_t k = 0; k < n; k += 9973) {
		int64_t *sorted = sorted_copy(v, n);

		cr_assert_eq(cd_nth_i64(v, n, k), sorted[k]);
		cr_assert_eq(cd_nth_f64(f, n, k), (double)sorted[k]);
		free(sorted);
	}
	free(v);
	free(f);
}

Test(order, medians_and_mad)
{
	int64_t reported[] = {4, 1, 3, 2};
	double estimate[] = {4, 1, 3, 2}, odd[] = {9, 1, 5};
	double spread[] = {1, 1, 2, 2, 4, 6, 9};
	double one[] = {7};

	cr_assert_eq(cd_median_i64(reported, 4), 2);
	cr_assert_eq(cd_median_f64(estimate, 4), 2.5);
	cr_assert_eq(cd_median_f64(odd, 3), 5);
	cr_assert_eq(cd_mad_f64(spread, 7), 1);
	cr_assert_eq(cd_median_f64(one, 1), 7);
	cr_assert_eq(cd_mad_f64(one, 1), 0);
}
