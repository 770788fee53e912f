#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "stat/order_rfc4737.h"
#include "stat_random.h"

/* ---- the definitions of RFC 4737, word for word and slow ---- */

static struct cd_reorder_packet judge(const int64_t *s, const int64_t *t,
				      size_t i)
{
	struct cd_reorder_packet p = {0};

	for (size_t j = i; j-- > 0;)
		if (s[j] > s[i]) {
			p.reordered = true;
			p.extent = i - j;
		}
	if (!p.reordered)
		return p;
	while (p.n < i && s[i - 1 - p.n] > s[i])
		p.n++;
	p.has_late = true;
	p.late = t[i] - t[i - p.extent];
	return p;
}

static void check(const int64_t *s, const int64_t *t, size_t n, size_t block)
{
	struct cd_reorder_packet *got = malloc((n + 1) * sizeof(*got));
	struct cd_reorder *r = cd_reorder_new(n + 1);
	struct cd_reorder_summary sum;
	uint64_t reordered = 0, n3 = 0, extents = 0;

	cr_assert_not_null(r);
	for (size_t i = 0; i < n; i += block)
		cr_assert_eq(cd_reorder_add(r, s + i, t + i,
					    n - i < block ? n - i : block,
					    got + i),
			     0);
	for (size_t i = 0; i < n; i++) {
		struct cd_reorder_packet want = judge(s, t, i);

		cr_assert_eq(got[i].reordered, want.reordered);
		cr_assert_eq(got[i].extent, want.extent);
		cr_assert_eq(got[i].n, want.n);
		cr_assert_eq(got[i].has_late, want.has_late);
		cr_assert_eq(got[i].late, want.late);
		reordered += want.reordered;
		n3 += want.n >= 3;
		extents += want.extent;
	}
	sum = cd_reorder_summary(r);
	cr_assert_eq(sum.arrivals, n);
	cr_assert_eq(sum.reordered, reordered);
	cr_assert_eq(sum.n3, n3);
	cr_assert_eq(sum.run_packets, n - reordered);
	cr_assert_eq(sum.extents->moments.n, reordered);
	cr_assert(sum.extents->moments.sum == (__int128)extents);
	free(got);
	cd_reorder_free(r);
}

/* Numbers in order with some lost, then pairs and blocks displaced. */
static void shuffle(int64_t *s, size_t n, struct noise *r, int kind)
{
	int64_t next = -50;

	for (size_t i = 0; i < n; i++) {
		next += noise_below(r, 50) == 0 ? 7 : 1;
		s[i] = next;
	}
	for (size_t k = 0; k < n / 10; k++) {
		size_t reach = kind == 0 ? 2 : kind == 1 ? 30 : n;
		size_t a = noise_below(r, n), b = a + noise_below(r, reach);
		int64_t moved = s[a];

		if (b >= n)
			continue;
		memmove(s + a, s + a + 1, (b - a) * sizeof(*s));
		s[b] = moved;
	}
}

Test(reorder, equals_the_definitions)
{
	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct noise r = noise_seed(seed);
		size_t n = 1 + noise_below(&r, 600);
		int64_t s[600], t[600];

		shuffle(s, n, &r, (int)(seed % 3));
		for (size_t i = 0; i < n; i++)
			t[i] = (int64_t)noise_below(&r, 1000000);
		check(s, t, n, 1 + noise_below(&r, 100));
	}
}

Test(reorder, ugly_orders)
{
	int64_t falling[300], t[300], ends[] = {INT64_MAX, INT64_MIN, 0};

	for (int i = 0; i < 300; i++) {
		falling[i] = 300 - i;
		t[i] = i;
	}
	check(falling, t, 300, 7);
	check(ends, t, 3, 1);
	check(ends, t, 0, 1);
}

static void run(const int64_t *s, const int64_t *t, size_t n,
		struct cd_reorder_packet *out)
{
	struct cd_reorder *r = cd_reorder_new(16);

	cr_assert_eq(cd_reorder_add(r, s, t, n, out), 0);
	cd_reorder_free(r);
}

/* RFC 4737 7.1: packet 4 arrives after 8, 62 ms late. */
Test(reorder, rfc4737_7_1)
{
	int64_t s[] = {1, 2, 3, 5, 6, 7, 8, 4, 9, 10};
	int64_t t[] = {68, 88, 108, 148, 168, 188, 208, 210, 228, 248};
	struct cd_reorder_packet p[10];

	run(s, t, 10, p);
	for (int i = 0; i < 10; i++)
		cr_assert_eq(p[i].reordered, i == 7);
	cr_assert_eq(p[7].extent, 4);
	cr_assert_eq(p[7].n, 4);
	cr_assert_eq(p[7].late, 62);
}

