#include "stat/hull.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define SIDE_LEAST 1024

typedef unsigned __int128 u128;

void cd_hull_release(struct cd_hull *h)
{
	free(h->main.v);
	free(h->side.v);
	*h = (struct cd_hull){0};
}

/* Sign of a dx * dy product against another, dx >= 0, past 128 bits. */
static int compare_products(uint64_t ax, __int128 ay, uint64_t bx, __int128 by)
{
	u128 a = ax * (u128)(ay < 0 ? -ay : ay);
	u128 b = bx * (u128)(by < 0 ? -by : by);
	int size = (a > b) - (a < b);

	if (a == 0 && b == 0)
		return 0;
	if ((ay < 0) != (by < 0))
		return ay < 0 ? -1 : 1;
	return ay < 0 ? -size : size;
}

/* 1: p is left of (above) the ray a to b, 0: on it, -1: below; a.x <= b.x,
 * a.x <= p.x. The cross product (b - a) x (p - a) of any int64. */
static int turn(struct cd_hull_point a, struct cd_hull_point b,
		struct cd_hull_point p)
{
	uint64_t bx = (uint64_t)b.x - (uint64_t)a.x;
	uint64_t px = (uint64_t)p.x - (uint64_t)a.x;
	int64_t bd, pd;
	__int128 cross;

	if ((bx | px) >> 63 || __builtin_sub_overflow(b.d, a.d, &bd) ||
	    __builtin_sub_overflow(p.d, a.d, &pd))
		return compare_products(bx, (__int128)p.d - a.d, px,
					(__int128)b.d - a.d);
	cross = (__int128)(int64_t)bx * pd - (__int128)(int64_t)px * bd;
	return (cross > 0) - (cross < 0);
}

/* Andrew's step: the hull of v[0..n-1] and p, which is not left of them; v has
 * room for it. The new n. */
static size_t extend(struct cd_hull_point *v, size_t n, struct cd_hull_point p)
{
	if (n > 0 && v[n - 1].x == p.x) {
		if (v[n - 1].d <= p.d)
			return n;
		n--;
	}
	while (n >= 2 && turn(v[n - 2], v[n - 1], p) <= 0)
		n--;
	v[n] = p;
	return n + 1;
}

static int compare_points(const void *left, const void *right)
{
	struct cd_hull_point a, b;

	memcpy(&a, left, sizeof(a));
	memcpy(&b, right, sizeof(b));
	if (a.x != b.x)
		return a.x < b.x ? -1 : 1;
	return (a.d > b.d) - (a.d < b.d);
}

/* Leave only the vertices of their own hull, by rising x; what is inside it is
 * inside the hull of all. */
static void reduce(struct cd_hull_chain *c)
{
	size_t n = 0;

	if (c->n > 0)
		qsort(c->v, c->n, sizeof(*c->v), compare_points);
	for (size_t i = 0; i < c->n; i++)
		n = extend(c->v, n, c->v[i]);
	c->n = n;
}

static int add_side(struct cd_hull *h, struct cd_hull_point p)
{
	struct cd_hull_chain *c = &h->side;

	if (h->side_limit < SIDE_LEAST)
		h->side_limit = SIDE_LEAST;
	if (c->n >= h->side_limit) {
		reduce(c);
		if (c->n > h->side_limit / 2)
			h->side_limit *= 2;
	}
	if (cd_grow(&c->v, &c->capacity, c->n + 1, sizeof(*c->v)) != 0)
		return -1;
	c->v[c->n++] = p;
	return 0;
}

static int add_point(struct cd_hull *h, struct cd_hull_point p)
{
	struct cd_hull_chain *c = &h->main;

	if (c->n > 0 && p.x < c->v[c->n - 1].x)
		return add_side(h, p);
	if (c->n == c->capacity &&
	    cd_grow(&c->v, &c->capacity, c->n + 1, sizeof(*c->v)) != 0)
		return -1;
	c->n = extend(c->v, c->n, p);
	return 0;
}

#define GROUP 64

static size_t find_lowest(const int64_t *d, size_t from, size_t to)
{
	int64_t least = d[from];
	size_t lowest = from;

	for (size_t i = from + 1; i < to; i++) {
		lowest = d[i] < least ? i : lowest;
		least = d[i] < least ? d[i] : least;
	}
	return lowest;
}

/* The points from..to-1 that are below the straight line a to b. None is that
 * is not below the higher of them: most are not. */
