/*
 * Real captures with losses against their truth.json: counts exactly, drift
 * within 0.05 ppm, the false share within 0.001, delta quantiles exactly.
 *
 * A tail that was lost while the capture still ran is loss to capdiff and
 * "excluded" in truth.json (its README says so): k promoted packets move.
 */
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

static int tests;

static void ok(bool good, const char *lab, const char *what)
{
	printf("%sok %d - %s: %s\n", good ? "" : "not ", ++tests, lab, what);
}

static bool exists(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0;
}

/* The report of a pair, or NULL. */
static json_t *run_capdiff(const char *dir, int *status)
{
	const char *program = getenv("CAPDIFF");
	char command[2048], dut[1024];
	json_error_t error;
	json_t *report;
	FILE *pipe;

	snprintf(dut, sizeof(dut), "%s/dut.pcapng.gz", dir);
	if (!exists(dut))
		snprintf(dut, sizeof(dut), "%s/dut.pcap.gz", dir);
	snprintf(command, sizeof(command), "'%s' -T json '%s/ref.pcap.gz' '%s'",
		 program == NULL ? "./capdiff" : program, dir, dut);
	pipe = popen(command, "r");
	if (pipe == NULL)
		return NULL;
	report = json_loadf(pipe, 0, &error);
	*status = WEXITSTATUS(pclose(pipe));
	return report;
}

/* A value of the report, NAN if it is null or missing. */
static double value(const json_t *report, const char *key)
{
	const json_t *v = json_object_get(json_object_get(report, "values"), key);
	const json_t *x = json_object_get(v, "value");

	return json_is_number(x) ? json_number_value(x) : NAN;
}

static double truth(const json_t *stream, const char *key)
{
	const json_t *x = json_object_get(stream, key);

	return json_is_number(x) ? json_number_value(x) : NAN;
}

static double truth2(const json_t *stream, const char *group, const char *key)
{
	return truth(json_object_get(stream, group), key);
}

struct pair {
	const char *lab;
	const json_t *report, *stream;
	char prefix[64]; /* "dut." or "dut.stream.1." */
	double promoted; /* packets of the tail that are loss here */
};

static double got(const struct pair *p, const char *name)
{
	char key[128];

	snprintf(key, sizeof(key), "%s%s", p->prefix, name);
	return value(p->report, key);
}

static void same(const struct pair *p, const char *name, double expected)
{
	char what[160];
	double x = got(p, name);

	snprintf(what, sizeof(what), "%s%s is %.17g (truth %.17g)", p->prefix,
		 name, x, expected);
	ok(x == expected, p->lab, what);
}

static void near(const struct pair *p, const char *name, double expected,
		 double tolerance)
{
	char what[160];
	double x = got(p, name);

	snprintf(what, sizeof(what), "%s%s is %.9g (truth %.9g +- %g)",
		 p->prefix, name, x, expected, tolerance);
	ok(fabs(x - expected) <= tolerance, p->lab, what);
}

static void check_counts(struct pair *p)
{
	const json_t *s = p->stream;
	double k = got(p, "loss.tail_lost");

	p->promoted = isnan(k) ? 0 : k;
	same(p, "loss.expected", truth(s, "expected") + p->promoted);
	same(p, "loss.missing", truth(s, "lost") + p->promoted);
	same(p, "loss.ref_miss", truth(s, "ref_miss"));
	same(p, "loss.head_excluded", truth(s, "head_excluded"));
	same(p, "loss.tail_excluded", truth(s, "tail_excluded") - p->promoted);
	same(p, "match.matched", truth(s, "matched"));
	same(p, "duplicate.copies", truth(s, "dut_dup"));
	same(p, "order.reordered_file", truth(s, "reordered_file"));
	same(p, "time.steps_back", truth(s, "dut_ts_negative"));
	if (p->promoted == 0) {
		same(p, "loss.runs", truth(s, "loss_runs"));
		same(p, "loss.longest_run", truth(s, "longest_run"));
	} else {
		double more = got(p, "loss.runs") - truth(s, "loss_runs");

		ok(more == 0 || more == 1, p->lab,
		   "the lost tail is one run more, or longer");
	}
}

static void check_deltas(const struct pair *p)
{
	const json_t *s = p->stream;

	same(p, "delta.min_ns", truth2(s, "dut_delta", "min"));
	same(p, "delta.p50_ns", truth2(s, "dut_delta", "p50"));
	same(p, "delta.max_ns", truth2(s, "dut_delta", "max"));
	if (truth(s, "pairs") >= 100)
		same(p, "delta.p99_ns", truth2(s, "dut_delta", "p99"));
	if (truth(s, "pairs") >= 1000)
		same(p, "delta.p99_9_ns", truth2(s, "dut_delta", "p999"));
}

/* Residuals depend on where the fit lies, by a few ns over the run. */
static void check_times(const struct pair *p)
{
	const json_t *s = p->stream;

	near(p, "clock.drift_ppm", truth(s, "skew_ppm"), 0.05);
	near(p, "clock.drift_ols_ppm", truth(s, "ols_ppm"), 0.05);
	near(p, "delta_error.false_share", truth(s, "I"), 0.001);
	near(p, "delta_error.mean_abs_ns", truth(s, "eps_abs_mean"),
	     1 + 0.01 * truth(s, "eps_abs_mean"));
	near(p, "delta_error.max_abs_ns", truth(s, "eps_abs_max"),
	     1 + 1e-6 * truth(s, "eps_abs_max"));
	near(p, "clock.offset_ns", truth(s, "offset_ns"), 500);
	near(p, "time.residual.p50_ns", truth2(s, "res", "p50"), 60);
	near(p, "clock.steps", 0, 0);
}

