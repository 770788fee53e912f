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

/* ceil(e/4): delta < e/4 iff delta is below it. */
static inline int64_t quarter(int64_t e)
{
	return (e >> 2) + ((e & 3) != 0);
}

struct feeds {
	struct cd_histogram_feed sizes, onsets;
	uint64_t singles;
};

/* The open cluster ends before a stamp. */
static inline void close_cluster(struct cd_clusters *c, struct feeds *feeds,
				 int64_t t)
{
	if (c->size == 1)
		feeds->singles++;
	else
		cd_histogram_put(&feeds->sizes, (int64_t)c->size);
	cd_histogram_put(&feeds->onsets, difference(t, c->onset));
}

/* How many stamps from `at` on follow the one before closely; there is one.
 * Nothing is below the quarter of an unknown spacing. */
static size_t count_close(const int64_t *t, const int64_t *expected, size_t at,
			  size_t n)
{
	size_t i = at;

	while (i < n &&
	       difference(t[i], t[i - 1]) < quarter(expected[i]) &&
	       expected[i] != CD_TIME_NONE)
		i++;
	return i - at;
}

static size_t count_below(const int64_t *t, int64_t limit, size_t at, size_t n)
{
	size_t i = at;

	while (i < n && difference(t[i], t[i - 1]) < limit)
		i++;
	return i - at;
}

/* The same of the first of all, whose neighbour is c->previous. */
static bool goes_on(const struct cd_clusters *c, int64_t t, int64_t e)
{
	return c->size > 0 && e != CD_TIME_NONE &&
	       difference(t, c->previous) < quarter(e);
}

void cd_clusters_add(struct cd_clusters *c, const int64_t *t,
		     const int64_t *expected, int64_t spacing, size_t n)
{
	struct feeds feeds = {.singles = 0};
	int64_t limit =
	    spacing == CD_TIME_NONE ? INT64_MIN : quarter(spacing);
	size_t i = 0;

	if (n == 0)
		return;
	feeds.sizes.histogram = &c->sizes;
	feeds.onsets.histogram = &c->onsets;
	feeds.sizes.n = feeds.onsets.n = 0;
	if (goes_on(c, t[0], expected != NULL ? expected[0] : spacing)) {
		c->size++;
		i = 1;
	}
	while (i < n) {
		size_t close = 0;

		if (i > 0)
			close = expected != NULL
				    ? count_close(t, expected, i, n)
				    : count_below(t, limit, i, n);
		c->size += close;
		i += close;
		if (i == n)
			break;
		if (c->size > 0)
			close_cluster(c, &feeds, t[i]);
		c->onset = t[i++];
		c->size = 1;
	}
	c->previous = t[n - 1];
	c->packets += n;
	cd_histogram_add_times(&c->sizes, 1, feeds.singles);
	cd_histogram_flush(&feeds.sizes);
	cd_histogram_flush(&feeds.onsets);
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
