/*
 * Metrics: matched rows in, report values out. The metrics are the table
 * cd_metrics[], run in its order; what a later one needs of an earlier one is
 * in struct cd_pair:
 *
 *   file, count, identity, rate   lanes' counts up to `rate`
 *   tick, clock, error, ...       the clock needs matched; error needs clock
 *   metrology                     needs error and cluster
 *   loss, duplicate, order        loss promotes head and tail by the clock
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
	int64_t guard_ps; /* trimmed at both ends of C */
	bool has_ref_accuracy;
	int64_t ref_accuracy_ps;
	int64_t lim_abs_ps; /* L_abs of the profile (METRICS 9.2) */
	double lim_ratio;   /* rho of the profile */
	double link_bps;    /* 0: guess */
	int fcs_bytes;	    /* --fcs; -1: not given */
	bool has_expect;
	uint64_t expect;
	double loss_ratio; /* tolerated, 0 by default */
	bool strict;
	bool clock;		 /* MTIE and TDEV, too */
	bool brief;		 /* only what the text of a pair shows */
	bool ignore_addresses;	 /* NAT between the points */
	bool union_universe; /* --universe=union */
};

/* A loss period: packets of the reference that D lacks, with no packet of D
 * between them (RFC 3357 5.4.2). Times are the reference's. */
struct cd_gap {
	uint64_t packets; /* 0: no gap */
	int64_t first_seq, last_seq;
	int64_t at_ps;	   /* last packet before it, CD_TIME_NONE: unknown */
	int64_t outage_ps; /* from there to the first after it, or NONE */
};

/* The pattern of loss in one lane. */
struct cd_gaps {
	uint64_t runs, singles, bursts;
	uint64_t runs_after;   /* with a received packet before it in C */
	uint64_t runs_before;  /* with a received packet after it in C */
	uint64_t runs_open;    /* up to the end of C */
	struct cd_gap longest; /* in packets, the first of equals */
	struct cd_gap outage;  /* in time */
};

/* One (stream, epoch) that the reference or the other capture has. */
struct cd_lane {
	uint32_t stream; /* id in the report */
	uint32_t epoch;	 /* of the reference, else of the other */
	const struct cd_stream *ref_stream, *dut_stream; /* NULL: lacks it */
	const struct cd_track *ref, *dut; /* NULL: lacks this epoch */
	bool common;			  /* C = [a, b] is not empty */
	int64_t a, b;
	/* filled by count */
	uint64_t matched;	   /* in both, with valid times, inside C */
	uint64_t both_have;	   /* in both, whatever the times, inside C */
	uint64_t ref_has, dut_has; /* |S_R|, |S_D| inside C */
	int64_t ref_from_ps, ref_to_ps; /* T_R of the first and last packet that
					   R has inside C; NONE */
	struct cd_gaps gaps;
	/* filled by count, completed by loss */
	uint64_t expected, missing; /* with promoted head and tail */
	uint64_t ref_miss, both_miss;
	uint64_t head_excluded, tail_excluded, head_lost, tail_lost;
	uint64_t head_surplus, tail_surplus;   /* the same, of D's packets */
	uint64_t ref_head_lost, ref_tail_lost; /* part of ref_miss */
	/* filled by clock: offset of each segment (theta at x = 0), ps, minus
	 * cd_clock.d0_ps; malloc'ed, freed with the pair */
	double *theta_ps; /* clock.n_segments of them, NULL: no fit */
};

/* A step of the compared clock against the reference's. */
struct cd_step {
	uint32_t lane;
	int64_t seq;  /* first number after it */
	int64_t x_ps; /* reference time since x0 */
	double size_ps;
};

/* One block of the fit: a run of matched rows of one lane. */
struct cd_clock_block {
	uint32_t lane, segment;
	uint64_t rows;
	int64_t first_seq, last_seq;
	double x_mid_ps;  /* middle of its reference times since x0 */
	double floor_ps;  /* 1st percentile of r */
	double median_ps; /* median of r */
};

/* A matched row and the one before it in its lane, relative to x0 and d0. */
struct cd_clock_row {
	uint32_t lane;
	bool neighbours; /* their numbers are */
	int64_t x_ps, d_ps;
	int64_t before_x_ps, before_d_ps;
};

/*
 * d(s) = T_D(s) - T_R(s), in ps, of spans since each capture's base:
 *   d = d0 + theta(lane, segment) + y * (T_R - x0) + r.
 */
