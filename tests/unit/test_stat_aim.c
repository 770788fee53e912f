#include "stat/percentile.h"
#include "stat_streams.h"

static void check_moments(const struct cd_moments *m, const int64_t *v,
			  size_t n)
{
	struct cd_moments all = {0};

	cd_moments_add(&all, v, n);
	cr_assert_eq(m->n, all.n);
	cr_assert_eq(m->min, all.min);
	cr_assert_eq(m->max, all.max);
	cr_assert(m->sum == all.sum);
	cr_assert_arr_eq(&m->sum_squares, &all.sum_squares,
			 sizeof(all.sum_squares));
}

/* Exact for any sample; returns the passes it took. */
static int check_aimed(const int64_t *v, size_t n, int64_t *sample, size_t m)
{
	static const uint32_t p[] = {100, 1000, 50000, 95000, 99900, 99990};
	int64_t *sorted = sorted_copy(v, n);
	struct cd_select *s = cd_select_new();
	size_t handles[6], third;
	int passes;

	for (size_t i = 0; i < 6; i++)
		handles[i] = cd_select_want(s, p[i]);
	third = cd_select_want_rank(s, n / 3);
	cr_assert_eq(cd_select_aim(s, sample, m, n), 0);
	passes = play(s, v, n, 4096);
	for (size_t i = 0; i < 6; i++)
		cr_assert_eq(cd_select_result(s, handles[i]),
			     sorted[cd_percentile_rank(n, p[i])]);
	cr_assert_eq(cd_select_result(s, third), sorted[n / 3]);
	check_moments(cd_select_moments(s), v, n);
	cd_select_free(s);
	free(sorted);
	return passes;
}

Test(aim, a_good_aim_takes_one_pass)
{
	const size_t n = 300000, m = 6000;
	int64_t sample[6000];

	for (int kind = 0; kind < KINDS; kind++) {
		int64_t *v = stream(kind, n, 4);

		for (size_t i = 0; i < m; i++)
			sample[i] = v[i * 50 + i * 7919 % 50];
		cr_assert_eq(check_aimed(v, n, sample, m), 1, "kind %d", kind);
		free(v);
	}
}

/* Ticks of 8 ns, but for what `odd` adds to every 1000th. */
static int64_t *ticking(size_t n, int64_t odd)
{
	struct noise r = noise_seed(5);
	int64_t *v = malloc(n * sizeof(*v));

	for (size_t i = 0; i < n; i++) {
		v[i] = 10000000 + (int64_t)noise_gauss(&r, 50) * 8000;
		v[i] += i % 1000 == 999 ? odd : 0;
	}
	return v;
}

static int check_ticking(size_t n, int64_t odd)
{
	int64_t *v = ticking(n, odd), sample[600];
	int passes;

	for (size_t i = 0; i < 600; i++) /* none of the odd ones */
		sample[i] = v[i * (n / 600) / 1000 * 1000];
	passes = check_aimed(v, n, sample, 600);
	free(v);
	return passes;
}

Test(aim, values_on_a_grid)
{
	cr_assert_eq(check_ticking(60000, 0), 1);
	/* a finer grid than the sample's */
	cr_assert_eq(check_ticking(60000, 2000), 1);
	cr_assert_eq(check_ticking(60000, 1000), 1);
	/* one that is too fine */
	cr_assert_gt(check_ticking(60000, 1), 1);
	/* out of the sample's range, on either side */
	cr_assert_eq(check_ticking(60000, 80000000), 1);
	cr_assert_eq(check_ticking(60000, -INT64_C(80000000001)), 1);
}

Test(aim, a_poor_aim_costs_passes_only)
{
	static const int64_t samples[] = {0, INT64_MIN, INT64_MAX, 20000000,
					  -5};
	const size_t n = 50000;

	for (int kind = 0; kind < KINDS; kind++) {
		int64_t *v = stream(kind, n, 6), few[3];

		for (size_t i = 0; i < 5; i++) {
			few[0] = samples[i];
			check_aimed(v, n, few, 1);
		}
		for (size_t i = 0; i < 3; i++)
			few[i] = v[i];
		check_aimed(v, n, few, 3);
		check_aimed(v, n, few, 0);
		free(v);
	}
}

Test(aim, an_aim_keeps_only_so_many)
{
	const size_t n = 1500000;
	int64_t *v = stream(0, n, 8), sample[2] = {0, INT64_C(1) << 40};

	/* a range that holds everything, more than is kept */
	cr_assert_gt(check_aimed(v, n, sample, 2), 1);
	free(v);
}
