#include "run/sweep_find.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/array.h"
#include "run/label.h"
#include "run/saved.h"
#include "run/sweep_group.h"

/* Paths under way: folders still to be looked into, captures, reports. */
struct list {
	char **items;
	size_t n, capacity;
};

/* What a folder is by whatever name. */
struct place {
	dev_t device;
	ino_t number;
};

struct search {
	struct list folders, captures, reports;
	struct list links; /* to folders; after all that are none */
	struct place *seen;
	size_t n_seen, seen_capacity;
	struct cd_error *error;
};

static void list_release(struct list *list)
{
	for (size_t i = 0; i < list->n; i++)
		free(list->items[i]);
	free(list->items);
}

/* Takes over `text`, which may be NULL for want of memory. */
static int list_add(struct list *list, char *text, struct cd_error *error)
{
	if (text == NULL || cd_grow(&list->items, &list->capacity, list->n + 1,
				    sizeof(*list->items))) {
		free(text);
		return cd_error_memory(error);
	}
	list->items[list->n++] = text;
	return 0;
}

/* Links may go in circles, and one folder may be named twice. 1: it is new,
 * 0: not, or it has gone. */
static int see(struct search *s, const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return 0;
	for (size_t i = 0; i < s->n_seen; i++)
		if (s->seen[i].device == st.st_dev &&
		    s->seen[i].number == st.st_ino)
			return 0;
	if (cd_grow(&s->seen, &s->seen_capacity, s->n_seen + 1,
		    sizeof(*s->seen)))
		return cd_error_memory(s->error);
	s->seen[s->n_seen++] = (struct place){st.st_dev, st.st_ino};
	return 1;
}

static bool ends_with(const char *text, size_t n, const char *suffix)
{
	size_t m = strlen(suffix);

	return n > m && strncasecmp(text + n - m, suffix, m) == 0;
}

static bool is_capture_name(const char *name)
{
	static const char *const packed[] = {".gz", ".zst", ".lz4"};
	static const char *const suffixes[] = {".pcap", ".pcapng", ".cap",
					       ".ntar", ".erf",	   ".dmp"};
	size_t n = strlen(name);

	/* tcpdump -C: NAME.pcap12 */
	while (n > 0 && name[n - 1] >= '0' && name[n - 1] <= '9')
		n--;
	n = n < 5 || strncasecmp(name + n - 5, ".pcap", 5) != 0 ? strlen(name)
								: n;
	for (size_t i = 0; i < sizeof(packed) / sizeof(packed[0]); i++)
		if (ends_with(name, n, packed[i]))
			n -= strlen(packed[i]);
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
		if (ends_with(name, n, suffixes[i]))
			return true;
	return false;
}

static int add_folder(struct search *s, char *path)
{
	struct stat st;
	bool link = lstat(path, &st) == 0 && S_ISLNK(st.st_mode);

	return list_add(link ? &s->links : &s->folders, path, s->error);
}

/* One entry of a folder. Takes over the path. Of what is no file, a read may
 * never end. */
static int take_entry(struct search *s, char *path)
{
	struct stat st;
	bool found;
	const char *slash;
	bool sweep;

	if (path == NULL)
		return cd_error_memory(s->error);
	slash = strrchr(path, '/');
	found = stat(path, &st) == 0;
	if (found && S_ISDIR(st.st_mode))
		return add_folder(s, path);
	if (found && !S_ISREG(st.st_mode)) {
		free(path);
		return 0;
	}
	if (is_capture_name(slash == NULL ? path : slash + 1))
		return list_add(&s->captures, path, s->error);
	/* a sweep that was saved here is of the runs that are here */
	if (ends_with(path, strlen(path), ".json") &&
	    cd_saved_is(path, &sweep) && !sweep)
		return list_add(&s->reports, path, s->error);
	free(path);
	return 0;
}

static int compare_texts(const void *a, const void *b)
{
	char *const *x = a, *const *y = b;

	return strcmp(*x, *y);
}

/* Where captures are, reports lie beside what they are of. */
static void drop_reports(struct search *s, size_t captures, size_t reports)
{
	if (s->captures.n == captures)
		return;
	while (s->reports.n > reports)
		free(s->reports.items[--s->reports.n]);
}

static int open_failed(const char *path, struct cd_error *error)
{
	int code = errno;

	cd_error_file(error, path);
	cd_error_set(error, CD_E_OPEN, "cannot be opened: %s", strerror(code));
	cd_error_hint(error, "--sweep takes folders that can be read, and "
			     "saved reports");
	return -1;
}

