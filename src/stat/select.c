#include "stat/select.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "stat/grid.h"
#include "stat/loglinear.h"
#include "stat/order.h"
#include "stat/percentile.h"

#define P 7	      /* buckets an octave = 2^P */
#define BINS_LOG2 12  /* bins a fat cell is split into */
#define GATHER 131072 /* values gathered in one pass, all cells together */
#define NO_CELL 255

/* Values low .. low + width - 1, in which wanted ranks lie. */
struct cell {
	int64_t low;
	uint64_t width;
	uint64_t below; /* values smaller than low in the whole stream */
	uint64_t count; /* values in it */
	size_t bucket;
	uint8_t next;	 /* another cell of the bucket, or NO_CELL */
	unsigned shift;	 /* bin = (v - low) >> shift */
	uint64_t *bins;	 /* split ... */
	int64_t *values; /* ... or gathered, `used` of `count` */
	uint64_t used;
};

struct want {
	bool by_rank, known;
	uint32_t p;
	uint64_t rank;
	uint8_t cell; /* unless the value is known */
	int64_t value;
};

struct cd_select {
	struct cd_moments moments;
	uint64_t *counts; /* magnitudes of v >= 0, then of v < 0 */
	uint8_t *cell_of; /* as many: first cell of a bucket */
	struct cell cells[CD_SELECT_MAX];
	struct want wants[CD_SELECT_MAX];
	size_t n_cells, n_wants;
	bool refining;	      /* past the pass that counts buckets */
	bool summed;	      /* moments are known */
	bool only_moments;
	struct cd_grid *grid; /* counts instead of buckets, or NULL */
};

struct cd_select *cd_select_new(void)
{
	size_t buckets = 2 * cd_loglinear_buckets(P);
	struct cd_select *s = calloc(1, sizeof(*s));

	if (s == NULL)
		return NULL;
	s->counts = calloc(buckets, sizeof(*s->counts));
	s->cell_of = malloc(buckets);
	if (s->counts == NULL || s->cell_of == NULL) {
		cd_select_free(s);
		return NULL;
	}
	memset(s->cell_of, NO_CELL, buckets);
	return s;
}

static void release_cells(struct cell *cells, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(cells[i].bins);
		free(cells[i].values);
	}
}

void cd_select_free(struct cd_select *s)
{
	if (s == NULL)
		return;
	release_cells(s->cells, s->n_cells);
	cd_grid_free(s->grid);
	free(s->counts);
	free(s->cell_of);
	free(s);
}

static size_t add_want(struct cd_select *s, struct want want)
{
	assert(!s->summed && s->n_wants < CD_SELECT_MAX);
	s->wants[s->n_wants] = want;
	return s->n_wants++;
}

size_t cd_select_want(struct cd_select *s, uint32_t p)
{
	return add_want(s, (struct want){.p = p});
}

size_t cd_select_want_rank(struct cd_select *s, uint64_t rank)
{
	return add_want(
	    s, (struct want){.by_rank = true, .rank = rank});
}

static inline size_t bucket_of(int64_t v)
{
	return cd_loglinear_index(cd_magnitude(v), P) +
	       (cd_loglinear_buckets(P) & cd_sign_mask(v));
}

/* The value falls into cell c. */
static inline void add_to_cell(struct cell *c, int64_t v)
{
	uint64_t offset = (uint64_t)v - (uint64_t)c->low;

	if (offset >= c->width)
		return;
	if (c->bins != NULL)
		c->bins[offset >> c->shift]++;
	else if (c->used < c->count)
		c->values[c->used++] = v;
}

static void add_first(struct cd_select *s, const int64_t *v, size_t n)
{
	uint64_t *counts = s->counts;

	for (size_t i = 0; i < n; i++)
		counts[bucket_of(v[i])]++;
}

void cd_select_only_moments(struct cd_select *s)
{
	assert(s->n_wants == 0 && s->moments.n == 0);
	s->only_moments = true;
}

void cd_select_add(struct cd_select *s, const int64_t *v, size_t n)
{
	const uint8_t *cell_of = s->cell_of;

	if (s->grid != NULL) {
		cd_grid_add(s->grid, v, n);
		return;
	}
	if (!s->refining) {
		if (!s->summed)
			cd_moments_add(&s->moments, v, n);
		if (!s->only_moments)
			add_first(s, v, n);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		uint8_t c = cell_of[bucket_of(v[i])];

		for (; c != NO_CELL; c = s->cells[c].next)
			add_to_cell(&s->cells[c], v[i]);
	}
}

