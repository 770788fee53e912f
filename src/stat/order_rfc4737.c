#include "stat/order_rfc4737.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* `length` arrivals index, index + 1, ... with the numbers s, s + 1, ... */
struct run {
	uint64_t index;
	int64_t s;
	uint64_t length;
};

struct runs {
	struct run *v;
	size_t n, capacity;
};

struct cd_reorder {
	uint64_t arrivals, reordered, n3;
	int64_t greatest;    /* NextExp - 1; once arrivals > 0 */
	struct runs maxima;  /* arrivals greater than all before */
	struct runs smaller; /* monotone stack: no greater number came before
				a smaller one */
	int64_t *times;	     /* of the last `window` arrivals, by index */
	size_t window;
	struct cd_histogram extents, late_times, n_reordering;
	uint64_t in_order;   /* length of the run that goes on */
	uint64_t runs, run_packets;
	unsigned __int128 run_squares;
};

struct cd_reorder *cd_reorder_new(size_t window)
{
	struct cd_reorder *r = calloc(1, sizeof(*r));

	if (r == NULL)
		return NULL;
	r->window = window;
	r->times = calloc(window > 0 ? window : 1, sizeof(*r->times));
	if (r->times == NULL || cd_histogram_init(&r->extents, 7) != 0 ||
	    cd_histogram_init(&r->late_times, 7) != 0 ||
	    cd_histogram_init(&r->n_reordering, 7) != 0) {
		cd_reorder_free(r);
		return NULL;
	}
	return r;
}

void cd_reorder_free(struct cd_reorder *r)
{
	if (r == NULL)
		return;
	free(r->maxima.v);
	free(r->smaller.v);
	free(r->times);
	cd_histogram_release(&r->extents);
	cd_histogram_release(&r->late_times);
	cd_histogram_release(&r->n_reordering);
	free(r);
}

/* a - b of a > b */
static uint64_t above(int64_t a, int64_t b)
{
	return (uint64_t)a - (uint64_t)b;
}

static int push(struct runs *runs, uint64_t index, int64_t s)
{
	struct run *top = runs->n > 0 ? &runs->v[runs->n - 1] : NULL;

	if (top != NULL && top->index + top->length == index &&
	    s > top->s && above(s, top->s) == top->length) {
		top->length++;
		return 0;
	}
	if (runs->n == runs->capacity &&
	    cd_grow(&runs->v, &runs->capacity, runs->n + 1,
		    sizeof(*runs->v)) != 0)
		return -1;
	runs->v[runs->n++] = (struct run){index, s, 1};
	return 0;
}

static bool reaches_above(const struct run *run, int64_t s)
{
	return run->s > s || run->length - 1 > above(s, run->s);
}

/* The first arrival with a greater number, which always was a maximum then:
 * a binary search. False if there is none (s repeats the greatest). */
static bool find_first_greater(const struct runs *maxima, int64_t s,
			       uint64_t *index)
{
	size_t low = 0, high = maxima->n;
	const struct run *run;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (reaches_above(&maxima->v[middle], s))
			high = middle;
		else
			low = middle + 1;
	}
	if (low == maxima->n)
		return false;
	run = &maxima->v[low];
	*index = run->index + (run->s > s ? 0 : above(s, run->s) + 1);
	return true;
}

/* Pop what is not smaller than s; how many arrivals lie between the last
 * smaller one and arrival `index`. */
static uint64_t count_greater(struct runs *stack, uint64_t index, int64_t s)
{
	struct run *top;

	while (stack->n > 0 && stack->v[stack->n - 1].s >= s)
		stack->n--;
	if (stack->n == 0)
		return index;
	top = &stack->v[stack->n - 1];
	if (top->length > above(s, top->s))
		top->length = above(s, top->s);
	return index - (top->index + top->length);
}

static void close_run(struct cd_reorder *r)
{
	if (r->in_order == 0)
		return;
	r->runs++;
	r->run_packets += r->in_order;
	r->run_squares += (unsigned __int128)r->in_order * r->in_order;
	r->in_order = 0;
}

struct feeds {
	struct cd_histogram_feed extents, late_times, n_reordering;
};

static void start_feeds(struct feeds *f, struct cd_reorder *r)
{
	f->extents.histogram = &r->extents;
	f->late_times.histogram = &r->late_times;
	f->n_reordering.histogram = &r->n_reordering;
	f->extents.n = f->late_times.n = f->n_reordering.n = 0;
}

static void flush_feeds(struct feeds *f)
{
	cd_histogram_flush(&f->extents);
	cd_histogram_flush(&f->late_times);
	cd_histogram_flush(&f->n_reordering);
}

