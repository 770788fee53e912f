#include "metric/order_window.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/time.h"
#include "metric/arrivals.h"
#include "metric/lanes.h"
#include "stat/order_rfc4737.h"

/* Arrivals are looked at in chunks of this many: most are in order. */
#define CHUNK 64

/* Arrivals first..last that are out of order among themselves only. */
struct cd_tangle {
	uint64_t first, last;
	uint64_t moves;
	bool known;
};

/* ---- by arrival -----------------------------------------------------------
 */

int cd_file_window_init(struct cd_file_window *w, size_t size)
{
	*w = (struct cd_file_window){.size = size};
	w->key = malloc(size * sizeof(*w->key));
	w->top = malloc(size * sizeof(*w->top));
	w->time_ps = malloc(size * sizeof(*w->time_ps));
	return w->key && w->top && w->time_ps ? 0 : -1;
}

void cd_file_window_release(struct cd_file_window *w)
{
	free(w->key);
	free(w->top);
	free(w->time_ps);
	free(w->tangles);
	free(w->keys);
}

static size_t slot_of(const struct cd_file_window *w, uint64_t arrival)
{
	return (size_t)(arrival & (w->size - 1));
}

static void remember(struct cd_file_window *w, int64_t key, int64_t time_ps)
{
	size_t slot = slot_of(w, w->at);

	if (w->at == 0 || key > w->greatest)
		w->greatest = key;
	w->key[slot] = key;
	w->top[slot] = w->greatest;
	w->time_ps[slot] = time_ps;
	w->at++;
}

static uint64_t oldest(const struct cd_file_window *w)
{
	return w->at < w->size ? 0 : w->at - w->size;
}

