#include "metric/bins.h"

#include "base/time.h"
#include "report/series.h"
#include "stat/loglinear.h"

#define PER_DECADE 20

/* 10^((j + 0.5) / 20): literals, so that every machine has the same edges. */
static const double upper_edge[PER_DECADE] = {
    1.0592537251772889, 1.1885022274370185, 1.333521432163324,
    1.4962356560944334, 1.6788040181225603, 1.8836490894898006,
    2.113489039836647,	2.371373705661655,  2.6607250597988097,
    2.9853826189179599, 3.3496543915782767, 3.7583740428844416,
    4.216965034285822,	4.7315125896148054, 5.3088444423098835,
    5.9566214352901043, 6.6834391756861433, 7.4989420933245583,
    8.4139514164519490, 9.4406087628592347,
};

/* Where bins end, in ps, one after the other. */
struct edges {
	double decade; /* expected * 10^m */
	int j;
};

static struct edges first_edge(int64_t expected_ps)
{
	struct edges e = {(double)expected_ps, 0};

	while (e.decade > 1)
		e.decade /= 10;
	return e;
}

/* The next one that is more than `above`, the lower end of a bucket; INT64_MAX
 * after the last. */
static int64_t next_edge(struct edges *e, int64_t above)
{
	int64_t edge = above;

	while (edge <= above) {
		double at = e->decade * upper_edge[e->j++];

		if (e->j == PER_DECADE) {
			e->j = 0;
			e->decade *= 10;
		}
		if (!(at < 0x1p62))
			return INT64_MAX;
		edge = (int64_t)cd_loglinear_low(
		    cd_loglinear_index((uint64_t)at, CD_BINS_P), CD_BINS_P);
	}
	return edge;
}

static void put_bin(struct cd_report *report, struct cd_series *series,
		    int64_t low, int64_t high, uint64_t count)
{
	if (!cd_series_add(report, series))
		return;
	if (low > 0)
		cd_series_span(series, 0, low);
	cd_series_span(series, 1, high);
	cd_series_count(series, 2, count);
}

void cd_bins_put(struct cd_report *report, uint32_t point,
		 const struct cd_histogram *h, int64_t expected_ps)
{
	struct cd_series *series =
	    cd_report_series(report, point, "delta.histogram");
	struct edges edges =
	    first_edge(expected_ps > 0 ? expected_ps : CD_PS_PER_US);
	int64_t low = 0, high = 1;
	uint64_t count = 0;
	struct cd_bucket bucket;
	size_t at = 0;

	if (series == NULL)
		return;
	series->of = h->moments.n;
	while (cd_histogram_next(h, &at, &bucket)) {
		if (bucket.low >= high) {
			if (count > 0)
				put_bin(report, series, low,
					low == 0 ? 0 : high, count);
			count = 0;
			while (bucket.low >= high) {
				low = high;
				high = next_edge(&edges, low);
			}
		}
		count += bucket.count;
	}
	if (count > 0)
		put_bin(report, series, low, low == 0 ? 0 : high, count);
}
