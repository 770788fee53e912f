/* What --sweep and --from cannot be asked for. */
#ifndef CAPDIFF_CLI_MODES_H
#define CAPDIFF_CLI_MODES_H

#include "base/error.h"
#include "cli/options.h"

/* 0, or -1 with CD_E_USAGE that names the option in the way. */
int cd_modes_check(const struct cd_options *options, struct cd_error *error);

#endif
