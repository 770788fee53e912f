#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "align/pace.h"
#include "align/seen.h"
#include "align/unwrap.h"
#include "base/array.h"
#include "base/time.h"

/* xorshift64*: the same numbers everywhere. */
static uint64_t next_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * UINT64_C(2685821657736338717);
}

/* ---- what was sent, and what becomes of it ---------------------------------- */

struct record {
	int64_t seq;
	unsigned epoch;
	bool corrupt;
	uint64_t raw;
	int64_t time_ps;
	int64_t sent; /* transmit time, 0: none */
};

struct stream {
	unsigned bits;
	int64_t step;
	int64_t spacing_ps;	/* 0: no times */
	int64_t now_ps;
	uint64_t state;		/* of the random numbers */
	struct record *records;
	size_t n, capacity;

	/* results */
	size_t out;
	unsigned epoch;
	bool quiet;
	size_t strays, corrupt_taken, wrong, restarts, late;
	bool ambiguous;
	uint64_t doubtful;
};

static struct stream stream_new(unsigned bits, int64_t step)
{
	return (struct stream){.bits = bits, .step = step,
			       .spacing_ps = 10 * CD_PS_PER_US, .state = 1};
}

static uint64_t mask_of(const struct stream *s)
{
	return ~UINT64_C(0) >> (64 - s->bits);
}

static void put(struct stream *s, unsigned epoch, int64_t seq)
{
	cr_assert_eq(cd_grow(&s->records, &s->capacity, s->n + 1,
			     sizeof(*s->records)), 0);
	s->records[s->n++] = (struct record){
	    .seq = seq,
	    .epoch = epoch,
	    .raw = (uint64_t)seq * (uint64_t)s->step & mask_of(s),
	    .time_ps = s->spacing_ps == 0 ? CD_TIME_NONE : s->now_ps,
	};
	s->now_ps += s->spacing_ps;
}

/* Numbers first..last, the lost ones' time passing too. */
static void put_run(struct stream *s, unsigned epoch, int64_t first,
		    int64_t last, unsigned lost_of_1000)
{
	for (int64_t seq = first; seq <= last; seq++) {
		if (next_random(&s->state) % 1000 < lost_of_1000)
			s->now_ps += s->spacing_ps;
		else
			put(s, epoch, seq);
	}
}

static int receive(void *context, enum cd_unwrapped verdict, int64_t seq,
		   const struct cd_unwrap_in *in)
{
	struct stream *s = context;
	const struct record *r = &s->records[s->out];

	cr_assert_eq(in->number, s->out + 1, "out of order");
	cr_assert_eq(in->raw, r->raw);
	cr_assert_eq(in->tx, r->sent);
	s->out++;
	if (verdict == CD_UNWRAP_RESTART) {
		s->restarts++;
		s->epoch++;
	}
	s->late += verdict == CD_UNWRAP_LATE;
	if (verdict == CD_UNWRAP_STRAY) {
		s->strays++;
		s->wrong += !r->corrupt;
	} else if (r->corrupt) {
		s->corrupt_taken++;
	} else if (seq != r->seq || s->epoch != r->epoch) {
		if (s->wrong++ == 0 && !s->quiet)
			cr_log_error("record %zu: %u/%lld, not %u/%lld",
				     s->out - 1, s->epoch, (long long)seq,
				     r->epoch, (long long)r->seq);
	}
	return 0;
}

static void run(struct stream *s)
{
	struct cd_unwrap *u = cd_unwrap_new(s->bits, s->step, receive, s);

	for (size_t i = 0; i < s->n; i++) {
		struct cd_unwrap_in in = {.raw = s->records[i].raw,
					  .time_ps = s->records[i].time_ps,
					  .number = i + 1,
					  .has_tx = s->records[i].sent != 0,
					  .tx = s->records[i].sent};

		cr_assert_eq(cd_unwrap_push(u, &in), 0);
	}
	cr_assert_eq(cd_unwrap_flush(u), 0);
	cr_assert_eq(s->out, s->n);
	s->ambiguous = cd_unwrap_ambiguous(u);
	s->doubtful = cd_unwrap_doubtful(u);
	cd_unwrap_free(u);
	free(s->records);
	s->records = NULL;
}

