#include "cli/sets.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "input/ringset.h"

void *cd_options_own(struct cd_options *options, void *memory)
{
	if (memory == NULL)
		return NULL;
	if (cd_grow(&options->owned, &options->owned_capacity,
		    options->n_owned + 1, sizeof(*options->owned))) {
		free(memory);
		return NULL;
	}
	options->owned[options->n_owned++] = memory;
	return memory;
}

bool cd_is_pattern(const char *word)
{
	return strpbrk(word, "*?[") != NULL && access(word, F_OK) != 0;
}

/* The names found, copied; in no particular order. */
static int take_names(struct cd_options *options, const glob_t *found,
		      struct capdiff_capture *capture, struct cd_error *error)
{
	const char **files = cd_options_own(
	    options, calloc(found->gl_pathc, sizeof(*files)));

	if (files == NULL)
		return cd_error_memory(error);
	for (size_t i = 0; i < found->gl_pathc; i++) {
		files[i] =
		    cd_options_own(options, cd_strdup(found->gl_pathv[i]));
		if (files[i] == NULL)
			return cd_error_memory(error);
	}
	if (found->gl_pathc == 1) {
		capture->path = files[0];
		return 0;
	}
	capture->files = files;
	capture->n_files = found->gl_pathc;
	return 0;
}

int cd_pattern_resolve(struct cd_options *options,
		       struct capdiff_capture *capture, struct cd_error *error)
{
	glob_t found;
	int status = glob(capture->path, GLOB_NOSORT, NULL, &found);

	if (status == GLOB_NOMATCH) {
		cd_error_file(error, capture->path);
		cd_error_set(error, CD_E_USAGE, "no file matches this pattern");
		cd_error_hint(error, "ls shows the files that are there");
		return -1;
	}
	if (status != 0)
		return cd_error_memory(error);
	status = take_names(options, &found, capture, error);
	globfree(&found);
	return status;
}

/* Only words that are files as they stand: no labels, no FILE#N. */
static size_t find_files(char **words, size_t n, const char **files,
			 size_t *index)
{
	size_t found = 0;

	for (size_t i = 0; i < n; i++)
		if (strcmp(words[i], "-") != 0 && access(words[i], F_OK) == 0) {
			files[found] = words[i];
			index[found++] = i;
		}
	return found;
}

/* leader[i]: the first word of i's group. 0 or -1. */
static int find_leaders(char **words, size_t n, size_t *leader)
{
	const char **files = calloc(n + 1, sizeof(*files));
	size_t *index = calloc(n + 1, sizeof(*index));
	size_t *group = calloc(n + 1, sizeof(*group));
	int status = -1;
	size_t found;

	if (files == NULL || index == NULL || group == NULL)
		goto out;
	for (size_t i = 0; i < n; i++)
		leader[i] = i;
	found = find_files(words, n, files, index);
	if (cd_ringset_group(files, found, group) < 0)
		goto out;
	for (size_t i = 0; i < found; i++)
		leader[index[i]] = index[group[i]];
	status = 0;
out:
	free(files);
	free(index);
	free(group);
	return status;
}

/* place[i]: the group of leader i; a leader comes before its followers. */
static int fill_groups(struct cd_options *options, char **words, size_t n,
		       const size_t *leader, struct cd_words *groups,
		       size_t *place)
{
	size_t n_groups = 0;
	const char **next = cd_options_own(options,
					   calloc(n + 1, sizeof(*next)));

	if (next == NULL)
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (leader[i] == i)
			place[i] = n_groups++;
		groups[place[leader[i]]].n++;
	}
	for (size_t k = 0; k < n_groups; k++) {
		groups[k].words = next;
		next += groups[k].n;
		groups[k].n = 0;
	}
	for (size_t i = 0; i < n; i++) {
		struct cd_words *g = &groups[place[leader[i]]];

		g->words[g->n++] = words[i];
	}
	return (int)n_groups;
}

int cd_words_group(struct cd_options *options, char **words, size_t n,
		   struct cd_words **groups, size_t *n_groups,
		   struct cd_error *error)
{
	size_t *leader = calloc(n + 1, sizeof(*leader));
	size_t *place = calloc(n + 1, sizeof(*place));
	int filled = -1;

	*groups = calloc(n + 1, sizeof(**groups));
	if (leader != NULL && place != NULL && *groups != NULL &&
	    find_leaders(words, n, leader) == 0)
		filled = fill_groups(options, words, n, leader, *groups,
				     place);
	free(leader);
	free(place);
	if (filled >= 0) {
		*n_groups = (size_t)filled;
		return 0;
	}
	free(*groups);
	*groups = NULL;
	return cd_error_memory(error);
}

int cd_words_join(struct cd_options *options, const struct cd_words *group,
		  struct capdiff_capture *capture, struct cd_error *error)
{
	char *pattern = cd_options_own(
	    options, cd_ringset_pattern(group->words, group->n));

	if (pattern == NULL)
		return cd_error_memory(error);
	*capture = (struct capdiff_capture){
	    .path = pattern,
	    .files = group->words,
	    .n_files = group->n,
	    .guessed_set = true,
	};
	return 0;
}
