#include "run/sweep_group.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/str.h"
#include "capdiff/capdiff.h"
#include "input/ringset.h"
#include "run/label.h"
#include "run/sweep_names.h"

/* One file: its name without suffixes, and the reference it belongs to. */
struct member {
	const char *path;
	const char **files; /* of a ring set, the first is `path` */
	size_t n_files;
	char *stem;
	bool reference;
	size_t word, length; /* reference: the word that says so */
	size_t owner;	     /* index of its reference; SIZE_MAX: none */
};

struct group {
	struct member *members;
	size_t n, references;
	const struct cd_grouping *how;
	struct cd_finds *finds;
	struct cd_error *error;
};

static char *copy_stem(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash == NULL ? path : slash + 1;

	return cd_strf("%.*s", (int)cd_sweep_stem(name), name);
}

static bool is_reference_word(const struct cd_grouping *how, const char *word,
			      size_t n)
{
	if (how->reference != NULL)
		return strlen(how->reference) == n &&
		       strncmp(word, how->reference, n) == 0;
	return (n >= 3 && strncasecmp(word, "ref", 3) == 0) ||
	       (n >= 2 && strncasecmp(word, "hw", 2) == 0) ||
	       (n >= 8 && strncasecmp(word, "hardware", 8) == 0);
}

static void find_reference_word(const struct group *g, struct member *m)
{
	for (size_t at = 0; m->stem[at] != '\0';) {
		size_t n = strcspn(m->stem + at, CD_SWEEP_JOINTS);

		if (!m->reference &&
		    is_reference_word(g->how, m->stem + at, n)) {
			m->reference = true;
			m->word = at;
			m->length = n;
		}
		at += n;
		at += m->stem[at] != '\0';
	}
}

/* The files that belong to the ring set of paths[first]. 0 or -1. */
static int take_set(struct member *m, char *const *paths, size_t n,
		    const size_t *leader, size_t first)
{
	m->files = calloc(n, sizeof(*m->files));
	if (m->files == NULL)
		return -1;
	for (size_t i = first; i < n; i++)
		if (leader[i] == first)
			m->files[m->n_files++] = paths[i];
	return 0;
}

/* -r may name a label of several words. */
static int find_label(struct group *g)
{
	const char **paths;
	char **labels;

	if (g->references > 0 || g->how->reference == NULL)
		return 0;
	paths = calloc(g->n, sizeof(*paths));
	labels = calloc(g->n, sizeof(*labels));
	for (size_t i = 0; paths != NULL && i < g->n; i++)
		paths[i] = g->members[i].path;
	if (paths == NULL || labels == NULL ||
	    cd_labels(paths, NULL, g->n, labels)) {
		free(paths);
		free(labels);
		return cd_error_memory(g->error);
	}
	for (size_t i = 0; i < g->n; i++) {
		if (strcmp(labels[i], g->how->reference) == 0) {
			g->members[i].reference = true;
			g->references++;
		}
		free(labels[i]);
	}
	free(paths);
	free(labels);
	return 0;
}

static int add_member(struct group *g, char *const *paths, size_t n,
		      const size_t *leader, size_t first)
{
	struct member *m = &g->members[g->n];

	m->path = paths[first];
	m->owner = SIZE_MAX;
	m->stem = copy_stem(paths[first]);
	if (m->stem == NULL)
		return -1;
	g->n++;
	find_reference_word(g, m);
	g->references += m->reference;
	return take_set(m, paths, n, leader, first);
}

static int group_init(struct group *g, char *const *paths, size_t n)
{
	size_t *leader = calloc(n, sizeof(*leader));
	int status;

	g->members = calloc(n, sizeof(*g->members));
	status = leader == NULL || g->members == NULL ||
			 cd_ringset_group((const char *const *)paths, n, leader)
		     ? -1
		     : 0;
	for (size_t i = 0; i < n && status == 0; i++)
		if (leader[i] == i)
			status = add_member(g, paths, n, leader, i);
	free(leader);
	return status ? cd_error_memory(g->error) : find_label(g);
}

/* Are the names equal without the reference's word and some word of b? */
static bool is_partner(const struct member *ref, const struct member *b)
{
	const char *tail = ref->stem + ref->word + ref->length;
	size_t after = strlen(tail), n = strlen(b->stem);

	if (n < ref->word + after + 1 ||
	    strncmp(ref->stem, b->stem, ref->word) != 0 ||
	    strcmp(b->stem + n - after, tail) != 0)
		return false;
	n -= ref->word + after;
	return strcspn(b->stem + ref->word, CD_SWEEP_JOINTS) >= n;
}

