/* When duplicates came, on the reference's clock, against when they did. */
#include "count_scene.h"

#include <math.h>

#include "report/series.h"

#define SPACING (100 * US)
#define DRIFT 100e-6
#define OFFSET (3 * CD_PS_PER_S)
#define STEP (7 * MS)
/* The copy of a packet comes this much after it. */
#define LATER (40 * US)

/* What the compared clock shows: fast, ahead, and set at `step_at`. */
static int64_t show(int64_t true_ps, int64_t step_at)
{
	return true_ps + llround((double)true_ps * DRIFT) + OFFSET +
	       (true_ps >= step_at ? STEP : 0);
}

static bool has_copy(int64_t seq)
{
	return seq % 997 == 996;
}

/* Packets 1..n; the reference begins `head` packets before the other. */
static void make(struct scene *s, int64_t n, int64_t head, int64_t step_at)
{
	scene_init(s, 2);
	for (int64_t seq = 1; seq <= n; seq++) {
		int64_t true_ps = seq * SPACING;
		struct scene_packet p = {.seq = seq, .time_ps = true_ps};

		scene_add(&s->captures[0], p);
		if (seq <= head)
			continue;
		p.time_ps = show(true_ps, step_at);
		scene_add(&s->captures[1], p);
		p.time_ps = show(true_ps + LATER, step_at);
		if (has_copy(seq))
			scene_add(&s->captures[1], p);
	}
	analyse(s, 0);
	cr_assert_eq(s->result, 0);
}

static const struct cd_series *copies_of(const struct scene *s, uint32_t point)
{
	const struct cd_series *copies =
	    cd_report_find_series(s->report, point, "duplicate.copy");

	cr_assert_not_null(copies);
	return copies;
}

/* The reference's first packet is at SPACING. */
static void expect_times(const struct scene *s, int64_t n, int64_t head)
{
	const struct cd_series *copies = copies_of(s, 1);
	size_t row = 0;

	for (int64_t seq = head + 1; seq <= n; seq++) {
		double at = (double)((seq - 1) * SPACING + LATER) / 1e3;

		if (!has_copy(seq))
			continue;
		cr_assert_lt(row, copies->n_rows);
		cr_expect_float_eq(cd_series_number(copies, row, 0), at, 2,
				   "copy of %lld: %.3f, not %.3f",
				   (long long)seq,
				   cd_series_number(copies, row, 0), at);
		cr_expect_eq(cd_series_number(copies, row, 1), 1);
		row++;
	}
	cr_assert_eq(copies->n_rows, row);
	cr_assert_eq(copies->of, row);
}

Test(series_copies, on_a_clock_that_drifts)
{
	struct scene s;

	make(&s, 30000, 0, INT64_MAX);
	expect_times(&s, 30000, 0);
	scene_free(&s);
}

/* From the first packet of the reference, not of the pair. */
Test(series_copies, since_the_first_packet_of_the_reference)
{
	struct scene s;

	make(&s, 30000, 10000, INT64_MAX);
	expect_times(&s, 30000, 10000);
	scene_free(&s);
}

/* Each by the offset of its own side. */
Test(series_copies, before_and_after_a_step)
{
	struct scene s;

	make(&s, 30000, 0, 15000 * SPACING);
	cr_assert_eq(count(&s, "clock.steps"), 1);
	expect_times(&s, 30000, 0);
	scene_free(&s);
}

/* By its own clock, from its first packet. */
Test(series_copies, of_a_capture_by_itself)
{
	const struct cd_series *copies;
	struct scene s;

	scene_init(&s, 1);
	for (int64_t seq = 1; seq <= 100; seq++) {
		struct scene_packet p = {.seq = seq,
					 .time_ps = OFFSET + seq * SPACING};

		scene_add(&s.captures[0], p);
		p.time_ps += LATER;
		if (seq == 21)
			scene_add(&s.captures[0], p);
	}
	analyse(&s, 0);
	copies = copies_of(&s, 0);
	cr_assert_eq(copies->n_rows, 1);
	cr_expect_eq(cd_series_number(copies, 0, 0),
		     (double)(20 * SPACING + LATER) / 1e3);
	scene_free(&s);
}
