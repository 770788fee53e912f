#include "capture/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/array.h"
#include "base/partial.h"

#define BUFFER_BYTES (256u << 10)

enum { OS_UNKNOWN = 255 }; /* RFC 1952 2.3.1: the same on every system */

struct cd_sink {
	char *path, *part; /* part is NULL when writing straight to path */
	struct cd_partial *partial; /* part, while it exists */
	int fd;
	int failure; /* errno of the first failure, 0 if none */
	bool gzip;
	size_t used;
	z_stream z;
	gz_header header;
	uint8_t *deflated; /* BUFFER_BYTES, gzip only */
	uint8_t buffer[BUFFER_BYTES];
};

static int report_failure(const struct cd_sink *sink, struct cd_error *error)
{
	cd_error_file(error, sink->path);
	return cd_error_set(error, CD_E_WRITE, "cannot write: %s",
			    strerror(sink->failure));
}

static int write_all(struct cd_sink *sink, const uint8_t *bytes, size_t n)
{
	while (n > 0) {
		ssize_t put = write(sink->fd, bytes, n);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0) {
			sink->failure = errno;
			return -1;
		}
		bytes += put;
		n -= (size_t)put;
	}
	return 0;
}

static int deflate_buffer(struct cd_sink *sink, int flush)
{
	sink->z.next_in = sink->buffer;
	sink->z.avail_in = (uInt)sink->used;
	do {
		sink->z.next_out = sink->deflated;
		sink->z.avail_out = BUFFER_BYTES;
		if (deflate(&sink->z, flush) == Z_STREAM_ERROR) {
			sink->failure = EINVAL;
			return -1;
		}
		if (write_all(sink, sink->deflated,
			      BUFFER_BYTES - sink->z.avail_out))
			return -1;
	} while (sink->z.avail_out == 0);
	return 0;
}

static int flush_buffer(struct cd_sink *sink, bool last)
{
	int status;

	if (sink->gzip)
		status = deflate_buffer(sink, last ? Z_FINISH : Z_NO_FLUSH);
	else
		status = write_all(sink, sink->buffer, sink->used);
	sink->used = 0;
	return status;
}

static int begin_gzip(struct cd_sink *sink)
{
	sink->deflated = malloc(BUFFER_BYTES);
	if (sink->deflated == NULL ||
	    deflateInit2(&sink->z, 6, Z_DEFLATED, 15 + 16, 8,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		return -1;
	sink->gzip = true;
	sink->header.os = OS_UNKNOWN;
	deflateSetHeader(&sink->z, &sink->header);
	return 0;
}

/* What an earlier run left behind is no longer there, so that the file is ours
 * alone from the first byte on. */
static int open_part(struct cd_sink *sink)
{
	int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;

	if (unlink(sink->part) != 0 && errno != ENOENT)
		return -1;
	sink->partial = cd_partial_begin(sink->part);
	if (sink->partial == NULL) {
		errno = ENOMEM;
		return -1;
	}
	return open(sink->part, flags, 0666);
}

static int open_file(struct cd_sink *sink, struct cd_error *error)
{
	struct stat st;

	if (stat(sink->path, &st) == 0 && S_ISDIR(st.st_mode)) {
		cd_error_file(error, sink->path);
		return cd_error_set(error, CD_E_FOLDER, "is a folder");
	}
	if (stat(sink->path, &st) == 0 && !S_ISREG(st.st_mode)) {
		free(sink->part);
		sink->part = NULL;
	}
	if (sink->part != NULL)
		sink->fd = open_part(sink);
	else
		sink->fd = open(sink->path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	if (sink->fd >= 0)
		return 0;
	sink->failure = errno;
	return report_failure(sink, error);
}

static void free_sink(struct cd_sink *sink)
{
	if (sink->gzip)
		deflateEnd(&sink->z);
	cd_partial_end(sink->partial);
	free(sink->deflated);
	free(sink->path);
	free(sink->part);
	free(sink);
}

struct cd_sink *cd_sink_open(const char *path, bool gzip,
			     struct cd_error *error)
{
	struct cd_sink *sink = malloc(sizeof(*sink));

	if (sink == NULL) {
		cd_error_memory(error);
		return NULL;
	}
	memset(sink, 0, offsetof(struct cd_sink, buffer));
	sink->path = cd_strdup(path);
	sink->part = cd_strf("%s.part", path);
	if (sink->path == NULL || sink->part == NULL ||
	    (gzip && begin_gzip(sink))) {
		cd_error_memory(error);
		goto fail;
	}
	if (open_file(sink, error))
		goto fail;
	return sink;
fail:
	free_sink(sink);
	return NULL;
}

int cd_sink_add(struct cd_sink *sink, const void *bytes, size_t n,
		struct cd_error *error)
{
	const uint8_t *from = bytes;

	while (n > BUFFER_BYTES - sink->used) {
		size_t fits = BUFFER_BYTES - sink->used;

		if (sink->failure != 0)
			return report_failure(sink, error);
		memcpy(sink->buffer + sink->used, from, fits);
		sink->used = BUFFER_BYTES;
		from += fits;
		n -= fits;
		if (flush_buffer(sink, false))
			return report_failure(sink, error);
	}
	if (n > 0)
		memcpy(sink->buffer + sink->used, from, n);
	sink->used += n;
	return 0;
}

int cd_sink_close(struct cd_sink *sink, bool keep, struct cd_error *error)
{
	int status = 0;

	if (sink == NULL)
		return 0;
	if (keep && sink->failure == 0)
		flush_buffer(sink, true);
	if (close(sink->fd) != 0 && sink->failure == 0)
		sink->failure = errno;
	if (sink->part != NULL && keep && sink->failure == 0 &&
	    rename(sink->part, sink->path) != 0)
		sink->failure = errno;
	if (sink->failure != 0)
		status = report_failure(sink, error);
	if (sink->part != NULL && (status != 0 || !keep))
		unlink(sink->part);
	free_sink(sink);
	return status;
}
