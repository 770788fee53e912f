#include "align/ingest.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "align/cycles.h"
#include "align/job.h"

struct ingest {
	struct cd_job *jobs;
	size_t n, started;
	const struct cd_ingest_options *options;
	struct cd_ingest_result *result;
	struct cd_job_plan plan;
	struct cd_gate gate;
};

/* ---- before the threads -------------------------------------------------------- */

/* Every input first: two FIFOs may have one writer, which opens them in turn.
 * Then the heads of all that cannot block, so that a wrong file is said before
 * anything waits for a pipe. */
static int open_all(struct ingest *ingest)
{
	for (size_t i = 0; i < ingest->n; i++)
		if (cd_job_open(&ingest->jobs[i]) < 0)
			return -1;
	for (size_t i = 0; i < ingest->n; i++)
		if (!ingest->jobs[i].is_pipe &&
		    cd_job_begin(&ingest->jobs[i]) < 0)
			return -1;
	return 0;
}

static int start_all(struct ingest *ingest)
{
	for (; ingest->started < ingest->n; ingest->started++) {
		struct cd_job *job = &ingest->jobs[ingest->started];

		if (pthread_create(&job->thread, NULL, cd_job_run, job) != 0)
			return cd_error_set(&job->error, CD_E_MEMORY,
					    "no thread can be started");
	}
	return 0;
}

/* ---- while they run -------------------------------------------------------------- */

static void report_progress(const struct ingest *ingest)
{
	struct cd_progress_state state = {0};
	bool sized = true;

	if (ingest->options->progress == NULL)
		return;
	for (size_t i = 0; i < ingest->n; i++) {
		struct cd_job *job = &ingest->jobs[i];

		state.bytes += atomic_load_explicit(&job->bytes,
						    memory_order_relaxed);
		state.packets += atomic_load_explicit(&job->packets,
						      memory_order_relaxed);
		state.size += job->size;
		sized = sized && job->size > 0;
	}
	if (!sized)
		state.size = 0;
	ingest->options->progress(ingest->options->progress_context, &state);
}

static int detect(struct ingest *ingest, struct cd_error *error)
{
	struct cd_sample samples[CD_POINTS_MAX];
	struct cd_detection *detection = &ingest->result->detection;

	for (size_t i = 0; i < ingest->n; i++)
		samples[i] = cd_held_view(&ingest->jobs[i].held);
	if (cd_stamp_detect(samples, ingest->n, detection, error) < 0)
		return -1;
	ingest->plan.spec = detection->spec;
	return 0;
}

static int make_plan(struct ingest *ingest, struct cd_error *error)
{
	const struct cd_ingest_options *o = ingest->options;
	bool plain = o->stamp == CD_STAMP_NONE ||
		     (o->allow_unnumbered && ingest->n == 1);

	if (o->stamp == CD_STAMP_GIVEN)
		ingest->plan.spec = o->spec;
	if (o->stamp == CD_STAMP_AUTO && detect(ingest, error) < 0)
		return -1;
	if (ingest->plan.spec.format != NULL)
		ingest->plan.mode = CD_JOB_STAMPED;
	else
		ingest->plan.mode = plain ? CD_JOB_PLAIN : CD_JOB_COUNT;
	ingest->result->spec = ingest->plan.spec;
	return 0;
}

/* The first fault, in the order of the captures. 0 or -1. */
static int find_fault(const struct ingest *ingest, struct cd_error *error)
{
	for (size_t i = 0; i < ingest->n; i++)
		if (ingest->jobs[i].error.fault != CD_OK) {
			if (error != NULL && error->fault == CD_OK)
				*error = ingest->jobs[i].error;
			return -1;
		}
	return 0;
}

/* Samples, choice, all packets. 0 or -1. */
static int run_all(struct ingest *ingest, struct cd_error *error)
{
	int failed = start_all(ingest);

	while (failed == 0 && !cd_gate_all_sampled(&ingest->gate))
		report_progress(ingest);
	if (failed == 0)
		failed = find_fault(ingest, error);
	if (failed == 0)
		failed = make_plan(ingest, error);
	cd_gate_choose(&ingest->gate, failed < 0 ? CD_ABORT : CD_GO);
	while (failed == 0 && !cd_gate_all_ended(&ingest->gate))
		report_progress(ingest);
	for (size_t i = 0; i < ingest->started; i++)
		pthread_join(ingest->jobs[i].thread, NULL);
	if (failed == 0)
		report_progress(ingest);
	return find_fault(ingest, error) < 0 ? -1 : failed;
}

/* ---- after them --------------------------------------------------------------------- */

static uint64_t bytes_held(const struct cd_point *point)
{
	uint64_t n = 0;

	for (size_t i = 0; i < point->n_streams; i++)
		for (size_t e = 0; e < point->streams[i].n_epochs; e++)
			n += cd_track_bytes(point->streams[i].epochs[e]);
	return n;
}

static int finish(struct ingest *ingest, struct cd_point *points,
		  struct cd_error *error)
{
	if (ingest->plan.mode == CD_JOB_STAMPED &&
	    cd_cycles_align(points, ingest->n, &ingest->plan.spec) < 0)
		return cd_error_memory(error);
	for (size_t i = 0; i < ingest->n; i++)
		ingest->result->bytes += bytes_held(&points[i]);
	return 0;
}

static int run_jobs(struct ingest *ingest, struct cd_point *points,
		    struct cd_error *error)
{
	unsigned threads = ingest->options->threads;
	int failed;

	if (open_all(ingest) < 0)
		return find_fault(ingest, error);
	if (cd_gate_init(&ingest->gate, threads < 1 ? 1 : threads,
			 ingest->n) < 0)
		return cd_error_memory(error);
	failed = run_all(ingest, error);
	cd_gate_release(&ingest->gate);
	return failed < 0 ? -1 : finish(ingest, points, error);
}

int cd_ingest(struct cd_point *points, size_t n,
	      const struct cd_ingest_options *options,
	      struct cd_ingest_result *result, struct cd_error *error)
{
	struct ingest ingest = {
	    .n = n, .options = options, .result = result};
	int failed;

	assert(n >= 1 && n <= CD_POINTS_MAX);
	*result = (struct cd_ingest_result){0};
	ingest.jobs = calloc(n, sizeof(*ingest.jobs));
	if (ingest.jobs == NULL)
		return cd_error_memory(error);
	for (size_t i = 0; i < n; i++) {
		ingest.jobs[i].point = &points[i];
		ingest.jobs[i].options = options;
		ingest.jobs[i].plan = &ingest.plan;
		ingest.jobs[i].gate = &ingest.gate;
	}
	failed = run_jobs(&ingest, points, error);
	for (size_t i = 0; i < n; i++)
		cd_job_release(&ingest.jobs[i]);
	free(ingest.jobs);
	if (failed < 0) {
		for (size_t i = 0; i < n; i++)
			cd_point_release(&points[i]);
		cd_detection_release(&result->detection);
		*result = (struct cd_ingest_result){0};
	}
	return failed;
}