/* RFC 4737 7.2: 7 overtakes 5 and 6; only 5 is n-reordered, n = 1. */
Test(reorder, rfc4737_7_2)
{
	int64_t s[] = {1, 2, 3, 4, 7, 5, 6, 8, 9, 10};
	int64_t t[] = {68, 88, 108, 128, 188, 189, 190, 208, 228, 248};
	struct cd_reorder_packet p[10];

	run(s, t, 10, p);
	cr_assert(p[5].reordered && p[6].reordered);
	cr_assert_eq(p[5].extent, 1);
	cr_assert_eq(p[6].extent, 2);
	cr_assert_eq(p[5].late, 1);
	cr_assert_eq(p[6].late, 2);
	cr_assert_eq(p[5].n, 1);
	cr_assert_eq(p[6].n, 0);
}

/* As in 7.3 and 7.4: a block of three overtaken, and one that overtakes. */
Test(reorder, overtaken_block_and_overtaker)
{
	int64_t late[] = {1, 2, 3, 7, 8, 9, 10, 4, 5, 6, 11};
	int64_t early[] = {1, 2, 3, 10, 4, 5, 6, 7, 8, 9, 11};
	int64_t t[11] = {0};
	struct cd_reorder_packet p[11];

	run(late, t, 11, p);
	for (uint64_t i = 0; i < 3; i++) {
		cr_assert(p[7 + i].reordered);
		cr_assert_eq(p[7 + i].extent, 4 + i);
		cr_assert_eq(p[7 + i].n, i == 0 ? 4 : 0);
	}
	run(early, t, 11, p);
	for (uint64_t i = 0; i < 6; i++) {
		cr_assert(p[4 + i].reordered);
		cr_assert_eq(p[4 + i].extent, 1 + i);
		cr_assert_eq(p[4 + i].n, i == 0 ? 1 : 0);
	}
	cr_assert_not(p[10].reordered);
}

Test(reorder, runs_in_order)
{
	/* 1 2 3 | 5 6 | . . 7 8: three runs of 3, 2 and 2 between late ones */
	int64_t s[] = {11, 12, 13, 1, 15, 16, 2, 3, 17, 18};
	struct cd_reorder *r = cd_reorder_new(0);
	struct cd_reorder_summary sum;

	sum = cd_reorder_summary(r);
	cr_assert_eq(sum.runs, 0);
	cr_assert_eq(cd_reorder_add(r, s, NULL, 10, NULL), 0);
	sum = cd_reorder_summary(r);
	cr_assert_eq(sum.runs, 3);
	cr_assert_eq(sum.run_packets, 7);
	cr_assert(sum.run_squares == 9 + 4 + 4);
	cr_assert_eq(sum.late_times->moments.n, 0);
	cd_reorder_free(r);
	cd_reorder_free(NULL);
}

Test(reorder, late_times_only_inside_the_window)
{
	int64_t s[] = {5, 6, 7, 8, 9, 1, 8}, t[] = {0, 1, 2, 3, 4, 5, 6};
	struct cd_reorder *r = cd_reorder_new(3);
	struct cd_reorder_packet p[7];

	cr_assert_eq(cd_reorder_add(r, s, t, 7, p), 0);
	cr_assert_eq(p[5].extent, 5);
	cr_assert_not(p[5].has_late);
	cr_assert_eq(p[6].extent, 2);
	cr_assert(p[6].has_late);
	cr_assert_eq(p[6].late, 2);
	cd_reorder_free(r);
}

Test(reorder, repeats_count_as_reordered)
{
	int64_t s[] = {1, 2, 2, 1, 3};
	struct cd_reorder *r = cd_reorder_new(0);
	struct cd_reorder_packet p[5];

	cr_assert_eq(cd_reorder_add(r, s, NULL, 5, p), 0);
	cr_assert(p[2].reordered);
	cr_assert_eq(p[2].extent, 0);
	cr_assert(p[3].reordered);
	cr_assert_eq(p[3].extent, 2);
	cr_assert_not(p[4].reordered);
	cd_reorder_free(r);
}

/* The longest rising subsequence, O(n^2). */
static uint64_t reference_moves(const int64_t *s, size_t n)
{
	size_t *ending = calloc(n + 1, sizeof(*ending)), best = 0;

	for (size_t i = 0; i < n; i++) {
		ending[i] = 1;
		for (size_t j = 0; j < i; j++)
			if (s[j] < s[i] && ending[j] + 1 > ending[i])
				ending[i] = ending[j] + 1;
		best = ending[i] > best ? ending[i] : best;
	}
	free(ending);
	return n - best;
}

Test(reorder, moves)
{
	for (uint64_t seed = 1; seed <= 30; seed++) {
		struct noise r = noise_seed(seed);
		size_t n = noise_below(&r, 400);
		int64_t s[401];
		uint64_t moves;

		if (n > 0)
			shuffle(s, n, &r, (int)(seed % 3));
		cr_assert_eq(cd_reorder_moves(s, n, &moves), 0);
		cr_assert_eq(moves, reference_moves(s, n));
	}
}
