/* The captures named on the command line: label=file, file#N, -r. */
#ifndef CAPDIFF_CLI_CAPTURES_H
#define CAPDIFF_CLI_CAPTURES_H

#include <stddef.h>

#include "base/error.h"
#include "cli/options.h"

/* Captures as the command line names them. */
struct cd_named {
	char **words; /* the positionals */
	size_t n_words;
	const char *const *sets; /* of --set: "LABEL=GLOB" */
	size_t n_sets;
	const char *reference; /* of -r, or NULL */
};

/*
 * Fill options->captures, first the positionals, then the sets, and set the
 * reference: the one that -r names by file, argument or label, which is added
 * in front if it is none of them. 0 or -1.
 */
int cd_captures_take(struct cd_options *options, const struct cd_named *named,
		     struct cd_error *error);

/* The same, or with --sweep the runs, or nothing with --from. 0 or -1. */
int cd_words_take(struct cd_options *options, const struct cd_named *named,
		  struct cd_error *error);

/* --ts-unit LABEL=UNIT for each of `units`; LABEL may also be the file. */
int cd_captures_units(struct cd_options *options, const char *const *units,
		      size_t n, struct cd_error *error);

#endif
