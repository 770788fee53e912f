/* Rows of --interval against what was put into the captures. */
#include "count_scene.h"

#include <math.h>

#include "report/series.h"

/* The intervals of a capture's packets, as the ingest makes them; `captured`
 * of each frame is in the file, every third packet tells a drop of 2. */
static void cut(struct scene *s, size_t k, struct cd_intervals empty,
		uint32_t captured)
{
	struct cd_intervals *in = &s->points[k].intervals;

	make_points(s);
	s->points[k].has_drops = captured > 0;
	*in = empty;
	in->fcs_bytes = -1;
	for (size_t i = 0; i < s->captures[k].n; i++) {
		const struct scene_packet *p = &s->captures[k].packets[i];
		struct cd_interval_packet packet = {
		    .time_ps = p->time_ps,
		    .frame = i + 1,
		    .caplen = captured,
		    .length = p->length,
		    .drops = i % 3 == 0 ? 2 : 0,
		};

		cr_assert_eq(cd_intervals_add(in, &packet), 0);
	}
}

static void release(struct scene *s)
{
	for (size_t k = 0; k < s->n; k++)
		cd_intervals_release(&s->points[k].intervals);
	scene_free(s);
}

static const struct cd_series *rows_of(const struct scene *s, uint32_t point)
{
	const struct cd_series *rows =
	    cd_report_find_series(s->report, point, "interval");

	cr_assert_not_null(rows);
	return rows;
}

static double cell(const struct cd_series *s, size_t row, const char *column)
{
	return cd_series_number(s, row, cd_series_column(s->kind, column));
}

static void expect(const struct cd_series *s, size_t row, const char *column,
		   double value)
{
	double got = cell(s, row, column);

	cr_expect(fabs(got - value) <= 1e-9 * fabs(value),
		  "%s of row %zu is %.17g, not %.17g", column, row, got, value);
}

/* ---- where missing packets are --------------------------------------------
 */

/* The compared capture lacks 5..7, 25 and 41..42 of 1..60, one a millisecond;
 * 8 and 26 have no valid time and count with 4 and 24 before them; 43 does. */
static void make_gaps(struct scene *s, struct cd_intervals empty)
{
	scene_init(s, 2);
	for (int64_t seq = 1; seq <= 60; seq++) {
		struct scene_packet p = {.seq = seq, .time_ps = seq * MS};

		scene_add(&s->captures[0], p);
		if ((seq >= 5 && seq <= 7) || seq == 25 ||
		    (seq >= 41 && seq <= 42))
			continue;
		if (seq == 8 || seq == 26)
			p.time_ps = CD_TIME_NONE;
		scene_add(&s->captures[1], p);
	}
	cut(s, 0, empty, 60);
	cut(s, 1, empty, 60);
	analyse(s, 0);
	cr_assert_eq(s->result, 0);
	cr_assert_eq(count(s, "loss.missing"), 6);
}

static void expect_missing(const struct scene *s, const double *missing,
			   size_t n)
{
	const struct cd_series *rows = rows_of(s, 1);

	cr_assert_eq(rows->n_rows, n);
	for (size_t i = 0; i < n; i++)
		expect(rows, i, "missing", missing[i]);
	cr_expect(isnan(cell(rows_of(s, 0), 0, "missing")),
		  "not known of the reference");
}

/* Rows of 1..4 (and 8), 5..8, 9..12 and so on. */
Test(metric_intervals, a_gap_counts_with_the_packet_after_it_by_time)
{
	static const double missing[15] = {[0] = 3, [5] = 1, [10] = 2};
	struct scene s;

	make_gaps(&s, (struct cd_intervals){.span_ps = 4 * MS});
	expect_missing(&s, missing, 15);
	expect(rows_of(&s, 1), 0, "packets", 5);
	expect(rows_of(&s, 1), 1, "packets", 0);
	release(&s);
}

/* Of the 54 packets 8 is the 5th, 26 the 22nd and 43 the 38th. */
Test(metric_intervals, a_gap_counts_with_the_packet_after_it_by_packets)
{
	static const double missing[14] = {[1] = 3, [5] = 1, [9] = 2};
	struct scene s;

	make_gaps(&s, (struct cd_intervals){.every = 4});
	expect_missing(&s, missing, 14);
	release(&s);
}

/* Other traffic says that the capture went on: the tail is lost. */
Test(metric_intervals, a_gap_at_the_end_counts_in_the_last_row)
{
	struct scene s;

	scene_init(&s, 2);
	for (int64_t seq = 1; seq <= 400; seq++) {
		struct scene_packet p = {.seq = seq, .time_ps = seq * MS};

		scene_add(&s.captures[0], p);
		p.foreign = seq > 100;
		scene_add(&s.captures[1], p);
	}
	cut(&s, 1, (struct cd_intervals){.span_ps = 50 * MS}, 60);
	analyse(&s, 0);
	cr_assert_eq(s.result, 0);
	cr_assert_geq(count(&s, "loss.missing"), 250);
	cr_assert_eq(rows_of(&s, 1)->n_rows, 8);
	for (size_t i = 0; i < 8; i++)
		expect(rows_of(&s, 1), i, "missing",
		       i < 7 ? 0 : (double)count(&s, "loss.missing"));
	release(&s);
}

