#include "cli/gnuplot.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"

/* More than any chart takes. */
#define MOST_MS 60000
#define MOST_BYTES (64 << 20)
#define PAUSE_MS 5

extern char **environ;

/* Standard streams of the child: files without a name, so that neither side
 * waits for the other and nothing is left behind. */
struct streams {
	FILE *in, *out, *err;
};

static void streams_release(struct streams *s)
{
	if (s->in != NULL)
		fclose(s->in);
	if (s->out != NULL)
		fclose(s->out);
	if (s->err != NULL)
		fclose(s->err);
}

static int streams_init(struct streams *s, const struct cd_str *input,
			struct cd_error *error)
{
	*s = (struct streams){tmpfile(), tmpfile(), tmpfile()};
	if (s->in != NULL && s->out != NULL && s->err != NULL &&
	    fwrite(cd_str_text(input), 1, input->length, s->in) ==
		input->length &&
	    fflush(s->in) == 0 && fseek(s->in, 0, SEEK_SET) == 0)
		return 0;
	return cd_error_set(error, CD_E_WRITE,
			    "no temporary file for gnuplot: %s",
			    strerror(errno));
}

static bool is_program(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
	       access(path, X_OK) == 0;
}

char *cd_gnuplot_find(void)
{
	const char *path = getenv("PATH");

	while (path != NULL && *path != '\0') {
		size_t n = strcspn(path, ":");
		char *file;

		/* an empty or relative entry would mean the current folder */
		if (*path == '/') {
			file = cd_strf("%.*s/gnuplot", (int)n, path);
			if (file != NULL && is_program(file))
				return file;
			free(file);
		}
		path += n + (path[n] == ':');
	}
	return NULL;
}

static bool is_too_large(FILE *file)
{
	struct stat status;

	return fstat(fileno(file), &status) == 0 &&
	       status.st_size > MOST_BYTES;
}

/* waitpid(), for a program that may hang or write without end: it is killed. */
static pid_t await(pid_t child, const struct streams *s, int *status)
{
	const struct timespec pause = {.tv_nsec = PAUSE_MS * 1000000L};
	pid_t ended;

	for (long ms = 0;; ms += PAUSE_MS) {
		ended = waitpid(child, status, WNOHANG);
		if (ended > 0 || (ended < 0 && errno != EINTR))
			return ended;
		if (ms >= MOST_MS || is_too_large(s->out) ||
		    is_too_large(s->err))
			kill(child, SIGKILL);
		nanosleep(&pause, NULL);
	}
}

/* Its exit status, or -1 with errno. */
static int run(char *const argv[], const struct streams *s)
{
	posix_spawn_file_actions_t actions;
	pid_t child, ended;
	int status, code = posix_spawn_file_actions_init(&actions);

	if (code != 0)
		goto out;
	code = posix_spawn_file_actions_adddup2(&actions, fileno(s->in),
						STDIN_FILENO);
	if (code == 0)
		code = posix_spawn_file_actions_adddup2(
		    &actions, fileno(s->out), STDOUT_FILENO);
	if (code == 0)
		code = posix_spawn_file_actions_adddup2(
		    &actions, fileno(s->err), STDERR_FILENO);
	if (code == 0)
		code =
		    posix_spawn(&child, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (code != 0)
		goto out;
	ended = await(child, s, &status);
	if (ended < 0)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
out:
	errno = code;
	return -1;
}

static void read_back(FILE *file, struct cd_str *out)
{
	char buffer[8192];
	size_t n;

	rewind(file);
	while ((n = fread(buffer, 1, sizeof(buffer), file)) > 0)
		cd_str_addn(out, buffer, n);
}

/* The first line of what it said that is not empty. */
static int complain(const struct streams *s, struct cd_error *error)
{
	struct cd_str said = {0};
	const char *text;

	read_back(s->err, &said);
	text = cd_str_text(&said);
	text += strspn(text, " \t\n");
	if (*text == '\0')
		text = "no picture, and no message";
	cd_error_set(error, CD_E_WRITE, "gnuplot failed: %.*s",
		     (int)strcspn(text, "\n"), text);
	cd_error_hint(error, "is it version 5.4 or later? gnuplot --version");
	cd_str_release(&said);
	return -1;
}

static bool is_whole(const struct cd_str *svg)
{
	static const char end[] = "</svg>";
	const size_t size = sizeof(end) - 1;
	size_t n = svg->length;

	while (n > 0 && svg->text[n - 1] == '\n')
		n--;
	return n >= size && memcmp(svg->text + n - size, end, size) == 0;
}

/* As a file: gnuplot 5.4 does not read blocks of several lines from "-". */
#define SCRIPT "/dev/stdin"

int cd_gnuplot_draw(const char *gnuplot, const struct cd_str *script,
		    struct cd_str *svg, struct cd_error *error)
{
	char *argv[] = {(char *)gnuplot, (char *)"-d",
			(char *)"-e",	 (char *)"term='svg'; out=''",
			(char *)SCRIPT,	 NULL};
	struct cd_str picture = {0};
	struct streams s;
	int status = -1, code;

	if (streams_init(&s, script, error))
		goto out;
	code = run(argv, &s);
	if (code < 0) {
		cd_error_file(error, gnuplot);
		cd_error_set(error, CD_E_WRITE, "cannot be run: %s",
			     strerror(errno));
		goto out;
	}
	read_back(s.out, &picture);
	if (code != 0 || !is_whole(&picture)) {
		complain(&s, error);
		goto out;
	}
	cd_str_addn(svg, picture.text, picture.length);
	status = svg->bad ? cd_error_memory(error) : 0;
out:
	streams_release(&s);
	cd_str_release(&picture);
	return status;
}

bool cd_gnuplot_version(struct cd_str *out)
{
	char *gnuplot = cd_gnuplot_find();
	char *argv[] = {gnuplot, (char *)"--version", NULL};
	struct cd_str none = {0}, said = {0};
	struct streams s;
	bool known = false;

	if (gnuplot == NULL)
		return false;
	if (streams_init(&s, &none, NULL) == 0 && run(argv, &s) == 0) {
		read_back(s.out, &said);
		cd_str_addn(out, cd_str_text(&said),
			    strcspn(cd_str_text(&said), "\n"));
		known = said.length > 0;
	}
	streams_release(&s);
	cd_str_release(&said);
	free(gnuplot);
	return known;
}
