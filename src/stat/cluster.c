#include "stat/cluster.h"

#include <math.h>

#include "base/time.h"

int cd_clusters_init(struct cd_clusters *c)
{
	*c = (struct cd_clusters){0};
	if (cd_histogram_init(&c->sizes, 10) != 0 ||
	    cd_histogram_init(&c->onsets, 10) != 0 ||
	    cd_histogram_init(&c->batch_sizes, 10) != 0 ||
	    cd_histogram_init(&c->batches, 10) != 0) {
		cd_clusters_release(c);
		return -1;
	}
	return 0;
}

void cd_clusters_release(struct cd_clusters *c)
{
	cd_histogram_release(&c->sizes);
	cd_histogram_release(&c->onsets);
	cd_histogram_release(&c->batch_sizes);
	cd_histogram_release(&c->batches);
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

/* Time catches up: the delta is over 1.5 e. */
static bool catches_up(int64_t delta, int64_t e)
{
	return e != CD_TIME_NONE && e >= 0 && e < INT64_MAX / 2 &&
	       delta > e + e / 2;
}

/* Where the results of a block wait to be added together. */
struct feeds {
	struct cd_histogram_feed sizes, onsets, batch_sizes, batches;
};

static void feeds_init(struct feeds *feeds, struct cd_clusters *c)
{
	feeds->sizes.histogram = &c->sizes;
	feeds->onsets.histogram = &c->onsets;
	feeds->batch_sizes.histogram = &c->batch_sizes;
	feeds->batches.histogram = &c->batches;
	feeds->sizes.n = feeds->onsets.n = 0;
	feeds->batch_sizes.n = feeds->batches.n = 0;
}

static void feeds_flush(struct feeds *feeds)
{
	cd_histogram_flush(&feeds->sizes);
	cd_histogram_flush(&feeds->onsets);
	cd_histogram_flush(&feeds->batch_sizes);
	cd_histogram_flush(&feeds->batches);
}

/* A batch begins with packet number `first`. */
static void begin_batch(struct cd_clusters *c, struct feeds *feeds, int64_t t,
			uint64_t first)
{
	if (c->in_batch) {
		cd_histogram_put(&feeds->batch_sizes,
				 (int64_t)(first - c->batch_first));
		cd_histogram_put(&feeds->batches,
				 difference(t, c->batch_onset));
	}
	c->in_batch = true;
	c->batch_first = first;
	c->batch_onset = t;
}

void cd_clusters_add(struct cd_clusters *c, const int64_t *t,
		     const int64_t *expected, int64_t spacing, size_t n)
{
	struct feeds feeds;
	uint64_t singles = 0;

	feeds_init(&feeds, c);
	for (size_t i = 0; i < n; i++) {
		int64_t e = expected ? expected[i] : spacing;
		int64_t delta = difference(t[i], c->previous);

		if (c->size > 0 && delta < quarter(e)) {
			c->size++;
			c->previous = t[i];
			continue;
		}
		if (c->size == 1)
			singles++;
		else if (c->size > 0)
			cd_histogram_put(&feeds.sizes, (int64_t)c->size);
		if (c->size > 0)
			cd_histogram_put(&feeds.onsets,
					 difference(t[i], c->onset));
		if (c->size > 0 && catches_up(delta, e))
			begin_batch(c, &feeds, t[i], c->packets + i);
		c->onset = t[i];
		c->size = 1;
		c->previous = t[i];
	}
	c->packets += n;
	cd_histogram_add_times(&c->sizes, 1, singles);
	feeds_flush(&feeds);
}

void cd_clusters_end(struct cd_clusters *c)
{
	int64_t size = (int64_t)c->size;

	if (size > 0)
		cd_histogram_add(&c->sizes, &size, 1);
	c->size = 0;
	c->in_batch = false;
}

void cd_clusters_merge(struct cd_clusters *c, const struct cd_clusters *other)
{
	c->packets += other->packets;
	cd_histogram_merge(&c->sizes, &other->sizes);
	cd_histogram_merge(&c->onsets, &other->onsets);
	cd_histogram_merge(&c->batch_sizes, &other->batch_sizes);
	cd_histogram_merge(&c->batches, &other->batches);
}

/* Where time caught up only now and then, those were stalls: clusters count. */
static void summarise_period(const struct cd_clusters *c,
			     struct cd_cluster_summary *s)
{
	bool batched = c->batches.moments.n >= 3 &&
		       c->batches.moments.n >= s->clusters / 256;
	const struct cd_histogram *periods = batched ? &c->batches : &c->onsets;
	const struct cd_histogram *sizes =
	    batched ? &c->batch_sizes : &c->sizes;
	double p50;

	s->has_period = true;
	s->period = cd_histogram_percentile(periods, 50000);
	s->period_p10 = cd_histogram_percentile(periods, 10000);
	s->period_p90 = cd_histogram_percentile(periods, 90000);
	s->period_size = cd_histogram_percentile(sizes, 50000);
	p50 = (double)s->period;
	s->fixed_timer = (double)s->period_p10 >= 0.98 * p50 &&
			 (double)s->period_p90 <= 1.02 * p50;
}

static void summarise_onsets(const struct cd_clusters *c,
			     struct cd_cluster_summary *s)
{
	s->has_onsets = c->onsets.moments.n > 0;
	if (!s->has_onsets)
		return;
	s->onset_p10 = cd_histogram_percentile(&c->onsets, 10000);
	s->onset_p50 = cd_histogram_percentile(&c->onsets, 50000);
	s->onset_p90 = cd_histogram_percentile(&c->onsets, 90000);
	if (s->coalescing >= 0.3)
		summarise_period(c, s);
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
	s.share_bunched =
	    (double)(c->packets - c->sizes.positive[1]) / (double)c->packets;
	summarise_onsets(c, &s);
	return s;
}