/* All right, no stray, so many new epochs. */
static void expect_right(struct stream *s, size_t restarts)
{
	run(s);
	cr_expect_eq(s->wrong, 0, "w=%u step=%lld: %zu wrong", s->bits,
		     (long long)s->step, s->wrong);
	cr_expect_eq(s->strays, 0);
	cr_expect_eq(s->restarts, restarts, "%zu restarts", s->restarts);
	cr_expect_not(s->ambiguous);
}

static const unsigned widths[] = {16, 24, 32, 64};

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
		int64_t first = (1ll << w) - 70000;

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

Test(unwrap, restarts)
{
	for (size_t k = 0; k < 4; k++)
		for (int lost = 0; lost <= 10; lost += 10)
			for (int same = 0; same <= 1; same++) {
				struct stream s = stream_new(widths[k], 1);

				/* 1,000 packets a second: W = 1,000 */
				s.spacing_ps = CD_PS_PER_MS;
				put_run(&s, 0, same ? 7 : 5000, same ? 2006
								     : 9000,
					(unsigned)lost);
				put(&s, 1, same ? 7 : 0);
				put_run(&s, 1, same ? 8 : 1, 30000,
					(unsigned)lost);
				expect_right(&s, 1);
			}
}

Test(unwrap, several_restarts_and_one_at_the_end)
{
	struct stream s = stream_new(32, 1);

	s.spacing_ps = CD_PS_PER_MS;
	for (unsigned epoch = 0; epoch < 5; epoch++)
		put_run(&s, epoch, 0, 2500, 0);
	put_run(&s, 5, 0, 300, 0);
	expect_right(&s, 5);
}

Test(unwrap, restart_of_an_uneven_step)
{
	struct stream s = stream_new(32, 2);

	s.spacing_ps = CD_PS_PER_MS;
	put_run(&s, 0, 0, 5000, 0);
	put_run(&s, 1, 0, 5000, 0);
	for (size_t i = 5001; i < s.n; i++)
		s.records[i].raw++;
	expect_right(&s, 1);
}

Test(unwrap, a_burst_of_loss)
{
	const int64_t burst[] = {20000, 2000000, 2000000, 2000000};

	for (size_t k = 0; k < 4; k++)
		for (int timed = 0; timed <= 1; timed++) {
			struct stream s = stream_new(widths[k], 1);

			s.spacing_ps *= timed;
			put_run(&s, 0, 10, 50000, 0);
			s.now_ps += burst[k] * s.spacing_ps;
			put_run(&s, 0, 50001 + burst[k], 100000 + burst[k], 0);
			expect_right(&s, 0);
		}
}

Test(unwrap, most_lost)
{
	for (size_t k = 0; k < 4; k++) {
		struct stream s = stream_new(widths[k], 1);

		put(&s, 0, 5);
		put_run(&s, 0, 6, 2000000, 870);
		expect_right(&s, 0);
	}
}

Test(unwrap, duplicates)
{
	for (size_t k = 0; k < 4; k++) {
		struct stream s = stream_new(widths[k], 1);
		size_t copies = 0;

		put(&s, 0, 9);
		for (int64_t seq = 10; seq < 200000; seq++) {
			put(&s, 0, seq);
			if (next_random(&s.state) % 100 == 0) {
				put(&s, 0, seq);
				copies++;
			}
		}
		expect_right(&s, 0);
		cr_expect_eq(s.late, copies);
	}
}

/* Two receive queues, even and odd numbers, taken in turn. */
static void put_queues(struct stream *s, unsigned epoch, int64_t first,
		       int64_t last, int64_t block)
{
	for (int64_t seq = first; seq <= last; seq += 2 * block)
		for (int64_t odd = 0; odd < 2; odd++)
			for (int64_t i = 0; i < block; i++)
				if (seq + 2 * i + odd <= last)
					put(s, epoch, seq + 2 * i + odd);
}