static void find_owners(struct group *g)
{
	for (size_t i = 0; i < g->n; i++)
		for (size_t k = 0; k < g->n; k++) {
			const struct member *ref = &g->members[k];

			if (!g->members[i].reference && ref->reference &&
			    (g->references == 1 ||
			     is_partner(ref, &g->members[i])))
				g->members[i].owner = k;
		}
}

/* ---- runs ---------------------------------------------------------------- */

static int add_files(struct cd_found_set *set, const struct member *m)
{
	set->files = calloc(m->n_files, sizeof(*set->files));
	if (set->files == NULL)
		return -1;
	for (; set->n < m->n_files; set->n++) {
		set->files[set->n] = cd_strdup(m->files[set->n]);
		if (set->files[set->n] == NULL)
			return -1;
	}
	return 0;
}

static int add_path(struct cd_found *found, const struct member *m)
{
	char *path = m->n_files > 1 ? cd_ringset_pattern(m->files, m->n_files)
				    : cd_strdup(m->path);

	if (path == NULL)
		return -1;
	found->paths[found->n++] = path;
	return m->n_files > 1 ? add_files(&found->sets[found->n - 1], m) : 0;
}

/* The file `first` and all that it owns. */
static int add_run(struct group *g, size_t first)
{
	struct cd_finds *finds = g->finds;
	struct cd_found *found;

	if (cd_grow(&finds->runs, &finds->capacity, finds->n + 1,
		    sizeof(*finds->runs)))
		return cd_error_memory(g->error);
	found = &finds->runs[finds->n++];
	*found = (struct cd_found){
	    .paths = calloc(g->n, sizeof(*found->paths)),
	    .sets = calloc(g->n, sizeof(*found->sets)),
	};
	if (found->paths == NULL || found->sets == NULL ||
	    add_path(found, &g->members[first]))
		return cd_error_memory(g->error);
	for (size_t i = 0; i < g->n; i++)
		if (g->members[i].owner == first &&
		    add_path(found, &g->members[i]))
			return cd_error_memory(g->error);
	if (found->n <= CAPDIFF_MAX_CAPTURES)
		return 0;
	cd_error_file(g->error, g->members[first].path);
	return cd_error_set(g->error, CD_E_USAGE,
			    "more than %d captures belong to it",
			    CAPDIFF_MAX_CAPTURES);
}

static int no_reference(const struct group *g)
{
	const char *path = g->members[0].path;
	const char *slash = strrchr(path, '/');
	struct cd_str names = {0};
	char *folder = slash == NULL
			   ? cd_strdup(".")
			   : cd_strf("%.*s", (int)(slash - path), path);

	for (size_t i = 0; i < g->n && i < 8; i++)
		cd_str_addf(&names, "%s%s", i > 0 ? ", " : "",
			    g->members[i].stem);
	if (folder != NULL)
		cd_error_file(g->error, folder);
	cd_error_set(g->error, CD_E_USAGE,
		     "which capture is the reference? There are %s",
		     cd_str_text(&names));
	cd_error_hint(g->error, "-r LABEL names it (else ref*, hw* or "
				"hardware*); --expect N does without one");
	cd_str_release(&names);
	free(folder);
	return -1;
}

static int add_runs(struct group *g)
{
	for (size_t i = 0; i < g->n; i++) {
		const struct member *m = &g->members[i];

		if (m->reference || g->references == 0) {
			if (add_run(g, i))
				return -1;
		} else if (m->owner == SIZE_MAX) {
			cd_report_finding(g->how->report, CD_WARNING, "no_run",
					  -1, "%s belongs to no reference and "
					  "is left out.", m->path);
		}
	}
	return 0;
}

int cd_sweep_group(struct cd_finds *finds, char *const *paths, size_t n,
		   const struct cd_grouping *how, struct cd_error *error)
{
	struct group g = {.how = how, .finds = finds, .error = error};
	int status = group_init(&g, paths, n);

	if (status == 0 && g.references == 0 && g.n > 1 && !how->alone)
		status = no_reference(&g);
	if (status == 0) {
		find_owners(&g);
		status = add_runs(&g);
	}
	for (size_t i = 0; i < g.n; i++) {
		free(g.members[i].stem);
		free(g.members[i].files);
	}
	free(g.members);
	return status;
}
