/* Files that a run writes itself: may they be written? */
#ifndef CAPDIFF_RUN_OUTPUTS_H
#define CAPDIFF_RUN_OUTPUTS_H

#include "capdiff/capdiff.h"

#include "base/error.h"

/* CD_E_USAGE if one is an input, would need an input's name while it is
 * written, is given twice, is standard output or a terminal. 0 or -1. */
int cd_outputs_possible(const struct capdiff_options *options,
			struct cd_error *error);

#endif
