#include "run/sweep_names.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/str.h"

/* Paths of the captures of run i. */
static size_t count_paths(const struct cd_sweep *sweep,
			  const struct cd_finds *finds, size_t i)
{
	if (finds->runs[i].saved == NULL)
		return finds->runs[i].n;
	return sweep->runs[i].report == NULL ||
		       sweep->runs[i].report->sweep != NULL
		   ? 0
		   : sweep->runs[i].report->n_captures;
}

static const char *get_path(const struct cd_sweep *sweep,
			    const struct cd_finds *finds, size_t i, size_t k)
{
	const char *path;

	if (finds->runs[i].saved == NULL)
		return finds->runs[i].paths[k];
	path = sweep->runs[i].report->captures[k].path;
	return path == NULL ? "" : path;
}

static const char *file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL ? path : slash + 1;
}

size_t cd_sweep_stem(const char *name)
{
	static const char *const suffixes[] = {".pcap", ".cap", ".ntar",
					       ".erf", ".dmp", ".json"};
	const char *dot = name[0] == '\0' ? NULL : strchr(name + 1, '.');

	for (; dot != NULL; dot = strchr(dot + 1, '.'))
		for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes);
		     i++)
			if (strncasecmp(dot, suffixes[i],
					strlen(suffixes[i])) == 0)
				return (size_t)(dot - name);
	return strlen(name);
}

static bool name_has(const char *name, const char *word, size_t n)
{
	size_t length = cd_sweep_stem(name);

	for (size_t at = 0; at < length;) {
		size_t m = strcspn(name + at, CD_SWEEP_JOINTS);

		if (m > length - at)
			m = length - at;
		if (m == n && strncmp(name + at, word, n) == 0)
			return true;
		at += m + 1;
	}
	return false;
}

/* Words that the names of all its captures hold, "" if there are none. */
static void add_shared(struct cd_str *out, const struct cd_sweep *sweep,
		       const struct cd_finds *finds, size_t run)
{
	size_t paths = count_paths(sweep, finds, run);
	const char *first = file_name(get_path(sweep, finds, run, 0));
	size_t length = cd_sweep_stem(first), begun = out->length;

	if (paths == 1) {
		cd_str_addn(out, first, length);
		return;
	}
	for (size_t at = 0; at < length;) {
		size_t n = strcspn(first + at, CD_SWEEP_JOINTS);
		bool all = n > 0;

		if (n > length - at)
			n = length - at;
		for (size_t k = 1; k < paths && all; k++)
			all = name_has(
			    file_name(get_path(sweep, finds, run, k)),
			    first + at, n);
		if (all) {
			cd_str_add(out, out->length > begun ? "_" : "");
			cd_str_addn(out, first + at, n);
		}
		at += n + 1;
	}
}

static size_t folder_length(const char *path)
{
	return (size_t)(file_name(path) - path);
}

static bool shares_folder(const struct cd_sweep *sweep,
			  const struct cd_finds *finds, size_t run)
{
	const char *path = get_path(sweep, finds, run, 0);
	size_t n = folder_length(path);

	for (size_t i = 0; i < sweep->n_runs; i++) {
		const char *other;

		if (i == run || count_paths(sweep, finds, i) == 0)
			continue;
		other = get_path(sweep, finds, i, 0);
		if (folder_length(other) == n && strncmp(other, path, n) == 0)
			return true;
	}
	return false;
}

/* "lab/64/100M": before what all share is taken away. */
static char *full_name(const struct cd_sweep *sweep,
		       const struct cd_finds *finds, size_t run)
{
	struct cd_str out = {0};
	const char *path;
	size_t n;

	if (count_paths(sweep, finds, run) == 0)
		return cd_strdup(finds->runs[run].saved != NULL
				     ? finds->runs[run].saved
				     : "run");
	path = get_path(sweep, finds, run, 0);
	n = folder_length(path);
	cd_str_addn(&out, path, n);
	if (n == 0 || shares_folder(sweep, finds, run))
		add_shared(&out, sweep, finds, run);
	else
		out.text[--out.length] = '\0';
	return out.bad ? NULL : out.text == NULL ? cd_strdup("run") : out.text;
}

/* Bytes, up to and with a slash, that all names begin with. */
static size_t shared_head(char *const *names, size_t n)
{
	size_t head = 0;

	for (size_t i = 0; names[0][i] != '\0'; i++) {
		for (size_t k = 1; k < n; k++)
			if (names[k][i] != names[0][i])
				return head;
		if (names[0][i] == '/' && names[0][i + 1] != '\0')
			head = i + 1;
	}
	/* a single name, or equal ones */
	return head;
}

static bool is_taken(const struct cd_sweep *sweep, size_t run,
		     const char *name)
{
	for (size_t i = 0; i < sweep->n_runs; i++)
		if (i != run && sweep->runs[i].name != NULL &&
		    strcmp(sweep->runs[i].name, name) == 0)
			return true;
	return false;
}

/* Saved reports with the same paths in them are called by their own. */
static int give_name(struct cd_sweep *sweep, const struct cd_finds *finds,
		     size_t run, const char *name)
{
	const char *saved = finds->runs[run].saved;
	char *unique = name[0] == '\0' ? cd_strdup("run") : cd_strdup(name);

	if (unique != NULL && is_taken(sweep, run, unique) && saved != NULL) {
		free(unique);
		unique = cd_strf("%.*s", (int)cd_sweep_stem(file_name(saved)),
				 file_name(saved));
	}
	for (size_t i = 2; unique != NULL && is_taken(sweep, run, unique);
	     i++) {
		free(unique);
		unique = cd_strf("%s#%zu", name, i);
	}
	sweep->runs[run].name = unique;
	return unique == NULL ? -1 : 0;
}

int cd_sweep_names(struct cd_sweep *sweep, const struct cd_finds *finds)
{
	char **names = calloc(sweep->n_runs + 1, sizeof(*names));
	size_t head = 0;
	int status = names == NULL ? -1 : 0;

	for (size_t i = 0; i < sweep->n_runs && status == 0; i++) {
		names[i] = full_name(sweep, finds, i);
		status = names[i] == NULL ? -1 : 0;
	}
	if (status == 0 && sweep->n_runs > 0) {
		head = shared_head(names, sweep->n_runs);
		free(sweep->folder);
		sweep->folder = cd_strf("%.*s", (int)head, names[0]);
		status = sweep->folder == NULL ? -1 : 0;
	}
	for (size_t i = 0; i < sweep->n_runs && status == 0; i++)
		if (sweep->runs[i].name == NULL)
			status = give_name(sweep, finds, i, names[i] + head);
	for (size_t i = 0; names != NULL && i < sweep->n_runs; i++)
		free(names[i]);
	free(names);
	return status;
}
