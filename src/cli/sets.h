/* Captures of several files on the command line: patterns, --set, and files
 * named one by one that belong together. */
#ifndef CAPDIFF_CLI_SETS_H
#define CAPDIFF_CLI_SETS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "cli/options.h"

/* Memory that options own; NULL stays NULL. NULL also if it cannot be owned,
 * and then `memory` is freed. */
void *cd_options_own(struct cd_options *options, void *memory);

/* Does the word hold *, ? or [, and is it no file's name? */
bool cd_is_pattern(const char *word);

/* The files that capture->path, a pattern, stands for become the capture's;
 * one alone becomes its path. 0 or -1. */
int cd_pattern_resolve(struct cd_options *options,
		       struct capdiff_capture *capture, struct cd_error *error);

/* Words of the command line: one, or those of one ring set. */
struct cd_words {
	const char **words; /* owned by the options */
	size_t n;
};

/* `words` in groups, in the order of their first words: *groups, to be freed.
 * 0 or -1. */
int cd_words_group(struct cd_options *options, char **words, size_t n,
		   struct cd_words **groups, size_t *n_groups,
		   struct cd_error *error);

/* A group of several files as a capture. 0 or -1. */
int cd_words_join(struct cd_options *options, const struct cd_words *group,
		  struct capdiff_capture *capture, struct cd_error *error);

#endif
