/*
 * What is left after offset and drift, row by row (METRICS 3.2, 3.3, 4.6): the
 * residual r, the fast error f, and the errors of deltas.
 */
#ifndef CAPDIFF_METRIC_MEASURE_H
#define CAPDIFF_METRIC_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "metric/exceedance.h"
#include "metric/metric.h"
#include "metric/offsets.h"
#include "metric/sizes.h"

#define CD_EARLIEST 10

/* A row, by what made it worth noting. */
struct cd_noted {
	size_t lane;
	int64_t seq, x_ps;
	int64_t value_ps;
};

/* Packets with f > Lim, and the maximal runs of them; the worst is the one
 * with the largest f. */
struct cd_late_rows {
	uint64_t packets, events, longest;
	uint64_t in_runs; /* packets in events of 3 and more */
};

struct cd_measured {
	struct cd_distribution residual, fast;
	struct cd_distribution delta_error; /* of |epsilon| */
	int64_t span_ps;		    /* S */
	int64_t span_low_ps, span_high_ps;  /* its 95 % interval */
	int64_t mad_ps; /* of f, -1: not asked for */
	double false_share;		    /* I; NAN: no pairs */
	bool negative_deltas;		    /* I holds |deltas| */
	uint64_t across_steps;		    /* pairs left out */
	uint64_t bridged;		    /* intervals across gaps */
	int64_t bridged_max_ps;		    /* largest |error| of those */
	struct cd_noted least, largest;	    /* of f */
	struct cd_late_rows late;
	struct cd_worst_gap worst;	       /* without frame numbers */
	uint64_t early;			       /* r below -early_ps */
	struct cd_noted earliest[CD_EARLIEST]; /* by rising r */
};

/* What to measure: lanes from..to-1, which have n matched rows. */
struct cd_measure_scope {
	const struct cd_pair *pair;
	size_t from, to;
	uint64_t n;
	uint64_t n_effective; /* bunches of stamps, 1..n */
	int64_t lim_ps;	      /* 0: undefined */
	int64_t early_ps;
	bool brief;	      /* no percentiles of the errors of deltas, no
				 deviation of the median */
	struct cd_exceedance *exceedance; /* of f, or NULL */
	struct cd_offsets *offsets;	  /* over time, or NULL */
	const struct cd_sizes *sizes; /* floors by frame length, or NULL */
};

/* With a drift: everything. Without (n < 50): only the errors of deltas, not
 * corrected for the skew. 0, or -1 without memory. */
int cd_measure(const struct cd_measure_scope *scope, struct cd_measured *out);

#endif
