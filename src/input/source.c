#include "config.h"

#include "input/source.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char *const suffixes[] = {".gz", ".zst", ".lz4", ".xz", ".bz2"};

/* The compressed sibling that was probably meant. */
static void hint_sibling(const char *path, struct cd_error *error)
{
	char sibling[sizeof(error->file) + 8];

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		int n = snprintf(sibling, sizeof(sibling), "%s%s", path,
				 suffixes[i]);

		if (n > 0 && (size_t)n < sizeof(sibling) &&
		    access(sibling, F_OK) == 0) {
			cd_error_hint(error, "there is %s", sibling);
			return;
		}
	}
}

/* O_NONBLOCK: a FIFO opens before its writer is there, so that all inputs can
 * be opened before any is read (one program may write several FIFOs). */
static int open_path(const char *path, struct cd_error *error)
{
	int fd;

	do
		fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	while (fd < 0 && errno == EINTR);
	if (fd >= 0)
		return fd;
	if (errno == ENOENT) {
		cd_error_set(error, CD_E_OPEN, "no such file");
		hint_sibling(path, error);
	} else {
		cd_error_set(error, CD_E_OPEN, "cannot be opened: %s",
			     strerror(errno));
	}
	return -1;
}

static void advise_sequential(int fd)
{
#ifdef HAVE_POSIX_FADVISE
	(void)posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
#else
	(void)fd;
#endif
}

int cd_source_open(struct cd_source *source, const char *path,
		   struct cd_error *error)
{
	bool standard = strcmp(path, "-") == 0;
	struct stat status;

	*source = (struct cd_source){.fd = -1};
	source->fd = standard ? STDIN_FILENO : open_path(path, error);
	source->owned = !standard;
	if (source->fd < 0)
		goto fail;
	if (fstat(source->fd, &status) < 0) {
		cd_error_set(error, CD_E_OPEN, "cannot be opened: %s",
			     strerror(errno));
		goto fail;
	}
	if (S_ISDIR(status.st_mode)) {
		cd_error_set(error, CD_E_FOLDER, "is a folder, not a capture");
		cd_error_hint(error, "name the captures inside it, or "
				     "capdiff --sweep FOLDER for all its runs");
		goto fail;
	}
	source->waits = !S_ISREG(status.st_mode);
	source->regular = !standard && !source->waits;
	source->fifo = !standard && S_ISFIFO(status.st_mode);
	if (!source->waits) {
		source->size = (uint64_t)status.st_size;
		advise_sequential(source->fd);
	}
	return 0;
fail:
	cd_error_file(error, path);
	cd_source_close(source);
	return -1;
}

void cd_source_bytes(struct cd_source *source, const uint8_t *bytes, size_t n)
{
	static const uint8_t none;

	*source = (struct cd_source){.fd = -1};
	source->bytes = n > 0 ? bytes : &none;
	source->bytes_end = source->bytes + n;
	source->size = n;
}

void cd_source_close(struct cd_source *source)
{
	if (source->owned && source->fd >= 0)
		close(source->fd);
	source->fd = -1;
}

/* Until the descriptor is readable or its writers are gone. poll() marks a
 * FIFO whose writer never came neither way (POSIX: POLLHUP is for a FIFO that
 * has been closed by its last writer). */
static short wait_readable(struct cd_source *source)
{
	struct pollfd p = {.fd = source->fd, .events = POLLIN};
	int n;

	if (poll(&p, 1, 0) > 0)
		return p.revents;
	if (source->wait.before != NULL)
		source->wait.before(source->wait.context);
	do
		n = poll(&p, 1, -1);
	while (n < 0 && (errno == EINTR || errno == EAGAIN));
	if (source->wait.after != NULL)
		source->wait.after(source->wait.context);
	return n > 0 ? p.revents : POLLERR;
}

/* A system that calls a FIFO readable before its writer came would have us
 * spin. */
static void pause_briefly(void)
{
	struct timespec t = {.tv_nsec = 5000000};

	nanosleep(&t, NULL);
}

static void count(struct cd_source *source, size_t n)
{
	atomic_fetch_add_explicit(&source->consumed, (uint64_t)n,
				  memory_order_relaxed);
}

static ptrdiff_t take_bytes(struct cd_source *source, uint8_t *to, size_t size)
{
	size_t left = (size_t)(source->bytes_end - source->bytes);
	size_t n = left < size ? left : size;

	memcpy(to, source->bytes, n);
	source->bytes += n;
	count(source, n);
	return (ptrdiff_t)n;
}

ptrdiff_t cd_source_read(struct cd_source *source, uint8_t *to, size_t size,
			 struct cd_error *error)
{
	if (source->bytes != NULL)
		return take_bytes(source, to, size);
	for (;;) {
		short seen = source->waits ? wait_readable(source) : 0;
		ssize_t n = read(source->fd, to, size);

		if (n > 0) {
			source->begun = true;
			count(source, (size_t)n);
			return n;
		}
		if (n < 0 && (errno == EINTR || errno == EAGAIN ||
			      errno == EWOULDBLOCK))
			continue;
		if (n < 0)
			return cd_error_set(error, CD_E_READ,
					    "cannot be read: %s",
					    strerror(errno));
		if (!source->fifo || source->begun || (seen & POLLHUP) != 0)
			return 0;
		pause_briefly();
	}
}
