#include "run/sweep.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "report/series.h"
#include "report/sweep.h"
#include "run/check.h"
#include "run/describe.h"
#include "run/saved.h"
#include "run/sweep_find.h"
#include "run/sweep_names.h"
#include "sweep/sweep.h"
#include "verdict/verdict.h"

/* What the threads share; `lock` guards everything below it. */
struct pool {
	const struct cd_sweep_options *options;
	const struct cd_finds *finds;
	struct cd_sweep *sweep;
	uint64_t size; /* bytes of all captures, 0: not known */
	pthread_mutex_t lock;
	size_t next;
	uint64_t bytes, packets; /* of runs that are done */
	uint64_t *run_bytes, *run_packets; /* of each run so far */
	struct cd_error error; /* of the options: stops everything */
	bool stopped;
};

/* One run under way. */
struct turn {
	struct pool *pool;
	size_t run;
};

/* ---- progress ------------------------------------------------------------ */

static void report_progress(void *context, uint64_t bytes, uint64_t size,
			    uint64_t packets)
{
	const struct turn *turn = context;
	struct pool *pool = turn->pool;
	const struct capdiff_options *o = pool->options->run;

	(void)size;
	pthread_mutex_lock(&pool->lock);
	pool->bytes += bytes - pool->run_bytes[turn->run];
	pool->packets += packets - pool->run_packets[turn->run];
	pool->run_bytes[turn->run] = bytes;
	pool->run_packets[turn->run] = packets;
	o->progress(o->progress_context, pool->bytes, pool->size,
		    pool->packets);
	pthread_mutex_unlock(&pool->lock);
}

static uint64_t file_size(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && st.st_size > 0 ? (uint64_t)st.st_size
						      : 0;
}

static uint64_t add_sizes(const struct cd_finds *finds)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < finds->n; i++)
		for (size_t k = 0; k < finds->runs[i].n; k++) {
			const struct cd_found_set *set =
			    &finds->runs[i].sets[k];

			if (set->n == 0)
				sum += file_size(finds->runs[i].paths[k]);
			for (size_t f = 0; f < set->n; f++)
				sum += file_size(set->files[f]);
		}
	return sum;
}

/* ---- one run ------------------------------------------------------------- */

static int keep_error(struct cd_sweep_run *run, const struct cd_error *error)
{
	run->status = 2;
	if (error->file[0] != '\0')
		run->error_file = cd_strdup(error->file);
	run->error = cd_strdup(error->what);
	if (error->hint[0] != '\0')
		run->hint = cd_strdup(error->hint);
	return run->error == NULL ? -1 : 0;
}

/* Nothing of a sweep is drawn from the rows of its runs. */
static void drop_series(struct cd_report *report)
{
	cd_series_release(report->series, report->n_series);
	report->series = NULL;
	report->n_series = report->series_capacity = 0;
}

/* The words that the run alone would be started with. */
static const char **run_command(const struct capdiff_options *o,
				const struct cd_found *found, size_t *n)
{
	const char **words =
	    calloc(o->n_command + found->n + 1, sizeof(*words));

	*n = 0;
	for (size_t i = 0; words != NULL && i < o->n_command; i++)
		if (strcmp(o->command[i], "--sweep") != 0 &&
		    strncmp(o->command[i], "--reference=", 12) != 0)
			words[(*n)++] = o->command[i];
	for (size_t i = 0; words != NULL && i < found->n; i++)
		words[(*n)++] = found->paths[i];
	return words;
}

static void analyse(struct turn *turn, struct cd_error *error)
{
	const struct cd_found *found = &turn->pool->finds->runs[turn->run];
	struct cd_sweep_run *run = &turn->pool->sweep->runs[turn->run];
	struct capdiff_options options = *turn->pool->options->run;
	struct capdiff_capture captures[CAPDIFF_MAX_CAPTURES] = {{0}};
	struct capdiff_report *report;
	const char **words;

	for (size_t i = 0; i < found->n; i++) {
		captures[i].path = found->paths[i];
		if (found->sets[i].n == 0)
			continue;
		captures[i].files = (const char *const *)found->sets[i].files;
		captures[i].n_files = found->sets[i].n;
		captures[i].guessed_set = true;
	}
	words = run_command(turn->pool->options->run, found,
			    &options.n_command);
	options.command = words;
	options.captures = captures;
	options.n_captures = found->n;
	options.reference = 0;
	options.threads = 1;
	if (options.progress != NULL) {
		options.progress = report_progress;
		options.progress_context = turn;
	}
	report = words == NULL ? NULL : cd_run(&options, error);
	if (words == NULL)
		cd_error_memory(error);
	free(words);
	if (report == NULL)
		return;
	run->status = capdiff_status(report);
	run->report = report->model;
	report->model = NULL;
	capdiff_report_free(report);
}

static void load(struct turn *turn, struct cd_error *error)
{
	const struct capdiff_options *o = turn->pool->options->run;
	struct cd_sweep_run *run = &turn->pool->sweep->runs[turn->run];
	const char *path = turn->pool->finds->runs[turn->run].saved;

	run->report = cd_saved_load(path, &run->status, error);
	if (run->report == NULL)
		return;
	if (cd_saved_judge(run->report, o, error)) {
		cd_report_free(run->report);
		run->report = NULL;
	} else if (run->status < 2 && run->report->sweep == NULL) {
		run->status = cd_exit_status(run->report);
	}
}

/* What every run would say is said once. */
static bool stops_all(const struct cd_error *error)
{
	return error->fault == CD_E_MEMORY ||
	       (error->fault == CD_E_USAGE && error->file[0] == '\0');
}

