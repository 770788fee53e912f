/* Unwrapping: generators that begin again, queues, copies, wild numbers. */
#include "unwrapping.h"

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
