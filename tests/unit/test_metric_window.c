/* The order, whatever the window of numbers held. */
#include "random_order.h"

/* Numbers of `lanes` queues in blocks, clocks apart, now and then a stamp from
 * far ahead or far behind. */
static struct cd_track *make_queues(uint64_t seed, int64_t n)
{
	struct cd_track *track = cd_track_new(1000);
	uint64_t state = seed * 77 + 5;
	int64_t next[3], block = 1 + (int64_t)(next_random(&state) % 150);
	int64_t apart = (int64_t)(next_random(&state) % 200) * 10 * US;
	int64_t left = n, number = 0;

	for (int64_t q = 0; q < 3; q++)
		next[q] = q;
	while (left > 0) {
		int64_t q = (int64_t)(next_random(&state) % 3);

		for (int64_t i = 0; i < block && next[q] < n; i++, left--) {
			struct cd_track_row row = {
			    .seq = next[q],
			    .time_ps = next[q] * 10 * US + q * apart,
			    .number = (uint64_t)++number,
			    .length = 60,
			};

			next[q] += 3;
			if (chance(&state, 2))
				row.time_ps += 10000 * US;
			if (chance(&state, 2))
				row.time_ps -= 3000 * US;
			if (seed % 2 == 1 && chance(&state, 3))
				row.time_ps = CD_TIME_NONE;
			cr_assert_eq(cd_track_add(track, &row, CD_ROW_KEPT), 0);
		}
	}
	cr_assert_eq(cd_track_finish(track), 0);
	return track;
}

/* The definitions, by file order and by time. */
static struct cd_disorder plain_order(const struct cd_track *track)
{
	static int64_t s[ROWS], t[ROWS], st[ROWS];
	struct cd_track_reader *reader =
	    cd_track_reader_new(track, CD_ORDER_FILE, CD_COLUMN_TIME);
	struct cd_disorder x = {0};
	struct cd_block block;
	size_t n = 0, m = 0;

	cr_assert_not_null(reader);
	while (cd_track_reader_next(reader, &block))
		for (size_t i = 0; i < block.n; i++) {
			size_t k;

			s[n++] = block.seq[i];
			if (block.time_ps[i] == CD_TIME_NONE)
				continue;
			for (k = m++; k > 0 && t[k - 1] > block.time_ps[i];
			     k--) {
				t[k] = t[k - 1];
				st[k] = st[k - 1];
			}
			t[k] = block.time_ps[i];
			st[k] = block.seq[i];
		}
	cd_track_reader_free(reader);
	for (size_t i = 0; i < n; i++) {
		uint64_t e = extent_of(s, i), greater = 0;

		while (greater < i && s[i - 1 - greater] > s[i])
			greater++;
		x.reordered_file += e > 0;
		x.extent_max = e > x.extent_max ? e : x.extent_max;
		x.n_max = greater > x.n_max ? greater : x.n_max;
	}
	for (size_t i = 0; i < m; i++)
		x.reordered_time += extent_of(st, i) > 0;
	x.moves = n - longest_rising(s, n);
	return x;
}

Test(order, any_window_gives_the_same)
{
	static const size_t windows[] = {64, 128, 512, 0};

	for (uint64_t seed = 0; seed < 24; seed++) {
		struct cd_track *track = make_queues(seed, 1500);
		struct cd_disorder plain = plain_order(track);

		cr_assert_gt(plain.reordered_file, 0);
		for (size_t i = 0; i < 4; i++) {
			struct cd_order_task task = {
			    .dut = track,
			    .from = INT64_MIN,
			    .to = INT64_MAX,
			    .arrivals = 1500,
			    .steps_back = true,
			    .window = windows[i],
			};
			struct cd_disorder x;

			cr_assert_eq(cd_order_measure(&task, &x), 0);
			cr_expect_eq(x.arrivals, 1500);
			cr_expect_eq(x.reordered_file, plain.reordered_file);
			cr_expect_eq(x.reordered_time, plain.reordered_time,
				     "seed %d window %zu: %d, not %d",
				     (int)seed, windows[i],
				     (int)x.reordered_time,
				     (int)plain.reordered_time);
			cr_expect_eq(x.extent_max, plain.extent_max);
			cr_expect_eq(x.n_max, plain.n_max);
			cr_expect(x.moves_known);
			cr_expect_eq(x.moves, plain.moves);
		}
		cd_track_free(track);
	}
}
