/* Files written for the user: under a temporary name, then renamed. */
#ifndef CAPDIFF_CLI_OUTPUT_H
#define CAPDIFF_CLI_OUTPUT_H

#include <stddef.h>

#include "base/error.h"
#include "cli/options.h"

/* No output may be one of the inputs, or given twice. 0 or -1. */
int cd_outputs_check(const struct cd_options *options,
		     struct cd_error *error);

/* Is `path` none of the inputs, nor of the first `n` outputs? 0 or -1. */
int cd_output_check(const struct cd_options *options, const char *path,
		    size_t n, struct cd_error *error);

/* Write all of `bytes` to `path`, or leave what was there. 0 or -1. */
int cd_output_write(const char *path, const char *bytes, size_t n,
		    struct cd_error *error);

#endif
