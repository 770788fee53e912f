/*
 * The exact lower convex hull of a stream of points, and the line of Moon,
 * Skelly and Towsley below all of them (METRICS 4.4). Memory O(hull).
 */
#ifndef CAPDIFF_STAT_HULL_H
#define CAPDIFF_STAT_HULL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cd_hull_point {
	int64_t x, d;
};

struct cd_hull_chain {
	struct cd_hull_point *v;
	size_t n, capacity;
};

/* All zero is an empty one. */
struct cd_hull {
	struct cd_hull_chain main; /* of points with rising x */
	struct cd_hull_chain side; /* points that went back in x, any order */
	size_t side_limit;
	uint64_t n;
	__int128 sum_x;
};

void cd_hull_release(struct cd_hull *h);

/* Rising or equal x is the fast way; points that go back are kept apart and
 * count all the same. Any int64. 0, or -1 without memory. */
int cd_hull_add(struct cd_hull *h, const int64_t *x, const int64_t *d,
		size_t n);
/* The same as adding the other's points; fastest if those are to the right. */
int cd_hull_merge(struct cd_hull *h, const struct cd_hull *other);

/* The vertices by rising x, the lowest at each end, none on a straight line
 * between others; independent of the order of adding. Valid until the next
 * call on `h`. NULL without memory, or if there are no points (*n is 0). */
const struct cd_hull_point *cd_hull_vertices(struct cd_hull *h, size_t *n);

/*
 * The line with the smallest sum of d - line among those below all points:
 * the edge over the mean of x (its right neighbour if the mean is a vertex).
 */
struct cd_hull_line {
	double slope;
	struct cd_hull_point left, right; /* the edge */
};
/* 1; 0: all x are equal, or there are no points; -1: no memory. */
int cd_hull_line(struct cd_hull *h, struct cd_hull_line *line);

#endif
