#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/partial.h"
#include "run/outputs.h"

static int refuse(const char *path, const char *what, struct cd_error *error)
{
	cd_error_file(error, path);
	cd_error_set(error, CD_E_USAGE, "%s", what);
	cd_error_hint(error, "choose another name for the output");
	return -1;
}

/* A capture, or a saved report. */
static bool is_input(const struct cd_options *o, const char *path)
{
	const char *const reports[] = {o->from, o->baseline};

	for (size_t i = 0; i < sizeof(reports) / sizeof(*reports); i++)
		if (reports[i] != NULL && cd_output_same(path, reports[i]))
			return true;
	for (size_t i = 0; i < o->n_sources; i++)
		if (cd_output_same(path, o->sources[i]))
			return true;
	return cd_output_is_input(&o->run, path);
}

int cd_output_check(const struct cd_options *o, const char *path, size_t n,
		    struct cd_error *error)
{
	const char *const others[] = {o->run.write_marked,
				      o->run.write_missing,
				      o->run.write_packets};

	if (is_input(o, path))
		return refuse(path, "the output is one of the inputs", error);
	for (size_t i = 0; i < n; i++)
		if (cd_output_same(path, o->outputs[i]))
			return refuse(path, "is given as output twice", error);
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (others[i] != NULL && cd_output_same(path, others[i]))
			return refuse(path, "is given as output twice", error);
	return 0;
}

int cd_outputs_check(const struct cd_options *o, struct cd_error *error)
{
	for (size_t i = 0; i < o->n_outputs; i++)
		if (cd_output_check(o, o->outputs[i], i, error))
			return -1;
	return 0;
}

static int fail(const char *path, struct cd_error *error)
{
	int code = errno;

	cd_error_file(error, path);
	return cd_error_set(error, CD_E_WRITE, "cannot be written: %s",
			    strerror(code));
}

static int write_all(int fd, const char *bytes, size_t n)
{
	while (n > 0) {
		ssize_t k = write(fd, bytes, n);

		if (k < 0 && errno == EINTR)
			continue;
		if (k < 0)
			return -1;
		bytes += k;
		n -= (size_t)k;
	}
	return 0;
}

/* A pipe or device is written to as it is; a name cannot be put in its place. */
static int write_in_place(const char *path, const char *bytes, size_t n,
			  struct cd_error *error)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return fail(path, error);
	if (write_all(fd, bytes, n)) {
		fail(path, error);
		close(fd);
		return -1;
	}
	return close(fd) ? fail(path, error) : 0;
}

static bool is_special(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && !S_ISREG(st.st_mode) &&
	       !S_ISDIR(st.st_mode);
}

/* mkstemp(), with no moment in which a signal would leave the file behind. */
static int create(char *name, struct cd_partial **partial)
{
	sigset_t all, before;
	int fd, code;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	fd = mkstemp(name);
	code = errno;
	*partial = fd < 0 ? NULL : cd_partial_begin(name);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = code;
	return fd;
}

int cd_output_write(const char *path, const char *bytes, size_t n,
		    struct cd_error *error)
{
	struct cd_partial *partial;
	char *temporary;
	mode_t mask = umask(0);
	int fd;

	umask(mask);
	if (is_special(path))
		return write_in_place(path, bytes, n, error);
	temporary = cd_strf("%s.XXXXXX", path);
	if (temporary == NULL)
		return cd_error_memory(error);
	fd = create(temporary, &partial);
	if (fd < 0) {
		fail(path, error);
		goto out_free;
	}
	if (fchmod(fd, 0666 & ~mask) || write_all(fd, bytes, n)) {
		fail(path, error);
		close(fd);
		goto out_unlink;
	}
	if (close(fd) || rename(temporary, path)) {
		fail(path, error);
		goto out_unlink;
	}
	cd_partial_end(partial);
	free(temporary);
	return 0;
out_unlink:
	unlink(temporary);
	cd_partial_end(partial);
out_free:
	free(temporary);
	return -1;
}