/* The values of a bucket; INT64_MIN has one of its own. */
static struct cell cell_of_bucket(size_t bucket)
{
	size_t buckets = cd_loglinear_buckets(P);
	size_t index = bucket % buckets;
	uint64_t low = cd_loglinear_low(index, P);
	uint64_t width = cd_loglinear_width(index, P);

	if (bucket < buckets)
		return (struct cell){.low = (int64_t)low, .width = width};
	if (index == buckets - 1)
		return (struct cell){.low = INT64_MIN, .width = 1};
	return (struct cell){.low = -(int64_t)(low + (width - 1)),
			     .width = width};
}

/* Bucket number i by rising value: negative ones from the largest magnitude. */
static size_t nth_bucket(size_t i)
{
	size_t buckets = cd_loglinear_buckets(P);

	return i < buckets ? 2 * buckets - 1 - i : i - buckets;
}

/* The bucket that holds `rank`, as a cell. */
static struct cell find_bucket(const struct cd_select *s, uint64_t rank)
{
	uint64_t below = 0;
	struct cell c;
	size_t i = 0;

	while (below + s->counts[nth_bucket(i)] <= rank)
		below += s->counts[nth_bucket(i++)];
	c = cell_of_bucket(nth_bucket(i));
	c.bucket = nth_bucket(i);
	c.below = below;
	c.count = s->counts[c.bucket];
	return c;
}

/* The bin of a split cell that holds `rank`, as a cell. */
static struct cell find_bin(const struct cell *parent, uint64_t rank)
{
	uint64_t below = parent->below;
	size_t bin = 0;

	while (below + parent->bins[bin] <= rank)
		below += parent->bins[bin++];
	return (struct cell){
	    .low = parent->low + (int64_t)((uint64_t)bin << parent->shift),
	    .width = UINT64_C(1) << parent->shift,
	    .below = below,
	    .count = parent->bins[bin],
	    .bucket = parent->bucket,
	};
}

int cd_select_aim(struct cd_select *s, int64_t *sample, size_t n,
		  uint64_t total)
{
	double shares[CD_SELECT_MAX];

	assert(!s->summed && s->moments.n == 0 && s->grid == NULL);
	if (n == 0 || total == 0 || s->only_moments)
		return 0;
	for (size_t i = 0; i < s->n_wants; i++)
		shares[i] =
		    s->wants[i].by_rank
			? ((double)s->wants[i].rank + 0.5) / (double)total
			: s->wants[i].p / (double)CD_P_ALL;
	s->grid = cd_grid_new(sample, n, shares, s->n_wants);
	return s->grid == NULL ? -1 : 0;
}

/* Let the want's answer come from cell c among the *n of the next pass, or
 * from c at once if only one value can be there. */
static void place(struct want *want, struct cell c, struct cell *cells,
		  size_t *n)
{
	size_t i = 0;

	want->value = c.low;
	want->known = c.width == 1;
	if (want->known)
		return;
	while (i < *n && (cells[i].low != c.low || cells[i].width != c.width))
		i++;
	if (i == *n)
		cells[(*n)++] = c;
	want->cell = (uint8_t)i;
}

/* What is known with the moments. */
static void settle_ends(struct cd_select *s)
{
	for (size_t i = 0; i < s->n_wants; i++) {
		struct want *want = &s->wants[i];

		if (!want->by_rank)
			want->rank = cd_percentile_rank(s->moments.n, want->p);
		assert(want->rank < s->moments.n);
		want->known = true;
		if (want->rank == 0)
			want->value = s->moments.min;
		else if (want->rank == s->moments.n - 1)
			want->value = s->moments.max;
		else
			want->known = false;
	}
}

/* The ranks that were aimed at well. False if others are left: then buckets
 * have to be counted. */
static bool settle_aimed(struct cd_select *s)
{
	bool all = true;

	for (size_t i = 0; i < s->n_wants; i++) {
		struct want *want = &s->wants[i];

		if (!want->known)
			want->known =
			    cd_grid_rank(s->grid, want->rank, &want->value);
		all &= want->known;
	}
	cd_grid_free(s->grid);
	s->grid = NULL;
	return all;
}

static void place_after_first(struct cd_select *s, struct cell *cells,
			      size_t *n)
{
	for (size_t i = 0; i < s->n_wants; i++)
		if (!s->wants[i].known)
			place(&s->wants[i], find_bucket(s, s->wants[i].rank),
			      cells, n);
}

static void place_after_refining(struct cd_select *s, struct cell *cells,
				 size_t *n)
{
	for (size_t i = 0; i < s->n_wants; i++) {
		struct want *want = &s->wants[i];
		struct cell *c;

		if (want->known)
			continue;
		c = &s->cells[want->cell];
		if (c->bins != NULL) {
			place(want, find_bin(c, want->rank), cells, n);
			continue;
		}
		assert(c->used == c->count);
		want->value =
		    cd_nth_i64(c->values, c->count, want->rank - c->below);
		want->known = true;
	}
}

