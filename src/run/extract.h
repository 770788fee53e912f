/* What is written of single packets: -w, --write-missing. */
#ifndef CAPDIFF_RUN_EXTRACT_H
#define CAPDIFF_RUN_EXTRACT_H

#include "capdiff/capdiff.h"

#include "align/point.h"
#include "base/error.h"
#include "extract/pass.h"
#include "metric/metric.h"

struct cd_extract {
	const struct capdiff_options *options;
	const struct cd_point *points; /* of options->n_captures */
	size_t subject;		       /* the capture that it is about */
	struct cd_watch subject_files, reference_files;
};

/*
 * Before anything is read: is what is wanted possible? CD_E_USAGE: no such
 * capture or several, no file, an output that is an input, given twice or a
 * terminal. 0 or -1; release after both.
 */
int cd_extract_begin(struct cd_extract *extract,
		     const struct capdiff_options *options,
		     const struct cd_point *points, struct cd_error *error);
/* After the analysis, also one that found captures which cannot be compared:
 * for them nothing is written. 0 or -1. */
int cd_extract_run(const struct cd_extract *extract,
		   const struct cd_analysis *analysis, struct cd_error *error);
void cd_extract_release(struct cd_extract *extract);

#endif
