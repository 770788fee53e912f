/*
 * Runs capdiff as people do and looks at what it answers, not at what it found.
 * A line of standard input holds the captures of one run, with tabs between; a
 * line of output tells about it, with tabs between:
 *
 *	CAPTURES STATUS PACKETS TROUBLE
 *
 * STATUS is the exit status, PACKETS what the report says of the first capture,
 * or - without a report. TROUBLE is empty, or what no run may do: end by a
 * signal or later than TIME_LIMIT, another status than 0, 1 and 2, a report of
 * JSON that is none, no report and no word why, a sanitizer's complaint, lines
 * wider than 80 columns (text is asked for with -t, instead of JSON).
 */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TIME_LIMIT 60 /* s */
#define MOST_CAPTURES 70
#define COLUMNS 80

struct output {
	char *text;
	size_t n;
};

struct answer {
	struct output out, err;
	int status; /* as waitpid() has it */
	bool late;
};

static void die(const char *what)
{
	perror(what);
	exit(2);
}

/* The captures of a line, and the program before them. */
static void split(char *line, bool text, char **argv)
{
	char *program = getenv("CAPDIFF");
	size_t n = 0;

	argv[n++] = program == NULL ? (char *)"./capdiff" : program;
	argv[n++] = (char *)(text ? "-v" : "-Tjson");
	argv[n++] = (char *)"--";
	for (char *word = strtok(line, "\t"); word != NULL && n < MOST_CAPTURES;
	     word = strtok(NULL, "\t"))
		argv[n++] = word;
	argv[n] = NULL;
}

static pid_t start(char **argv, int *out, int *err)
{
	int o[2], e[2];
	pid_t pid;

	if (pipe(o) || pipe(e))
		die("cannot start");
	pid = fork();
	if (pid < 0)
		die("cannot start");
	if (pid == 0) {
		int nothing = open("/dev/null", O_RDONLY);

		if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 ||
		    dup2(o[1], STDOUT_FILENO) < 0 ||
		    dup2(e[1], STDERR_FILENO) < 0)
			_exit(127);
		close(o[0]);
		close(e[0]);
		execv(argv[0], argv);
		_exit(127);
	}
	close(o[1]);
	close(e[1]);
	*out = o[0];
	*err = e[0];
	return pid;
}

/* False at the end. */
static bool take(int fd, struct output *o)
{
	static const size_t piece = 65536;
	ssize_t got;

	o->text = realloc(o->text, o->n + piece + 1);
	if (o->text == NULL)
		die("realloc");
	got = read(fd, o->text + o->n, piece);
	o->n += got > 0 ? (size_t)got : 0;
	o->text[o->n] = '\0';
	return got > 0;
}

static void collect(pid_t pid, int out, int err, struct answer *a)
{
	struct pollfd fds[] = {{out, POLLIN, 0}, {err, POLLIN, 0}};
	struct output *to[] = {&a->out, &a->err};
	time_t end = time(NULL) + TIME_LIMIT;
	int open_fds = 2;

	while (open_fds > 0 && !a->late) {
		if (poll(fds, 2, 1000) < 0 && errno != EINTR)
			die("poll");
		for (int i = 0; i < 2; i++)
			if (fds[i].fd >= 0 && fds[i].revents != 0 &&
			    !take(fds[i].fd, to[i])) {
				fds[i].fd = -1;
				open_fds--;
			}
		a->late = time(NULL) > end;
	}
	if (a->late)
		kill(pid, SIGKILL);
	close(out);
	close(err);
	if (waitpid(pid, &a->status, 0) != pid)
		die("waitpid");
}

/* Of the first capture, -1 if the report is none. */
static long long count_packets(const struct output *out)
{
	json_error_t error;
	json_t *report = json_loadb(out->text, out->n, 0, &error);
	const json_t *schema = json_object_get(report, "schema");
	const json_t *first =
	    json_array_get(json_object_get(report, "captures"), 0);
	const json_t *packets = json_object_get(first, "packets");
	long long n = -1;

	if (json_is_string(schema) && json_is_integer(packets))
		n = json_integer_value(packets);
	json_decref(report);
	return n;
}

/* Columns of UTF-8 text, as far as one character is one column. */
static bool is_too_wide(const char *text)
{
	size_t columns = 0;

	for (; *text != '\0'; text++) {
		if (*text == '\n')
			columns = 0;
		else if (((unsigned char)*text & 0xc0) != 0x80 &&
			 ++columns > COLUMNS)
			return true;
	}
	return false;
}

static const char *find_trouble(const struct answer *a, bool text,
				long long packets)
{
	int status = WEXITSTATUS(a->status);

	if (a->late)
		return "takes too long";
	if (!WIFEXITED(a->status))
		return "ended by a signal";
	if (strstr(a->err.text, "Sanitizer") != NULL ||
	    strstr(a->err.text, "runtime error") != NULL)
		return "a sanitizer complains";
	if (status > 2)
		return "another status than 0, 1 and 2";
	if (status < 2 && a->out.n == 0)
		return "no report";
	if (status == 2 && strncmp(a->err.text, "capdiff: ", 9) != 0)
		return "fails without a word";
	if (!text && a->out.n > 0 && packets < 0)
		return "the report is no JSON";
	if (text && is_too_wide(a->out.text))
		return "wider than 80 columns";
	return "";
}

static void check(char *line, bool text)
{
	char *argv[MOST_CAPTURES + 1], *name = strdup(line);
	struct answer a = {{NULL, 0}, {NULL, 0}, 0, false};
	long long packets = -1;
	int out, err;
	pid_t pid;

	if (name == NULL)
		die("strdup");
	for (char *p = name; *p != '\0'; p++)
		*p = *p == '\t' ? ' ' : *p;
	split(line, text, argv);
	pid = start(argv, &out, &err);
	collect(pid, out, err, &a);
	if (!text && a.out.n > 0)
		packets = count_packets(&a.out);
	printf("%s\t%d\t", name, WEXITSTATUS(a.status));
	if (packets < 0)
		printf("-");
	else
		printf("%lld", packets);
	printf("\t%s\n", find_trouble(&a, text, packets));
	fflush(stdout);
	free(a.out.text);
	free(a.err.text);
	free(name);
}

int main(int argc, char **argv)
{
	bool text = argc > 1 && strcmp(argv[1], "-t") == 0;
	char *line = NULL;
	size_t capacity = 0;
	ssize_t n;

	while ((n = getline(&line, &capacity, stdin)) > 0) {
		if (line[n - 1] == '\n')
			line[n - 1] = '\0';
		check(line, text);
	}
	free(line);
	return 0;
}
