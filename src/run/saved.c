#include "run/saved.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/str.h"
#include "render/json_read.h"
#include "report/baseline.h"
#include "report/sweep.h"
#include "run/rejudge.h"
#include "run/run.h"
#include "sweep/sweep.h"
#include "verdict/baseline.h"
#include "verdict/verdict.h"

#define HEAD 256
/* Read, a report takes some twelve times its size of memory. */
#define LARGEST_MIB 64
#define LARGEST ((size_t)LARGEST_MIB << 20)

bool cd_saved_is(const char *path, bool *sweep)
{
	char head[HEAD + 1];
	struct stat st;
	FILE *file;
	size_t n;

	/* a pipe would be empty when it is read for good */
	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return false;
	file = fopen(path, "rb");
	if (file == NULL)
		return false;
	n = fread(head, 1, HEAD, file);
	fclose(file);
	head[n] = '\0';
	*sweep = strstr(head, "\"--sweep\"") != NULL;
	return head[strspn(head, " \t\r\n")] == '{' &&
	       strstr(head, "capdiff-report/") != NULL;
}

static int too_large(struct cd_error *error)
{
	cd_error_set(error, CD_E_FORMAT,
		     "is larger than %d MiB: too large for a report",
		     LARGEST_MIB);
	cd_error_hint(error, "a longer --interval makes fewer rows; runs can "
			     "be saved one by one and swept together");
	return -1;
}

static int read_all(FILE *file, struct cd_str *out, struct cd_error *error)
{
	char block[65536];
	size_t n;

	while ((n = fread(block, 1, sizeof(block), file)) > 0) {
		cd_str_addn(out, block, n);
		if (out->bad)
			return cd_error_memory(error);
		if (out->length > LARGEST)
			return too_large(error);
	}
	if (ferror(file))
		return cd_error_set(error, CD_E_READ, "cannot be read: %s",
				    strerror(errno));
	return 0;
}

static int open_failed(struct cd_error *error)
{
	int code = errno;

	cd_error_set(error, CD_E_OPEN, "cannot be opened: %s", strerror(code));
	if (code == EACCES)
		cd_error_hint(error, "its owner can let it be read: chmod "
				     "a+rX, of folders above it too");
	return -1;
}

static int is_folder(struct cd_error *error)
{
	cd_error_set(error, CD_E_FOLDER, "is a folder");
	cd_error_hint(error, "capdiff --sweep takes folders");
	return -1;
}

static int read_file(const char *path, struct cd_str *out,
		     struct cd_error *error)
{
	FILE *file = fopen(path, "rb");
	struct stat st;
	int status;

	if (file == NULL)
		return open_failed(error);
	if (fstat(fileno(file), &st))
		status = open_failed(error);
	else if (S_ISDIR(st.st_mode))
		status = is_folder(error);
	else if (S_ISREG(st.st_mode) && st.st_size > (off_t)LARGEST)
		status = too_large(error);
	else
		status = read_all(file, out, error);
	fclose(file);
	return status;
}

struct cd_report *cd_saved_load(const char *path, int *status,
				struct cd_error *error)
{
	struct cd_str text = {0};
	struct cd_report *report = NULL;

	if (read_file(path, &text, error) == 0)
		report = cd_json_read(cd_str_text(&text), text.length, status,
				      error);
	cd_str_release(&text);
	if (report == NULL)
		cd_error_file(error, path);
	return report;
}

static void forget_limits(struct cd_report *report)
{
	for (size_t i = 0; i < report->n_limits; i++) {
		free(report->limits[i].expression);
		free(report->limits[i].key);
		free(report->limits[i].value);
	}
	report->n_limits = 0;
}

static int judge_one(struct cd_report *report,
		     const struct capdiff_options *options,
		     struct cd_error *error)
{
	if (cd_rejudge_wanted(options) && cd_rejudge(report, options, error))
		return -1;
	if (options->n_limits > 0)
		forget_limits(report);
	for (size_t i = 0; i < options->n_limits; i++)
		if (cd_limit_apply(report, options->limits[i], error))
			return -1;
	return 0;
}

int cd_saved_judge(struct cd_report *report,
		   const struct capdiff_options *options,
		   struct cd_error *error)
{
	struct cd_sweep *sweep = report->sweep;

	if (sweep == NULL)
		return judge_one(report, options, error);
	for (size_t i = 0; i < sweep->n_runs; i++) {
		struct cd_sweep_run *run = &sweep->runs[i];

		if (run->report == NULL)
			continue;
		if (judge_one(run->report, options, error))
			return -1;
		if (run->status < 2)
			run->status = cd_exit_status(run->report);
	}
	return 0;
}

struct capdiff_report *cd_saved_open(const char *path,
				     const struct capdiff_options *options,
				     struct cd_error *error)
{
	struct capdiff_report *out = calloc(1, sizeof(*out));
	int status = 0;

	if (out == NULL) {
		cd_error_memory(error);
		return NULL;
	}
	out->model = cd_saved_load(path, &status, error);
	if (out->model != NULL &&
	    cd_saved_judge(out->model, options, error) == 0 &&
	    (out->model->sweep == NULL ||
	     cd_sweep_compute(out->model, error) == 0)) {
		out->failed = out->model->sweep == NULL
				  ? status == 2
				  : cd_exit_status(out->model) == 2;
		return out;
	}
	cd_report_free(out->model);
	free(out);
	return NULL;
}

int cd_saved_baseline(struct cd_report *report, const char *path,
		      struct cd_error *error)
{
	struct cd_report *before;
	int status = 0;

	before = cd_saved_load(path, &status, error);
	if (before == NULL)
		return -1;
	if (report->sweep != NULL || before->sweep != NULL) {
		cd_error_file(error, path);
		status = cd_error_set(error, CD_E_USAGE,
				      "--baseline compares "
				      "reports of one run, not sweeps");
		cd_error_hint(error, "a run of a sweep is reported by "
				     "capdiff REFERENCE OTHER -o run.json");
	} else {
		cd_baseline_free(report->baseline);
		report->baseline = NULL;
		status = cd_baseline_compare(report, before, path, error);
	}
	cd_report_free(before);
	return status;
}
