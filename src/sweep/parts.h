/* Steps of a sweep. Inside the room only. */
#ifndef CAPDIFF_SWEEP_PARTS_H
#define CAPDIFF_SWEEP_PARTS_H

#include "report/report.h"
#include "report/sweep.h"

/* What decides a bracket: one cell of a size and capture point. */
struct cd_rung {
	double pps, bps;
	enum cd_judgement judgement; /* CD_INCONCLUSIVE: undecided */
	double g;		     /* S / Lim, 0: unknown */
};

/* The capture of a run's report with the label of a point, -1: none. */
int64_t cd_sweep_point_in(const struct cd_report *report, uint32_t point,
			  const struct cd_sweep_run *run);
/* Number under a key in the unit of cd_value_number(), or NAN. */
double cd_sweep_number(const struct cd_report *run, uint32_t point,
		       const char *name);

/* measure.c: size and rates of the reference. */
void cd_sweep_measure(struct cd_sweep_run *run);
/* names.c: findings where the name says otherwise. */
void cd_sweep_check_name(struct cd_report *report,
			 const struct cd_sweep_run *run);
/* points.c: capture points from the runs, which are put in the order of their
 * names. 0 or -1 (memory). */
int cd_sweep_points(struct cd_report *report);
/* cells.c: 0 or -1 (memory). */
int cd_sweep_cells(struct cd_report *report);
/* onset.c: rungs in rising order of pps; 0 or -1 (memory). */
int cd_sweep_bracket(const struct cd_rung *rungs, size_t n,
		     struct cd_sweep_bracket *out);
/* onsets.c: 0 or -1 (memory). */
int cd_sweep_onsets(struct cd_report *report);
/* limiter.c: 0 or -1 (memory). */
int cd_sweep_limiters(struct cd_report *report);
/* overload.c: before the onsets */
void cd_sweep_overload(struct cd_report *report);

#endif
