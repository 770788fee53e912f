/*
 * The line between two clocks (METRICS 4.3 to 4.5): passes over the matched
 * rows of a pair, and what they leave.
 */
#ifndef CAPDIFF_METRIC_FIT_H
#define CAPDIFF_METRIC_FIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "metric/floors.h"
#include "metric/metric.h"
#include "metric/thin.h"
#include "stat/cluster.h"
#include "stat/hull.h"
#include "stat/line.h"
#include "stat/ols.h"

/* Sums over one group of rows; the groups are those of the floors. */
struct cd_fit_sums {
	struct cd_ols ols;
	struct cd_hull hull;
};

struct cd_fit {
	struct cd_pair *pair;
	const struct cd_metric_options *options;
	struct cd_floor_group *groups; /* by lane, then row */
	struct cd_fit_sums *sums;      /* one per group */
	size_t n_groups;
	struct cd_floors floors;
	struct cd_line_scratch scratch;
	struct cd_clusters clusters;	  /* of the compared capture */
	struct cd_cluster_summary bursts; /* packets 0: not known yet */
	int64_t *expected;		  /* room for one block */
	int64_t period_ps; /* of bursts, or what d scatters by: blocks must
			      not be shorter than five of it */
	int64_t low_x_ps, high_x_ps;
	struct cd_thin thin;   /* of the last pass */
	double s0;	       /* slope robust against steps (4.5) */
	double first_y;	       /* of the first iteration */
	struct cd_slope slope; /* BQTS */
};

/* 0, or -1 without memory; release in any case. */
int cd_fit_init(struct cd_fit *fit, struct cd_pair *pair,
		const struct cd_metric_options *options);
void cd_fit_release(struct cd_fit *fit);

/* Set the zero of x and d: clock.x0_ps and d0_ps. 0 or -1. */
int cd_fit_origin(struct cd_pair *pair);

/* One group per lane and segment, as pair->clock.steps say. 0 or -1. */
int cd_fit_groups(struct cd_fit *fit);

/*
 * The first iteration of BQTS, with hull, least squares and, once, clusters in
 * the same pass; then the second, whose floors stay. 1; 0: no time passes in
 * the reference between any two blocks; -1: no memory.
 */
int cd_fit_line(struct cd_fit *fit);

/* theta of every group for a slope y, relative to d0, by the estimator chosen.
 * 0 or -1. */
int cd_fit_thetas(struct cd_fit *fit, double y, double *theta_ps);

/* Slopes of the other estimators; NAN: undefined. 0 or -1. */
int cd_fit_cross_checks(struct cd_fit *fit, double *y_hull, double *y_ols);

#endif
