#include "stat/histogram.h"

#include <assert.h>
#include <stdlib.h>

#include "stat/loglinear.h"
#include "stat/percentile.h"

int cd_histogram_init(struct cd_histogram *h, unsigned p)
{
	size_t buckets = cd_loglinear_buckets(p);

	assert(p <= 16);
	*h = (struct cd_histogram){.p = p};
	h->positive = calloc(2 * buckets, sizeof(*h->positive));
	if (h->positive == NULL)
		return -1;
	h->negative = h->positive + buckets;
	return 0;
}

void cd_histogram_release(struct cd_histogram *h)
{
	free(h->positive);
	*h = (struct cd_histogram){0};
}

void cd_histogram_add(struct cd_histogram *h, const int64_t *v, size_t n)
{
	uint64_t *counts = h->positive;
	size_t buckets = cd_loglinear_buckets(h->p);
	unsigned p = h->p;

	cd_moments_add(&h->moments, v, n);
	for (size_t i = 0; i < n; i++)
		counts[cd_loglinear_index(cd_magnitude(v[i]), p) +
		       (buckets & cd_sign_mask(v[i]))]++;
}

void cd_histogram_add_times(struct cd_histogram *h, int32_t v, uint64_t times)
{
	uint64_t magnitude = cd_magnitude(v);
	uint64_t *counts = v < 0 ? h->negative : h->positive;

	cd_moments_add_times(&h->moments, v, times);
	counts[cd_loglinear_index(magnitude, h->p)] += times;
}

void cd_histogram_merge(struct cd_histogram *h,
			const struct cd_histogram *other)
{
	size_t buckets = cd_loglinear_buckets(h->p);

	assert(h->p == other->p);
	cd_moments_merge(&h->moments, &other->moments);
	for (size_t i = 0; i < 2 * buckets; i++)
		h->positive[i] += other->positive[i];
}

/* -m for a magnitude of at most 2^63. */
static int64_t below_zero(uint64_t m)
{
	return m == 0 ? 0 : -(int64_t)(m - 1) - 1;
}

static struct cd_bucket bucket_at(const struct cd_histogram *h, size_t index,
				  bool negative)
{
	uint64_t low = cd_loglinear_low(index, h->p);
	uint64_t high = low + (cd_loglinear_width(index, h->p) - 1);
	uint64_t most = (uint64_t)INT64_MAX + negative;

	if (high > most)
		high = most;
	if (negative)
		return (struct cd_bucket){below_zero(high), below_zero(low),
					  h->negative[index]};
	return (struct cd_bucket){(int64_t)low, (int64_t)high,
				  h->positive[index]};
}

bool cd_histogram_next(const struct cd_histogram *h, size_t *at,
		       struct cd_bucket *bucket)
{
	size_t buckets = cd_loglinear_buckets(h->p);

	for (; *at < buckets; ++*at) {
		size_t index = buckets - 1 - *at;

		if (h->negative[index] > 0) {
			*bucket = bucket_at(h, index, true);
			++*at;
			return true;
		}
	}
	/* magnitude 2^63 is negative only */
	for (; *at < 2 * buckets - 1; ++*at) {
		size_t index = *at - buckets;

		if (h->positive[index] > 0) {
			*bucket = bucket_at(h, index, false);
			++*at;
			return true;
		}
	}
	return false;
}

static int64_t middle(const struct cd_bucket *bucket)
{
	uint64_t width = (uint64_t)bucket->high - (uint64_t)bucket->low;

	return bucket->low + (int64_t)(width / 2);
}

int64_t cd_histogram_rank(const struct cd_histogram *h, uint64_t rank)
{
	struct cd_bucket bucket = {0};
	uint64_t seen = 0;
	size_t at = 0;
	int64_t value;

	assert(rank < h->moments.n);
	if (rank == 0)
		return h->moments.min;
	if (rank == h->moments.n - 1)
		return h->moments.max;
	while (seen <= rank && cd_histogram_next(h, &at, &bucket))
		seen += bucket.count;
	value = middle(&bucket);
	if (value < h->moments.min)
		return h->moments.min;
	return value > h->moments.max ? h->moments.max : value;
}

int64_t cd_histogram_percentile(const struct cd_histogram *h, uint32_t p)
{
	return cd_histogram_rank(h, cd_percentile_rank(h->moments.n, p));
}

void cd_histogram_rebin(const struct cd_histogram *h, const int64_t *edges,
			size_t n_edges, uint64_t *counts)
{
	struct cd_bucket bucket;
	size_t at = 0, bin = 0;

	for (size_t i = 0; i <= n_edges; i++)
		counts[i] = 0;
	while (cd_histogram_next(h, &at, &bucket)) {
		while (bin < n_edges && middle(&bucket) >= edges[bin])
			bin++;
		counts[bin] += bucket.count;
	}
}
