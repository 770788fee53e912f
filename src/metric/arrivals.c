#include "metric/arrivals.h"

#include <stdlib.h>
#include <string.h>

/* Rows are looked at in chunks of this many: most hold nothing special. */
#define CHUNK 64

/* ---- places in the reference ----------------------------------------------
 */

struct arrival {
	uint64_t position;
	size_t index; /* into the late list */
};

static int by_position(const void *a, const void *b)
{
	const struct arrival *x = a, *y = b;

	return (x->position > y->position) - (x->position < y->position);
}

static int sort_late(const struct cd_places *places, struct arrival **out)
{
	struct arrival *order = malloc(places->n * sizeof(*order));

	if (order == NULL)
		return -1;
	for (size_t i = 0; i < places->n; i++)
		order[i] = (struct arrival){places->late[i].position, i};
	qsort(order, places->n, sizeof(*order), by_position);
	*out = order;
	return 0;
}

/* Without overflow where numbers use all 64 bits. */
static int64_t move_up(int64_t seq, size_t by)
{
	return (int64_t)((uint64_t)seq + by);
}

/*
 * anchors[i] = the largest number before the i-th late arrival. In the line of
 * numbers, what is late is taken out and put behind its anchor: the i-th late
 * one gets the place anchor + i + 1, and every number s moves up by the late
 * ones whose anchor is below it. That keeps the reference's order, without a
 * rank for every packet.
 */
static int find_anchors(struct cd_places *places, const struct cd_track *ref,
			const struct arrival *order)
{
	struct cd_track_reader *reader =
	    cd_track_reader_new(ref, CD_ORDER_FILE, 0);
	struct cd_block block;
	uint64_t position = 0;
	int64_t greatest = INT64_MIN;
	size_t i = 0;

	if (reader == NULL)
		return -1;
	while (i < places->n && cd_track_reader_next(reader, &block))
		for (size_t k = 0; k < block.n && i < places->n;
		     k++, position++) {
			if (position == order[i].position) {
				places->anchors[i] = greatest;
				places->late_keys[order[i].index] =
				    move_up(greatest, i + 1);
				i++;
			} else if (block.seq[k] > greatest &&
				   (block.stray == NULL || !block.stray[k])) {
				greatest = block.seq[k];
			}
		}
	cd_track_reader_free(reader);
	return 0;
}

int cd_places_init(struct cd_places *places, const struct cd_track *ref)
{
	struct arrival *order = NULL;
	int result = -1;

	*places = (struct cd_places){0};
	if (ref != NULL)
		places->late = cd_track_late(ref, &places->n);
	if (places->n == 0)
		return 0;
	places->anchors = calloc(places->n, sizeof(*places->anchors));
	places->late_keys = calloc(places->n, sizeof(*places->late_keys));
	if (places->anchors == NULL || places->late_keys == NULL ||
	    sort_late(places, &order))
		return -1;
	result = find_anchors(places, ref, order);
	for (size_t i = 0; i < places->n; i++) {
		uint64_t low = (uint64_t)places->late[i].seq & 0xffff;

		places->filter[low / 64] |= UINT64_C(1) << low % 64;
	}
	free(order);
	return result;
}

void cd_places_release(struct cd_places *places)
{
	free(places->anchors);
	free(places->late_keys);
}

