/* -w: a copy of a capture with comments on the packets that matter. */
#ifndef CAPDIFF_EXTRACT_ANNOTATE_H
#define CAPDIFF_EXTRACT_ANNOTATE_H

#include <stdbool.h>

#include "align/marks.h"
#include "base/error.h"
#include "extract/pass.h"

struct cd_annotate {
	const char *path;	      /* .gz at its end: deflated */
	const struct cd_watch *watch; /* the capture's files */
	bool may_stop;		      /* as cd_pass_run() */
	int64_t ts_unit_ps;	      /* as cd_point */
	const struct cd_marks *marks; /* sorted */
	bool streams;		      /* say which one */
};

/* 0; or -1, and then there is no new file. */
int cd_annotate(const struct cd_annotate *what, struct cd_error *error);

#endif