/* A column of a series, added up. */
static double sum_series(const json_t *report, const char *group,
			 const char *name, const char *column)
{
	const json_t *s =
	    json_object_get(json_object_get(report, group), name);
	const json_t *columns = json_object_get(s, "columns");
	const json_t *rows = json_object_get(s, "rows"), *row, *title;
	size_t i, k;
	double sum = 0;

	json_array_foreach(columns, k, title)
		if (strcmp(json_string_value(title), column) == 0)
			json_array_foreach(rows, i, row)
				sum += json_number_value(
				    json_array_get(row, k));
	return sum;
}

/* What charts draw holds as much as the values say. */
static void check_series(const char *lab, const json_t *report)
{
	ok(sum_series(report, "series", "dut.loss.gap", "missing") ==
	       value(report, "dut.loss.missing"),
	   lab, "gaps over time hold all that is missing");
	ok(sum_series(report, "series", "dut.loss.gap", "gaps") ==
	       value(report, "dut.loss.runs"),
	   lab, "there are as many as gaps were counted");
	ok(sum_series(report, "series", "dut.duplicate.copy", "copies") ==
	       value(report, "dut.duplicate.copies"),
	   lab, "duplicates over time are all of them");
	ok(sum_series(report, "histograms", "ref.delta.histogram", "packets") ==
	       value(report, "ref.delta.pairs"),
	   lab, "the histogram of the reference holds all deltas");
	ok(sum_series(report, "histograms", "dut.delta.histogram", "packets") ==
	       value(report, "dut.delta.pairs"),
	   lab, "and so does the other's");
}

static void check_stream(struct pair *p, bool alone)
{
	check_counts(p);
	if (!json_is_number(json_object_get(p->stream, "I"))) {
		/* derived_step: -3 ms and -7.5 ppm were added */
		same(p, "clock.steps", 1);
		near(p, "clock.drift_ppm", -7.5, 0.05);
		near(p, "clock.step_max_ns", -3e6, 20e3);
		return;
	}
	check_deltas(p);
	if (alone)
		check_times(p);
}

/* Our stream with as many packets in both captures as the truth's. */
static int find_stream(const json_t *report, const json_t *stream)
{
	json_t *streams = json_object_get(report, "streams");
	size_t i;
	json_t *s;

	json_array_foreach(streams, i, s) {
		const json_t *packets = json_object_get(s, "packets");

		if (truth(packets, "ref") == truth(stream, "ref_records") &&
		    truth(packets, "dut") == truth(stream, "dut_records"))
			return (int)truth(s, "id");
	}
	return -1;
}

static void check_report(const char *lab, const json_t *report,
			 const json_t *all)
{
	const json_t *streams = json_object_get(all, "streams");
	const char *stamp = json_string_value(
	    json_object_get(json_object_get(report, "stamp"), "format"));
	size_t n = json_array_size(streams);

	ok(stamp != NULL &&
	       strcmp(stamp, json_string_value(
				 json_object_get(all, "stamp"))) == 0,
	   lab, "the stamp is detected");
	for (size_t i = 0; i < n; i++) {
		struct pair p = {.lab = lab,
				 .report = report,
				 .stream = json_array_get(streams, i)};
		int id = find_stream(report, p.stream);

		ok(id >= 0, lab, "the stream has as many packets");
		if (n == 1)
			snprintf(p.prefix, sizeof(p.prefix), "dut.");
		else
			snprintf(p.prefix, sizeof(p.prefix), "dut.stream.%d.",
				 id);
		check_stream(&p, n == 1);
	}
	check_series(lab, report);
}

static void check_lab(const char *root, const char *lab)
{
	char dir[640], path[700];
	json_error_t error;
	json_t *all, *report;
	int status = -1;

	snprintf(dir, sizeof(dir), "%s/%s", root, lab);
	snprintf(path, sizeof(path), "%s/truth.json", dir);
	all = json_load_file(path, 0, &error);
	report = run_capdiff(dir, &status);
	if (all == NULL || report == NULL)
		ok(false, lab, "a report and a truth are there");
	else
		check_report(lab, report, all);
	ok(status == 0 || status == 1, lab, "exit status 0 or 1");
	json_decref(all);
	json_decref(report);
}

int main(void)
{
	static const char *const labs[] = {
	    "derived_clock",	 "derived_messy",     "derived_step",
	    "iperf2",		 "iperf3",	      "mgen_drop",
	    "pingflood",	 "pktgen_1514_20000", "pktgen_1514_80000",
	    "pktgen_512_100000", "pktgen_512_20000",  "pktgen_64_20000",
	    "pktgen_64_200000",	 "rtp",		      "sockperf"};
	const char *shared = getenv("CAPDIFF_SHARED");
	const char *srcdir = getenv("srcdir");
	char root[512];

	if (shared != NULL)
		snprintf(root, sizeof(root), "%s/lab", shared);
	else
		snprintf(root, sizeof(root), "%s/../shared/lab",
			 srcdir == NULL ? "." : srcdir);
	if (!exists(root)) {
		puts("1..0 # SKIP no captures in ../shared/lab");
		return 0;
	}
	for (size_t i = 0; i < sizeof(labs) / sizeof(labs[0]); i++)
		check_lab(root, labs[i]);
	printf("1..%d\n", tests);
	return 0;
}