static void take_turn(struct turn *turn)
{
	struct pool *pool = turn->pool;
	struct cd_sweep_run *run = &pool->sweep->runs[turn->run];
	struct cd_error error = {0};

	if (pool->finds->runs[turn->run].saved != NULL)
		load(turn, &error);
	else
		analyse(turn, &error);
	if (run->report != NULL)
		drop_series(run->report);
	if (error.fault == CD_OK)
		return;
	if (keep_error(run, &error))
		cd_error_memory(&error);
	if (!stops_all(&error))
		return;
	pthread_mutex_lock(&pool->lock);
	if (!pool->stopped)
		pool->error = error;
	pool->stopped = true;
	pthread_mutex_unlock(&pool->lock);
}

static void *work(void *context)
{
	struct pool *pool = context;
	struct turn turn = {.pool = pool};

	for (;;) {
		pthread_mutex_lock(&pool->lock);
		turn.run = pool->stopped ? pool->finds->n : pool->next++;
		pthread_mutex_unlock(&pool->lock);
		if (turn.run >= pool->finds->n)
			return NULL;
		take_turn(&turn);
	}
}

/* ---- all runs ------------------------------------------------------------ */

/* The calling thread works, too; fewer threads than wanted do as well. */
static void run_pool(struct pool *pool)
{
	unsigned n = cd_thread_count(pool->options->run->threads,
				     pool->finds->n);
	pthread_t *threads = calloc(n, sizeof(*threads));
	unsigned started = 0;

	pthread_mutex_init(&pool->lock, NULL);
	while (threads != NULL && started + 1 < n &&
	       pthread_create(&threads[started], NULL, work, pool) == 0)
		started++;
	work(pool);
	for (unsigned i = 0; i < started; i++)
		pthread_join(threads[i], NULL);
	free(threads);
	pthread_mutex_destroy(&pool->lock);
}

static int analyse_all(const struct cd_sweep_options *options,
		       const struct cd_finds *finds, struct cd_sweep *sweep,
		       struct cd_error *error)
{
	struct pool pool = {
	    .options = options,
	    .finds = finds,
	    .sweep = sweep,
	    .size = add_sizes(finds),
	};
	int status = 0;

	sweep->runs = calloc(finds->n, sizeof(*sweep->runs));
	pool.run_bytes = calloc(finds->n, sizeof(*pool.run_bytes));
	pool.run_packets = calloc(finds->n, sizeof(*pool.run_packets));
	if (sweep->runs == NULL || pool.run_bytes == NULL ||
	    pool.run_packets == NULL) {
		status = cd_error_memory(error);
	} else {
		sweep->n_runs = finds->n;
		run_pool(&pool);
	}
	if (pool.stopped) {
		*error = pool.error;
		status = -1;
	}
	free(pool.run_bytes);
	free(pool.run_packets);
	return status;
}

/* Saved sweeps among the runs: their runs take their place. */
static int flatten(struct cd_sweep *sweep)
{
	size_t n = sweep->n_runs;

	for (size_t i = 0; i < n; i++) {
		struct cd_report *inner = sweep->runs[i].report;
		struct cd_sweep_run *grown;
		size_t more;

		if (inner == NULL || inner->sweep == NULL)
			continue;
		if (n == 1 && inner->sweep->folder != NULL) {
			free(sweep->folder);
			sweep->folder = inner->sweep->folder;
			inner->sweep->folder = NULL;
		}
		more = inner->sweep->n_runs;
		grown = realloc(sweep->runs,
				(sweep->n_runs + more) * sizeof(*grown));
		if (grown == NULL)
			return -1;
		sweep->runs = grown;
		if (more > 0)
			memcpy(grown + sweep->n_runs, inner->sweep->runs,
			       more * sizeof(*grown));
		inner->sweep->n_runs = 0;
		sweep->n_runs += more;
	}
	return 0;
}

/* The shells of saved sweeps go. */
static void drop_shells(struct cd_sweep *sweep)
{
	size_t n = 0;

	for (size_t i = 0; i < sweep->n_runs; i++) {
		struct cd_sweep_run *run = &sweep->runs[i];

		if (run->report != NULL && run->report->sweep != NULL) {
			free(run->name);
			cd_report_free(run->report);
		} else {
			sweep->runs[n++] = *run;
		}
	}
	sweep->n_runs = n;
}

static int put_together(const struct cd_sweep_options *options,
			const struct cd_finds *finds, struct cd_report *report,
			struct cd_error *error)
{
	if (analyse_all(options, finds, report->sweep, error))
		return -1;
	if (cd_sweep_names(report->sweep, finds) || flatten(report->sweep))
		return cd_error_memory(error);
	drop_shells(report->sweep);
	return cd_sweep_compute(report, error);
}

struct capdiff_report *cd_sweep_run(const struct cd_sweep_options *options,
				    struct cd_error *error)
{
	const struct capdiff_options *o = options->run;
	struct cd_report *report = cd_report_new();
	struct capdiff_report *out = calloc(1, sizeof(*out));
	struct cd_finds finds = {0};
	int status = -1;

	if (report != NULL)
		report->sweep = cd_sweep_new();
	if (report == NULL || out == NULL || report->sweep == NULL ||
	    cd_describe_command(report, o))
		cd_error_memory(error);
	else
		status = cd_sweep_discover(&finds, options->sources,
				       options->n_sources, options->reference,
				       o->expect >= 0, report, error);
	if (status == 0)
		status = put_together(options, &finds, report, error);
	cd_sweep_discovered_release(&finds);
	if (status) {
		cd_report_free(report);
		free(out);
		return NULL;
	}
	out->model = report;
	out->failed = cd_exit_status(report) == 2;
	return out;
}
