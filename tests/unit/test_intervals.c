/* Intervals of a capture as it is read, against a plain count. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "align/intervals.h"
#include "base/time.h"
#include "stat_random.h"

#define MS CD_PS_PER_MS

static struct cd_intervals by_packets(uint64_t every)
{
	return (struct cd_intervals){.every = every, .fcs_bytes = -1};
}

static struct cd_intervals by_time(int64_t span_ps)
{
	return (struct cd_intervals){.span_ps = span_ps, .fcs_bytes = -1};
}

static void add(struct cd_intervals *in, int64_t time_ps, uint64_t frame)
{
	struct cd_interval_packet packet = {
	    .time_ps = time_ps,
	    .frame = frame,
	    .caplen = (uint32_t)(frame % 97),
	    .length = (uint32_t)(frame % 1500),
	    .drops = frame % 5 == 0,
	};

	cr_assert_eq(cd_intervals_add(in, &packet), 0);
}

/* Whatever the rows are, together they are the capture. */
static void check_sums(const struct cd_intervals *in, uint64_t n)
{
	struct cd_interval_row sum = {0};
	uint64_t captured = 0, l2 = 0, drops = 0;

	for (uint64_t frame = 1; frame <= n; frame++) {
		uint64_t length = frame % 1500 + 4;

		captured += frame % 97;
		l2 += length < 64 ? 64 : length;
		drops += frame % 5 == 0;
	}
	for (size_t i = 0; i < in->n; i++) {
		sum.packets += in->rows[i].packets;
		sum.captured_bytes += in->rows[i].captured_bytes;
		sum.l2_bytes += in->rows[i].l2_bytes;
		sum.drops += in->rows[i].drops;
	}
	cr_assert_eq(sum.packets, n);
	cr_assert_eq(in->packets, n);
	cr_assert_eq(sum.captured_bytes, captured);
	cr_assert_eq(sum.l2_bytes, l2);
	cr_assert_eq(sum.drops, drops);
}

Test(intervals, by_packets_every_row_has_as_many)
{
	struct cd_intervals in = by_packets(7);

	for (uint64_t frame = 1; frame <= 100; frame++)
		add(&in, (int64_t)frame * MS, frame);
	check_sums(&in, 100);
	cr_assert_eq(in.n, 15);
	for (size_t i = 0; i < in.n; i++) {
		cr_assert_eq(in.rows[i].packets, i < 14 ? 7 : 2);
		cr_assert_eq(in.rows[i].first_frame, 7 * i + 1);
		cr_assert_eq(in.rows[i].first_ps, (int64_t)(7 * i + 1) * MS);
	}
	for (uint64_t frame = 1; frame <= 100; frame++)
		cr_assert_eq(cd_intervals_row(&in, frame, 0), (frame - 1) / 7);
	cd_intervals_release(&in);
}

/* Also those stamped before the first, long silence, and no time at all. */
Test(intervals, by_time_every_packet_lies_where_its_stamp_says)
{
	enum { N = 5000 };
	struct cd_intervals in = by_time(10 * MS);
	struct noise r = noise_seed(17);
	uint64_t *plain = calloc(2000, sizeof(*plain));
	int64_t *at_of = calloc(N + 1, sizeof(*at_of));
	size_t *row_of = calloc(N + 1, sizeof(*row_of));
	int64_t start = 1234567 * MS / 1000;
	size_t last = 0;

	for (uint64_t frame = 1; frame <= N; frame++) {
		int64_t at = start - 500 * MS +
			     (int64_t)noise_below(&r, (uint64_t)(9000 * MS));

		if (frame == 1)
			at = start;
		if (frame % 11 == 0)
			at = CD_TIME_NONE;
		else
			last =
			    at < start ? 0 : (size_t)((at - start) / (10 * MS));
		plain[last]++;
		add(&in, at, frame);
		at_of[frame] = at;
		row_of[frame] = last;
	}
	for (uint64_t frame = 1; frame <= N; frame++)
		cr_assert_eq(cd_intervals_row(&in, frame, at_of[frame]),
			     row_of[frame], "frame %d", (int)frame);
	check_sums(&in, N);
	for (size_t i = 0; i < in.n; i++)
		cr_assert_eq(in.rows[i].packets, plain[i], "row %zu", i);
	free(plain);
	free(at_of);
	free(row_of);
	cd_intervals_release(&in);
}

Test(intervals, stamps_a_century_away_do_not_take_memory)
{
	static const int64_t away[] = {INT64_MAX, INT64_MAX - 1,
				       1000000 * CD_PS_PER_S};

	for (size_t i = 0; i < sizeof(away) / sizeof(*away); i++) {
		struct cd_intervals in = by_time(MS);

		add(&in, -5 * CD_PS_PER_S, 1);
		add(&in, INT64_MIN + 1, 2);
		cr_assert_not(in.too_many);
		cr_assert_eq(in.n, 1);
		add(&in, away[i], 3);
		cr_assert(in.too_many);
		cr_assert_eq(in.n, 1);
		cd_intervals_release(&in);
	}
}

Test(intervals, as_many_rows_as_fit_and_no_more)
{
	struct cd_intervals in = by_packets(1);

	for (uint64_t frame = 1; frame <= CD_INTERVALS_MAX; frame++)
		add(&in, 0, frame);
	cr_assert_not(in.too_many);
	cr_assert_eq(in.n, CD_INTERVALS_MAX);
	add(&in, 0, CD_INTERVALS_MAX + 1);
	cr_assert(in.too_many);
	cr_assert_eq(in.n, CD_INTERVALS_MAX);
	cd_intervals_release(&in);
}

Test(intervals, no_time_anywhere)
{
	struct cd_intervals in = by_time(MS);

	for (uint64_t frame = 1; frame <= 10; frame++)
		add(&in, CD_TIME_NONE, frame);
	check_sums(&in, 10);
	cr_assert_eq(in.n, 1);
	cr_assert_eq(in.rows[0].first_ps, CD_TIME_NONE);
	cr_assert_eq(cd_intervals_row(&in, 10, CD_TIME_NONE), 0);
	cd_intervals_release(&in);
}
