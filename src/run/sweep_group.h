/* Capture files of one folder, put together to runs. */
#ifndef CAPDIFF_RUN_SWEEP_GROUP_H
#define CAPDIFF_RUN_SWEEP_GROUP_H

#include "run/sweep_find.h"

struct cd_grouping {
	const char *reference; /* label of -r, or NULL: ref*, hw*, hardware* */
	bool alone;	       /* files without a reference are runs */
	struct cd_report *report; /* for findings */
};

/*
 * A single reference makes all files one run. With several, a file belongs to
 * the reference whose name is its own but for one word: hw_64_10M and
 * laptop_64_10M. 0 or -1.
 */
int cd_sweep_group(struct cd_finds *finds, char *const *paths, size_t n,
		   const struct cd_grouping *how, struct cd_error *error);

#endif
