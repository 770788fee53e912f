/* time.error.exceedance: which share of the packets is wronger than that. */
#include <stdlib.h>

#include "metric/errors.h"
#include "metric/series.h"
#include "metric/walk.h"
#include "report/series.h"
#include "stat/histogram.h"

#define PRECISION 7 /* rows lie within 0.8 % of each other, shares are exact */

static int collect(const struct cd_pair *pair, struct cd_histogram *h)
{
	struct cd_histogram_feed feed = {.histogram = h};
	struct cd_errors errors;
	struct cd_walk walk;
	struct cd_walk_block block;
	int got = -1;

	if (cd_errors_init(&errors, pair)) {
		cd_errors_release(&errors);
		return -1;
	}
	if (cd_walk_init(&walk, pair, 0, pair->n_lanes))
		goto out;
	walk.lengths = errors.has_sizes;
	while ((got = cd_walk_next(&walk, &block)) == 1)
		for (size_t i = 0; i < block.n; i++) {
			int64_t f = cd_error_of(
			    &errors, block.lane, block.ref_ps[i],
			    block.dut_ps[i],
			    block.length == NULL ? 0 : block.length[i]);

			cd_histogram_put(&feed, f < 0 ? -f : f);
		}
	cd_histogram_flush(&feed);
	cd_walk_release(&walk);
out:
	cd_errors_release(&errors);
	return got;
}

static size_t count_buckets(const struct cd_histogram *h, uint64_t *packets)
{
	struct cd_bucket bucket;
	size_t at = 0, n = 0;

	*packets = 0;
	while (cd_histogram_next(h, &at, &bucket)) {
		*packets += bucket.count;
		n++;
	}
	return n;
}

static void put(struct cd_report *report, uint32_t point,
		const struct cd_histogram *h)
{
	struct cd_series *s =
	    cd_report_series(report, point, "time.error.exceedance");
	int64_t largest = cd_histogram_percentile(h, 100000);
	struct cd_bucket bucket;
	uint64_t n, above;
	size_t buckets = count_buckets(h, &n), at = 0, k = 0;
	size_t every = buckets / (CD_SERIES_MAX - 1) + 1;

	above = n;
	while (cd_histogram_next(h, &at, &bucket)) {
		above -= bucket.count;
		if (++k % every != 0 && above > 0)
			continue;
		if (!cd_series_add(report, s))
			return;
		cd_series_span(s, 0, above > 0 ? bucket.high : largest);
		cd_series_real(s, 1, (double)above / (double)n);
	}
	if (s != NULL)
		s->of = n;
}

int cd_series_errors(const struct cd_analysis *analysis,
		     const struct cd_pair *pair)
{
	struct cd_histogram h;
	int failed;

	if (!cd_walk_fits(pair))
		return 0;
	if (cd_histogram_init(&h, PRECISION))
		return -1;
	failed = collect(pair, &h);
	if (!failed && pair->matched > 0)
		put(analysis->report, pair->dut, &h);
	cd_histogram_release(&h);
	return failed;
}
