#include "run/label.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/str.h"
#include "input/ringset.h"

static const char *const suffixes[] = {
    ".gz",  ".zst", ".lz4", ".xz",   ".bz2",
    ".cap", ".erf", ".dmp", ".ntar", ".pcapng", ".pcap",
};

/* Length of the name without the suffixes of captures and compression. */
static size_t stem_length(const char *name, size_t n)
{
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		size_t k = strlen(suffixes[i]);

		if (n > k && strncasecmp(name + n - k, suffixes[i], k) == 0)
			n -= k;
	}
	return n;
}

/* Component `up` levels above the file name (0: the name itself). */
static void path_part(const char *path, size_t up, const char **start,
		      size_t *n)
{
	const char *end = path + strlen(path);

	for (;;) {
		const char *p = end;

		while (p > path && p[-1] != '/')
			p--;
		*start = p;
		*n = (size_t)(end - p);
		if (up-- == 0)
			return;
		end = p;
		while (end > path && end[-1] == '/')
			end--;
		if (end == path) {
			*n = 0;
			return;
		}
	}
}

static bool all_different(char *const *texts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++)
			if (strcmp(texts[i], texts[j]) == 0)
				return false;
	return true;
}

static bool any_empty(char *const *texts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (texts[i][0] == '\0')
			return true;
	return false;
}

static bool is_joint(char c)
{
	return c == '-' || c == '_' || c == ' ' || c == '.' || c == '\0';
}

/* Bytes that all texts share at their start, up to and with a joint. */
static size_t shared_head(char *const *texts, size_t n)
{
	size_t head = 0;

	for (size_t i = 0;; i++) {
		for (size_t k = 1; k < n; k++)
			if (texts[k][i] != texts[0][i])
				return head;
		if (texts[0][i] == '\0')
			return head;
		if (is_joint(texts[0][i]))
			head = i + 1;
	}
}

/* The same at their end, from a joint on. */
static size_t shared_tail(char *const *texts, size_t n)
{
	size_t tail = 0, length = strlen(texts[0]);

	for (size_t i = 1; i <= length; i++) {
		char c = texts[0][length - i];

		for (size_t k = 1; k < n; k++) {
			size_t other = strlen(texts[k]);

			if (i > other || texts[k][other - i] != c)
				return tail;
		}
		if (is_joint(c))
			tail = i;
	}
	return tail;
}

/* Take away what all names share, if something is left of each. */
static void trim_shared(char **texts, size_t n)
{
	size_t head, tail;

	if (n < 2)
		return;
	head = shared_head(texts, n);
	tail = shared_tail(texts, n);
	for (size_t i = 0; i < n; i++)
		if (strlen(texts[i]) <= head + tail)
			return;
	for (size_t i = 0; i < n; i++) {
		size_t keep = strlen(texts[i]) - head - tail;

		memmove(texts[i], texts[i] + head, keep);
		texts[i][keep] = '\0';
	}
}

/* What cannot stand in a key: dots, operators, blanks, control characters. */
static void tame(char *text)
{
	for (char *p = text; *p != '\0'; p++)
		if (strchr(".<>=!#/\\\"'` \t", *p) != NULL ||
		    (unsigned char)*p < 0x20 || *p == 0x7f)
			*p = '_';
}

static void free_all(char **texts, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(texts[i]);
		texts[i] = NULL;
	}
}

/* Where #N of FILE#N begins, or the end. */
static size_t find_interface(const char *text)
{
	size_t n = strlen(text), at = n;

	while (at > 0 && text[at - 1] >= '0' && text[at - 1] <= '9')
		at--;
	return at < n && at > 0 && text[at - 1] == '#' ? at - 1 : n;
}

static char *part_text(const char *path, size_t up)
{
	const char *start;
	char *text;
	size_t n, interface;

	if (strcmp(path, "-") == 0)
		return cd_strdup("stdin");
	path_part(path, up, &start, &n);
	text = cd_strf("%.*s", (int)n, start);
	if (text == NULL)
		return NULL;
	if (up > 0)
		return text;
	interface = find_interface(text);
	n = stem_length(text, interface);
	memmove(text + n, text + interface, strlen(text + interface) + 1);
	return text;
}