Test(unwrap, two_queues_in_blocks)
{
	for (size_t k = 0; k < 4; k++)
		for (int64_t block = 64; block <= 500; block += 109)
			for (int64_t end = 0; end < 3 * block; end += 97) {
				struct stream s = stream_new(widths[k], 1);

				put_queues(&s, 0, 4, 15000 + end, block);
				expect_right(&s, 0);
			}
}

/* One packet far ahead of its neighbours, which follow. */
Test(unwrap, single_packets_that_came_early)
{
	for (size_t k = 0; k < 4; k++)
		for (int64_t ahead = 2; ahead <= 1000; ahead *= 2) {
			struct stream s = stream_new(widths[k], 1);

			for (int64_t seq = 0; seq < 20000; seq++) {
				if (seq % 1100 == 50)
					put(&s, 0, seq + ahead);
				if ((seq - ahead) % 1100 != 50 ||
				    seq < 50 + ahead)
					put(&s, 0, seq);
			}
			expect_right(&s, 0);
		}
}

/* Copies go to either queue: what comes late repeats some numbers. */
Test(unwrap, two_queues_with_copies)
{
	for (unsigned share = 100; share >= 20; share /= 2)
		for (int64_t end = 0; end < 300; end++) {
			struct stream s = stream_new(32, 1);
			int64_t dealt[40000];
			size_t n = 0;

			s.state += (uint64_t)end;
			for (int64_t seq = 0; seq < 15000 + end; seq++) {
				dealt[n++] = seq;
				if (next_random(&s.state) % share == 0)
					dealt[n++] = seq;
			}
			for (size_t at = 0; at < n; at += 128)
				for (size_t odd = 0; odd < 2; odd++)
					for (size_t i = at + odd;
					     i < at + 128 && i < n; i += 2)
						put(&s, 0, dealt[i]);
			expect_right(&s, 0);
		}
}

Test(unwrap, queues_of_unequal_blocks)
{
	struct stream s = stream_new(32, 1);
	int64_t next[2] = {0, 1};

	for (int i = 0; i < 2000; i++) {
		int q = i & 1;
		int64_t n = 64 + (int64_t)(next_random(&s.state) % 437);

		for (; n > 0 && next[q] < next[!q] + 990; n--, next[q] += 2)
			put(&s, 0, next[q]);
	}
	expect_right(&s, 0);
}

Test(unwrap, blocks_captured_twice)
{
	for (size_t k = 0; k < 4; k++)
		for (int64_t block = 64; block <= 500; block += 109)
			for (unsigned lost = 0; lost <= 10; lost += 10) {
				struct stream s = stream_new(widths[k], 1);
				size_t from;

				put_run(&s, 0, 100, 5000, lost);
				for (int times = 0; times < 3; times++) {
					int64_t last =
					    s.records[s.n - 1].seq;

					from = s.n - (size_t)block;
					for (int64_t i = 0; i < block; i++)
						put(&s, 0,
						    s.records[from++].seq);
					if (times < 2)
						put_run(&s, 0, last + 1,
							last + 4000, lost);
				}
				expect_right(&s, 0);
			}
}

/* ---- restarts within the window ---- */

static void put_sent_run(struct stream *s, unsigned epoch, int64_t first,
			 int64_t last, int64_t *sent)
{
	size_t from = s->n;

	put_run(s, epoch, first, last, 10);
	for (size_t i = from; i < s->n; i++)
		s->records[i].sent = ++*sent;
}

/* W is 10,000 here. */
Test(unwrap, restart_by_transmit_times)
{
	static const int64_t lengths[] = {200, 900, 9000};

	for (size_t i = 0; i < 3; i++) {
		struct stream s = stream_new(32, 1);
		int64_t sent = 1000000;

		s.spacing_ps *= i == 2; /* and without any other times */
		put_sent_run(&s, 0, 0, lengths[i], &sent);
		put_sent_run(&s, 1, 0, 20000, &sent);
		expect_right(&s, 1);
		cr_expect_eq(s.doubtful, 0);
	}
}

