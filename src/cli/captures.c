#include "cli/captures.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "cli/sets.h"
#include "cli/units.h"
#include "run/label.h"

static bool exists(const char *path)
{
	return access(path, F_OK) == 0;
}

/* The # of FILE#N, or NULL. */
static const char *find_interface(const char *word, unsigned *interface)
{
	const char *mark = strrchr(word, '#');
	uint64_t n;

	if (mark == NULL || mark == word || !cd_parse_count(mark + 1, &n) ||
	    n > UINT32_MAX)
		return NULL;
	*interface = (unsigned)n;
	return mark;
}

/* "label=file#2" into its parts; the file may be a pattern. A file that really
 * has such a name wins. */
static int take_capture(struct cd_options *o, const char *word,
			struct capdiff_capture *out, struct cd_error *error)
{
	const char *equals = strchr(word, '=');
	const char *mark;

	*out = (struct capdiff_capture){.path = word};
	if (exists(word))
		return 0;
	if (equals != NULL && equals != word &&
	    memchr(word, '/', (size_t)(equals - word)) == NULL) {
		out->label = cd_options_own(
		    o, cd_strf("%.*s", (int)(equals - word), word));
		out->path = equals + 1;
		if (out->label == NULL)
			return cd_error_memory(error);
	}
	if (out->path[0] == '\0')
		return cd_error_set(error, CD_E_USAGE,
				    "'%s' names no file", word);
	mark = exists(out->path)
		   ? NULL
		   : find_interface(out->path, &out->interface);
	if (mark != NULL) {
		out->one_interface = true;
		out->path = cd_options_own(
		    o, cd_strf("%.*s", (int)(mark - out->path), out->path));
		if (out->path == NULL)
			return cd_error_memory(error);
	}
	return cd_is_pattern(out->path) ? cd_pattern_resolve(o, out, error)
					: 0;
}

static bool same_capture(const struct capdiff_capture *a,
			 const struct capdiff_capture *b)
{
	return strcmp(a->path, b->path) == 0 &&
	       a->one_interface == b->one_interface &&
	       a->interface == b->interface;
}

/* Index of the capture with this file, or n. */
static size_t find_file(const struct cd_options *o,
			const struct capdiff_capture *file, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (same_capture(&o->captures[i], file))
			return i;
	return n;
}

/* Index of the capture that the report will call so, in `at` (n: none). 0 or
 * -1 (no memory). */
static int find_label(const struct cd_options *o, const char *word, size_t n,
		      size_t *at)
{
	char *labels[CAPDIFF_MAX_CAPTURES];

	*at = n;
	if (n == 0)
		return 0;
	if (cd_capture_labels(o->captures, n, labels))
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (*at == n && strcmp(labels[i], word) == 0)
			*at = i;
		free(labels[i]);
	}
	return 0;
}

/* -r: move the capture to the front, or put it there. */
static int place_reference(struct cd_options *o, const char *word, size_t *n,
			   struct cd_error *error)
{
	struct capdiff_capture reference;
	size_t at;

	if (take_capture(o, word, &reference, error))
		return -1;
	at = find_file(o, &reference, *n);
	if (at == *n && !exists(reference.path) &&
	    find_label(o, word, *n, &at))
		return cd_error_memory(error);
	if (at == *n) {
		if (*n == CAPDIFF_MAX_CAPTURES)
			return cd_error_set(error, CD_E_USAGE,
					    "more than %d captures",
					    CAPDIFF_MAX_CAPTURES);
		(*n)++;
	} else {
		reference = o->captures[at];
	}
	memmove(o->captures + 1, o->captures, at * sizeof(*o->captures));
	o->captures[0] = reference;
	return 0;
}

static int too_many(size_t n, struct cd_error *error)
{
	cd_error_set(error, CD_E_USAGE,
		     "%zu captures given, at most %d are possible", n,
		     CAPDIFF_MAX_CAPTURES);
	cd_error_hint(error, "the files of one ring set: 'NAME_*.pcapng', in "
			     "quotes");
	return -1;
}

