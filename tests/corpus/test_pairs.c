/*
 * Pairs of captures of ping streams from public sources, whose truth was
 * counted by an independent program (PAIRS.tsv): every packet of either file is
 * matched, missing or outside the common interval, in each direction.
 */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define COLUMNS 17 /* of PAIRS.tsv that are looked at */

enum column {
	SET,
	A,
	B,
	ID,
	PACKETS_A,
	PACKETS_B,
	MATCHED,
	A_ONLY,
	B_ONLY,
	REORDERED,
	REPEATED_A,
	REPEATED_B,
	STEPS_A,
	STEPS_B,
	LEAST_US,
	MEDIAN_US,
	P99_US
};

static int tests;

static void ok(bool good, char *const *row, const char *what)
{
	printf("%sok %d - %s, %s: %s\n", good ? "" : "not ", ++tests, row[SET],
	       row[B], what);
}

static json_t *run_capdiff(const char *corpus, char *const *row, int *status)
{
	const char *program = getenv("CAPDIFF");
	char command[2048];
	json_error_t error;
	json_t *report;
	FILE *pipe;

	snprintf(command, sizeof(command),
		 "'%s' -T json --stamp ping 'a=%s/%s' 'b=%s/%s'",
		 program == NULL ? "./capdiff" : program, corpus, row[A],
		 corpus, row[B]);
	pipe = popen(command, "r");
	if (pipe == NULL)
		return NULL;
	report = json_loadf(pipe, 0, &error);
	*status = WEXITSTATUS(pclose(pipe));
	return report;
}

/* 0 where it is null or not there: a stream that one capture lacks. */
static long long integer(const json_t *object, const char *key)
{
	const json_t *x = json_object_get(object, key);

	return json_is_integer(x) ? json_integer_value(x) : 0;
}

/* Of capture b; with one stream alone its values are the capture's. */
static long long value(const json_t *report, const json_t *stream,
		       const char *name)
{
	const json_t *values = json_object_get(report, "values");
	size_t n = json_array_size(json_object_get(report, "streams"));
	char key[128];

	if (n == 1)
		snprintf(key, sizeof(key), "b.%s", name);
	else
		snprintf(key, sizeof(key), "b.stream.%lld.%s",
			 integer(stream, "id"), name);
	return integer(json_object_get(values, key), "value");
}

struct sums {
	long long packets_a, packets_b, matched, a_only, b_only, reordered;
};

static void add_stream(const json_t *report, const json_t *stream,
		       struct sums *sums)
{
	const json_t *packets = json_object_get(stream, "packets");

	sums->packets_a += integer(packets, "a");
	sums->packets_b += integer(packets, "b");
	sums->matched += value(report, stream, "match.matched");
	sums->a_only += value(report, stream, "loss.missing") +
			value(report, stream, "loss.head_excluded") +
			value(report, stream, "loss.tail_excluded");
	sums->b_only += value(report, stream, "loss.ref_miss") +
			value(report, stream, "loss.head_surplus") +
			value(report, stream, "loss.tail_surplus");
	sums->reordered += value(report, stream, "order.reordered_file");
}

static struct sums sum_direction(const json_t *report, const char *direction)
{
	const json_t *streams = json_object_get(report, "streams");
	struct sums sums = {0};
	size_t i;
	const json_t *stream;

	json_array_foreach(streams, i, stream) {
		const char *what =
		    json_string_value(json_object_get(stream, "what"));

		if (what != NULL && strstr(what, direction) != NULL)
			add_stream(report, stream, &sums);
	}
	return sums;
}

static void same(char *const *row, enum column column, const char *name,
		 long long got)
{
	char what[160];

	snprintf(what, sizeof(what), "%s %lld (truth %s)", name, got,
		 row[column]);
	ok(got == strtoll(row[column], NULL, 10), row, what);
}

static void check_times(char *const *row, const json_t *report)
{
	const json_t *offset = json_object_get(
	    json_object_get(json_object_get(report, "values"),
			    "b.clock.offset_ns"),
	    "value");
	double us = json_number_value(offset) / 1000;
	char what[160];

	snprintf(what, sizeof(what),
		 "offset of %.1f us among the delays", us);
	ok(json_is_number(offset) && us >= strtod(row[LEAST_US], NULL) &&
	       us <= strtod(row[P99_US], NULL),
	   row, what);
}

static void check_pair(const char *corpus, char *const *row)
{
	bool is_reply = strstr(row[SET], "reply") != NULL;
	int status = -1;
	json_t *report = run_capdiff(corpus, row, &status);
	struct sums sums;

	ok(report != NULL && (status == 0 || status == 1), row, "a report");
	sums = sum_direction(report, is_reply ? "echo reply" : "echo request");
	same(row, PACKETS_A, "packets of a", sums.packets_a);
	same(row, PACKETS_B, "packets of b", sums.packets_b);
	same(row, MATCHED, "matched", sums.matched);
	same(row, A_ONLY, "only in a", sums.a_only);
	same(row, B_ONLY, "only in b", sums.b_only);
	same(row, REORDERED, "reordered", sums.reordered);
	/* where both directions are in the files their delays differ */
	if (strstr(row[SET], "proxy") == NULL)
		check_times(row, report);
	json_decref(report);
}

static bool split(char *line, char **row)
{
	for (int i = 0; i < COLUMNS; i++) {
		char *end = strpbrk(line, "\t\n");

		if (end == NULL)
			return false;
		row[i] = line;
		*end = '\0';
		line = end + 1;
	}
	return true;
}

int main(void)
{
	const char *shared = getenv("CAPDIFF_SHARED");
	const char *srcdir = getenv("srcdir");
	char corpus[512], path[600], line[4096], *row[COLUMNS];
	FILE *pairs;

	if (shared != NULL)
		snprintf(corpus, sizeof(corpus), "%s/corpus", shared);
	else
		snprintf(corpus, sizeof(corpus), "%s/../shared/corpus",
			 srcdir == NULL ? "." : srcdir);
	snprintf(path, sizeof(path), "%s/PAIRS.tsv", corpus);
	pairs = fopen(path, "r");
	if (pairs == NULL) {
		puts("1..0 # SKIP no corpus beside the sources");
		return 0;
	}
	while (fgets(line, sizeof(line), pairs) != NULL)
		if (split(line, row) && strcmp(row[ID], "ICMP seq") == 0)
			check_pair(corpus, row);
	fclose(pairs);
	printf("1..%d\n", tests);
	return tests > 0 ? 0 : 1;
}
