/* One point against another: METRICS 1.1, 1.2, 1.4, 2.1 and 2.2. */
#include <stdlib.h>

#include "base/array.h"
#include "sim/build.h"
#include "sim/stamper.h"
#include "sim/truth.h"

#define NO_RANK UINT64_MAX

/* First copies in file order. */
struct arrivals {
	uint32_t *slots;
	size_t n;
};

static bool has(const struct cd_tally *tally, uint64_t slot)
{
	return cd_tally_copies(tally, slot) > 0;
}

/* Order by slot when the point keeps no other. */
static void list_in_order(const struct cd_tally *tally, struct arrivals *out)
{
	for (uint64_t slot = 0; slot < tally->slots; slot++)
		if (has(tally, slot))
			out->slots[out->n++] = (uint32_t)slot;
}

static int list_arrivals(const struct cd_tally *tally, bool keeps_order,
			 struct arrivals *out)
{
	uint8_t *seen = calloc(tally->slots / 8 + 1, 1);

	*out = (struct arrivals){0};
	out->slots = calloc(tally->slots + 1, sizeof(*out->slots));
	if (seen == NULL || out->slots == NULL) {
		free(seen);
		return -1;
	}
	if (!keeps_order)
		list_in_order(tally, out);
	for (size_t i = 0; i < tally->n_order; i++) {
		uint32_t slot = tally->order[i];

		if (seen[slot / 8] >> slot % 8 & 1)
			continue;
		seen[slot / 8] |= (uint8_t)(1u << slot % 8);
		out->slots[out->n++] = slot;
	}
	free(seen);
	return 0;
}

/* Who came after a larger one, by RFC 4737 3.3 and 4.2.1. */
struct order {
	const uint64_t *key; /* by slot; NULL: the slot itself */
	uint64_t *maxima;    /* keys of the prefix maxima */
	size_t *at;	     /* and where they are */
	size_t n_maxima, i;
};

static uint64_t key_of(const struct order *order, uint32_t slot)
{
	return order->key == NULL ? slot : order->key[slot];
}

static int order_init(struct order *order, const uint64_t *key, size_t n)
{
	*order = (struct order){.key = key};
	order->maxima = calloc(n + 1, sizeof(*order->maxima));
	order->at = calloc(n + 1, sizeof(*order->at));
	return order->maxima == NULL || order->at == NULL ? -1 : 0;
}

static void order_release(struct order *order)
{
	free(order->maxima);
	free(order->at);
}

/* The next arrival: its extent (distance to the earliest larger one), 0 if it
 * is in order. That one is always a prefix maximum. */
static uint64_t order_next(struct order *order, uint32_t slot)
{
	uint64_t key = key_of(order, slot);
	size_t low = 0, high = order->n_maxima, i = order->i++;

	if (high == 0 || order->maxima[high - 1] <= key) {
		order->maxima[high] = key;
		order->at[high] = i;
		order->n_maxima++;
		return 0;
	}
	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (order->maxima[mid] > key)
			high = mid;
		else
			low = mid + 1;
	}
	return i - order->at[low];
}

/* max(1000, packets in 100 ms), at most an eighth of the numbers
 * (METRICS 0.3). */
static uint64_t window(const struct cd_truth *truth, size_t stream)
{
	const struct cd_stream_spec *spec = &truth->scenario->streams[stream];
	unsigned bits = cd_stamper_bits(spec);
	uint64_t w = 1000;
	int64_t span = truth->last_ps[stream] - truth->first_ps[stream];

	if (span > 0) {
		unsigned __int128 n = (unsigned __int128)truth->sent[stream] *
				      (CD_PS_PER_S / 10) / (uint64_t)span;

		if (n > w)
			w = (uint64_t)n;
	}
	if (bits > 3 && bits < 64 && w > UINT64_C(1) << (bits - 3))
		w = UINT64_C(1) << (bits - 3);
	return w;
}

/* Largest extent among the first `w` arrivals. */
static int early_extent(const struct arrivals *arrivals, uint64_t w,
			uint64_t *extent)
{
	struct order order;

	*extent = 0;
	if (order_init(&order, NULL, arrivals->n)) {
		order_release(&order);
		return -1;
	}
	for (size_t i = 0; i < arrivals->n && i < w; i++) {
		uint64_t e = order_next(&order, arrivals->slots[i]);

		if (e > *extent)
			*extent = e;
	}
	order_release(&order);
	return 0;
}

static bool find_ends(const struct cd_tally *tally, uint64_t *first,
		      uint64_t *last)
{
	*first = 0;
	while (*first < tally->slots && !has(tally, *first))
		++*first;
	if (*first == tally->slots)
		return false;
	*last = tally->slots - 1;
	while (!has(tally, *last))
		--*last;
	return true;
}

static uint64_t count_inside(const struct cd_tally *tally, uint64_t from,
			     uint64_t to)
{
	uint64_t n = 0;

	for (uint64_t slot = from; slot < to; slot++)
		n += has(tally, slot);
	return n;
}

static void set_interval(struct cd_pair *pair, const struct cd_tally *r,
			 const struct cd_tally *d, const uint64_t early[2])
{
	uint64_t fr, lr, fd, ld;

	if (!find_ends(r, &fr, &lr) || !find_ends(d, &fd, &ld))
		return;
	fr += early[0];
	fd += early[1];
	pair->a = fr > fd ? fr : fd;
	pair->b = lr < ld ? lr : ld;
	pair->overlap = pair->a <= pair->b;
	if (!pair->overlap)
		return;
	pair->head_excluded = count_inside(r, 0, pair->a);
	pair->tail_excluded = count_inside(r, pair->b + 1, r->slots);
	pair->head_surplus = count_inside(d, 0, pair->a);
	pair->tail_surplus = count_inside(d, pair->b + 1, d->slots);
}

