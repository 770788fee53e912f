/* Ring sets among the captures: their files in order, and what is wrong. */
#ifndef CAPDIFF_RUN_SETS_H
#define CAPDIFF_RUN_SETS_H

#include "capdiff/capdiff.h"

#include "align/point.h"
#include "base/error.h"
#include "input/ringset.h"
#include "report/report.h"

/* One for each capture; all zero for those that are no set. */
struct cd_run_set {
	struct cd_ringset ring;
	const char **paths; /* of ring.files; NULL: no set */
};

/*
 * Order the files of every set, which opens each file shortly. CD_E_USAGE if
 * they are not one set, or not files; other faults if one cannot be opened or
 * is no capture. 0 or -1; release after both.
 */
int cd_sets_order(struct cd_run_set *sets,
		  const struct capdiff_capture *captures, size_t n,
		  struct cd_error *error);
void cd_sets_release(struct cd_run_set *sets, size_t n);

/* Let the points read their sets. */
void cd_sets_give(const struct cd_run_set *sets, struct cd_point *points,
		  size_t n);

/* Findings about the sets. True: a file is missing in the middle, or such: the
 * job cannot be called done (status 2). */
bool cd_sets_check(const struct cd_run_set *sets,
		   const struct capdiff_capture *captures, size_t n,
		   struct cd_report *report);

#endif
