/* --limits FILE: one expression a line, # comments. */
#ifndef CAPDIFF_CLI_LIMITS_H
#define CAPDIFF_CLI_LIMITS_H

#include "base/error.h"
#include "cli/options.h"

/* Append the expressions of the file, each known to be well formed, to
 * options->limits. Errors name file and line. 0 or -1. */
int cd_limits_read(struct cd_options *options, const char *path,
		   struct cd_error *error);

#endif
