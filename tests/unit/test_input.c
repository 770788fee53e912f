#include <criterion/criterion.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>

#include "compress.h"
#include "input/input.h"

/* Bytes that do not compress to nothing and tell their position. */
static uint8_t byte_at(size_t i)
{
	return (uint8_t)(i * 2654435761u >> 13);
}

static struct build make_bytes(size_t n)
{
	struct build b = {0};

	for (size_t i = 0; i < n; i++)
		put(&b, byte_at(i), 1);
	return b;
}

static void put_member(struct build *b, uint8_t *bytes, size_t n)
{
	put_gzip(b, &(struct build){.bytes = bytes, .n = n}, WHOLE, NULL);
}

/* Read to the end in steps of `step`; how many bytes were right. */
static size_t read_all(struct cd_input *input, size_t step,
		       struct cd_error *error)
{
	size_t at = 0;

	for (;;) {
		int got = cd_input_need(input, step, error);
		size_t left = (size_t)(input->end - input->cur);
		size_t n = got == 1 && step < left ? step : left;

		cr_assert_eq(cd_input_offset(input), at);
		for (size_t i = 0; i < n; i++)
			cr_assert_eq(input->cur[i], byte_at(at + i));
		input->cur += n;
		at += n;
		if (got != 1)
			return at;
	}
}

static size_t read_bytes(const struct build *b, size_t step,
			 struct cd_error *error)
{
	char *path = save(b->bytes, b->n);
	struct cd_input *input = cd_input_open(path, error);
	size_t n;

	cr_assert_not_null(input);
	n = read_all(input, step, error);
	cd_input_close(input);
	discard(path);
	return n;
}

Test(input, plain_files_in_steps_of_any_size)
{
	static const size_t steps[] = {1, 7, 4096, 262144, 262145, 700001};
	struct build b = make_bytes(1000003);
	struct cd_error error = {0};

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		cr_assert_eq(read_bytes(&b, steps[i], &error), b.n);
	cr_assert_eq(error.fault, CD_OK);
	free(b.bytes);
}

Test(input, what_is_told_about_a_file)
{
	struct build b = make_bytes(1000);
	char *path = save(b.bytes, b.n);
	struct cd_input *input = cd_input_open(path, NULL);

	cr_assert(cd_input_regular(input));
	cr_assert_eq(cd_input_size(input), 1000);
	cr_assert_eq(cd_input_consumed(input), 0);
	cr_assert_eq(cd_input_need(input, 1, NULL), 1);
	cr_assert_eq(cd_input_compression(input), CD_PLAIN);
	cr_assert_eq(cd_input_consumed(input), 1000);
	cr_assert_eq(cd_input_need(input, 1001, NULL), 0);
	cr_assert_eq(input->end - input->cur, 1000);
	cr_assert(input->at_end);
	cd_input_close(input);
	discard(path);
	free(b.bytes);
}

Test(input, skipping)
{
	struct build b = make_bytes(1000000);
	char *path = save(b.bytes, b.n);
	struct cd_input *input = cd_input_open(path, NULL);

	cr_assert_eq(cd_input_skip(input, 3, NULL), 1);
	cr_assert_eq(cd_input_offset(input), 3);
	cr_assert_eq(cd_input_skip(input, 900000, NULL), 1);
	cr_assert_eq(cd_input_offset(input), 900003);
	cr_assert_eq(cd_input_need(input, 1, NULL), 1);
	cr_assert_eq(*input->cur, byte_at(900003));
	cr_assert_eq(cd_input_skip(input, 99997, NULL), 1);
	cr_assert_eq(cd_input_need(input, 1, NULL), 0);
	cr_assert_eq(cd_input_skip(input, 1, NULL), 0);
	cd_input_close(input);
	discard(path);
	free(b.bytes);
}

Test(input, gzip_of_several_members_and_zero_padding)
{
	struct build plain = make_bytes(600000);
	struct build gz = {0};
	struct cd_error error = {0};

	put_member(&gz, plain.bytes, 100000);
	put_member(&gz, plain.bytes, 0);
	put_member(&gz, plain.bytes + 100000, 1);
	put_member(&gz, plain.bytes + 100001, plain.n - 100001);
	cr_assert_eq(read_bytes(&gz, 1000, &error), plain.n);
	put_fill(&gz, 0, 300000);
	cr_assert_eq(read_bytes(&gz, 1000, &error), plain.n);
	cr_assert_eq(error.fault, CD_OK);
	free(plain.bytes);
	free(gz.bytes);
}

Test(input, gzip_in_gzip)
{
	struct build plain = make_bytes(300000);
	struct build once = {0}, twice = {0};
	struct cd_error error = {0};

	put_member(&once, plain.bytes, plain.n);
	put_member(&twice, once.bytes, once.n);
	cr_assert_eq(read_bytes(&twice, 1000, &error), plain.n);
	cr_assert_eq(error.fault, CD_OK);
	free(plain.bytes);
	free(once.bytes);
	free(twice.bytes);
}

