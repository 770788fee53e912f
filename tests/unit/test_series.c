/* The rows that charts draw, against the times they were made of. */
#include "metric_times.h"

#include "report/series.h"

extern const struct cd_metric cd_metric_series;

static const struct cd_series *series_of(const struct rig *rig, uint32_t point,
					 const char *name)
{
	const struct cd_series *s =
	    cd_report_find_series(rig->report, point, name);

	cr_assert_not_null(s, "%s is not there", name);
	return s;
}

static double cell(const struct cd_series *s, size_t row, const char *column)
{
	return cd_series_number(s, row, cd_series_column(s->kind, column));
}

static double sum(const struct cd_series *s, const char *column)
{
	double total = 0;

	for (size_t i = 0; i < s->n_rows; i++)
		total += cell(s, i, column);
	return total;
}

static void run_all(struct rig *rig, const struct times *t)
{
	run_times(rig, t);
	rig_run_one(rig, &cd_metric_series);
}

/* How many deltas of `ps` lie in low..high (ns, the high one excluded)? */
static double count_between(const int64_t *ps, size_t n, double low,
			    double high)
{
	double found = 0;

	for (size_t i = 1; i < n; i++) {
		double delta;

		if (ps[i] == LOST || ps[i - 1] == LOST)
			continue;
		delta = (double)(ps[i] - ps[i - 1]) / NS;
		found += isnan(low) ? delta <= high
				    : delta > 0 && delta >= low && delta < high;
	}
	return found;
}

Test(series, bins_hold_what_lies_between_their_edges)
{
	struct times t = make_times(20000, 12.3 * US);
	struct rig rig;

	free_timer(&t, 125 * US);
	for (size_t i = 500; i < 520; i++)
		t.dut[i] = LOST;
	run_all(&rig, &t);
	for (uint32_t point = 0; point < 2; point++) {
		const struct cd_series *s =
		    series_of(&rig, point, "delta.histogram");

		for (size_t i = 0; i < s->n_rows; i++)
			cr_assert_eq(cell(s, i, "packets"),
				     count_between(point ? t.dut : t.ref, t.n,
						   cell(s, i, "low_ns"),
						   cell(s, i, "high_ns")),
				     "bin %zu of capture %u", i, point);
		cr_assert_eq(sum(s, "packets"),
			     rig_value(&rig, point, "delta.pairs"));
	}
	cr_assert(isnan(cell(series_of(&rig, 1, "delta.histogram"), 0,
			     "low_ns")));
	rig_release(&rig);
	free_times(&t);
}

/* Of a steady stream one bin is left, and the spacing is amid it. */
Test(series, a_bin_lies_around_the_spacing)
{
	struct times t = make_times(1000, 10 * US);
	const struct cd_series *s;
	struct rig rig;

	run_all(&rig, &t);
	s = series_of(&rig, 0, "delta.histogram");
	cr_assert_eq(s->n_rows, 1);
	near(cell(s, 0, "low_ns") * cell(s, 0, "high_ns"), 1e8, 1.6e6);
	rig_release(&rig);
	free_times(&t);
}

/* Without drift and wander the error is what was added. */
Test(series, shares_above_an_error_are_exact)
{
	struct times t = make_times(20000, 10 * US);
	const struct cd_series *s;
	struct rig rig;

	for (size_t i = 0; i < t.n; i += 100)
		t.dut[i] += (int64_t)(i + 100) * 50 * NS;
	run_all(&rig, &t);
	s = series_of(&rig, 1, "time.error.exceedance");
	cr_assert_leq(s->n_rows, CD_SERIES_MAX);
	cr_assert_eq(s->of, t.n);
	for (size_t row = 0; row < s->n_rows; row++) {
		double error = cell(s, row, "error_ns"), above = 0;

		for (size_t i = 0; i < t.n; i++)
			above += (double)(t.dut[i] - t.ref[i]) / NS > error;
		cr_assert_eq(cell(s, row, "share"), above / (double)t.n,
			     "above %g ns", error);
	}
	cr_assert_eq(cell(s, s->n_rows - 1, "share"), 0);
	cr_assert_eq(cell(s, s->n_rows - 1, "error_ns"), 20000 * 50);
	rig_release(&rig);
	free_times(&t);
}

Test(series, offsets_follow_drift_and_step)
{
	struct times t = make_times(100000, 100 * US);
	const struct cd_series *s;
	struct rig rig;

	shift_and_drift(&t, 5e12, 20e-6);
	for (size_t i = 60000; i < t.n; i++)
		t.dut[i] += 3 * MS;
	run_all(&rig, &t);
	s = series_of(&rig, 1, "clock.step");
	cr_assert_eq(s->n_rows, 1);
	near(cell(s, 0, "size_ns"), 3e6, 2);
	near(cell(s, 0, "at_ns"), 6e9, 1e6);
	s = series_of(&rig, 1, "clock.offset");
	cr_assert_eq(s->n_rows, CD_SERIES_MAX);
	for (size_t i = 0; i < s->n_rows; i++) {
		double at = cell(s, i, "at_ns");
		double truth = at * 20e-6 + (at < 6e9 ? 0 : 3e6);

		near(cell(s, i, "median_ns"), truth, 60);
		near(cell(s, i, "fit_ns"), truth, 60);
		cr_assert_leq(cell(s, i, "low_ns"), cell(s, i, "median_ns"));
		cr_assert_geq(cell(s, i, "high_ns"), cell(s, i, "median_ns"));
	}
	rig_release(&rig);
	free_times(&t);
}