/* A lost number lengthens the last run unless one arrived in between. */
static int add_lost(struct cd_pair *pair, uint64_t slot, bool *in_run)
{
	struct cd_range *run;

	pair->lost++;
	if (!*in_run) {
		if (cd_grow(&pair->lost_runs, &pair->runs_capacity,
			    pair->n_runs + 1, sizeof(*pair->lost_runs)))
			return -1;
		pair->lost_runs[pair->n_runs++] = (struct cd_range){slot, 0};
		*in_run = true;
	}
	run = &pair->lost_runs[pair->n_runs - 1];
	run->last++; /* a count here */
	if (run->last > pair->longest)
		pair->longest = run->last;
	return 0;
}

static int count_slots(struct cd_pair *pair, const struct cd_tally *r,
		       const struct cd_tally *d)
{
	bool in_run = false;

	for (uint64_t slot = pair->a; slot <= pair->b; slot++) {
		unsigned cr = cd_tally_copies(r, slot);
		unsigned cd = cd_tally_copies(d, slot);

		pair->expected += cr > 0;
		pair->ref_miss += cr == 0 && cd > 0;
		pair->both_miss += cr == 0 && cd == 0;
		if (cr > 0 && cd == 0 && add_lost(pair, slot, &in_run))
			return -1;
		if (cd == 0)
			continue;
		in_run = false;
		pair->copies += cd - 1;
		pair->excess += cd > cr ? cd - (cr > 0 ? cr : 1) : 0;
		pair->deficit += cr > cd ? cr - cd : 0;
	}
	pair->runs = pair->n_runs;
	return 0;
}

/* Rank of every slot in the reference; what it lacks keeps its place behind
 * the number before it. NULL without memory. */
static uint64_t *rank_slots(const struct cd_tally *tally,
			    const struct arrivals *reference)
{
	uint64_t *key = malloc((tally->slots + 1) * sizeof(*key));
	uint64_t before = 0;

	if (key == NULL)
		return NULL;
	for (uint64_t slot = 0; slot < tally->slots; slot++)
		key[slot] = NO_RANK;
	for (size_t i = 0; i < reference->n; i++)
		key[reference->slots[i]] = (uint64_t)(i + 1) << 32;
	for (uint64_t slot = 0; slot < tally->slots; slot++) {
		if (key[slot] == NO_RANK)
			key[slot] = ++before;
		else
			before = key[slot];
	}
	return key;
}

static int find_reordered(struct cd_pair *pair, const struct arrivals *d,
			  const uint64_t *key)
{
	struct order order;
	int status = order_init(&order, key, d->n);

	for (size_t i = 0; status == 0 && i < d->n; i++) {
		uint64_t extent;

		if (d->slots[i] < pair->a || d->slots[i] > pair->b)
			continue;
		extent = order_next(&order, d->slots[i]);
		if (extent == 0)
			continue;
		if (extent > pair->extent_max)
			pair->extent_max = extent;
		status = cd_grow(&pair->reordered_slots,
				 &pair->reordered_capacity,
				 pair->n_reordered + 1,
				 sizeof(*pair->reordered_slots));
		if (status == 0)
			pair->reordered_slots[pair->n_reordered++] =
			    d->slots[i];
	}
	pair->reordered = pair->n_reordered;
	order_release(&order);
	return status;
}

static int fill_pair(struct cd_pair *pair, const struct cd_tally *r,
		     const struct cd_tally *d,
		     const struct arrivals arrivals[2], uint64_t w,
		     bool ordered)
{
	uint64_t early[2] = {0, 0};
	uint64_t *key;
	int status;

	if (!ordered) {
		set_interval(pair, r, d, early);
		return pair->overlap ? count_slots(pair, r, d) : 0;
	}
	if (early_extent(&arrivals[0], w, &early[0]) ||
	    early_extent(&arrivals[1], w, &early[1]))
		return -1;
	set_interval(pair, r, d, early);
	if (!pair->overlap)
		return 0;
	key = rank_slots(r, &arrivals[0]);
	status = key == NULL || count_slots(pair, r, d) ||
			 find_reordered(pair, &arrivals[1], key)
		     ? -1 : 0;
	free(key);
	return status;
}

int cd_pair_init(struct cd_pair *pair, const struct cd_truth *truth,
		 size_t reference, size_t point, size_t stream,
		 struct cd_error *error)
{
	const struct cd_point_truth *rp = &truth->points[reference];
	const struct cd_point_truth *dp = &truth->points[point];
	const struct cd_tally *r = &rp->tallies[stream];
	const struct cd_tally *d = &dp->tallies[stream];
	struct arrivals arrivals[2] = {{NULL, 0}, {NULL, 0}};
	bool ordered = rp->keeps_order || dp->keeps_order;
	int status = 0;

	*pair = (struct cd_pair){.overlap = false};
	if (ordered &&
	    (list_arrivals(r, rp->keeps_order, &arrivals[0]) ||
	     list_arrivals(d, dp->keeps_order, &arrivals[1])))
		status = -1;
	if (status == 0)
		status = fill_pair(pair, r, d, arrivals,
				   window(truth, stream), ordered);
	free(arrivals[0].slots);
	free(arrivals[1].slots);
	return status == 0 ? 0 : cd_error_memory(error);
}

void cd_pair_release(struct cd_pair *pair)
{
	free(pair->lost_runs);
	free(pair->reordered_slots);
	*pair = (struct cd_pair){.overlap = false};
}
