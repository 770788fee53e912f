#include "metric/order.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/time.h"
#include "metric/arrivals.h"
#include "metric/order_window.h"
#include "stat/order_rfc4737.h"

/* Arrivals remembered while one pass may do. */
#define WINDOW 16384

/* Late times are known up to this many arrivals back. */
#define LATE_WINDOW 65536

/* More arrivals than this in one tangle are not searched for `moves`. */
#define TANGLE_MAX (UINT64_C(1) << 22)

/* ---- which of the two orders has anything to find -------------------------
 */

static bool has_late_inside(const struct cd_track *track, int64_t from,
			    int64_t to)
{
	size_t n = 0;
	const struct cd_late *late =
	    track == NULL ? NULL : cd_track_late(track, &n);

	for (size_t i = 0; i < n; i++)
		if (late[i].seq >= from && late[i].seq <= to)
			return true;
	return false;
}

/* ---- tangles: arrivals from the first out of order to the last ------------
 */

/* Arrivals first..last, as counted from 0. */
struct tangle {
	uint64_t first, last;
};

struct tangles {
	struct tangle *items;
	size_t n, capacity;
};

/* A packet reaches back `extent` arrivals; those that it passes, by earlier
 * ones too, make one tangle. */
static int add_tangle(struct tangles *tangles, uint64_t at, uint64_t extent)
{
	struct tangle tangle = {at - extent, at};

	while (tangles->n > 0 &&
	       tangles->items[tangles->n - 1].last >= tangle.first) {
		tangles->n--;
		if (tangles->items[tangles->n].first < tangle.first)
			tangle.first = tangles->items[tangles->n].first;
	}
	if (tangles->n == tangles->capacity &&
	    cd_grow(&tangles->items, &tangles->capacity, tangles->n + 1,
		    sizeof(*tangles->items)))
		return -1;
	tangles->items[tangles->n++] = tangle;
	return 0;
}

/* Keys of the tangle that is being passed. */
struct moves {
	const struct tangles *tangles;
	size_t next; /* tangle */
	uint64_t at; /* arrival */
	int64_t *keys;
	size_t n, capacity;
	uint64_t sum;
};

static int close_tangle(struct moves *moves)
{
	uint64_t more;

	if (cd_reorder_moves(moves->keys, moves->n, &more))
		return -1;
	moves->sum += more;
	moves->n = 0;
	moves->next++;
	return 0;
}

static int pass_arrival(struct moves *moves, int64_t key)
{
	const struct tangle *tangle;
	uint64_t at = moves->at++;

	if (moves->next == moves->tangles->n)
		return 0;
	tangle = &moves->tangles->items[moves->next];
	if (at < tangle->first)
		return 0;
	if (moves->n == moves->capacity &&
	    cd_grow(&moves->keys, &moves->capacity, moves->n + 1,
		    sizeof(*moves->keys)))
		return -1;
	moves->keys[moves->n++] = key;
	return at == tangle->last ? close_tangle(moves) : 0;
}

/* ---- time order -----------------------------------------------------------
 */

/* An arrival whose time is not the largest so far. */
struct straggler {
	int64_t time_ps, key;
	uint64_t at;
};