/* The compared capture begins 2 s after the reference, and a row has 1600
 * packets: more than are kept for its median. */
Test(series, offsets_lie_where_they_were_measured)
{
	struct times t = make_times(4000000, 2.5 * US);
	const struct cd_series *s;
	struct rig rig;

	shift_and_drift(&t, 5e12, 200e-6);
	for (size_t i = 0; i < t.n; i++)
		t.dut[i] = i < 800000 ? LOST
				      : t.dut[i] + (i < 2400000 ? 0 : 3 * MS);
	run_all(&rig, &t);
	s = series_of(&rig, 1, "clock.step");
	cr_assert_eq(s->n_rows, 1);
	near(cell(s, 0, "at_ns"), 6e9, 2500);
	cr_assert_eq(cell(s, 0, "seq"), 2400000);
	s = series_of(&rig, 1, "clock.offset");
	for (size_t i = 0; i < s->n_rows; i++) {
		double at = cell(s, i, "at_ns");
		double truth = (at - 2e9) * 200e-6 + (at < 6e9 ? 0 : 3e6);

		near(cell(s, i, "median_ns"), truth, 20);
		near(cell(s, i, "fit_ns"), truth, 20);
	}
	rig_release(&rig);
	free_times(&t);
}

/* A stream that begins after the step and takes 7 us longer. */
Test(series, streams_of_other_times_lie_on_the_same_line)
{
	struct times a = make_times(50000, 100 * US);
	struct times b = make_times(50000, 100 * US);
	const struct cd_series *s;
	struct rig rig;

	for (size_t i = 0; i < a.n; i++) {
		b.ref[i] += 50 * US;
		a.dut[i] = a.ref[i] + (i < 20000 ? 0 : 3 * MS);
		b.dut[i] = b.ref[i] + 3 * MS + 7 * US;
		if (i < 30000)
			b.ref[i] = b.dut[i] = LOST;
	}
	rig_init(&rig);
	rig_add(&rig, a.ref, a.dut, a.n);
	rig_add(&rig, b.ref, b.dut, b.n);
	rig_run(&rig);
	s = series_of(&rig, 1, "clock.offset");
	cr_assert_gt(s->n_rows, 1900);
	for (size_t i = 0; i < s->n_rows; i++) {
		double truth = cell(s, i, "at_ns") < 2e9 ? 0 : 3e6;

		near(cell(s, i, "low_ns"), truth, 60);
		near(cell(s, i, "high_ns"), truth, 60);
		near(cell(s, i, "fit_ns"), truth, 60);
	}
	rig_release(&rig);
	free_times(&a);
	free_times(&b);
}

/* Every 8th packet lost: more gaps than rows. */
static struct times lose_every(size_t n, size_t period)
{
	struct times t = make_times(n, 10 * US);

	for (size_t i = period; i + 1 < n; i += period)
		t.dut[i] = LOST;
	return t;
}

Test(series, gaps_are_listed_with_their_times)
{
	struct times t = lose_every(1001, 100);
	const struct cd_series *s;
	struct rig rig;

	for (size_t i = 301; i < 310; i++)
		t.dut[i] = LOST;
	run_all(&rig, &t);
	s = series_of(&rig, 1, "loss.gap");
	cr_assert_eq(s->n_rows, 9);
	cr_assert_eq(cell(s, 2, "packets"), 10);
	cr_assert_eq(cell(s, 2, "first_seq"), 300);
	cr_assert_eq(cell(s, 2, "last_seq"), 309);
	cr_assert_eq(cell(s, 2, "at_ns"), 299 * 10e3);
	cr_assert_eq(cell(s, 2, "outage_ns"), 11 * 10e3);
	cr_assert_eq(cell(s, 2, "gaps"), 1);
	cr_assert_eq(sum(s, "missing"), 18);
	rig_release(&rig);
	free_times(&t);
}

Test(series, of_many_gaps_the_longest_stand_for_all)
{
	struct times t = lose_every(80001, 8);
	const struct cd_series *s;
	double longest = 0;
	struct rig rig;

	t.dut[40001] = t.dut[40002] = LOST;
	run_all(&rig, &t);
	s = series_of(&rig, 1, "loss.gap");
	cr_assert_leq(s->n_rows, CD_SERIES_MAX);
	cr_assert_eq(s->of, 9999);
	cr_assert_eq(sum(s, "gaps"), 9999);
	cr_assert_eq(sum(s, "missing"), 10001);
	for (size_t i = 0; i < s->n_rows; i++)
		longest = fmax(longest, cell(s, i, "packets"));
	cr_assert_eq(longest, 3);
	rig_release(&rig);
	free_times(&t);
}
