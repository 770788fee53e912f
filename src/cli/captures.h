/* The captures named on the command line: label=file, file#N, -r. */
#ifndef CAPDIFF_CLI_CAPTURES_H
#define CAPDIFF_CLI_CAPTURES_H

#include <stddef.h>

#include "base/error.h"
#include "cli/options.h"

/*
 * Fill options->captures from the positionals and set the reference: the one
 * that `reference` (-r, may be NULL) names by file, argument or label, which
 * is added in front if it is none of them. 0 or -1.
 */
int cd_captures_take(struct cd_options *options, char **words, size_t n,
		     const char *reference, struct cd_error *error);

/* --ts-unit LABEL=UNIT for each of `units`; LABEL may also be the file. */
int cd_captures_units(struct cd_options *options, const char *const *units,
		      size_t n, struct cd_error *error);

#endif
