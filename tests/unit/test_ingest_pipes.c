/* Reading FIFOs, which one program may fill in any order. */
#include "ingesting.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define PACKETS 30000 /* 2 MB: far more than a pipe holds */

static uint8_t *bytes_of(size_t *n)
{
	struct list l = {0};
	char *path;
	FILE *file;
	uint8_t *bytes;

	for (uint32_t seq = 0; seq < PACKETS; seq++)
		add_pktgen(&l, seq);
	path = save_list(&l);
	file = fopen(path, "rb");
	fseek(file, 0, SEEK_END);
	*n = (size_t)ftell(file);
	rewind(file);
	bytes = malloc(*n);
	cr_assert_eq(fread(bytes, 1, *n, file), *n);
	fclose(file);
	drop(path);
	return bytes;
}

static void write_all(int fd, const uint8_t *bytes, size_t n)
{
	while (n > 0) {
		ssize_t done = write(fd, bytes, n);

		if (done <= 0)
			_exit(1);
		bytes += done;
		n -= (size_t)done;
	}
}

/* In a process of its own: fill n FIFOs, `piece` bytes of each in turn, 0: one
 * after the other, opening each only when it is due. */
static pid_t start_writer(char *const *paths, size_t n, const uint8_t *bytes,
			  size_t size, size_t piece)
{
	pid_t pid = fork();
	int fd[8];

	cr_assert_geq(pid, 0);
	if (pid != 0)
		return pid;
	if (piece == 0) {
		for (size_t i = 0; i < n; i++) {
			fd[i] = open(paths[i], O_WRONLY);
			write_all(fd[i], bytes, size);
			close(fd[i]);
		}
		_exit(0);
	}
	for (size_t i = 0; i < n; i++)
		fd[i] = open(paths[i], O_WRONLY);
	for (size_t at = 0; at < size; at += piece)
		for (size_t i = 0; i < n; i++)
			write_all(fd[i], bytes + at,
				  size - at < piece ? size - at : piece);
	_exit(0);
}

static void check_pipes(size_t n, unsigned threads, size_t piece)
{
	size_t size;
	uint8_t *bytes = bytes_of(&size);
	char *paths[8];
	struct reading *r;
	pid_t writer;
	int status;

	for (size_t i = 0; i < n; i++) {
		paths[i] = temporary_path();
		unlink(paths[i]);
		cr_assert_eq(mkfifo(paths[i], 0600), 0);
	}
	writer = start_writer(paths, n, bytes, size, piece);
	r = new_reading(n, paths);
	r->options.threads = threads;
	must_read(r);
	cr_assert_eq(waitpid(writer, &status, 0), writer);
	cr_assert_eq(status, 0);
	for (size_t i = 0; i < n; i++) {
		cr_assert_not(r->points[i].regular);
		cr_assert_eq(r->points[i].packets, PACKETS);
		cr_assert_eq(cd_track_unique(track_of(r, i)), PACKETS);
		drop(paths[i]);
	}
	end_reading(r);
	free(bytes);
}

Test(ingest_pipes, one_after_the_other, .timeout = 60)
{
	for (unsigned threads = 1; threads <= 2; threads++)
		check_pipes(2, threads, 0);
	check_pipes(5, 1, 0);
}

Test(ingest_pipes, interleaved, .timeout = 60)
{
	for (unsigned threads = 1; threads <= 2; threads++)
		for (size_t piece = 1000; piece < 2000000; piece *= 11)
			check_pipes(2, threads, piece);
	check_pipes(5, 2, 100000);
}

/* A file beside a pipe whose writer comes late. */
Test(ingest_pipes, a_file_and_a_pipe, .timeout = 60)
{
	size_t size;
	uint8_t *bytes = bytes_of(&size);
	char *paths[2];
	struct reading *r;
	pid_t writer;
	FILE *file;

	paths[0] = temporary_path();
	file = fopen(paths[0], "wb");
	cr_assert_eq(fwrite(bytes, 1, size, file), size);
	fclose(file);
	paths[1] = temporary_path();
	unlink(paths[1]);
	cr_assert_eq(mkfifo(paths[1], 0600), 0);
	writer = fork();
	if (writer == 0) {
		int fd;

		usleep(300000);
		fd = open(paths[1], O_WRONLY);
		write_all(fd, bytes, size);
		_exit(0);
	}
	r = new_reading(2, paths);
	r->options.threads = 1;
	must_read(r);
	cr_assert_eq(waitpid(writer, NULL, 0), writer);
	cr_assert_eq(r->points[0].packets, PACKETS);
	cr_assert_eq(r->points[1].packets, PACKETS);
	end_reading(r);
	free(bytes);
	drop(paths[0]);
	drop(paths[1]);
}

/* A wrong file is said at once, whoever else is waited for. */
Test(ingest_pipes, a_wrong_file_and_a_pipe_nobody_fills, .timeout = 20)
{
	char *paths[2] = {temporary_path(), temporary_path()};
	struct reading *r;

	unlink(paths[0]);
	cr_assert_eq(mkfifo(paths[0], 0600), 0);
	r = new_reading(2, paths);
	cr_assert_eq(read_all(r), -1);
	cr_assert_eq(r->error.fault, CD_E_EMPTY);
	end_reading(r);
	drop(paths[0]);
	drop(paths[1]);
}