Test(input, something_behind_gzip_is_an_error_after_all_good_bytes)
{
	static const struct {
		uint8_t bytes[4];
		size_t n;
		enum cd_fault fault;
	} tails[] = {
		{{0x1f}, 1, CD_E_TRUNCATED},
		{{0x1f, 0x8b}, 2, CD_E_TRUNCATED},
		{{0, 0, 0x1f}, 3, CD_E_TRUNCATED},
		{{0x1f, 0x1f}, 2, CD_E_CORRUPT},
		{{'x'}, 1, CD_E_CORRUPT},
		{{0, 0, 'x'}, 3, CD_E_CORRUPT},
	};
	struct build plain = make_bytes(5000);

	for (size_t i = 0; i < sizeof(tails) / sizeof(tails[0]); i++) {
		struct build gz = {0};
		struct cd_error error = {0};

		put_member(&gz, plain.bytes, plain.n);
		put_bytes(&gz, tails[i].bytes, tails[i].n);
		cr_assert_eq(read_bytes(&gz, 1000, &error), plain.n);
		cr_assert_eq(error.fault, tails[i].fault, "tail %zu", i);
		cr_assert_eq(error.offset, plain.n);
		free(gz.bytes);
	}
	free(plain.bytes);
}

Test(input, gzip_cut_anywhere_gives_what_is_there)
{
	struct build plain = make_bytes(2000);
	struct build gz = {0};
	size_t before = 0;

	put_member(&gz, plain.bytes, plain.n);
	for (size_t n = 2; n < gz.n; n++) {
		struct build cut = {.bytes = gz.bytes, .n = n};
		struct cd_error error = {0};
		size_t got = read_bytes(&cut, 100, &error);

		cr_assert_eq(error.fault, CD_E_TRUNCATED, "cut at %zu", n);
		cr_assert_eq(error.offset, got);
		cr_assert_geq(got, before);
		before = got;
	}
	cr_assert_eq(before, plain.n);
	free(plain.bytes);
	free(gz.bytes);
}

Test(input, damaged_gzip_is_corrupt)
{
	struct build plain = make_bytes(50000);
	struct build gz = {0};
	struct cd_error error = {0};

	put_member(&gz, plain.bytes, plain.n);
	gz.bytes[gz.n - 6] ^= 1; /* the checksum */
	cr_assert_eq(read_bytes(&gz, 100, &error), plain.n);
	cr_assert_eq(error.fault, CD_E_CORRUPT);
	free(plain.bytes);
	free(gz.bytes);
}

Test(input, errors_wait_until_the_good_bytes_are_used)
{
	struct build plain = make_bytes(5000);
	struct build gz = {0};
	char *path;
	struct cd_input *input;
	struct cd_error error = {0};

	put_member(&gz, plain.bytes, plain.n);
	path = save(gz.bytes, gz.n - 8);
	input = cd_input_open(path, NULL);
	cr_assert_eq(cd_input_need(input, 6000, &error), -1);
	cr_assert_eq(error.fault, CD_E_TRUNCATED);
	cr_assert_str_eq(error.file, path);
	error = (struct cd_error){0};
	cr_assert_eq(cd_input_need(input, 5000, &error), 1);
	cr_assert_eq(error.fault, CD_OK);
	cr_assert_eq(cd_input_compression(input), CD_GZIP);
	cd_input_close(input);
	discard(path);
	free(plain.bytes);
	free(gz.bytes);
}

Test(input, known_but_unreadable_compressions_say_what_to_do)
{
	static const struct {
		const char *magic;
		enum cd_compression compression;
		const char *tool;
	} kinds[] = {
		{"\xfd" "7zXZ\0", CD_XZ, "xz -dc "},
		{"BZh91A", CD_BZIP2, "bzip2 -dc "},
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		char *path = save(kinds[i].magic, 6);
		struct cd_input *input = cd_input_open(path, NULL);
		struct cd_error error = {0};

		cr_assert_eq(cd_input_need(input, 1, &error), -1);
		cr_assert_eq(error.fault, CD_E_COMPRESSION);
		cr_assert_eq(cd_input_compression(input),
			     kinds[i].compression);
		cr_assert_eq(strncmp(error.hint, kinds[i].tool,
				     strlen(kinds[i].tool)), 0);
		cr_assert_not_null(strstr(error.hint, path));
		cd_input_close(input);
		discard(path);
	}
}

Test(input, short_and_empty_files)
{
	struct build b = make_bytes(3);
	struct cd_error error = {0};

	cr_assert_eq(read_bytes(&b, 10, &error), 3);
	b.n = 0;
	cr_assert_eq(read_bytes(&b, 10, &error), 0);
	cr_assert_eq(error.fault, CD_OK);
	free(b.bytes);
}

