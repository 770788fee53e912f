/*
 * bench TITLE ROUNDS COMMAND... [-- COMMAND...]...: run the commands in turn,
 * ROUNDS times, and print the median CPU (user + system) and wall time of
 * each, their ratio to the first command's, and the largest resident size.
 * Only ratios within one run mean anything.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MOST_COMMANDS 16
#define MOST_ROUNDS 64

struct result {
	double cpu_s[MOST_ROUNDS], wall_s[MOST_ROUNDS];
	long peak_kib;
};

static double clock_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double timeval_s(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

static int run_once(char **argv, struct result *result, int round)
{
	struct rusage usage;
	double start = clock_s();
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		int null = open("/dev/null", O_WRONLY);

		dup2(null, STDOUT_FILENO);
		execvp(argv[0], argv);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &usage) < 0)
		return -1;
	result->wall_s[round] = clock_s() - start;
	result->cpu_s[round] =
	    timeval_s(usage.ru_utime) + timeval_s(usage.ru_stime);
	if (usage.ru_maxrss > result->peak_kib)
		result->peak_kib = usage.ru_maxrss;
	return WIFEXITED(status) && WEXITSTATUS(status) <= 1 ? 0 : -1;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *values, int n)
{
	qsort(values, (size_t)n, sizeof(*values), compare);
	return values[n / 2];
}

int main(int argc, char **argv)
{
	static struct result results[MOST_COMMANDS];
	char **commands[MOST_COMMANDS];
	int n = 0, rounds = argc > 2 ? atoi(argv[2]) : 0;
	double unit_cpu, unit_wall;

	if (argc < 4 || rounds < 1 || rounds > MOST_ROUNDS)
		return 2;
	commands[n++] = argv + 3;
	for (int i = 3; i < argc && n < MOST_COMMANDS; i++)
		if (strcmp(argv[i], "--") == 0) {
			argv[i] = NULL;
			commands[n++] = argv + i + 1;
		}
	for (int round = 0; round < rounds; round++)
		for (int i = 0; i < n; i++)
			if (run_once(commands[i], &results[i], round)) {
				fprintf(stderr, "bench: %s failed\n",
					commands[i][0]);
				return 1;
			}
	printf("%s\n%-28s %8s %7s %8s %7s %9s\n", argv[1], "command", "CPU s",
	       "ratio", "wall s", "ratio", "peak MiB");
	unit_cpu = median(results[0].cpu_s, rounds);
	unit_wall = median(results[0].wall_s, rounds);
	for (int i = 0; i < n; i++) {
		const char *name = strrchr(commands[i][0], '/');
		double cpu = median(results[i].cpu_s, rounds);
		double wall = median(results[i].wall_s, rounds);

		printf("%-28s %8.3f %7.3f %8.3f %7.3f %9.1f\n",
		       name == NULL ? commands[i][0] : name + 1, cpu,
		       cpu / unit_cpu, wall, wall / unit_wall,
		       (double)results[i].peak_kib / 1024);
	}
	return 0;
}
