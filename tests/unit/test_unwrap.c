/* Unwrapping: wraps, losses, strays. */
#include "unwrapping.h"

/* ---- the scenarios of METRICS 0.3 --------------------------------------------- */

Test(unwrap, plain_wrap)
{
	for (unsigned w = 5; w <= 64; w++) {
		struct stream s = stream_new(w, 1);
		int64_t first = (int64_t)((UINT64_C(1) << (w - 1)) - 70000);

		if (w < 18 || w == 64)
			first = 3;
		put_run(&s, 0, first, first + 200000, 0);
		expect_right(&s, 0);
	}
}

Test(unwrap, wrap_of_long_fields)
{
	for (unsigned w = 20; w <= 62; w++) {
		struct stream s = stream_new(w, 1);
		int64_t first = ((int64_t)1 << w) - 70000;

		put_run(&s, 0, first, first + 100000, 0);
		expect_right(&s, 0);
	}
}

/* 64 bits are signed: they go through zero, not round. */
Test(unwrap, through_zero)
{
	struct stream s = stream_new(64, 1);

	put_run(&s, 0, -50000, 50000, 0);
	expect_right(&s, 0);
}

Test(unwrap, steps)
{
	const int64_t steps[] = {2, 3, 6, 64, 1000, 1460, -1, -2, -3, -1000};

	for (size_t i = 0; i < 10; i++)
		for (size_t k = 0; k < 4; k++) {
			struct stream s = stream_new(widths[k], steps[i]);
			int64_t first = steps[i] < 0 ? -60 : 1;

			put_run(&s, 0, first, first + 50000, 10);
			expect_right(&s, 0);
		}
}

Test(unwrap, a_residue_other_than_zero)
{
	struct stream s = stream_new(32, 1000);

	put_run(&s, 0, 10, 50000, 10);
	for (size_t i = 0; i < s.n; i++)
		s.records[i].raw += 7;
	expect_right(&s, 0);
}

Test(unwrap, begins_just_below_zero)
{
	struct stream s = stream_new(32, 1);

	put_run(&s, 0, -2, 1000, 0);
	expect_right(&s, 0);
}

/* 1 % lost, neighbours swapped now and then, some further apart */
static void put_swapped(struct stream *s, unsigned epoch, int64_t first,
			int64_t last)
{
	size_t from = s->n;

	put_run(s, epoch, first, last, 10);
	for (size_t i = from; i + 8 < s->n; i++) {
		size_t far = next_random(&s->state) % 100 == 0
				 ? 1 + next_random(&s->state) % 7
				 : 0;
		struct record r = s->records[i];

		s->records[i] = s->records[i + far];
		s->records[i + far] = r;
	}
}

Test(unwrap, loss_and_swaps)
{
	for (size_t k = 0; k < 4; k++) {
		struct stream s = stream_new(widths[k], 1);

		put_swapped(&s, 0, 5, 300000);
		expect_right(&s, 0);
		cr_expect_gt(s.late, 1000);
	}
}

Test(unwrap, corrupt_numbers)
{
	for (size_t k = 0; k < 4; k++) {
		struct stream s = stream_new(widths[k], 1);
		size_t corrupt = 0;

		put_swapped(&s, 0, 5, 300000);
		for (size_t i = 0; i < s.n; i++) {
			if (next_random(&s.state) % 1000 > 0)
				continue;
			s.records[i].corrupt = true;
			s.records[i].raw =
			    next_random(&s.state) & mask_of(&s);
			corrupt++;
		}
		run(&s);
		cr_expect_eq(s.wrong, 0, "w=%u: %zu wrong", widths[k],
			     s.wrong);
		cr_expect_eq(s.restarts, 0);
		cr_expect_eq(s.strays + s.corrupt_taken, corrupt);
		/* those that fall into [-W, 8]: W/2^w = 1/8 with 10,000
		 * packets in 100 ms and w = 16 */
		cr_expect_leq(s.corrupt_taken,
			      widths[k] == 16 ? corrupt / 5
			      : widths[k] == 24 ? 2 : 0);
	}
}

/* A few damaged numbers in a row do not vote each other in. */
static bool is_bad(int64_t seq)
{
	return seq % 1500 == 50 && seq < 18000;
}

/* A little ahead, but the packet with that number comes in its turn. */
Test(unwrap, corrupt_numbers_nearby)
{
	for (size_t k = 0; k < 4; k++)
		for (int64_t ahead = 20; ahead <= 990; ahead += 97) {
			struct stream s = stream_new(widths[k], 1);

			for (int64_t seq = 0; seq < 20000; seq++) {
				put(&s, 0, is_bad(seq) ? seq + ahead
							    : seq);
				s.records[s.n - 1].corrupt = is_bad(seq);
			}
			run(&s);
			cr_expect_eq(s.wrong, 0);
			cr_expect_eq(s.corrupt_taken, 0,
				     "w=%u ahead=%lld: %zu taken", widths[k],
				     (long long)ahead, s.corrupt_taken);
		}
}

Test(unwrap, corrupt_numbers_in_a_row)
{
	for (size_t k = 1; k < 4; k++)
		for (size_t row = 2; row <= 6; row++) {
			struct stream s = stream_new(widths[k], 1);

			put_run(&s, 0, 0, 200000, 1);
			for (size_t i = 0; i < s.n; i++) {
				if (i % 1000 < 1000 - row)
					continue;
				s.records[i].corrupt = true;
				s.records[i].raw =
				    next_random(&s.state) & mask_of(&s);
			}
			run(&s);
			cr_expect_eq(s.wrong, 0, "w=%u row=%zu: %zu wrong",
				     widths[k], row, s.wrong);
			cr_expect_eq(s.restarts, 0, "w=%u row=%zu", widths[k],
				     row);
		}
}
