/*
 * Metrics: matched rows in, report values out. The metrics are the table
 * cd_metrics[], run in its order; what a later one needs of an earlier one is
 * in struct cd_pair.
 */
#ifndef CAPDIFF_METRIC_METRIC_H
#define CAPDIFF_METRIC_METRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "align/point.h"
#include "align/rows.h"
#include "base/error.h"
#include "report/report.h"

enum cd_estimator { CD_BQTS, CD_OLS, CD_HULL };

struct cd_metric_options {
	enum cd_estimator estimator;
	bool clocks_synchronised;
	bool force_skew;
	int64_t guard_ps;	 /* trimmed at both ends of C */
	bool has_ref_accuracy;
	int64_t ref_accuracy_ps;
	int64_t lim_abs_ps;	 /* L_abs of the profile (METRICS 9.2) */
	double lim_ratio;	 /* rho of the profile */
	double link_bps;	 /* 0: guess */
	int fcs_bytes;		 /* --fcs; -1: not given */
	bool has_expect;
	uint64_t expect;
	double loss_ratio;	 /* tolerated, 0 by default */
	bool strict;
	bool union_universe;	 /* --universe=union */
};

/* One (stream, epoch) that the reference or the other capture has. */
struct cd_lane {
	uint32_t stream;	  /* id in the report */
	uint32_t epoch;
	const struct cd_stream *ref_stream, *dut_stream; /* NULL: lacks it */
	const struct cd_track *ref, *dut;
	bool common;		  /* C = [a, b] is not empty */
	int64_t a, b;
	/* filled by loss */
	uint64_t matched;	  /* in both, with valid times */
	uint64_t both_have;	  /* in both, whatever the times */
	uint64_t expected, missing; /* with promoted head and tail */
	uint64_t ref_miss, both_miss;
	uint64_t head_excluded, tail_excluded, head_lost, tail_lost;
	/* filled by clock: offset of each segment (theta at x = 0), ps, minus
	 * cd_clock.d0_ps */
	double *theta_ps;	  /* clock.n_segments of them, NULL: no fit */
};

/* A step of the compared clock against the reference's. */
struct cd_step {
	uint32_t lane;
	int64_t seq;	 /* first number after it */
	int64_t x_ps;	 /* reference time since x0 */
	double size_ps;
};

/* One block of the fit: a run of matched rows of one lane. */
struct cd_clock_block {
	uint32_t lane, segment;
	uint64_t rows;
	int64_t first_seq, last_seq;
	double x_mid_ps;    /* middle of its reference times since x0 */
	double floor_ps;    /* 1st percentile of r */
	double median_ps;   /* median of r */
};

/*
 * d(s) = T_D(s) - T_R(s), in ps, of spans since each capture's base:
 *   d = d0 + theta(lane, segment) + y * (T_R - x0) + r.
 */
struct cd_clock {
	bool has_offset, has_drift;
	const char *reason;    /* why not, "n<50" */
	int64_t x0_ps;	       /* T_R of the first matched row */
	int64_t d0_ps;	       /* d of the first matched row (track spans) */
	int64_t x_span_ps;     /* from first to last matched */
	double y;	       /* drift, dimensionless */
	double y_low, y_high;  /* 95 % */
	double y_hull, y_ols;  /* cross-checks; NAN: undefined */
	struct cd_clock_block *blocks; /* lanes in order, x rising inside */
	size_t n_blocks;
	struct cd_step *steps;
	size_t n_steps;
	size_t n_segments;     /* n_steps + 1 where there is a fit */
	double block_noise_ps; /* sigma_b of 4.5 */
};

/* Distribution of one quantity; spans in ps, NULLs are n == 0. */
struct cd_distribution {
	uint64_t n;
	int64_t min, p0_1, p1, p50, p95, p99, p99_9, p99_99, max;
	double mean, rms, mean_abs;
};

struct cd_worst_gap {
	bool found;
	int64_t seq;		/* between seq and seq + 1 */
	uint32_t lane;
	int64_t shown_ps, true_ps;
	uint64_t frame;		/* frame number of seq + 1 in D */
	uint64_t ref_frame;
};

/* Reference R against capture D. */
struct cd_pair {
	uint32_t ref, dut;	/* indices of points */
	struct cd_lane *lanes;
	size_t n_lanes;
	/* sums over lanes */
	bool common;		/* at least one lane has a common interval */
	uint64_t matched, expected, missing;
	struct cd_clock clock;
	struct cd_distribution fast, residual, delta_error_abs;
	struct cd_distribution ref_delta, dut_delta;
	double false_share;	/* I; NAN undefined */
	double wander_ps;	/* p-p; NAN undefined */
	struct cd_worst_gap worst;
	int64_t tick_ps, ref_tick_ps; /* effective ticks (3.6) */
	double burst_period_ps, burst_share, coalescing; /* NAN undefined */
	int64_t lim_ps;		/* Lim of 9.2; 0: undefined */
	bool different_packets;	/* same_packets failed */
	bool unverifiable;	/* nothing in the packets tells trials apart */
};

struct cd_analysis {
	const struct cd_point *points;
	size_t n_points;
	uint32_t reference;
	const struct cd_metric_options *options;
	struct cd_report *report;
	struct cd_pair *pairs; /* one per compared capture, in point order */
	size_t n_pairs;
};

struct cd_metric {
	const char *name;
	/* Fill pairs and report. 0, or -1 (no memory). */
	int (*run)(struct cd_analysis *analysis, struct cd_error *error);
};
extern const struct cd_metric *const cd_metrics[];

/* Match streams and epochs, run every metric, release. CD_E_DATA when the
 * captures have nothing in common, or the same numbers on other packets;
 * what could be said before that is in the report. */
int cd_analyse(const struct cd_point *points, size_t n_points,
	       uint32_t reference, const struct cd_metric_options *options,
	       struct cd_report *report, struct cd_error *error);

#endif