/* The parts `up` levels above the names, trimmed. 1: they are unique. */
static int try_level(const char *const *paths, size_t n, size_t up,
		     char **labels)
{
	for (size_t i = 0; i < n; i++) {
		labels[i] = part_text(paths[i], up);
		if (labels[i] == NULL)
			return -1;
	}
	trim_shared(labels, n);
	for (size_t i = 0; i < n; i++)
		tame(labels[i]);
	if (all_different(labels, n) && !any_empty(labels, n))
		return 1;
	free_all(labels, n);
	return 0;
}

/* Last resort: name and number. */
static int number_them(const char *const *paths, size_t n, char **labels)
{
	for (size_t i = 0; i < n; i++) {
		char *text = part_text(paths[i], 0);

		labels[i] =
		    text == NULL ? NULL : cd_strf("%s_%zu", text, i + 1);
		free(text);
		if (labels[i] == NULL)
			return -1;
		tame(labels[i]);
	}
	return 0;
}

static int default_labels(const char *const *paths, size_t n, char **labels)
{
	for (size_t up = 0; up < 8; up++) {
		int status = try_level(paths, n, up, labels);

		if (status != 0)
			return status < 0 ? -1 : 0;
	}
	return number_them(paths, n, labels);
}

static bool is_given(const char *const *given, size_t i)
{
	return given != NULL && given[i] != NULL;
}

/* Default labels of the captures without one, unique among themselves. */
static int fill_defaults(const char *const *paths, const char *const *given,
			 size_t n, char **labels)
{
	const char **some = calloc(n, sizeof(*some));
	char **found = calloc(n, sizeof(*found));
	size_t k = 0;
	int status = -1;

	if (some == NULL || found == NULL)
		goto out;
	for (size_t i = 0; i < n; i++)
		if (!is_given(given, i))
			some[k++] = paths[i];
	status = k == 0 ? 0 : default_labels(some, k, found);
	k = 0;
	for (size_t i = 0; i < n && status == 0; i++)
		if (!is_given(given, i))
			labels[i] = found[k++];
	if (status)
		free_all(found, n);
out:
	free(some);
	free(found);
	return status;
}

/* A given label may equal a default one: that one gives way. */
static int part_equal(const char *const *given, size_t n, char **labels)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			char *other;

			if (i == j || is_given(given, j) ||
			    strcmp(labels[i], labels[j]) != 0)
				continue;
			other = cd_strf("%s_%zu", labels[j], j + 1);
			if (other == NULL)
				return -1;
			free(labels[j]);
			labels[j] = other;
		}
	return 0;
}

int cd_labels(const char *const *paths, const char *const *given, size_t n,
	      char **labels)
{
	memset(labels, 0, n * sizeof(*labels));
	if (fill_defaults(paths, given, n, labels))
		goto undo;
	for (size_t i = 0; i < n; i++) {
		if (is_given(given, i))
			labels[i] = cd_strdup(given[i]);
		if (labels[i] == NULL)
			goto undo;
	}
	if (part_equal(given, n, labels) == 0)
		return 0;
undo:
	free_all(labels, n);
	return -1;
}

/* What stands for the path of a capture. */
static char *label_path(const struct capdiff_capture *c)
{
	char *name = c->n_files > 0 ? cd_ringset_name(c->files, c->n_files)
				    : cd_strdup(c->path);
	char *text;

	if (name == NULL || !c->one_interface)
		return name;
	text = cd_strf("%s#%u", name, c->interface);
	free(name);
	return text;
}

int cd_capture_labels(const struct capdiff_capture *captures, size_t n,
		      char **labels)
{
	char *paths[CAPDIFF_MAX_CAPTURES] = {NULL};
	const char *given[CAPDIFF_MAX_CAPTURES] = {NULL};
	int status = -1;

	for (size_t i = 0; i < n; i++) {
		const struct capdiff_capture *c = &captures[i];

		given[i] = c->label;
		paths[i] = label_path(c);
		if (paths[i] == NULL)
			goto out;
	}
	status = cd_labels((const char *const *)paths, given, n, labels);
out:
	free_all(paths, n);
	return status;
}
