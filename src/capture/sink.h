/*
 * Where written bytes go: a buffer, deflate if wanted, a file. The file gets
 * its name when it is complete, so that nobody ever meets half of one.
 */
#ifndef CAPDIFF_CAPTURE_SINK_H
#define CAPDIFF_CAPTURE_SINK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct cd_sink; /* opaque */

/* Writes to `path` with ".part" added, or straight to it if it exists and is
 * no regular file (a pipe, /dev/null). NULL on error. */
struct cd_sink *cd_sink_open(const char *path, bool gzip,
			     struct cd_error *error);
/* 0, or -1 from the first failure on. */
int cd_sink_add(struct cd_sink *sink, const void *bytes, size_t n,
		struct cd_error *error);
/* Everything out, the file renamed to its own name, memory freed. After a
 * failure or with `keep` false the partial file is removed instead. 0 or -1
 * (a failure only). NULL is fine. */
int cd_sink_close(struct cd_sink *sink, bool keep, struct cd_error *error);

#endif
