/* What cli sees of a run beside the public header: the report itself. */
#ifndef CAPDIFF_RUN_RUN_H
#define CAPDIFF_RUN_RUN_H

#include "capdiff/capdiff.h"

#include "base/error.h"
#include "report/report.h"

struct capdiff_report {
	struct cd_report *model;
	bool failed; /* the job could not be done properly: status 2 */
};

/* As capdiff_run(), with the full error (byte offset, packets before it). */
struct capdiff_report *cd_run(const struct capdiff_options *options,
			      struct cd_error *error);

#endif
