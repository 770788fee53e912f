/*
 * passes FILE FILE: the share of CPU time that each part of a default report
 * takes. One thread, what the text shows and no more.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "align/ingest.h"
#include "metric/metric.h"
#include "render/render.h"
#include "run/describe.h"
#include "verdict/verdict.h"

#define MOST_PASSES 64

struct pass {
	char name[80];
	double cpu_s;
};

struct bench {
	struct cd_point points[2];
	struct cd_ingest_result result;
	struct cd_report *report;
	const struct cd_profile *profile;
	uint64_t packets;
	struct pass passes[MOST_PASSES];
	size_t n;
	double before_s;
};

/* What a metric does besides putting values. */
static const struct {
	const char *name, *does;
} glosses[] = {
    {"count", "matching"},
    {"clock", "offset, drift, steps, bunches"},
    {"error", "residuals, quantiles, errors of deltas"},
    {"delta", "deltas of each capture"},
    {"tick", "resolution"},
    {"order", "disorder"},
    {"duplicate", "copies"},
    {"loss", "head and tail"},
    {"identity", "same packets?"},
};

static double cpu_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void lap(struct bench *b, const char *name, const char *does)
{
	double now = cpu_s();
	struct pass *pass = &b->passes[b->n];

	if (b->n == MOST_PASSES)
		return;
	snprintf(pass->name, sizeof(pass->name), does == NULL ? "%s" : "%s: %s",
		 name, does == NULL ? "" : does);
	pass->cpu_s = now - b->before_s;
	b->n++;
	b->before_s = cpu_s();
}

static int fail(const struct cd_error *error)
{
	fprintf(stderr, "passes: %s\n", error->what);
	return -1;
}

/* Records alone; not part of the whole. */
static int read_alone(const char *path, struct cd_error *error)
{
	struct cd_input *input = cd_input_open(path, error);
	struct cd_capture *capture;
	struct cd_record record;
	int got;

	if (input == NULL)
		return -1;
	capture = cd_capture_open(input, error);
	if (capture == NULL)
		return -1;
	do
		got = cd_capture_next(capture, &record, error);
	while (got > 0);
	cd_capture_close(capture);
	return got;
}

static int ingest(struct bench *b, struct cd_error *error)
{
	struct cd_ingest_options options = {.threads = 1};

	if (cd_ingest(b->points, 2, &options, &b->result, error))
		return -1;
	for (size_t i = 0; i < 2; i++)
		b->packets += b->points[i].packets;
	return cd_describe_captures(b->report, b->points, 2);
}

static int measure(struct bench *b, struct cd_error *error)
{
	struct cd_metric_options options = {
	    .brief = true,
	    .fcs_bytes = -1,
	    .lim_abs_ps = b->profile->abs_ps,
	    .lim_ratio = b->profile->ratio,
	};
	struct cd_analysis *analysis =
	    cd_analysis_new(b->points, 2, 0, &options, b->report, error);

	if (analysis == NULL)
		return -1;
	lap(b, "streams", NULL);
	for (size_t i = 0; cd_metrics[i] != NULL; i++) {
		const char *does = NULL;

		if (cd_metrics[i]->run(analysis, error))
			return -1;
		for (size_t k = 0; k < sizeof(glosses) / sizeof(*glosses); k++)
			if (strcmp(glosses[k].name, cd_metrics[i]->name) == 0)
				does = glosses[k].does;
		lap(b, cd_metrics[i]->name, does);
	}
	cd_analysis_free(analysis);
	return 0;
}

static int conclude(struct bench *b, struct cd_error *error)
{
	struct cd_verdict_options verdict = {.profile = b->profile};
	struct cd_render_options render = {.width = 80};
	struct cd_str out = {0};
	int status = cd_judge(b->report, &verdict, error);

	if (status == 0)
		status = cd_renderer_find("text")->render(b->report, &render,
							  &out);
	cd_str_release(&out);
	return status;
}

static void print(const struct bench *b, double read_s)
{
	double all = 0;

	for (size_t i = 0; i < b->n; i++)
		all += b->passes[i].cpu_s;
	printf("%-52s %9s %6s\n", "pass (CPU of one thread)", "ns/packet",
	       "share");
	for (size_t i = 0; i < b->n; i++)
		if (b->passes[i].cpu_s >= 0.002 * all)
			printf("%-52s %9.2f %5.1f%%\n", b->passes[i].name,
			       b->passes[i].cpu_s * 1e9 / (double)b->packets,
			       100 * b->passes[i].cpu_s / all);
	printf("%-52s %9.2f\n", "all", all * 1e9 / (double)b->packets);
	printf("%-52s %9.2f\n", "(records alone, nothing decoded)",
	       read_s * 1e9 / (double)b->packets);
}

int main(int argc, char **argv)
{
	struct bench b = {.report = cd_report_new(),
			  .profile = cd_profile_find(NULL)};
	struct cd_error error = {0};
	double start = cpu_s(), read_s;

	if (argc != 3 || b.report == NULL)
		return 2;
	for (int i = 0; i < 2; i++) {
		b.points[i].path = b.points[i].label = argv[i + 1];
		if (read_alone(argv[i + 1], &error))
			return fail(&error) ? 1 : 0;
	}
	read_s = cpu_s() - start;
	b.before_s = cpu_s();
	if (ingest(&b, &error))
		return fail(&error) ? 1 : 0;
	lap(&b, "read, decode, unwrap, store", NULL);
	if (measure(&b, &error) || conclude(&b, &error))
		return fail(&error) ? 1 : 0;
	lap(&b, "judge, render", NULL);
	print(&b, read_s);
	cd_report_free(b.report);
	for (size_t i = 0; i < 2; i++)
		cd_point_release(&b.points[i]);
	cd_detection_release(&b.result.detection);
	return 0;
}