/* Late packets and copies were sent before, also where the field of the
 * transmit time goes round between. */
Test(unwrap, sent_before_is_no_restart)
{
	static const int64_t firsts[] = {1000, (INT64_C(1) << 32) - 2500};

	for (size_t i = 0; i < 2; i++) {
		struct stream s = stream_new(32, 1);
		int64_t first = firsts[i];

		for (int64_t seq = 0; seq < 20000; seq++) {
			put(&s, 0, seq);
			s.records[s.n - 1].sent =
			    (first + seq) & ((INT64_C(1) << 32) - 1);
			if (seq % 3000 != 2700)
				continue;
			for (int64_t back = seq - 400; back < seq - 20; back++) {
				put(&s, 0, back);
				s.records[s.n - 1].sent =
				    (first + back) & ((INT64_C(1) << 32) - 1);
			}
		}
		expect_right(&s, 0);
		cr_expect_eq(s.doubtful, 0);
	}
}

Test(unwrap, restart_by_the_time_it_takes)
{
	for (unsigned lost = 0; lost <= 10; lost += 10)
		for (int64_t n = 1500; n <= 9000; n += 2500) {
			struct stream s = stream_new(32, 1);

			put_run(&s, 0, 0, n, lost);
			put(&s, 1, 0);
			put_run(&s, 1, 1, 20000, lost);
			expect_right(&s, 1);
			cr_expect_eq(s.doubtful, 0);
		}
}

/* The same numbers all at once are copies, however many. */
Test(unwrap, a_ring_read_twice)
{
	struct stream s = stream_new(32, 1);

	put_run(&s, 0, 0, 9000, 0);
	s.spacing_ps /= 50;
	put_run(&s, 0, 5000, 9000, 0);
	s.spacing_ps *= 50;
	put_run(&s, 0, 9001, 20000, 0);
	expect_right(&s, 0);
	cr_expect_eq(s.doubtful, 0);
}

Test(unwrap, few_numbers_again_are_doubtful)
{
	struct stream s = stream_new(32, 1);

	put_run(&s, 0, 0, 500, 0);
	put_run(&s, 0, 0, 20000, 0);
	expect_right(&s, 0);
	cr_expect_eq(s.doubtful, 501);
}

/* ---- limits ----------------------------------------------------------------------- */

Test(unwrap, narrow_fields)
{
	/* a quarter of the cycle lost again and again */
	for (unsigned w = 3; w <= 12; w++)
		for (int timed = 0; timed <= 1; timed++) {
			struct stream s = stream_new(w, 1);
			int64_t lost = 1 << (w - 2), seq = 1;

			s.spacing_ps *= timed;
			for (int64_t i = 0; i < 20; i++) {
				put_run(&s, 0, seq, seq + 999, 0);
				s.now_ps += lost * s.spacing_ps;
				seq += 1000 + lost;
			}
			expect_right(&s, 0);
		}
}

Test(unwrap, one_and_two_bits)
{
	for (unsigned w = 1; w <= 2; w++) {
		struct stream s = stream_new(w, 1);

		put_run(&s, 0, 0, 3000, 0);
		expect_right(&s, 0);
	}
}

Test(unwrap, anything_in)
{
	for (unsigned w = 1; w <= 64; w++)
		for (int64_t step = -3; step <= 4; step++) {
			struct stream s = stream_new(w, step == 0 ? 1460
								  : step);

			s.state = w + 1;
			put_run(&s, 0, 0, 300, 500);
			for (int i = 0; i < 3000; i++) {
				uint64_t x = next_random(&s.state);

				put(&s, 0, (int64_t)(x >> (x & 63)));
				s.records[s.n - 1].raw =
				    next_random(&s.state) & mask_of(&s);
				s.records[s.n - 1].corrupt = true;
				if (x % 17 == 0)
					s.records[s.n - 1].time_ps =
					    (int64_t)next_random(&s.state);
			}
			s.quiet = true;
			run(&s); /* every record comes out once, in order */
		}
}

