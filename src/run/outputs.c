#include "run/outputs.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"

#define OUTPUTS 3

static bool same_file(const char *a, const char *b)
{
	struct stat x, y;

	if (strcmp(a, b) == 0)
		return true;
	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev &&
	       x.st_ino == y.st_ino;
}

/* The folder that a file of this name is in. */
static int stat_folder(const char *path, struct stat *status)
{
	const char *slash = strrchr(path, '/');
	char *folder;
	int result;

	if (slash == NULL)
		return stat(".", status);
	folder = cd_strf("%.*s/", (int)(slash - path), path);
	result = folder == NULL ? -1 : stat(folder, status);
	free(folder);
	return result;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL ? path : slash + 1;
}

bool cd_output_same(const char *a, const char *b)
{
	struct stat x, y;

	if (same_file(a, b))
		return true;
	return strcmp(base_name(a), base_name(b)) == 0 &&
	       stat_folder(a, &x) == 0 && stat_folder(b, &y) == 0 &&
	       x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

bool cd_output_is_input(const struct capdiff_options *o, const char *path)
{
	for (size_t i = 0; i < o->n_captures; i++) {
		const struct capdiff_capture *c = &o->captures[i];

		if (c->n_files == 0 && same_file(path, c->path))
			return true;
		for (size_t k = 0; k < c->n_files; k++)
			if (same_file(path, c->files[k]))
				return true;
	}
	return false;
}

static bool is_terminal(const char *path)
{
	struct stat status;
	bool yes = false;
	int fd;

	if (stat(path, &status) != 0 || !S_ISCHR(status.st_mode))
		return false;
	fd = open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (fd >= 0) {
		yes = isatty(fd) == 1;
		close(fd);
	}
	return yes;
}

static int refuse(const char *path, const char *what, struct cd_error *error)
{
	cd_error_file(error, path);
	cd_error_set(error, CD_E_USAGE, "%s", what);
	cd_error_hint(error, "choose another name for the output");
	return -1;
}

static int check(const struct capdiff_options *o, const char *path,
		 struct cd_error *error)
{
	char *part;
	bool hit;

	if (strcmp(path, "-") == 0)
		return refuse(path, "standard output holds the report", error);
	if (path != o->write_packets && is_terminal(path))
		return refuse(path, "packets are not for a terminal", error);
	part = cd_strf("%s.part", path); /* its name until it is complete */
	if (part == NULL)
		return cd_error_memory(error);
	hit = cd_output_is_input(o, path) || cd_output_is_input(o, part);
	free(part);
	return hit ? refuse(path, "the output is one of the inputs", error) : 0;
}

int cd_outputs_possible(const struct capdiff_options *o, struct cd_error *error)
{
	const char *paths[OUTPUTS] = {o->write_marked, o->write_missing,
				      o->write_packets};

	for (size_t i = 0; i < OUTPUTS; i++) {
		if (paths[i] == NULL)
			continue;
		if (check(o, paths[i], error))
			return -1;
		for (size_t k = 0; k < i; k++)
			if (paths[k] != NULL &&
			    cd_output_same(paths[i], paths[k]))
				return refuse(paths[i],
					      "is given as output twice",
					      error);
	}
	return 0;
}
