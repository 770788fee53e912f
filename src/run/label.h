/* Default labels: the shortest unique part of the file names. */
#ifndef CAPDIFF_RUN_LABEL_H
#define CAPDIFF_RUN_LABEL_H

#include <stddef.h>

#include "capdiff/capdiff.h"

/*
 * A label for each of `n` paths (given[i] != NULL is taken as it is), unique
 * among them: "lab/1/hw_10M.pcapng.gz" and "lab/1/laptop_10M.pcapng" give "hw"
 * and "laptop"; equal names in different folders give the folders' names.
 * Dots become underscores: keys are LABEL.NAME. Fills `labels` with strings to
 * free(); 0, or -1 without memory.
 */
int cd_labels(const char *const *paths, const char *const *given, size_t n,
	      char **labels);

/* The same for captures: FILE#N is called by the file and N, a ring set by
 * what the names of its files share: "tap_0", "tap_1", "laptop". */
int cd_capture_labels(const struct capdiff_capture *captures, size_t n,
		      char **labels);

#endif