static int add_below(struct cd_hull *h, const int64_t *x, const int64_t *d,
		     size_t from, size_t to, struct cd_hull_point a,
		     struct cd_hull_point b)
{
	int64_t top = a.d > b.d ? a.d : b.d;

	for (size_t i = from; i < to; i++) {
		struct cd_hull_point p = {x[i], d[i]};

		if (d[i] < top && turn(a, b, p) < 0 && add_point(h, p) != 0)
			return -1;
	}
	return 0;
}

static int add_all(struct cd_hull *h, const int64_t *x, const int64_t *d,
		   size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		if (add_point(h, (struct cd_hull_point){x[i], d[i]}) != 0)
			return -1;
	return 0;
}

/*
 * Points by rising x. Andrew's step on every point of noise is wrong about its
 * branches most of the time, so points that cannot be vertices are kept from
 * it: those on or above the line between the lowest points of two groups in
 * whose middle they lie.
 */
static int add_sorted(struct cd_hull *h, const int64_t *x, const int64_t *d,
		      size_t n)
{
	size_t last = find_lowest(d, 0, n < GROUP ? n : GROUP);

	if (add_all(h, x, d, 0, last + 1) != 0)
		return -1;
	for (size_t from = GROUP; from < n; from += GROUP) {
		size_t to = n - from < GROUP ? n : from + GROUP;
		size_t lowest = find_lowest(d, from, to);
		struct cd_hull_point a = {x[last], d[last]};
		struct cd_hull_point b = {x[lowest], d[lowest]};

		if (add_below(h, x, d, last + 1, lowest, a, b) != 0 ||
		    add_point(h, b) != 0)
			return -1;
		last = lowest;
	}
	return add_all(h, x, d, last + 1, n);
}

int cd_hull_add(struct cd_hull *h, const int64_t *x, const int64_t *d,
		size_t n)
{
	bool sorted = true;
	__int128 sum = 0;

	if (n == 0)
		return 0;
	for (size_t i = 0; i < n; i++) {
		sorted &= i == 0 || x[i - 1] <= x[i];
		sum += x[i];
	}
	if ((sorted ? add_sorted(h, x, d, n) : add_all(h, x, d, 0, n)) != 0)
		return -1;
	h->sum_x += sum;
	h->n += n;
	return 0;
}

static int add_chain(struct cd_hull *h, const struct cd_hull_chain *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (add_point(h, c->v[i]) != 0)
			return -1;
	return 0;
}

int cd_hull_merge(struct cd_hull *h, const struct cd_hull *other)
{
	if (add_chain(h, &other->main) != 0 || add_chain(h, &other->side) != 0)
		return -1;
	h->n += other->n;
	h->sum_x += other->sum_x;
	return 0;
}

/* Merge the side chain into the main one, by x. */
static int settle(struct cd_hull *h)
{
	struct cd_hull_chain all = {0};
	size_t i = 0, j = 0, n = h->main.n + h->side.n;

	if (h->side.n == 0)
		return 0;
	reduce(&h->side);
	if (cd_grow(&all.v, &all.capacity, n, sizeof(*all.v)) != 0)
		return -1;
	while (i < h->main.n || j < h->side.n) {
		const struct cd_hull_point *a = h->main.v + i;
		const struct cd_hull_point *b = h->side.v + j;
		bool main_first =
		    j >= h->side.n || (i < h->main.n && a->x <= b->x);

		all.n = extend(all.v, all.n, main_first ? *a : *b);
		i += main_first;
		j += !main_first;
	}
	free(h->main.v);
	h->main = all;
	h->side.n = 0;
	return 0;
}

const struct cd_hull_point *cd_hull_vertices(struct cd_hull *h, size_t *n)
{
	*n = 0;
	if (settle(h) != 0)
		return NULL;
	*n = h->main.n;
	return h->main.n > 0 ? h->main.v : NULL;
}

/* The sum of (d - line) is least where the line is highest at the mean of x,
 * which no line below all points beats the edge over it at. */
int cd_hull_line(struct cd_hull *h, struct cd_hull_line *line)
{
	const struct cd_hull_point *v;
	size_t i = 0;

	if (settle(h) != 0)
		return -1;
	v = h->main.v;
	if (h->main.n < 2)
		return 0;
	while (i + 2 < h->main.n &&
	       (__int128)v[i + 1].x * (__int128)h->n <= h->sum_x)
		i++;
	line->left = v[i];
	line->right = v[i + 1];
	line->slope = (double)((__int128)v[i + 1].d - v[i].d) /
		      (double)((__int128)v[i + 1].x - v[i].x);
	return 1;
}