static int take_groups(struct cd_options *o, const struct cd_words *groups,
		       size_t n, struct cd_error *error)
{
	for (size_t i = 0; i < n; i++) {
		struct capdiff_capture *out = &o->captures[i];
		int status = groups[i].n == 1
				 ? take_capture(o, groups[i].words[0], out,
						error)
				 : cd_words_join(o, &groups[i], out, error);

		if (status < 0)
			return -1;
	}
	return 0;
}

static int take_all(struct cd_options *o, const struct cd_named *named,
		    size_t *n, struct cd_error *error)
{
	struct cd_words *groups;
	size_t n_groups;
	int status;

	if (cd_words_group(o, named->words, named->n_words, &groups, &n_groups,
			   error))
		return -1;
	*n = n_groups + named->n_sets;
	if (*n + (named->reference != NULL) > CAPDIFF_MAX_CAPTURES)
		status = too_many(*n, error);
	else
		status = take_groups(o, groups, n_groups, error);
	free(groups);
	for (size_t i = 0; i < named->n_sets && status == 0; i++)
		status = take_capture(o, named->sets[i],
				      &o->captures[n_groups + i], error);
	return status;
}

int cd_captures_take(struct cd_options *o, const struct cd_named *named,
		     struct cd_error *error)
{
	size_t n = 0;

	if (take_all(o, named, &n, error))
		return -1;
	if (named->reference != NULL &&
	    place_reference(o, named->reference, &n, error))
		return -1;
	if (n == 0) {
		cd_error_set(error, CD_E_USAGE, "no capture named");
		cd_error_hint(error, "capdiff REFERENCE [OTHER...]");
		return -1;
	}
	o->run.n_captures = n;
	o->run.reference = 0;
	return 0;
}

int cd_words_take(struct cd_options *o, const struct cd_named *named,
		  struct cd_error *error)
{
	o->reference = named->reference;
	o->sources = (const char *const *)named->words;
	o->n_sources = named->n_words;
	if (o->from != NULL && (o->n_sources > 0 || o->sweep)) {
		cd_error_set(error, CD_E_USAGE,
			     "--from takes no captures beside the report");
		cd_error_hint(error, "capdiff --from FILE.json");
		return -1;
	}
	if (o->sweep && o->n_sources == 0) {
		cd_error_set(error, CD_E_USAGE, "no run named");
		cd_error_hint(error, "capdiff --sweep FOLDER");
		return -1;
	}
	return o->sweep || o->from != NULL ? 0
					   : cd_captures_take(o, named, error);
}

/* The capture that `name` (n bytes) means by label or file, or NULL. */
static struct capdiff_capture *find_capture(struct cd_options *o,
					    char *const *labels,
					    const char *name, size_t n)
{
	for (size_t i = 0; i < o->run.n_captures; i++)
		if ((strlen(labels[i]) == n &&
		     strncmp(labels[i], name, n) == 0) ||
		    (strlen(o->captures[i].path) == n &&
		     strncmp(o->captures[i].path, name, n) == 0))
			return &o->captures[i];
	return NULL;
}

int cd_captures_units(struct cd_options *o, const char *const *units, size_t n,
		      struct cd_error *error)
{
	char *labels[CAPDIFF_MAX_CAPTURES];
	int status = 0;

	if (n == 0)
		return 0;
	if (cd_capture_labels(o->captures, o->run.n_captures, labels))
		return cd_error_memory(error);
	for (size_t i = 0; i < n && status == 0; i++) {
		const char *equals = strrchr(units[i], '=');
		struct capdiff_capture *c = find_capture(
		    o, labels, units[i], (size_t)(equals - units[i]));

		if (c != NULL)
			c->ts_unit = equals + 1;
		else
			status = cd_error_set(
			    error, CD_E_USAGE,
			    "no capture is called '%.*s' (--ts-unit)",
			    (int)(equals - units[i]), units[i]);
	}
	for (size_t i = 0; i < o->run.n_captures; i++)
		free(labels[i]);
	return status;
}
