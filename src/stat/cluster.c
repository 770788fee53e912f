#include "stat/cluster.h"

#include <math.h>

#include "base/time.h"

int cd_clusters_init(struct cd_clusters *c)
{
	*c = (struct cd_clusters){0};
	if (cd_histogram_init(&c->sizes, 10) != 0 ||
	    cd_histogram_init(&c->onsets, 10) != 0) {
		cd_clusters_release(c);
		return -1;
	}
	return 0;
}

void cd_clusters_release(struct cd_clusters *c)
{
	cd_histogram_release(&c->sizes);
	cd_histogram_release(&c->onsets);
	*c = (struct cd_clusters){0};
}

/* a - b, at the ends of int64 if it is beyond. */
static int64_t difference(int64_t a, int64_t b)
{
	int64_t d;

	if (__builtin_sub_overflow(a, b, &d))
		return a < b ? INT64_MIN : INT64_MAX;
	return d;
}

/* ceil(e/4): delta < e/4 iff delta is below it. Nothing is below the quarter
 * of an unknown spacing. */
static int64_t quarter(int64_t e)
{
	return e == CD_TIME_NONE ? INT64_MIN : e / 4 + (e % 4 > 0);
}

void cd_clusters_add(struct cd_clusters *c, const int64_t *t,
		     const int64_t *expected, int64_t spacing, size_t n)
{
	struct cd_histogram_feed sizes, onsets;
	uint64_t singles = 0;

	sizes.histogram = &c->sizes;
	onsets.histogram = &c->onsets;
	sizes.n = onsets.n = 0;
	for (size_t i = 0; i < n; i++) {
		int64_t limit = quarter(expected ? expected[i] : spacing);

		if (c->size > 0 && difference(t[i], c->previous) < limit) {
			c->size++;
		} else {
			if (c->size == 1)
				singles++;
			else if (c->size > 0)
				cd_histogram_put(&sizes, (int64_t)c->size);
			if (c->size > 0)
				cd_histogram_put(&onsets,
						 difference(t[i], c->onset));
			c->onset = t[i];
			c->size = 1;
		}
		c->previous = t[i];
	}
	c->packets += n;
	cd_histogram_add_times(&c->sizes, 1, singles);
	cd_histogram_flush(&sizes);
	cd_histogram_flush(&onsets);
}

void cd_clusters_end(struct cd_clusters *c)
{
	int64_t size = (int64_t)c->size;

	if (size > 0)
		cd_histogram_add(&c->sizes, &size, 1);
	c->size = 0;
}

void cd_clusters_merge(struct cd_clusters *c, const struct cd_clusters *other)
{
	c->packets += other->packets;
	cd_histogram_merge(&c->sizes, &other->sizes);
	cd_histogram_merge(&c->onsets, &other->onsets);
}

static void summarise_onsets(const struct cd_clusters *c,
			     struct cd_cluster_summary *s)
{
	double p50;

	s->has_onsets = c->onsets.moments.n > 0;
	if (!s->has_onsets)
		return;
	s->onset_p10 = cd_histogram_percentile(&c->onsets, 10000);
	s->onset_p50 = cd_histogram_percentile(&c->onsets, 50000);
	s->onset_p90 = cd_histogram_percentile(&c->onsets, 90000);
	s->has_period = s->coalescing >= 0.3;
	if (!s->has_period)
		return;
	s->period = s->onset_p50;
	p50 = (double)s->onset_p50;
	s->fixed_timer = (double)s->onset_p10 >= 0.98 * p50 &&
			 (double)s->onset_p90 <= 1.02 * p50;
}

struct cd_cluster_summary cd_clusters_summary(const struct cd_clusters *c)
{
	uint64_t clusters = c->sizes.moments.n;
	struct cd_cluster_summary s = {
	    .packets = c->packets,
	    .clusters = clusters,
	    .coalescing = (double)NAN,
	    .mean_size = (double)NAN,
	    .share_bunched = (double)NAN,
	};

	if (clusters == 0)
		return s;
	s.coalescing = 1 - (double)clusters / (double)c->packets;
	s.mean_size = (double)c->packets / (double)clusters;
	s.size_p50 = cd_histogram_percentile(&c->sizes, 50000);
	s.size_max = c->sizes.moments.max;
	s.share_bunched = (double)(c->packets - c->sizes.positive[1]) /
			  (double)c->packets;
	summarise_onsets(c, &s);
	return s;
}
