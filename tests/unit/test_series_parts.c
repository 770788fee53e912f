/* Bins and curves that charts draw, against brute force; series of real
 * captures against the values beside them. */
#include "lab_files.h"
#include "metric_times.h"

#include "metric/bins.h"
#include "metric/exceedance.h"
#include "report/series.h"
#include "stat/percentile.h"

static const struct cd_series *series_of(const struct cd_report *report,
					 uint32_t point, const char *name)
{
	const struct cd_series *s = cd_report_find_series(report, point, name);

	cr_assert_not_null(s, "%s is not there", name);
	return s;
}

static int64_t cell(const struct cd_series *s, size_t row, const char *column)
{
	const struct cd_cell *c =
	    cd_series_cell(s, row, cd_series_column(s->kind, column));

	cr_assert(c->defined, "%s of row %zu", column, row);
	return c->integer;
}

static uint64_t sum(const struct cd_series *s, const char *column)
{
	uint64_t total = 0;

	for (size_t i = 0; s != NULL && i < s->n_rows; i++)
		total += (uint64_t)cell(s, i, column);
	return total;
}

static struct cd_report *report_of_two(void)
{
	struct cd_report *report = cd_report_new();

	report->captures = calloc(2, sizeof(*report->captures));
	report->n_captures = 2;
	report->captures[0].label = cd_strdup("ref");
	report->captures[1].label = cd_strdup("dut");
	return report;
}

/* ---- delta.histogram ------------------------------------------------------
 */

/* Every bin holds exactly the values it says. */
static void check_bins(const struct cd_series *s, const int64_t *v, size_t n)
{
	int64_t previous = 0;

	cr_assert_eq(s->of, n);
	cr_assert_eq(sum(s, "packets"), n);
	for (size_t i = 0; i < s->n_rows; i++) {
		int64_t low = i == 0 ? INT64_MIN : cell(s, i, "low_ns");
		int64_t high = cell(s, i, "high_ns");
		int64_t count = 0;

		cr_assert_eq(cd_series_cell(s, i, 0)->defined, i > 0);
		for (size_t k = 0; k < n; k++)
			count +=
			    i == 0 ? v[k] <= 0 : v[k] >= low && v[k] < high;
		cr_assert_eq(cell(s, i, "packets"), count, "row %zu", i);
		cr_assert(i == 0 || count > 0);
		cr_assert(i == 0 || low >= previous);
		previous = high;
	}
}

Test(series_parts, bins_count_exactly_what_they_say)
{
	enum { N = 20000 };
	int64_t *v = malloc(N * sizeof(*v));
	struct noise r = noise_seed(3);
	struct cd_histogram h;
	struct cd_report *report = report_of_two();
	static const int64_t expected[] = {12300 * NS, 1, 7, 0, 100 * SEC};

	cr_assert_eq(cd_histogram_init(&h, CD_BINS_P), 0);
	for (size_t i = 0; i < N; i++)
		v[i] = i % 7 == 0 ? -(int64_t)noise_below(&r, 3)
				  : (int64_t)exp(noise_uniform(&r) * 42);
	cd_histogram_add(&h, v, N);
	for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++) {
		cd_bins_put(report, 1, &h, expected[i]);
		check_bins(series_of(report, 1, "delta.histogram"), v, N);
	}
	cd_histogram_release(&h);
	cd_report_free(report);
	free(v);
}

Test(series_parts, the_expected_gap_is_in_the_middle_of_a_bin)
{
	static const int64_t spacing[] = {672000, 10 * US, 12300 * NS, SEC};
	struct cd_report *report = report_of_two();

	for (size_t i = 0; i < sizeof(spacing) / sizeof(*spacing); i++) {
		const struct cd_series *s;
		struct cd_histogram h;

		cr_assert_eq(cd_histogram_init(&h, CD_BINS_P), 0);
		cd_histogram_add(&h, &spacing[i], 1);
		cd_bins_put(report, 0, &h, spacing[i]);
		s = series_of(report, 0, "delta.histogram");
		cr_assert_eq(s->n_rows, 1);
		near((double)cell(s, 0, "low_ns") / (double)spacing[i],
		     pow(10, -1 / 40.0), 0.009);
		near((double)cell(s, 0, "high_ns") / (double)spacing[i],
		     pow(10, 1 / 40.0), 0.009);
		cd_histogram_release(&h);
	}
	cd_report_free(report);
}

/* ---- time.error.exceedance ------------------------------------------------
 */

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

static uint64_t count_above(const int64_t *sorted, size_t n, int64_t bar)
{
	size_t i = n;

	while (i > 0 && sorted[i - 1] > bar)
		i--;
	return n - i;
}