/* What falls all the time must not cost the square of the window. */
Test(unwrap, falling_numbers, .timeout = 20)
{
	for (int64_t spacing = 100000; spacing < CD_PS_PER_S; spacing *= 100) {
		struct stream s = stream_new(32, 1);

		s.quiet = true;
		s.spacing_ps = spacing;
		for (int64_t i = 0; i < 300000; i++)
			put(&s, 0, 1000000 - i);
		run(&s);
	}
}

/* Files written backwards: every packet is late, none begins an epoch. */
Test(unwrap, backwards)
{
	static const unsigned lost[] = {0, 1, 100};

	for (size_t i = 0; i < 3; i++)
		for (int64_t first = 1; first < 40000; first += 19990) {
			struct stream s = stream_new(32, 1);

			put_run(&s, 0, first, first + 25000, lost[i]);
			for (size_t a = 0, b = s.n - 1; a < b; a++, b--) {
				struct record t = s.records[a];

				s.records[a] = s.records[b];
				s.records[b] = t;
			}
			expect_right(&s, 0);
			cr_expect_eq(s.late, s.n - 1);
		}
}

Test(unwrap, steps_as_large_as_the_field)
{
	const int64_t steps[] = {INT64_MIN, INT64_MAX, 256, 65536, -65536};

	for (size_t i = 0; i < 5; i++) {
		struct stream s = stream_new(8, steps[i]);

		put_run(&s, 0, 0, 3000, 100);
		s.quiet = true;
		run(&s);
	}
}

Test(unwrap, a_wild_first_number)
{
	const uint64_t wild[] = {1000000000, 2000000000, 3000000000};

	for (size_t i = 0; i < 3; i++) {
		struct stream s = stream_new(32, 1);

		put(&s, 0, 0);
		s.records[0].raw = wild[i];
		s.records[0].corrupt = true;
		put_run(&s, 0, 10, 5000, 0);
		run(&s);
		cr_expect_eq(s.wrong, 0);
		cr_expect_eq(s.strays, 1);
		cr_expect_eq(s.restarts, 0);
	}
}

/* Nothing follows the last record: the time must do. */
Test(unwrap, a_wild_last_number)
{
	struct stream s = stream_new(32, 1), t = stream_new(32, 1);

	put_run(&s, 0, 10, 5000, 0);
	put(&s, 0, 0);
	s.records[s.n - 1].raw = 1000000000;
	s.records[s.n - 1].corrupt = true;
	run(&s);
	cr_expect_eq(s.strays, 1);
	/* but a stall may well end the file */
	put_run(&t, 0, 10, 50000, 0);
	t.now_ps += 100000 * t.spacing_ps;
	put(&t, 0, 150001);
	expect_right(&t, 0);
}

/* ---- gaps longer than the field can count ------------------------------------------ */

Test(unwrap, time_counts_the_cycles)
{
	/* 100,000 packets a second and 16 bits: 0.66 s a cycle */
	for (int64_t lost = 18000; lost < 700000; lost += 11111) {
		struct stream s = stream_new(16, 1);

		put_run(&s, 0, 10, 100000, 5);
		s.now_ps += lost * s.spacing_ps;
		put_run(&s, 0, 100001 + lost, 200000 + lost, 5);
		expect_right(&s, 0);
	}
}

Test(unwrap, a_wild_time_counts_no_cycles)
{
	struct stream s = stream_new(16, 1);

	put_run(&s, 0, 10, 100000, 0);
	s.now_ps += s.spacing_ps * 20;
	put_run(&s, 0, 100020, 200000, 0);
	s.records[100000 - 9].time_ps += 100 * CD_PS_PER_S;
	expect_right(&s, 0);
}

Test(unwrap, a_pause_is_no_loss)
{
	struct stream s = stream_new(16, 1);

	put_run(&s, 0, 10, 100000, 0);
	s.now_ps += 10 * CD_PS_PER_S;
	put_run(&s, 0, 100001, 200000, 0);
	expect_right(&s, 0);
}

