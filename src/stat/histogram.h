/*
 * The signed log-linear histogram of METRICS 8: mergeable, independent of
 * order, integer. A value read back is off by at most 2^-(p+1) of itself;
 * below 2^(p+1) it is exact.
 */
#ifndef CAPDIFF_STAT_HISTOGRAM_H
#define CAPDIFF_STAT_HISTOGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stat/moments.h"

struct cd_histogram {
	unsigned p;
	/* by magnitude: v >= 0, then v < 0; one allocation */
	uint64_t *positive, *negative;
	struct cd_moments moments; /* exact, of all values */
};

/* p = 7: 0.39 %, 117 kB; p = 10: 0.05 %, 0.9 MB (of which only the pages
 * touched exist). 0 <= p <= 16. 0, or -1 without memory. */
int cd_histogram_init(struct cd_histogram *h, unsigned p);
void cd_histogram_release(struct cd_histogram *h);

void cd_histogram_add(struct cd_histogram *h, const int64_t *v, size_t n);
/* The same small value `times` times. */
void cd_histogram_add_times(struct cd_histogram *h, int32_t v, uint64_t times);

/* Single values on their way into a histogram, which wants them in bulk. They
 * are in it after the flush. */
struct cd_histogram_feed {
	struct cd_histogram *histogram;
	size_t n;
	int64_t v[256];
};
static inline void cd_histogram_flush(struct cd_histogram_feed *feed)
{
	cd_histogram_add(feed->histogram, feed->v, feed->n);
	feed->n = 0;
}

static inline void cd_histogram_put(struct cd_histogram_feed *feed, int64_t v)
{
	feed->v[feed->n++] = v;
	if (feed->n == sizeof(feed->v) / sizeof(feed->v[0]))
		cd_histogram_flush(feed);
}

/* Both have the same p. */
void cd_histogram_merge(struct cd_histogram *h,
			const struct cd_histogram *other);

/* The value of 0-based rank < n: the middle of its bucket, kept inside
 * min..max; ranks 0 and n-1 are exact. O(buckets). */
int64_t cd_histogram_rank(const struct cd_histogram *h, uint64_t rank);
/* Of percentile p (stat/percentile.h); n > 0. */
int64_t cd_histogram_percentile(const struct cd_histogram *h, uint32_t p);

/* One bucket: the values low..high, both inclusive. */
struct cd_bucket {
	int64_t low, high;
	uint64_t count;
};
/* The buckets that are not empty, by rising value: start with *at = 0, which
 * this moves on. False after the last. */
bool cd_histogram_next(const struct cd_histogram *h, size_t *at,
		       struct cd_bucket *bucket);

/* Coarser bins for charts: counts[0] below edges[0], counts[i] in
 * [edges[i-1], edges[i]), counts[n_edges] from the last edge on; each bucket
 * goes whole to where its middle is. `edges` rise; counts has n_edges + 1. */
void cd_histogram_rebin(const struct cd_histogram *h, const int64_t *edges,
			size_t n_edges, uint64_t *counts);

#endif
