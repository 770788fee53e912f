#include "metric/exceedance.h"

#include "report/series.h"
#include "stat/loglinear.h"
#include "stat/percentile.h"

/* 32 buckets an octave: 40 octaves, from a ps to a second, make 1,280 rows. */
#define PRECISION 5

static const uint32_t percentiles[CD_EXCEEDANCE_P] = {50000, 90000, 99000,
						      99900, 99990};

int cd_exceedance_init(struct cd_exceedance *e)
{
	*e = (struct cd_exceedance){0};
	if (cd_histogram_init(&e->histogram, PRECISION))
		return -1;
	e->select = cd_select_new();
	if (e->select == NULL)
		return -1;
	for (size_t i = 0; i < CD_EXCEEDANCE_P; i++)
		e->handle[i] = cd_select_want(e->select, percentiles[i]);
	return 0;
}

void cd_exceedance_release(struct cd_exceedance *e)
{
	cd_histogram_release(&e->histogram);
	cd_select_free(e->select);
	*e = (struct cd_exceedance){0};
}

static void take_magnitudes(const int64_t *v, size_t n, int64_t *out)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t m = cd_magnitude(v[i]);

		out[i] = m > INT64_MAX ? INT64_MAX : (int64_t)m;
	}
}

int cd_exceedance_aim(struct cd_exceedance *e, int64_t *sample, size_t n,
		      uint64_t total)
{
	take_magnitudes(sample, n, sample);
	return cd_select_aim(e->select, sample, n, total);
}

void cd_exceedance_add(struct cd_exceedance *e, const int64_t *v, size_t n,
		       int64_t *scratch)
{
	if (e->done)
		return;
	take_magnitudes(v, n, scratch);
	if (!e->counted)
		cd_histogram_add(&e->histogram, scratch, n);
	cd_select_add(e->select, scratch, n);
}

int cd_exceedance_end_pass(struct cd_exceedance *e)
{
	int more;

	if (e->done)
		return 0;
	e->counted = true;
	more = cd_select_end_pass(e->select);
	e->done = more == 0;
	return more;
}

/* ---- rows -----------------------------------------------------------------
 */

struct curve {
	const struct cd_exceedance *e;
	struct cd_report *report;
	struct cd_series *series;
	uint64_t n;
	size_t next; /* percentile */
};

static void add_row(struct curve *c, int64_t error_ps, uint64_t above)
{
	if (!cd_series_add(c->report, c->series))
		return;
	cd_series_span(c->series, 0, error_ps);
	cd_series_real(c->series, 1, (double)above / (double)c->n);
}

/* Percentiles inside the buckets up to this one, above which there are
 * `above`: what lies beyond their ranks. */
static void add_percentiles(struct curve *c, const struct cd_bucket *bucket,
			    int64_t high, uint64_t above)
{
	for (; c->next < CD_EXCEEDANCE_P; c->next++) {
		uint64_t rank = cd_percentile_rank(c->n, percentiles[c->next]);
		int64_t v =
		    cd_select_result(c->e->select, c->e->handle[c->next]);

		if (v > high)
			return;
		if (v == high &&
		    (bucket->low == bucket->high || c->n - 1 - rank == above))
			continue; /* the bucket's own row says it */
		add_row(c, v, c->n - 1 - rank);
	}
}

void cd_exceedance_put(const struct cd_exceedance *e, struct cd_report *report,
		       uint32_t point)
{
	const struct cd_moments *m = &e->histogram.moments;
	struct curve c = {.e = e, .report = report, .n = m->n};
	uint64_t above = m->n;
	struct cd_bucket bucket;
	size_t at = 0;

	c.series = cd_report_series(report, point, "time.error.exceedance");
	if (c.series == NULL || m->n == 0)
		return;
	c.series->of = m->n;
	if (m->min > 0)
		add_row(&c, 0, above);
	while (cd_histogram_next(&e->histogram, &at, &bucket)) {
		int64_t high = bucket.high < m->max ? bucket.high : m->max;

		above -= bucket.count;
		add_percentiles(&c, &bucket, high, above);
		add_row(&c, high, above);
	}
}