/* Bins, or room for the values, for a cell of the pass that begins. */
static int equip(struct cell *c, bool gather)
{
	unsigned bits = 64 - (unsigned)__builtin_clzll(c->width - 1);

	c->used = 0;
	c->bins = NULL;
	c->values = NULL;
	if (gather) {
		c->values = malloc(c->count * sizeof(*c->values));
		return c->values == NULL ? -1 : 0;
	}
	c->shift = bits > BINS_LOG2 ? bits - BINS_LOG2 : 0;
	c->bins = calloc(((c->width - 1) >> c->shift) + 1, sizeof(*c->bins));
	return c->bins == NULL ? -1 : 0;
}

/* The thinnest cells are gathered as long as all of them fit. */
static int equip_all(struct cell *cells, size_t n)
{
	bool done[CD_SELECT_MAX] = {false};
	uint64_t room = GATHER;

	for (size_t turn = 0; turn < n; turn++) {
		size_t thin = n;
		bool gather;

		for (size_t i = 0; i < n; i++)
			if (!done[i] &&
			    (thin == n || cells[i].count < cells[thin].count))
				thin = i;
		gather = cells[thin].count <= room;
		if (equip(&cells[thin], gather) != 0)
			return -1;
		if (gather)
			room -= cells[thin].count;
		done[thin] = true;
	}
	return 0;
}

static void index_cells(struct cd_select *s)
{
	memset(s->cell_of, NO_CELL, 2 * cd_loglinear_buckets(P));
	for (size_t i = 0; i < s->n_cells; i++) {
		s->cells[i].next = s->cell_of[s->cells[i].bucket];
		s->cell_of[s->cells[i].bucket] = (uint8_t)i;
	}
}

int cd_select_end_pass(struct cd_select *s)
{
	struct cell cells[CD_SELECT_MAX] = {{0}};
	bool aimed = s->grid != NULL;
	size_t n = 0;

	if (aimed)
		cd_grid_end(s->grid, &s->moments);
	if (s->moments.n == 0 || s->only_moments)
		return 0;
	if (!s->summed)
		settle_ends(s);
	s->summed = true;
	if (aimed)
		return settle_aimed(s) ? 0 : 1;
	if (s->refining)
		place_after_refining(s, cells, &n);
	else
		place_after_first(s, cells, &n);
	release_cells(s->cells, s->n_cells);
	memcpy(s->cells, cells, sizeof(cells));
	s->n_cells = n;
	s->refining = true;
	if (equip_all(s->cells, n) != 0)
		return -1;
	index_cells(s);
	return n > 0;
}

int64_t cd_select_result(const struct cd_select *s, size_t handle)
{
	assert(s->moments.n > 0 && handle < s->n_wants);
	assert(s->wants[handle].known);
	return s->wants[handle].value;
}

const struct cd_moments *cd_select_moments(const struct cd_select *s)
{
	return &s->moments;
}

struct cd_select *cd_select_fork(const struct cd_select *s)
{
	struct cd_select *part = cd_select_new();

	assert(s->grid == NULL);
	if (part == NULL || !s->refining)
		return part;
	part->refining = true;
	for (size_t i = 0; i < s->n_cells; i++) {
		part->cells[i] = s->cells[i];
		part->n_cells = i + 1;
		if (equip(&part->cells[i], s->cells[i].values != NULL) != 0) {
			cd_select_free(part);
			return NULL;
		}
	}
	index_cells(part);
	return part;
}

static void merge_cell(struct cell *c, const struct cell *part)
{
	if (c->bins != NULL) {
		for (size_t i = 0; i <= (c->width - 1) >> c->shift; i++)
			c->bins[i] += part->bins[i];
		return;
	}
	assert(part->used <= c->count - c->used);
	memcpy(c->values + c->used, part->values,
	       part->used * sizeof(*c->values));
	c->used += part->used;
}

void cd_select_merge(struct cd_select *s, const struct cd_select *part)
{
	assert(s->refining == part->refining && s->n_cells == part->n_cells);
	assert(s->grid == NULL && part->grid == NULL);
	if (s->refining) {
		for (size_t i = 0; i < s->n_cells; i++)
			merge_cell(&s->cells[i], &part->cells[i]);
		return;
	}
	cd_moments_merge(&s->moments, &part->moments);
	for (size_t i = 0; i < 2 * cd_loglinear_buckets(P); i++)
		s->counts[i] += part->counts[i];
}