/* ---- rates ----------------------------------------------------------------
 */

/* 1000 frames of 996 bytes (1000 with FCS), one every 10 us, then 500 of 46
 * (64) every 20 us: 10 ms each. */
static void make_rates(struct scene *s, struct cd_intervals empty,
		       uint32_t captured)
{
	scene_init(s, 1);
	for (int64_t i = 0; i < 1500; i++)
		scene_add(&s->captures[0],
			  (struct scene_packet){
			      .seq = i,
			      .time_ps = i < 1000
					     ? i * 10 * US
					     : 10 * MS + (i - 1000) * 20 * US,
			      .length = i < 1000 ? 996 : 46});
	s->options.link_bps = 1e9;
	cut(s, 0, empty, captured);
	analyse(s, 0);
	cr_assert_eq(s->result, 0);
}

/* 1000 bytes every 10 us are 800 Mbit/s, with the 20 bytes between frames
 * 816; 64 every 20 us are 25.6 and 33.6. */
static void expect_rates(const struct cd_series *rows, size_t row, bool large)
{
	double frames = large ? 1000 : 500;

	expect(rows, row, "duration_ns", 10e6);
	expect(rows, row, "packets", frames);
	expect(rows, row, "pps", frames / 10e-3);
	expect(rows, row, "l2_bytes", large ? 1000e3 : 32e3);
	expect(rows, row, "l2_bps", large ? 800e6 : 25.6e6);
	expect(rows, row, "l1_bps", large ? 816e6 : 33.6e6);
	expect(rows, row, "utilisation", large ? 0.816 : 0.0336);
	expect(rows, row, "captured_bytes", frames * 40);
	expect(rows, row, "captured_bps", frames * 40 * 8 / 10e-3);
	expect(rows, row, "frame_bytes_mean", large ? 1000 : 64);
}

/* The last row takes as long as its packets, each with its share. */
Test(metric_intervals, rates_by_time)
{
	struct scene s;

	make_rates(&s, (struct cd_intervals){.span_ps = 10 * MS}, 40);
	cr_assert_eq(rows_of(&s, 0)->n_rows, 2);
	expect_rates(rows_of(&s, 0), 0, true);
	expect_rates(rows_of(&s, 0), 1, false);
	expect(rows_of(&s, 0), 1, "from_ns", 10e6);
	expect(rows_of(&s, 0), 1, "frame", 1001);
	release(&s);
}

/* Rows of 500: two of 5 ms and one of 10 ms. */
Test(metric_intervals, rates_by_packets)
{
	const struct cd_series *rows;
	struct scene s;

	make_rates(&s, (struct cd_intervals){.every = 500}, 40);
	rows = rows_of(&s, 0);
	cr_assert_eq(rows->n_rows, 3);
	for (size_t i = 0; i < 2; i++) {
		expect(rows, i, "duration_ns", 5e6);
		expect(rows, i, "l1_bps", 816e6);
		expect(rows, i, "from_ns", (double)i * 5e6);
	}
	expect_rates(rows, 2, false);
	release(&s);
}

/* Of records 1, 4, 7 and so on 2 each. */
Test(metric_intervals, drops_are_those_of_the_records_in_the_row)
{
	const struct cd_series *rows;
	struct scene s;

	make_rates(&s, (struct cd_intervals){.span_ps = 10 * MS}, 40);
	rows = rows_of(&s, 0);
	expect(rows, 0, "dropped", 2 * 334);
	expect(rows, 1, "dropped", 2 * 166);
	release(&s);
	make_rates(&s, (struct cd_intervals){.span_ps = 10 * MS}, 0);
	cr_expect(isnan(cell(rows_of(&s, 0), 0, "dropped")));
	release(&s);
}

Test(metric_intervals, no_load_of_an_unknown_link)
{
	struct scene s;

	scene_init(&s, 1);
	for (int64_t i = 0; i < 3; i++)
		scene_add(&s.captures[0],
			  (struct scene_packet){.seq = i, .time_ps = i * MS});
	cut(&s, 0, (struct cd_intervals){.span_ps = MS}, 40);
	analyse(&s, 0);
	cr_expect(isnan(cell(rows_of(&s, 0), 0, "utilisation")));
	expect(rows_of(&s, 0), 0, "pps", 1000);
	cr_expect(isnan(cell(rows_of(&s, 0), 2, "pps")), "one packet has none");
	release(&s);
}