/* How many of n rising values are below v. */
static size_t count_below(const int64_t *values, size_t n, int64_t v)
{
	size_t low = 0;

	while (n > 0) {
		size_t half = n / 2;

		if (values[low + half] < v) {
			low += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return low;
}

static const struct cd_late *find_late(const struct cd_late *late, size_t n,
				       int64_t seq)
{
	size_t low = 0;

	while (n > 0) {
		size_t half = n / 2;

		if (late[low + half].seq == seq)
			return &late[low + half];
		if (late[low + half].seq < seq) {
			low += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return NULL;
}

int64_t cd_places_key(const struct cd_places *places, int64_t seq)
{
	uint64_t low = (uint64_t)seq & 0xffff;
	const struct cd_late *late;

	if (places->n == 0)
		return seq;
	if (places->filter[low / 64] >> low % 64 & 1) {
		late = find_late(places->late, places->n, seq);
		if (late != NULL)
			return places->late_keys[late - places->late];
	}
	return move_up(seq, count_below(places->anchors, places->n, seq));
}

/* ---- first copies ---------------------------------------------------------
 */

struct cd_firsts cd_firsts_of(const struct cd_track *track)
{
	struct cd_firsts firsts = {0};

	firsts.late = cd_track_late(track, &firsts.n_late);
	return firsts;
}

/* The largest number so far is new; else it is a late one, or a copy. */
bool cd_firsts_take(struct cd_firsts *firsts, int64_t seq, uint64_t position)
{
	const struct cd_late *late;

	if (!firsts->any || seq > firsts->greatest) {
		firsts->any = true;
		firsts->greatest = seq;
		return true;
	}
	late = find_late(firsts->late, firsts->n_late, seq);
	return late != NULL && late->position == position;
}

/* ---- arrivals -------------------------------------------------------------
 */

struct cd_arrivals {
	struct cd_track_reader *reader;
	const struct cd_places *places;
	struct cd_firsts firsts;
	int64_t from, to;
	uint64_t position;
};

struct cd_arrivals *cd_arrivals_new(const struct cd_track *track, int64_t from,
				    int64_t to, const struct cd_places *places)
{
	struct cd_arrivals *arrivals = calloc(1, sizeof(*arrivals));

	if (arrivals == NULL)
		return NULL;
	arrivals->places = places;
	arrivals->firsts = cd_firsts_of(track);
	arrivals->from = from;
	arrivals->to = to;
	arrivals->reader =
	    cd_track_reader_new(track, CD_ORDER_FILE, CD_COLUMN_TIME);
	if (arrivals->reader == NULL) {
		free(arrivals);
		return NULL;
	}
	return arrivals;
}

void cd_arrivals_free(struct cd_arrivals *arrivals)
{
	if (arrivals == NULL)
		return;
	cd_track_reader_free(arrivals->reader);
	free(arrivals);
}

static void take_row(struct cd_arrivals *arrivals, const struct cd_block *rows,
		     size_t i, struct cd_arrivals_block *block)
{
	int64_t seq = rows->seq[i];

	if (rows->stray != NULL && rows->stray[i])
		return;
	if (!cd_firsts_take(&arrivals->firsts, seq, arrivals->position) ||
	    seq < arrivals->from || seq > arrivals->to)
		return;
	block->key[block->n] = cd_places_key(arrivals->places, seq);
	block->time_ps[block->n++] = rows->time_ps[i];
}

/* Every row is new and none is left out. */
static bool is_plain_chunk(const struct cd_arrivals *arrivals,
			   const struct cd_block *rows, size_t at, size_t n)
{
	const int64_t *seq = rows->seq + at;

	return rows->stray == NULL &&
	       (!arrivals->firsts.any || seq[0] > arrivals->firsts.greatest) &&
	       seq[0] >= arrivals->from && seq[n - 1] <= arrivals->to &&
	       cd_is_rising(seq, n);
}

static void take_plain_chunk(struct cd_arrivals *arrivals,
			     const struct cd_block *rows, size_t at, size_t n,
			     struct cd_arrivals_block *block)
{
	const int64_t *seq = rows->seq + at;

	if (arrivals->places->n == 0)
		memcpy(&block->key[block->n], seq, n * sizeof(*seq));
	else
		for (size_t i = 0; i < n; i++)
			block->key[block->n + i] =
			    cd_places_key(arrivals->places, seq[i]);
	memcpy(&block->time_ps[block->n], rows->time_ps + at,
	       n * sizeof(*rows->time_ps));
	block->n += n;
	arrivals->firsts.any = true;
	arrivals->firsts.greatest = seq[n - 1];
	arrivals->position += n;
}

static void take_block(struct cd_arrivals *arrivals,
		       const struct cd_block *rows,
		       struct cd_arrivals_block *block)
{
	for (size_t at = 0; at < rows->n; at += CHUNK) {
		size_t n = rows->n - at < CHUNK ? rows->n - at : CHUNK;

		if (is_plain_chunk(arrivals, rows, at, n)) {
			take_plain_chunk(arrivals, rows, at, n, block);
			continue;
		}
		for (size_t i = at; i < at + n; i++, arrivals->position++)
			take_row(arrivals, rows, i, block);
	}
}

int cd_arrivals_next(struct cd_arrivals *arrivals,
		     struct cd_arrivals_block *block)
{
	struct cd_block rows;

	block->n = 0;
	while (block->n == 0 && cd_track_reader_next(arrivals->reader, &rows))
		take_block(arrivals, &rows, block);
	return block->n > 0;
}