static int by_time(const void *a, const void *b)
{
	const struct straggler *x = a, *y = b;

	if (x->time_ps != y->time_ps)
		return x->time_ps < y->time_ps ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

struct stragglers {
	struct straggler *items;
	size_t n, capacity;
};

/*
 * Arrivals with valid times, as a rising line and stragglers. One row is held
 * back: a time that the next one falls behind, without falling behind the
 * line, is an early stamp and itself the straggler; otherwise one stamp from
 * the future would make stragglers of all that follow.
 */
struct splitter {
	bool held;
	struct straggler row; /* the one held back */
	int64_t greatest;
	uint64_t at;
	/* what to do with each; 0 or -1 */
	int (*in_line)(void *context, const struct straggler *row);
	int (*beside)(void *context, const struct straggler *row);
	void *context;
};

static int settle(struct splitter *s, int64_t next_ps, bool has_next)
{
	struct straggler row = s->row;
	bool early =
	    has_next && next_ps >= s->greatest && next_ps < row.time_ps;

	if (!s->held)
		return 0;
	s->held = false;
	if (early || row.time_ps < s->greatest)
		return s->beside == NULL ? 0 : s->beside(s->context, &row);
	s->greatest = row.time_ps;
	return s->in_line == NULL ? 0 : s->in_line(s->context, &row);
}

static int split(struct splitter *s, const struct cd_arrivals_block *block)
{
	for (size_t i = 0; i < block->n; i++) {
		uint64_t at = s->at++;

		if (block->time_ps[i] == CD_TIME_NONE)
			continue;
		if (settle(s, block->time_ps[i], true))
			return -1;
		s->held = true;
		s->row =
		    (struct straggler){block->time_ps[i], block->key[i], at};
	}
	return 0;
}

static int keep_straggler(void *context, const struct straggler *row)
{
	struct stragglers *list = context;

	if (list->n == list->capacity &&
	    cd_grow(&list->items, &list->capacity, list->n + 1,
		    sizeof(*list->items)))
		return -1;
	list->items[list->n++] = *row;
	return 0;
}

/* Line and stragglers merged again, by time. */
struct sorted {
	const struct stragglers *list;
	size_t next;
	struct cd_reorder *reorder;
};

static int put_sorted(void *context, const struct straggler *row)
{
	struct sorted *sorted = context;

	while (sorted->next < sorted->list->n &&
	       by_time(&sorted->list->items[sorted->next], row) < 0)
		if (cd_reorder_add(sorted->reorder,
				   &sorted->list->items[sorted->next++].key,
				   NULL, 1, NULL))
			return -1;
	return cd_reorder_add(sorted->reorder, &row->key, NULL, 1, NULL);
}

static int put_rest(struct sorted *sorted)
{
	for (; sorted->next < sorted->list->n; sorted->next++)
		if (cd_reorder_add(sorted->reorder,
				   &sorted->list->items[sorted->next].key, NULL,
				   1, NULL))
			return -1;
	return 0;
}

/* ---- passes ---------------------------------------------------------------
 */

struct job {
	const struct cd_order_task *task;
	struct cd_places places;
	struct cd_arrivals_block block;
	struct cd_reorder_packet packets[CD_BLOCK_ROWS];
	struct tangles tangles;
	struct stragglers stragglers;
	struct cd_disorder *order;
};

/* Hand every block of arrivals to `see`. */
static int play(struct job *job, int (*see)(struct job *, void *),
		void *context)
{
	struct cd_arrivals *arrivals = cd_arrivals_new(
	    job->task->dut, job->task->from, job->task->to, &job->places);
	int result = arrivals == NULL ? -1 : 0;

	while (result == 0 && cd_arrivals_next(arrivals, &job->block))
		result = see(job, context);
	cd_arrivals_free(arrivals);
	return result;
}

struct first_pass {
	struct cd_reorder *reorder;
	struct splitter splitter;
	uint64_t at;
};

static int see_first(struct job *job, void *context)
{
	struct first_pass *pass = context;
	const struct cd_arrivals_block *block = &job->block;

	if (cd_reorder_add(pass->reorder, block->key, block->time_ps, block->n,
			   job->packets))
		return -1;
	for (size_t i = 0; i < block->n; i++)
		if (job->packets[i].reordered &&
		    add_tangle(&job->tangles, pass->at + i,
			       job->packets[i].extent))
			return -1;
	pass->at += block->n;
	return split(&pass->splitter, block);
}

static void take_summary(struct cd_disorder *order,
			 const struct cd_reorder *reorder, bool times_valid)
{
	struct cd_reorder_summary sum = cd_reorder_summary(reorder);

	order->arrivals = sum.arrivals;
	order->reordered_file = sum.reordered;
	if (sum.extents->moments.n > 0)
		order->extent_max = (uint64_t)sum.extents->moments.max;
	if (sum.n_reordering->moments.n > 0)
		order->n_max = (uint64_t)sum.n_reordering->moments.max;
	order->has_late = times_valid && sum.late_times->moments.n > 0;
	if (order->has_late)
		order->late_max_ps = sum.late_times->moments.max;
}

static int pass_file(struct job *job)
{
	struct first_pass pass = {
	    .reorder = cd_reorder_new(LATE_WINDOW),
	    .splitter = {.greatest = INT64_MIN,
			 .beside = keep_straggler,
			 .context = &job->stragglers},
	};
	int result = -1;

	if (pass.reorder != NULL && play(job, see_first, &pass) == 0 &&
	    settle(&pass.splitter, 0, false) == 0)
		result = 0;
	if (result == 0)
		take_summary(job->order, pass.reorder,
			     cd_track_invalid(job->task->dut) == 0);
	cd_reorder_free(pass.reorder);
	return result;
}

static int see_split(struct job *job, void *context)
{
	return split(context, &job->block);
}

static int pass_time(struct job *job)
{
	struct sorted sorted = {
	    .list = &job->stragglers,
	    .reorder = cd_reorder_new(0),
	};
	struct splitter splitter = {
	    .greatest = INT64_MIN,
	    .in_line = put_sorted,
	    .context = &sorted,
	};
	int result = -1;

	if (job->stragglers.n > 0)
		qsort(job->stragglers.items, job->stragglers.n,
		      sizeof(*job->stragglers.items), by_time);
	if (sorted.reorder != NULL && play(job, see_split, &splitter) == 0 &&
	    settle(&splitter, 0, false) == 0 && put_rest(&sorted) == 0)
		result = 0;
	if (result == 0)
		job->order->reordered_time =
		    cd_reorder_summary(sorted.reorder).reordered;
	cd_reorder_free(sorted.reorder);
	return result;
}

static int see_moves(struct job *job, void *context)
{
	for (size_t i = 0; i < job->block.n; i++)
		if (pass_arrival(context, job->block.key[i]))
			return -1;
	return 0;
}

static int pass_moves(struct job *job)
{
	struct moves moves = {.tangles = &job->tangles};
	int result;

	for (size_t i = 0; i < job->tangles.n; i++)
		if (job->tangles.items[i].last - job->tangles.items[i].first >
		    TANGLE_MAX)
			return 0;
	result = job->tangles.n == 0 ? 0 : play(job, see_moves, &moves);
	job->order->moves_known = result == 0;
	job->order->moves = moves.sum;
	free(moves.keys);
	return result;
}

/* Whatever the distances. */
static int measure_slowly(struct job *job)
{
	if (pass_file(job))
		return -1;
	job->order->reordered_time = job->order->reordered_file;
	if ((job->stragglers.n > 0 || cd_track_invalid(job->task->dut) > 0) &&
	    pass_time(job))
		return -1;
	return pass_moves(job);
}

/* ---- in one pass ----------------------------------------------------------
 */

struct windows {
	struct cd_file_window file;
	struct cd_time_window time;
	bool by_time; /* may be another order */
};

static int see_windows(struct job *job, void *context)
{
	struct windows *w = context;
	const struct cd_arrivals_block *block = &job->block;

	if (w->file.beyond || w->time.beyond)
		return 0;
	if (w->by_time)
		cd_time_window_add(&w->time, block->key, block->time_ps,
				   block->n);
	return cd_file_window_add(&w->file, block->key, block->time_ps,
				  block->n);
}

static void take_windows(struct job *job, struct windows *w)
{
	struct cd_disorder *order = job->order;

	order->arrivals = w->file.at;
	order->reordered_file = w->file.reordered;
	order->reordered_time =
	    w->by_time ? w->time.reordered : w->file.reordered;
	order->extent_max = w->file.extent_max;
	order->n_max = w->file.n_max;
	order->has_late =
	    w->file.has_late && cd_track_invalid(job->task->dut) == 0;
	order->late_max_ps = w->file.late_max_ps;
	order->moves = w->file.moves;
}

/* *beyond: something is further out of place than the window. */
static int measure_in_window(struct job *job, bool *beyond)
{
	size_t size = job->task->window > 0 ? job->task->window : WINDOW;
	struct windows w = {
	    .by_time =
		job->task->steps_back || cd_track_invalid(job->task->dut) > 0,
	};
	int result = -1;

	if (cd_file_window_init(&w.file, size) ||
	    cd_time_window_init(&w.time, size) || play(job, see_windows, &w))
		goto out;
	cd_file_window_end(&w.file);
	cd_time_window_end(&w.time);
	*beyond = w.file.moves_beyond || w.time.beyond;
	if (!*beyond)
		take_windows(job, &w);
	result = 0;
out:
	cd_file_window_release(&w.file);
	cd_time_window_release(&w.time);
	return result;
}

static int measure(struct job *job)
{
	bool beyond;

	if (cd_places_init(&job->places, job->task->ref) ||
	    measure_in_window(job, &beyond))
		return -1;
	return beyond ? measure_slowly(job) : 0;
}

int cd_order_measure(const struct cd_order_task *task,
		     struct cd_disorder *order)
{
	struct job *job;
	int result = -1;

	*order = (struct cd_disorder){
	    .arrivals = task->arrivals,
	    .moves_known = true,
	};
	if (!task->steps_back &&
	    !has_late_inside(task->dut, task->from, task->to) &&
	    !has_late_inside(task->ref, task->from, task->to))
		return 0;
	job = calloc(1, sizeof(*job));
	if (job == NULL)
		return -1;
	job->task = task;
	job->order = order;
	result = measure(job);
	cd_places_release(&job->places);
	free(job->tangles.items);
	free(job->stragglers.items);
	free(job);
	return result;
}
