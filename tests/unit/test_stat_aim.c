#include "stat/percentile.h"
#include "stat_streams.h"

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
			sample[i] = v[i * 50 + 17];
		cr_assert_eq(check_aimed(v, n, sample, m), 1, "kind %d", kind);
		free(v);
	}
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