static int look_into(struct search *s, const char *path, bool named)
{
	size_t captures = s->captures.n, reports = s->reports.n;
	size_t length = strlen(path);
	const char *slash = length > 0 && path[length - 1] == '/' ? "" : "/";
	DIR *folder = opendir(path);
	struct dirent *entry;
	int status = 0;

	if (folder == NULL && named)
		return open_failed(path, s->error);
	if (folder == NULL) /* the run that it is fails */
		return list_add(&s->reports, cd_strdup(path), s->error);
	while (status == 0 && (entry = readdir(folder)) != NULL)
		if (entry->d_name[0] != '.')
			status = take_entry(
			    s, cd_strf("%s%s%s", path, slash, entry->d_name));
	closedir(folder);
	drop_reports(s, captures, reports);
	return status;
}

static int take_source(struct search *s, const char *source)
{
	struct stat st;
	bool sweep;

	if (stat(source, &st))
		return open_failed(source, s->error);
	if (S_ISDIR(st.st_mode))
		return list_add(&s->folders, cd_strdup(source), s->error);
	if (cd_saved_is(source, &sweep) ||
	    ends_with(source, strlen(source), ".json"))
		return list_add(&s->reports, cd_strdup(source), s->error);
	return list_add(&s->captures, cd_strdup(source), s->error);
}

static void sort(struct list *list)
{
	if (list->n > 0)
		qsort(list->items, list->n, sizeof(char *), compare_texts);
}

static int follow_links(struct search *s)
{
	sort(&s->links);
	for (size_t i = 0; i < s->links.n; i++) {
		char *path = s->links.items[i];

		s->links.items[i] = NULL;
		if (list_add(&s->folders, path, s->error))
			return -1;
	}
	s->links.n = 0;
	return 0;
}

static int search_folders(struct search *s, size_t n_named)
{
	for (size_t i = 0;; i++) {
		int new;

		if (i == s->folders.n && follow_links(s))
			return -1;
		if (i == s->folders.n)
			return 0;
		new = see(s, s->folders.items[i]);
		if (new < 0 ||
		    (new > 0 && look_into(s, s->folders.items[i], i < n_named)))
			return -1;
	}
}

static int search_all(struct search *s, const char *const *sources, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (take_source(s, sources[i]))
			return -1;
	if (search_folders(s, s->folders.n))
		return -1;
	sort(&s->captures);
	sort(&s->reports);
	return 0;
}

/* ---- finds --------------------------------------------------------------- */

static int add_report(struct cd_finds *finds, const char *path,
		      struct cd_error *error)
{
	struct cd_found *found;

	if (cd_grow(&finds->runs, &finds->capacity, finds->n + 1,
		    sizeof(*finds->runs)))
		return cd_error_memory(error);
	found = &finds->runs[finds->n++];
	*found = (struct cd_found){.saved = cd_strdup(path)};
	return found->saved == NULL ? cd_error_memory(error) : 0;
}

static size_t folder_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL ? 0 : (size_t)(slash - path);
}

static bool same_folder(const char *a, const char *b)
{
	size_t n = folder_length(a);

	return n == folder_length(b) && strncmp(a, b, n) == 0;
}

static int group_all(struct search *s, struct cd_finds *finds,
		     const struct cd_grouping *how)
{
	char **paths = s->captures.items;

	for (size_t from = 0, to; from < s->captures.n; from = to) {
		to = from + 1;
		while (to < s->captures.n &&
		       same_folder(paths[from], paths[to]))
			to++;
		if (cd_sweep_group(finds, paths + from, to - from, how,
				   s->error))
			return -1;
	}
	return 0;
}

int cd_sweep_discover(struct cd_finds *finds, const char *const *sources,
		      size_t n, const char *reference, bool alone,
		      struct cd_report *report, struct cd_error *error)
{
	struct search s = {.error = error};
	struct cd_grouping how = {reference, alone, report};
	int status = search_all(&s, sources, n);

	*finds = (struct cd_finds){0};
	if (status == 0)
		status = group_all(&s, finds, &how);
	for (size_t i = 0; i < s.reports.n && status == 0; i++)
		status = add_report(finds, s.reports.items[i], error);
	if (status == 0 && finds->n == 0) {
		cd_error_file(error, sources[0]);
		status = cd_error_set(error, CD_E_EMPTY,
				      "no captures and no saved reports here");
		cd_error_hint(error, "a run is a folder with one capture per "
				     "capture point, or a .json written by -o");
	}
	list_release(&s.folders);
	list_release(&s.links);
	list_release(&s.captures);
	list_release(&s.reports);
	free(s.seen);
	return status;
}

static void release_paths(struct cd_found *found)
{
	for (size_t k = 0; k < found->n; k++) {
		free(found->paths[k]);
		for (size_t f = 0; f < found->sets[k].n; f++)
			free(found->sets[k].files[f]);
		free(found->sets[k].files);
	}
	free(found->paths);
	free(found->sets);
}

void cd_sweep_discovered_release(struct cd_finds *finds)
{
	for (size_t i = 0; i < finds->n; i++) {
		free(finds->runs[i].saved);
		release_paths(&finds->runs[i]);
	}
	free(finds->runs);
}