/* Arrival number r->arrivals is a reordered one. */
static struct cd_reorder_packet judge_late(struct cd_reorder *r,
					   struct feeds *f, int64_t s,
					   const int64_t *t)
{
	struct cd_reorder_packet packet = {.reordered = true};
	uint64_t first;

	r->reordered++;
	close_run(r);
	packet.n = count_greater(&r->smaller, r->arrivals, s);
	if (packet.n > 0)
		cd_histogram_put(&f->n_reordering, (int64_t)packet.n);
	r->n3 += packet.n >= 3;
	if (!find_first_greater(&r->maxima, s, &first))
		return packet;
	packet.extent = r->arrivals - first;
	cd_histogram_put(&f->extents, (int64_t)packet.extent);
	if (t == NULL || packet.extent > r->window)
		return packet;
	packet.has_late = !__builtin_sub_overflow(
	    *t, r->times[first % r->window], &packet.late);
	if (packet.has_late)
		cd_histogram_put(&f->late_times, packet.late);
	return packet;
}

/* The stamps of the next n arrivals. */
static void keep_times(struct cd_reorder *r, const int64_t *t, size_t n)
{
	size_t at;

	if (r->window == 0 || n == 0)
		return;
	at = (size_t)(r->arrivals % r->window);
	for (size_t i = 0; i < n; i++) {
		r->times[at++] = t[i];
		if (at == r->window)
			at = 0;
	}
}

/* The numbers s[0..] that simply follow on the greatest, which came last: both
 * lists end in the run they prolong. How many. */
static size_t pass_in_order(struct cd_reorder *r, const int64_t *s,
			    const int64_t *t, size_t n)
{
	int64_t greatest = r->greatest;
	size_t length = 0;

	if (r->in_order == 0)
		return 0;
	while (length < n && greatest < INT64_MAX && s[length] == greatest + 1)
		greatest = s[length++];
	r->maxima.v[r->maxima.n - 1].length += length;
	r->smaller.v[r->smaller.n - 1].length += length;
	r->greatest = greatest;
	r->in_order += length;
	if (t != NULL)
		keep_times(r, t, length);
	r->arrivals += length;
	return length;
}

/* `t` is NULL, or the stamp of the arrival. */
static int add_one(struct cd_reorder *r, struct feeds *feeds, int64_t s,
		   const int64_t *t, struct cd_reorder_packet *packet)
{
	if (r->arrivals > 0 && s <= r->greatest) {
		*packet = judge_late(r, feeds, s, t);
	} else {
		*packet = (struct cd_reorder_packet){0};
		r->greatest = s;
		r->in_order++;
		if (push(&r->maxima, r->arrivals, s) != 0)
			return -1;
	}
	if (push(&r->smaller, r->arrivals, s) != 0)
		return -1;
	if (t != NULL)
		keep_times(r, t, 1);
	r->arrivals++;
	return 0;
}

int cd_reorder_add(struct cd_reorder *r, const int64_t *s, const int64_t *t,
		   size_t n, struct cd_reorder_packet *packets)
{
	struct feeds feeds;
	int result = 0;

	start_feeds(&feeds, r);
	for (size_t i = 0; i < n && result == 0; i++) {
		struct cd_reorder_packet packet;
		size_t passed = pass_in_order(r, s + i, t ? t + i : NULL,
					      n - i);

		if (packets != NULL)
			memset(packets + i, 0, passed * sizeof(*packets));
		i += passed;
		if (i == n)
			break;
		result = add_one(r, &feeds, s[i], t ? t + i : NULL, &packet);
		if (packets != NULL && result == 0)
			packets[i] = packet;
	}
	flush_feeds(&feeds);
	return result;
}

struct cd_reorder_summary cd_reorder_summary(const struct cd_reorder *r)
{
	return (struct cd_reorder_summary){
	    .arrivals = r->arrivals,
	    .reordered = r->reordered,
	    .extents = &r->extents,
	    .late_times = &r->late_times,
	    .n_reordering = &r->n_reordering,
	    .n3 = r->n3,
	    .runs = r->runs + (r->in_order > 0),
	    .run_packets = r->run_packets + r->in_order,
	    .run_squares = r->run_squares +
			   (unsigned __int128)r->in_order * r->in_order,
	};
}

/* tails[k]: the least end of a rising subsequence of k + 1 numbers. */
int cd_reorder_moves(const int64_t *s, size_t n, uint64_t *moves)
{
	int64_t *tails = malloc((n > 0 ? n : 1) * sizeof(*tails));
	size_t length = 0;

	if (tails == NULL)
		return -1;
	for (size_t i = 0; i < n; i++) {
		size_t low = 0, high = length;

		if (length == 0 || s[i] > tails[length - 1])
			low = high;
		while (low < high) {
			size_t middle = low + (high - low) / 2;

			if (tails[middle] < s[i])
				low = middle + 1;
			else
				high = middle;
		}
		tails[low] = s[i];
		length += low == length;
	}
	free(tails);
	*moves = n - length;
	return 0;
}