/* The first arrival with a greater key than that of the one that comes. */
static uint64_t find_first_greater(struct cd_file_window *w, int64_t key)
{
	uint64_t low = oldest(w), high = w->at;

	if (low > 0 && w->top[slot_of(w, low)] > key)
		w->beyond = true;
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (w->top[slot_of(w, middle)] > key)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* Arrivals directly before with greater keys (RFC 4737 5). A few steps for
 * each late packet are fine, thousands for each of very many are not. */
static uint64_t count_greater(struct cd_file_window *w, int64_t key,
			      uint64_t most)
{
	uint64_t n = 0;

	while (n < most && w->key[slot_of(w, w->at - 1 - n)] > key)
		n++;
	w->work += n;
	if (w->work > 1000000 + 32 * w->at)
		w->beyond = true;
	return n;
}

static int add_tangle(struct cd_file_window *w, uint64_t first)
{
	struct cd_tangle tangle = {.first = first, .last = w->at};

	while (w->n_tangles > 0 &&
	       w->tangles[w->n_tangles - 1].last >= tangle.first) {
		w->n_tangles--;
		if (w->tangles[w->n_tangles].first < tangle.first)
			tangle.first = w->tangles[w->n_tangles].first;
	}
	if (w->n_tangles == w->capacity &&
	    cd_grow(&w->tangles, &w->capacity, w->n_tangles + 1,
		    sizeof(*w->tangles)))
		return -1;
	w->tangles[w->n_tangles++] = tangle;
	return 0;
}

static int take_late(struct cd_file_window *w, int64_t key, int64_t time_ps)
{
	uint64_t first = find_first_greater(w, key);
	uint64_t extent = w->at - first;
	uint64_t n = count_greater(w, key, extent);
	int64_t first_ps = w->time_ps[slot_of(w, first)];

	w->reordered++;
	w->extent_max = extent > w->extent_max ? extent : w->extent_max;
	w->n_max = n > w->n_max ? n : w->n_max;
	if (time_ps == CD_TIME_NONE || first_ps == CD_TIME_NONE)
		return add_tangle(w, first);
	time_ps = cd_minus(time_ps, first_ps);
	if (!w->has_late || time_ps > w->late_max_ps)
		w->late_max_ps = time_ps;
	w->has_late = true;
	return add_tangle(w, first);
}

/* Keys of the tangle, out of the window. */
static int settle_tangle(struct cd_file_window *w, struct cd_tangle *tangle)
{
	size_t n = (size_t)(tangle->last - tangle->first) + 1;

	if (tangle->first < oldest(w)) {
		w->moves_beyond = true;
		return 0;
	}
	if (n > w->keys_capacity &&
	    cd_grow(&w->keys, &w->keys_capacity, n, sizeof(*w->keys)))
		return -1;
	for (size_t i = 0; i < n; i++)
		w->keys[i] = w->key[slot_of(w, tangle->first + i)];
	tangle->known = true;
	return cd_reorder_moves(w->keys, n, &tangle->moves);
}

static int settle_tangles(struct cd_file_window *w)
{
	for (size_t i = w->n_tangles; i > 0 && !w->moves_beyond; i--) {
		if (w->tangles[i - 1].known)
			break;
		if (settle_tangle(w, &w->tangles[i - 1]))
			return -1;
	}
	return 0;
}

static int add_slowly(struct cd_file_window *w, const int64_t *key,
		      const int64_t *time_ps, size_t n)
{
	for (size_t i = 0; i < n && !w->beyond; i++) {
		if (w->at > 0 && key[i] < w->greatest &&
		    take_late(w, key[i], time_ps[i]))
			return -1;
		remember(w, key[i], time_ps[i]);
	}
	return 0;
}

static bool is_in_order(const struct cd_file_window *w, const int64_t *key,
			size_t n)
{
	return (w->at == 0 || key[0] > w->greatest) && cd_is_rising(key, n) &&
	       slot_of(w, w->at) + n <= w->size;
}

static void add_in_order(struct cd_file_window *w, const int64_t *key,
			 const int64_t *time_ps, size_t n)
{
	size_t slot = slot_of(w, w->at);

	memcpy(&w->key[slot], key, n * sizeof(*key));
	memcpy(&w->top[slot], key, n * sizeof(*key));
	memcpy(&w->time_ps[slot], time_ps, n * sizeof(*time_ps));
	w->greatest = key[n - 1];
	w->at += n;
}

int cd_file_window_add(struct cd_file_window *w, const int64_t *key,
		       const int64_t *time_ps, size_t n)
{
	for (size_t at = 0; at < n && !w->beyond; at += CHUNK) {
		size_t left = n - at < CHUNK ? n - at : CHUNK;

		if (is_in_order(w, key + at, left))
			add_in_order(w, key + at, time_ps + at, left);
		else if (add_slowly(w, key + at, time_ps + at, left) ||
			 settle_tangles(w))
			return -1;
	}
	return 0;
}

void cd_file_window_end(struct cd_file_window *w)
{
	for (size_t i = 0; i < w->n_tangles; i++)
		w->moves += w->tangles[i].moves;
	w->moves_beyond |= w->beyond;
}

/* ---- by time --------------------------------------------------------------
 */

int cd_time_window_init(struct cd_time_window *w, size_t size)
{
	*w = (struct cd_time_window){.size = size};
	w->key = malloc(2 * size * sizeof(*w->key));
	w->time_ps = malloc(2 * size * sizeof(*w->time_ps));
	return w->key && w->time_ps ? 0 : -1;
}

void cd_time_window_release(struct cd_time_window *w)
{
	free(w->key);
	free(w->time_ps);
}

/* The first n of the buffer leave it, in order of time. */
static void count_out(struct cd_time_window *w, size_t n)
{
	if (n == 0)
		return;
	if (!w->any)
		w->greatest = w->key[0];
	w->any = true;
	w->last_ps = w->time_ps[n - 1];
	for (size_t at = 0; at < n; at += CHUNK) {
		const int64_t *key = w->key + at;
		size_t left = n - at < CHUNK ? n - at : CHUNK;

		if (key[0] > w->greatest && cd_is_rising(key, left)) {
			w->greatest = key[left - 1];
			continue;
		}
		for (size_t i = 0; i < left; i++) {
			w->reordered += key[i] < w->greatest;
			if (key[i] > w->greatest)
				w->greatest = key[i];
		}
	}
}

static void make_room(struct cd_time_window *w)
{
	size_t rest = w->n - w->size;

	count_out(w, w->size);
	memmove(w->key, w->key + w->size, rest * sizeof(*w->key));
	memmove(w->time_ps, w->time_ps + w->size, rest * sizeof(*w->time_ps));
	w->n = rest;
}

/* How many in the buffer stay before one that comes at `ps`. */
static size_t find_place(const struct cd_time_window *w, int64_t ps)
{
	size_t low = 0, high = w->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (w->time_ps[middle] > ps)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static void insert(struct cd_time_window *w, int64_t key, int64_t ps)
{
	size_t place = w->n;

	if (ps == CD_TIME_NONE)
		return;
	if (w->n == 2 * w->size)
		make_room(w);
	if (w->n > 0 && ps < w->time_ps[w->n - 1])
		place = find_place(w, ps);
	if (place == 0 && w->any && ps < w->last_ps)
		w->beyond = true;
	w->added++;
	w->work += w->n - place;
	if (w->work > 10000000 + 256 * w->added)
		w->beyond = true;
	memmove(&w->key[place + 1], &w->key[place],
		(w->n - place) * sizeof(key));
	memmove(&w->time_ps[place + 1], &w->time_ps[place],
		(w->n - place) * sizeof(ps));
	w->key[place] = key;
	w->time_ps[place] = ps;
	w->n++;
}

/* Rising times (equal ones too) behind all that is in the buffer. */
static bool goes_behind(const struct cd_time_window *w, const int64_t *ps,
			size_t n)
{
	int64_t last = w->n > 0 ? w->time_ps[w->n - 1] : CD_TIME_NONE + 1;
	bool behind = ps[0] >= last && (w->n > 0 || !w->any);

	for (size_t i = 1; i < n; i++)
		behind &= ps[i] >= ps[i - 1];
	return behind;
}

void cd_time_window_add(struct cd_time_window *w, const int64_t *key,
			const int64_t *time_ps, size_t n)
{
	for (size_t at = 0; at < n && !w->beyond; at += CHUNK) {
		size_t left = n - at < CHUNK ? n - at : CHUNK;

		if (w->n + left > 2 * w->size)
			make_room(w);
		if (goes_behind(w, time_ps + at, left)) {
			memcpy(&w->key[w->n], key + at, left * sizeof(*key));
			memcpy(&w->time_ps[w->n], time_ps + at,
			       left * sizeof(*time_ps));
			w->n += left;
			w->added += left;
			continue;
		}
		for (size_t i = at; i < at + left; i++)
			insert(w, key[i], time_ps[i]);
	}
}

void cd_time_window_end(struct cd_time_window *w)
{
	count_out(w, w->n);
	w->n = 0;
}
