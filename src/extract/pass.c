#include "extract/pass.h"

#include <stdlib.h>
#include <string.h>

/* ---- the files stay the same ----------------------------------------------
 */

static int refuse(const char *path, const char *option, struct cd_error *error)
{
	cd_error_file(error, path);
	cd_error_set(error, CD_E_USAGE,
		     "%s reads the capture a second time, which needs a file",
		     option);
	cd_error_hint(error, "store it first: cat > capture.pcapng");
	return -1;
}

int cd_watch_begin(struct cd_watch *watch, const char *const *paths, size_t n,
		   const char *option, struct cd_error *error)
{
	*watch = (struct cd_watch){.paths = paths, .n = n};
	watch->status = calloc(n + 1, sizeof(*watch->status));
	if (watch->status == NULL)
		return cd_error_memory(error);
	for (size_t i = 0; i < n; i++) {
		struct stat *status = &watch->status[i];

		if (strcmp(paths[i], "-") == 0)
			return refuse("standard input", option, error);
		if (stat(paths[i], status) == 0 && !S_ISREG(status->st_mode) &&
		    !S_ISDIR(status->st_mode))
			return refuse(paths[i], option, error);
	}
	return 0;
}

int cd_pass_changed(const char *path, struct cd_error *error)
{
	cd_error_file(error, path);
	cd_error_set(error, CD_E_READ, "changed while it was read");
	cd_error_hint(error, "wait until the capture is finished, or work on "
			     "a copy");
	return -1;
}

/* Time of the last change to its content, or to anything about it: restoring
 * the former does not hide a write. */
static bool is_same(const struct stat *a, const struct stat *b)
{
#ifdef __APPLE__
	const struct timespec *ma = &a->st_mtimespec, *mb = &b->st_mtimespec;
#else
	const struct timespec *ma = &a->st_mtim, *mb = &b->st_mtim;
#endif
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino &&
	       a->st_size == b->st_size && ma->tv_sec == mb->tv_sec &&
	       ma->tv_nsec == mb->tv_nsec;
}

int cd_watch_check(const struct cd_watch *watch, struct cd_error *error)
{
	for (size_t i = 0; i < watch->n; i++) {
		struct stat now = {0};

		if (stat(watch->paths[i], &now) != 0 &&
		    watch->status[i].st_ino == 0)
			continue;
		if (!is_same(&now, &watch->status[i]))
			return cd_pass_changed(watch->paths[i], error);
	}
	return 0;
}

void cd_watch_release(struct cd_watch *watch)
{
	free(watch->status);
	*watch = (struct cd_watch){0};
}

/* ---- reading --------------------------------------------------------------
 */

/* As cd_capture_next_block(), with a record of pcap as a block too. */
static int next(struct cd_capture *capture, struct cd_record *record,
		struct cd_raw *raw, struct cd_error *error)
{
	if (cd_capture_has_blocks(capture))
		return cd_capture_next_block(capture, record, raw, error);
	return cd_capture_next(capture, record, error);
}

static int read_blocks(const struct cd_pass *pass, struct cd_capture *capture,
		       uint64_t before, struct cd_error *why,
		       struct cd_error *error)
{
	bool blocks = cd_capture_has_blocks(capture);
	struct cd_record record;
	struct cd_raw raw;
	int got;

	while ((got = next(capture, &record, &raw, why)) > 0) {
		int failed;

		if (got == CD_RAW_PACKET) {
			record.number += before;
			failed = pass->packet(pass->context, &record,
					      blocks ? &raw : NULL, error);
		} else {
			failed = pass->other(pass->context, &raw, error);
		}
		if (failed)
			return -1;
	}
	return 0;
}

static bool is_end(const struct cd_error *why)
{
	return why->fault == CD_E_TRUNCATED || why->fault == CD_E_CORRUPT ||
	       why->fault == CD_E_EMPTY;
}

/* `before` grows by the file's packets. */
static int read_file(const struct cd_pass *pass, const char *path,
		     uint64_t *before, struct cd_error *why,
		     struct cd_error *error)
{
	struct cd_input *input = cd_input_open(path, why);
	struct cd_capture *capture =
	    input == NULL ? NULL : cd_capture_open(input, why);
	int failed;

	if (capture == NULL)
		return 0;
	failed = pass->begin(pass->context, capture, error) ||
		 read_blocks(pass, capture, *before, why, error);
	*before += capture->packets;
	cd_capture_close(capture);
	return failed ? -1 : 0;
}

int cd_pass_run(const struct cd_pass *pass, const struct cd_watch *watch,
		bool may_stop, struct cd_error *error)
{
	uint64_t before = 0;

	for (size_t i = 0; i < watch->n; i++) {
		struct cd_error why = {0};

		if (read_file(pass, watch->paths[i], &before, &why, error))
			return -1;
		if (why.fault == CD_OK || (may_stop && is_end(&why)))
			continue;
		/* a ring set also goes on behind a file that is no capture */
		if (may_stop && watch->n > 1 && why.fault != CD_E_MEMORY)
			continue;
		if (is_end(&why))
			return cd_pass_changed(watch->paths[i], error);
		if (error != NULL && error->fault == CD_OK)
			*error = why;
		return -1;
	}
	return 0;
}