static void check_curve(const struct cd_series *s, int64_t *v, size_t n)
{
	static const uint32_t p[] = {50000, 90000, 99000, 99900, 99990};
	int64_t previous = -1;
	size_t found = 0;

	for (size_t i = 0; i < n; i++)
		v[i] = v[i] < 0 ? -v[i] : v[i];
	qsort(v, n, sizeof(*v), by_value);
	cr_assert_leq(s->n_rows, CD_SERIES_MAX);
	for (size_t i = 0; i < s->n_rows; i++) {
		int64_t bar = cell(s, i, "error_ns");
		double share = cd_series_cell(s, i, 1)->real;
		bool exact =
		    share == (double)count_above(v, n, bar) / (double)n;
		bool any = false;

		for (size_t k = 0; k < 5; k++) {
			uint64_t rank = cd_percentile_rank(n, p[k]);

			if (v[rank] != bar)
				continue;
			any |= share == (double)(n - 1 - rank) / (double)n;
			found |= (size_t)1 << k;
		}
		cr_assert(exact || any, "row %zu", i);
		cr_assert_geq(bar, previous);
		previous = bar;
	}
	cr_assert_eq(found, 31, "all percentiles are there");
	cr_assert_eq(previous, v[n - 1]);
	cr_assert_eq(cd_series_cell(s, s->n_rows - 1, 1)->real, 0);
}

static void check_values(int64_t *v, size_t n)
{
	int64_t *scratch = malloc(n * sizeof(*scratch));
	struct cd_report *report = report_of_two();
	struct cd_exceedance e;

	cr_assert_eq(cd_exceedance_init(&e), 0);
	do
		cd_exceedance_add(&e, v, n, scratch);
	while (cd_exceedance_end_pass(&e) == 1);
	cd_exceedance_put(&e, report, 1);
	check_curve(series_of(report, 1, "time.error.exceedance"), v, n);
	cd_exceedance_release(&e);
	cd_report_free(report);
	free(scratch);
}

Test(series_parts, exceedance_is_that_of_a_sort)
{
	enum { N = 30000 };
	int64_t *v = malloc(N * sizeof(*v));
	struct noise r = noise_seed(5);

	for (size_t i = 0; i < N; i++)
		v[i] = llround(noise_gauss(&r, 3e6));
	check_values(v, N);
	for (size_t i = 0; i < N; i++)
		v[i] = llround(exp(noise_uniform(&r) * 43));
	check_values(v, N);
	for (size_t i = 0; i < N; i++) /* ties */
		v[i] = (int64_t)noise_below(&r, 4) * US;
	check_values(v, N);
	memset(v, 0, N * sizeof(*v));
	check_values(v, N);
	check_values(v, 1);
	free(v);
}

/* ---- real captures --------------------------------------------------------
 */

static uint64_t whole(const struct cd_report *report, uint32_t point,
		      const char *name)
{
	const struct cd_value *v = cd_report_find(report, point, name);

	cr_assert(v != NULL && v->kind != CD_VALUE_NULL, "%s", name);
	return (uint64_t)v->integer;
}

/* Nothing happened: no series. */
static size_t rows_of(const struct cd_report *report, uint32_t point,
		      const char *name)
{
	const struct cd_series *s = cd_report_find_series(report, point, name);

	return s == NULL ? 0 : s->n_rows;
}

static void check_sums(const struct cd_report *report, const char *name)
{
	static const struct {
		const char *series, *column, *value;
		uint32_t first; /* point */
	} lines[] = {
	    {"delta.histogram", "packets", "delta.pairs", 0},
	    {"loss.gap", "missing", "loss.missing", 1},
	    {"loss.gap", "gaps", "loss.runs", 1},
	    {"duplicate.copy", "copies", "duplicate.copies", 1},
	};
	const struct cd_value *steps = cd_report_find(report, 1, "clock.steps");

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		for (uint32_t point = lines[i].first; point < 2; point++)
			cr_expect_eq(sum(cd_report_find_series(report, point,
							       lines[i].series),
					 lines[i].column),
				     whole(report, point, lines[i].value),
				     "%s: %s of %u", name, lines[i].value,
				     point);
	if (steps->kind != CD_VALUE_NULL)
		cr_expect_eq(rows_of(report, 1, "clock.step"),
			     (size_t)steps->integer, "%s", name);
	for (size_t i = 0; i < report->n_series; i++)
		cr_expect_leq(report->series[i].n_rows, CD_SERIES_MAX);
}

Test(series_parts, of_real_captures_sum_up_to_the_values)
{
	for (size_t i = 0; i < LAB_COUNT; i++) {
		struct lab lab;

		if (!lab_open(&lab, lab_names[i]))
			cr_skip_test("no shared collection");
		lab_analyse(&lab, 0);
		check_sums(lab.pair.report, lab.name);
		lab_release(&lab);
	}
}
