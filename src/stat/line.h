/*
 * Theil-Sen: the median slope of all pairs of points, with the interval of
 * Sen (1968) (METRICS 4.3).
 */
#ifndef CAPDIFF_STAT_LINE_H
#define CAPDIFF_STAT_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* x and d in one unit. Slopes are drawn only between points of one group
 * (stream, segment); groups are compared for equality only. */
struct cd_line_point {
	int64_t x, d;
	uint64_t group;
};

struct cd_slope {
	double y;	  /* plain middle of all slopes */
	double low, high; /* 95 % */
	bool bounded;	  /* false: too few points for an interval, low and
			     high are the extreme slopes */
	size_t pairs;	  /* with different x */
};

/* Room for the slopes; reused, all zero at first. */
struct cd_line_scratch {
	double *v;
	size_t capacity;
};
void cd_line_scratch_release(struct cd_line_scratch *scratch);

/*
 * Points in any order. 1: `out` is set; 0: no two points of one group differ
 * in x; -1: no memory. O(n^2): 200 points of one group take less than 1 ms.
 */
int cd_line_slope(struct cd_line_scratch *scratch,
		  const struct cd_line_point *points, size_t n,
		  struct cd_slope *out);

/* s0 of METRICS 4.5: the plain middle of the slopes between neighbours (in
 * the array) of one group. 1, 0, -1 as above. */
int cd_line_adjacent_slope(struct cd_line_scratch *scratch,
			   const struct cd_line_point *points, size_t n,
			   double *slope);

/* theta: the plain middle of d - y x over n > 0 points. 0, or -1. */
int cd_line_offset(struct cd_line_scratch *scratch,
		   const struct cd_line_point *points, size_t n, double y,
		   double *offset);

#endif
