/* Files that are written: may they be? */
#ifndef CAPDIFF_RUN_OUTPUTS_H
#define CAPDIFF_RUN_OUTPUTS_H

#include <stdbool.h>

#include "capdiff/capdiff.h"

#include "base/error.h"

/* CD_E_USAGE if one is an input, would need an input's name while it is
 * written, is given twice, is standard output or a terminal. 0 or -1. */
int cd_outputs_possible(const struct capdiff_options *options,
			struct cd_error *error);

/* Is this file one that a capture is read from? */
bool cd_output_is_input(const struct capdiff_options *options,
			const char *path);
/* One file by two names? It need not be there yet. */
bool cd_output_same(const char *a, const char *b);

#endif