Test(input, folders_and_missing_files)
{
	struct cd_error error = {0};
	char *path = save("x", 1);
	char *gz = cd_strf("%s.gz", path);

	cr_assert_null(cd_input_open(".", &error));
	cr_assert_eq(error.fault, CD_E_FOLDER);
	error = (struct cd_error){0};
	cr_assert_eq(rename(path, gz), 0);
	cr_assert_null(cd_input_open(path, &error));
	cr_assert_eq(error.fault, CD_E_OPEN);
	cr_assert_not_null(strstr(error.hint, gz));
	cr_assert_str_eq(error.file, path);
	unlink(gz);
	error = (struct cd_error){0};
	cr_assert_null(cd_input_open(path, &error));
	cr_assert_str_eq(error.hint, "");
	free(gz);
	free(path);
}

Test(input, devices_end)
{
	struct cd_input *input = cd_input_open("/dev/null", NULL);

	cr_assert_not(cd_input_regular(input));
	cr_assert_eq(cd_input_need(input, 1, NULL), 0);
	cd_input_close(input);
}

/* ---- FIFOs ---- */

struct writer {
	char *path[2];
	size_t n;
};

static void wait_briefly(void)
{
	struct timespec t = {.tv_nsec = 30000000};

	nanosleep(&t, NULL);
}

/* Opens both for writing before it writes to any, and writes in turns. */
static void *write_fifos(void *argument)
{
	struct writer *w = argument;
	struct build b = make_bytes(w->n);
	int fd[2];

	wait_briefly();
	for (int i = 0; i < 2; i++)
		fd[i] = open(w->path[i], O_WRONLY);
	wait_briefly();
	for (size_t at = 0; at < w->n; at += 1000)
		for (int i = 0; i < 2; i++)
			cr_assert_eq(write(fd[i], b.bytes + at, 1000), 1000);
	close(fd[0]);
	close(fd[1]);
	free(b.bytes);
	return NULL;
}

static char *make_fifo(void)
{
	char *path = save("", 0);

	unlink(path);
	cr_assert_eq(mkfifo(path, 0600), 0);
	return path;
}

static void count_call(void *context)
{
	++*(int *)context;
}

Test(input, one_writer_of_two_fifos_that_comes_late, .timeout = 20)
{
	struct writer w = {{make_fifo(), make_fifo()}, 50000};
	struct cd_error error = {0};
	struct cd_input *a = cd_input_open(w.path[0], &error);
	struct cd_input *b = cd_input_open(w.path[1], &error);
	int calls = 0;
	struct cd_input_wait wait = {count_call, count_call, &calls};
	pthread_t thread;

	cr_assert(a != NULL && b != NULL);
	cr_assert_not(cd_input_regular(a));
	cd_input_set_wait(a, &wait);
	cr_assert_eq(pthread_create(&thread, NULL, write_fifos, &w), 0);
	cr_assert_eq(read_all(a, 100, &error), w.n);
	cr_assert_eq(read_all(b, 100, &error), w.n);
	cr_assert_eq(error.fault, CD_OK);
	cr_assert(calls >= 2 && calls % 2 == 0);
	pthread_join(thread, NULL);
	cd_input_close(a);
	cd_input_close(b);
	discard(w.path[0]);
	discard(w.path[1]);
}

static void *open_and_close(void *path)
{
	wait_briefly();
	close(open(path, O_WRONLY));
	return NULL;
}

Test(input, a_writer_that_writes_nothing, .timeout = 20)
{
	char *path = make_fifo();
	struct cd_input *input = cd_input_open(path, NULL);
	pthread_t thread;

	cr_assert_eq(pthread_create(&thread, NULL, open_and_close, path), 0);
	cr_assert_eq(cd_input_need(input, 1, NULL), 0);
	pthread_join(thread, NULL);
	cd_input_close(input);
	discard(path);
}

Test(input, standard_input_from_a_pipe, .timeout = 20)
{
	struct build plain = make_bytes(30000);
	struct build gz = {0};
	struct cd_error error = {0};
	struct cd_input *input;
	int fd[2];

	put_member(&gz, plain.bytes, plain.n);
	cr_assert(gz.n < 65536);
	cr_assert_eq(pipe(fd), 0);
	cr_assert_eq(write(fd[1], gz.bytes, gz.n), (ssize_t)gz.n);
	close(fd[1]);
	cr_assert_eq(dup2(fd[0], 0), 0);
	close(fd[0]);
	input = cd_input_open("-", &error);
	cr_assert_eq(read_all(input, 100, &error), plain.n);
	cr_assert_eq(error.fault, CD_OK);
	cr_assert_not(cd_input_regular(input));
	cd_input_close(input);
	cr_assert_neq(fcntl(0, F_GETFD), -1);
	free(plain.bytes);
	free(gz.bytes);
}