struct cd_clock {
	bool has_offset, has_drift;
	const char *reason;   /* why not, "n<50" */
	int64_t x0_ps;	      /* T_R of the first matched row */
	int64_t d0_ps;	      /* d of the first matched row (track spans) */
	int64_t x_span_ps;    /* from first to last matched */
	double y;	      /* drift, dimensionless */
	double y_low, y_high; /* 95 % */
	double y_hull, y_ols; /* cross-checks; NAN: undefined */
	struct cd_clock_block *blocks; /* lanes in order, x rising inside */
	size_t n_blocks;
	struct cd_step *steps;
	size_t n_steps;
	size_t n_segments;     /* n_steps + 1 where there is a fit */
	double block_noise_ps; /* sigma_b of 4.5 */
	double step_least_ps;  /* no smaller step could be seen */
	double step_error_ps;  /* what a step's size may be off by */
	/* Rows from all over, by lane and x, that tell the next pass what to
	 * expect; n_rows 0: too few to be worth it. */
	struct cd_clock_row *rows;
	size_t n_rows;
};

/* Distribution of one quantity; spans in ps, NULLs are n == 0. */
struct cd_distribution {
	uint64_t n;
	int64_t min, p0_1, p1, p5, p50, p95, p99, p99_9, p99_99, max;
	double mean, rms; /* rms about the mean */
	double rms_zero;	    /* about zero */
};

struct cd_worst_gap {
	bool found;
	int64_t seq; /* between seq and seq + 1 */
	uint32_t lane;
	int64_t shown_ps, true_ps;
	uint64_t error_ps; /* |delta error| */
	uint64_t frame; /* frame number of seq + 1 in D */
	uint64_t ref_frame;
};

/*
 * Reference R against capture D. A single capture makes one pair that is
 * `alone`: ref == dut, its lanes have no ref and C = [f_D, l_D].
 */
struct cd_pair {
	uint32_t ref, dut;     /* indices of points */
	bool alone;	       /* no reference: numbering only */
	bool numbered;	       /* false: stamp `none`, no lane is common */
	struct cd_lane *lanes; /* by stream id, then epoch */
	size_t n_lanes;
	/* sums over lanes */
	bool common; /* at least one lane has a common interval */
	uint64_t matched, both_have, expected, missing;
	struct cd_clock clock;
	struct cd_distribution fast, residual, delta_error_abs;
	struct cd_distribution ref_delta, dut_delta;
	double false_share; /* I; NAN undefined */
	double wander_ps;   /* p-p; NAN undefined */
	struct cd_worst_gap worst;
	int64_t tick_ps, ref_tick_ps; /* effective ticks (3.6) */
	double burst_period_ps, burst_share, coalescing; /* NAN undefined */
	uint64_t clusters; /* bunches of stamps; 0: not counted */
	int64_t lim_ps;		/* Lim of 9.2; 0: undefined */
	bool different_packets; /* same_packets failed */
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
	double link_bps; /* 0: not known */
	bool link_guessed;
	/* streams[point * report->n_streams + id]: NULL where it has none */
	const struct cd_stream **streams;
	/* of report->n_streams: gets values of its own; all false when there is
	 * only one stream */
	bool *shown;
};

struct cd_metric {
	const char *name;
	/* Fill pairs and report. 0, or -1 (no memory). */
	int (*run)(struct cd_analysis *analysis, struct cd_error *error);
};
extern const struct cd_metric *const cd_metrics[]; /* ends with NULL */

/* Frame bytes on the wire with FCS, for a track's length (METRICS 3.5): what
 * the link adds is 4 bytes, or fewer where --fcs says that the file has them,
 * and short frames are padded. */
static inline uint32_t cd_wire_bytes(const struct cd_metric_options *options,
				     uint32_t length)
{
	return cd_frame_wire_bytes(length, options->fcs_bytes);
}

/* Match streams and epochs, run every metric, release. CD_E_DATA when the
 * captures have nothing in common, or the same numbers on other packets;
 * what could be said before that is in the report. report->captures must be
 * filled; report->streams is filled here. */
int cd_analyse(const struct cd_point *points, size_t n_points,
	       uint32_t reference, const struct cd_metric_options *options,
	       struct cd_report *report, struct cd_error *error);

/* The same in parts, for those who want the pairs: cd_analyse() is new, run,
 * free. NULL without memory. Everything given stays the caller's. */
struct cd_analysis *cd_analysis_new(const struct cd_point *points,
				    size_t n_points, uint32_t reference,
				    const struct cd_metric_options *options,
				    struct cd_report *report,
				    struct cd_error *error);
int cd_analysis_run(struct cd_analysis *analysis, struct cd_error *error);
void cd_analysis_free(struct cd_analysis *analysis);

#endif
