/*
 * Blocks of a fit, and their floors picked while the rows stream by: what
 * stat/blocks.h does with a block in memory, in memory of 1/50 of one.
 */
#ifndef CAPDIFF_METRIC_FLOORS_H
#define CAPDIFF_METRIC_FLOORS_H

#include <stddef.h>
#include <stdint.h>

#include "metric/metric.h"
#include "metric/walk.h"
#include "stat/line.h"

/* Rows of one lane in one segment; blocks never straddle them. */
struct cd_floor_group {
	size_t lane, segment;
	uint64_t first_row, rows; /* of the lane's matched rows */
};

struct cd_floor_block {
	size_t lane, segment;
	uint64_t first_row, rows;
	/* filled by a pass: */
	struct cd_line_point point; /* the row of rank floor(rows/100) of
				       d - y x, of equal ones the earliest */
	double floor;		    /* its d - y x */
	double tenth, median; /* 10 % and 50 % of d - y x, over all or 1024
				 spread rows */
	int64_t first_seq, last_seq;
	int64_t first_x_ps, last_x_ps; /* of the first and last row */
};

struct cd_floor_pick; /* the block being filled */

struct cd_floors {
	struct cd_floor_block *blocks; /* by lane, then row */
	size_t n;
	double y;
	size_t at; /* block being filled */
	struct cd_floor_pick *pick;
};

/* Deal `blocks` to the groups (by lane, then row) by their rows. 0 or -1
 * without memory; release in any case. */
int cd_floors_init(struct cd_floors *floors,
		   const struct cd_floor_group *groups, size_t n_groups,
		   size_t blocks);
void cd_floors_release(struct cd_floors *floors);

/* A pass: begin, then every block of the walk in order. add: 0 or -1. */
void cd_floors_begin(struct cd_floors *floors, double y);
int cd_floors_add(struct cd_floors *floors, const struct cd_walk_block *block);

#endif
