/*
 * A series of runs: what was measured in each, put together by frame size,
 * rate and capture point (METRICS 9). A report with a sweep has the capture
 * points as its captures (labels, reference; no files), its own findings, no
 * values and no verdicts; everything measured is in the runs' reports.
 */
#ifndef CAPDIFF_REPORT_SWEEP_H
#define CAPDIFF_REPORT_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/report.h"

struct cd_sweep_run {
	char *name; /* "64/100M", as people tell runs apart; unique */
	struct cd_report *report; /* NULL: nothing could be said, see error */
	int status;		  /* as the run alone would end: 0, 1, 2 */
	char *error_file, *error, *hint; /* error NULL: none */
	uint32_t setup; /* without a reference: index of the capture point */
	/* of the reference; of the capture itself where there is none */
	uint32_t size;		/* bytes with FCS, 0: unknown or mixed */
	double pps;		/* 0: unknown */
	double l1_bps, l2_bps;	/* on the wire; with FCS; 0: unknown */
};

/* Over the trials of a cell: median, and least and most or (20 trials and
 * more) the 1st and 99th percentile. */
struct cd_sweep_spread {
	size_t n; /* trials that have the value; 0: none */
	int64_t median_ps, low_ps, high_ps;
};

/* How one of the two verdicts came out over the trials. */
struct cd_sweep_trials {
	size_t valid, failed;
	enum cd_judgement judgement; /* CD_INCONCLUSIVE: undecided */
};

/* One capture point at one size and rate. */
struct cd_sweep_cell {
	uint32_t size;	     /* bytes with FCS, 0: unknown or mixed */
	double pps;	     /* median over the trials; 0: unknown */
	double l1_bps, l2_bps;
	double load;	     /* share of the link, 0: unknown */
	uint32_t point;	     /* index in report->captures */
	size_t *runs;	     /* indices of its trials */
	size_t n_runs;
	struct cd_sweep_trials complete, accurate;
	/* sums over the trials that counted */
	bool has_counts;
	uint64_t expected, missing; /* captured = expected - missing */
	struct cd_sweep_spread longest_delta, error; /* error: S */
	const char *reason; /* static: first reason of the worst trial, "LOSS",
			       "BUNCHING"; NULL: none */
	bool overloaded;    /* S and drift are of a full ring (METRICS 9.5) */
};

/* Where something ends: conservative (METRICS 9.4). */
struct cd_sweep_bracket {
	size_t tested;	       /* cells with a verdict */
	bool has_up_to;	       /* else below the lowest rate tested */
	bool has_fails_at;     /* else at or above the highest rate tested */
	double up_to_pps, up_to_bps;	   /* bps: L1 */
	double fails_at_pps, fails_at_bps;
	double *inverted_bps;  /* rates above that pass again */
	size_t n_inverted;
	double *undecided_bps; /* rates between that were not decided */
	size_t n_undecided;
	double next_pps, next_bps; /* worth testing; 0: narrow enough */
	double estimate_bps;   /* interpolated, accuracy only; 0: none */
};

/* One per size and compared capture point. */
struct cd_sweep_onset {
	uint32_t size;
	uint32_t point;
	struct cd_sweep_bracket complete, accurate;
};

enum cd_sweep_bottleneck {
	CD_LIMITED_UNKNOWN, /* fewer than two sizes with a bracket, or a tie */
	CD_LIMITED_PER_PACKET,
	CD_LIMITED_BY_BYTES
};

/* What limits a capture point across the sizes. */
struct cd_sweep_limiter {
	uint32_t point;
	enum cd_sweep_bottleneck complete, accurate;
	/* spread (largest less smallest) of ln(onset) in packets and bits per
	 * second; 0: unknown */
	double complete_ln_pps, complete_ln_bps;
	double accurate_ln_pps, accurate_ln_bps;
};

struct cd_sweep {
	char *folder; /* what the paths of all captures share, "": nothing */
	bool has_reference; /* else every point is alone: --expect */
	double link_bps;    /* 0: unknown, or not the same in all runs */
	int64_t expect;	    /* --expect, -1: none */
	struct cd_sweep_run *runs; /* in the order of their names */
	size_t n_runs;
	/* of the compared points; by size, rate, capture point */
	struct cd_sweep_cell *cells;
	size_t n_cells;
	struct cd_sweep_onset *onsets; /* by size, capture point */
	size_t n_onsets;
	struct cd_sweep_limiter *limiters; /* one per compared point */
	size_t n_limiters;
};

struct cd_sweep *cd_sweep_new(void);
void cd_sweep_free(struct cd_sweep *sweep);
/* NULL: no such cell. */
const struct cd_sweep_cell *cd_sweep_find(const struct cd_sweep *sweep,
					  uint32_t size, double pps,
					  uint32_t point);

#endif