Test(unwrap, an_uneven_rate_is_ambiguous)
{
	struct stream s = stream_new(16, 1);

	put_run(&s, 0, 10, 100000, 0);
	s.spacing_ps *= 7;
	put_run(&s, 0, 100001, 200000, 0);
	s.now_ps += 200000 * s.spacing_ps;
	put_run(&s, 0, 400001, 500000, 0);
	run(&s);
	cr_expect(s.ambiguous);
}

Test(unwrap, loss_below_the_limit_is_not_ambiguous)
{
	struct stream s = stream_new(16, 1);

	put_run(&s, 0, 10, 100000, 0);
	s.spacing_ps *= 7;
	put_run(&s, 0, 100001, 200000, 0);
	s.now_ps += 2000 * s.spacing_ps;
	put_run(&s, 0, 202001, 300000, 0);
	expect_right(&s, 0);
}

static int stop_at_50(void *context, enum cd_unwrapped verdict, int64_t seq,
		      const struct cd_unwrap_in *in)
{
	(void)context;
	(void)verdict;
	(void)seq;
	return in->number == 50 ? -1 : 0;
}

Test(unwrap, the_receiver_may_stop_it)
{
	struct cd_unwrap *u = cd_unwrap_new(32, 1, stop_at_50, NULL);
	int status = 0;
	uint64_t i;

	for (i = 1; status == 0 && i < 100; i++)
		status = cd_unwrap_push(
		    u, &(struct cd_unwrap_in){.raw = i, .number = i});
	cr_assert_eq(i, 51);
	cd_unwrap_free(u);
}

/* ---- helpers of their own -------------------------------------------------------------- */

Test(seen, like_a_plain_list)
{
	bool has[20000];
	struct cd_seen seen = {0};
	uint64_t state = 5;
	int64_t max = 100;

	memset(has, 0, sizeof(has));
	has[100] = true;
	cd_seen_start(&seen, 100);
	while (max < 19000) {
		int64_t skip = (int64_t)(next_random(&state) % 9);

		if (skip > 0)
			cr_assert_eq(cd_seen_skip(&seen, max + 1,
						  (uint64_t)skip), 0);
		max += skip + 1;
		has[max] = true;
		for (int i = 0; i < 3; i++) {
			int64_t s = max - (int64_t)(next_random(&state) % 40);

			if (s < 100)
				continue;
			cr_assert_eq(cd_seen_has(&seen, s), has[s]);
			cr_assert_eq(cd_seen_fill(&seen, s), 0);
			has[s] = true;
		}
	}
	cr_assert_gt(max - seen.from, 1000);
	for (int64_t s = seen.from; s <= max; s++)
		cr_assert_eq(cd_seen_has(&seen, s), has[s]);
	for (int64_t s = seen.from; s + 300 <= max; s += 7) {
		uint64_t missing = 0;

		for (int64_t i = s; i <= s + 300; i++)
			missing += !has[i];
		cr_assert_eq(cd_seen_missing(&seen, s, s + 300), missing);
	}
	cd_seen_release(&seen);
}

Test(pace, packets_in_100_ms)
{
	struct cd_pace pace = {0};

	for (int64_t i = 0; i < 10000; i++)
		cd_pace_note(&pace, i * 20 * CD_PS_PER_US, i);
	cr_assert_geq(cd_pace_100ms(&pace), 4990);
	cr_assert_leq(cd_pace_100ms(&pace), 5010);
	cr_assert(cd_pace_exceeds(&pace, CD_PS_PER_S, 9999, 49000));
	cr_assert_not(cd_pace_exceeds(&pace, CD_PS_PER_S, 9999, 51000));
	cr_assert_eq(cd_pace_guess(&pace, CD_PS_PER_S, 9999).by_all, 50000);
	cr_assert_eq(cd_pace_gap(&pace, 9999 * 20 * CD_PS_PER_US + 5), 5);
	cr_assert_eq(cd_pace_gap(&pace, CD_TIME_NONE), 0);
	cr_assert_eq(cd_pace_gap(&pace, 0), 0);
}
