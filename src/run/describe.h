/* What was read, put into the report: captures, interfaces, stamp, and the
 * findings about the files themselves. */
#ifndef CAPDIFF_RUN_DESCRIBE_H
#define CAPDIFF_RUN_DESCRIBE_H

#include "capdiff/capdiff.h"

#include "align/ingest.h"
#include "align/point.h"
#include "report/report.h"

/* Fill report->command. 0 or -1 (no memory). */
int cd_describe_command(struct cd_report *report,
			const struct capdiff_options *options);

/* Fill report->captures from the points. 0 or -1 (no memory). */
int cd_describe_captures(struct cd_report *report,
			 const struct cd_point *points, size_t n);

/* Fill report->stamp_*. 0 or -1 (no memory). */
int cd_describe_stamp(struct cd_report *report, const struct cd_point *points,
		      size_t n, const struct cd_ingest_result *result,
		      bool detected);

#endif
