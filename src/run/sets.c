#include "run/sets.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "capture/set.h"
#include "report/codes.h"

#define HOLES_SHOWN 8

static int check_regular(const char *path, struct cd_error *error)
{
	struct stat status;

	if (stat(path, &status) != 0 || S_ISREG(status.st_mode) ||
	    S_ISDIR(status.st_mode))
		return 0; /* opening it says the rest */
	cd_error_file(error, path);
	cd_error_set(error, CD_E_USAGE,
		     "is no file: a ring set cannot be read from pipes");
	cd_error_hint(error, "mergecap -a -w - FILES | capdiff REF -");
	return -1;
}

static int find_times(struct cd_ringset *ring, struct cd_error *error)
{
	for (size_t i = 0; i < ring->n; i++) {
		struct cd_ring_file *file = &ring->files[i];
		int got;

		if (check_regular(file->path, error) < 0)
			return -1;
		got = cd_capture_time(file->path, &file->time, error);
		if (got < 0) {
			cd_error_file(error, file->path);
			return -1;
		}
		file->has_time = got > 0;
	}
	return 0;
}

static int order_set(struct cd_run_set *set,
		     const struct capdiff_capture *capture,
		     struct cd_error *error)
{
	struct cd_ringset *ring = &set->ring;

	if (cd_ringset_init(ring, capture->files, capture->n_files, error)) {
		cd_error_file(error, capture->path);
		return -1;
	}
	if (find_times(ring, error))
		return -1;
	cd_ringset_arrange(ring);
	set->paths = calloc(ring->n, sizeof(*set->paths));
	if (set->paths == NULL)
		return cd_error_memory(error);
	for (size_t i = 0; i < ring->n; i++)
		set->paths[i] = ring->files[i].path;
	return 0;
}

int cd_sets_order(struct cd_run_set *sets,
		  const struct capdiff_capture *captures, size_t n,
		  struct cd_error *error)
{
	for (size_t i = 0; i < n; i++)
		if (captures[i].n_files > 0 &&
		    order_set(&sets[i], &captures[i], error))
			return -1;
	return 0;
}

void cd_sets_release(struct cd_run_set *sets, size_t n)
{
	for (size_t i = 0; sets != NULL && i < n; i++) {
		cd_ringset_release(&sets[i].ring);
		free(sets[i].paths);
		sets[i].paths = NULL;
	}
}

void cd_sets_give(const struct cd_run_set *sets, struct cd_point *points,
		  size_t n)
{
	for (size_t i = 0; i < n; i++) {
		points[i].paths = sets[i].paths;
		points[i].n_paths = sets[i].ring.n;
	}
}

/* ---- findings ------------------------------------------------------------------ */

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL ? path : slash + 1;
}

static const char *name_at(const struct cd_ringset *ring, size_t i)
{
	return base_name(ring->files[i].path);
}

static void say_hole(struct cd_report *report, int point,
		     const struct cd_ringset *ring, size_t i, uint64_t missing)
{
	bool sure = ring->kind != CD_RING_NUMBER;

	cd_report_finding(report, sure ? CD_ERROR : CD_WARNING, CD_CODE_SET_HOLE,
			  point,
			  "%" PRIu64 " file%s of the ring set %s missing "
			  "between %s and %s%s",
			  missing, missing == 1 ? "" : "s",
			  missing == 1 ? "is" : "are", name_at(ring, i - 1),
			  name_at(ring, i),
			  sure ? "; what was in there counts as missing: "
				 "copy the whole set, or name only the files "
				 "behind the hole"
			       : ", if the number in the names counts files");
}

/* True: there is one for sure. */
static bool say_holes(struct cd_report *report, int point,
		      const struct cd_ringset *ring)
{
	size_t holes = 0;

	for (size_t i = 1; i < ring->n; i++) {
		uint64_t missing = cd_ringset_missing(ring, i);

		if (missing > 0 && holes++ < HOLES_SHOWN)
			say_hole(report, point, ring, i, missing);
	}
	if (holes > HOLES_SHOWN)
		cd_report_finding(report, CD_WARNING, CD_CODE_SET_HOLE, point,
				  "there are %zu such holes in all", holes);
	return holes > 0 && ring->kind != CD_RING_NUMBER;
}

static void say_backwards(struct cd_report *report, int point,
			  const struct cd_ringset *ring)
{
	size_t i = ring->backwards;

	if (ring->two_runs)
		cd_report_finding(
		    report, CD_ERROR, "set_runs", point,
		    "%s begins before %s, so these look like files of two "
		    "runs; two runs are two captures: choose one by its "
		    "times, 'NAME_*_20261130*'",
		    name_at(ring, i), name_at(ring, 0));
	else if (i > 0)
		cd_report_finding(
		    report, CD_WARNING, "set_backwards", point,
		    "the time goes back between %s and %s; they were read in "
		    "the order of their numbers",
		    name_at(ring, i - 1), name_at(ring, i));
}

static void say_order(struct cd_report *report, int point,
		      const struct cd_ringset *ring)
{
	if (ring->wrapped)
		cd_report_finding(report, CD_NOTE, "set_wrapped", point,
				  "the numbers of the ring set began again: "
				  "%s is its oldest file, %s its newest",
				  name_at(ring, 0), name_at(ring, ring->n - 1));
	if (ring->by_time)
		cd_report_finding(report, CD_NOTE, "set_by_time", point,
				  "the files were put in order by the times in "
				  "them, which is not that of their names");
}

bool cd_sets_check(const struct cd_run_set *sets,
		   const struct capdiff_capture *captures, size_t n,
		   struct cd_report *report)
{
	bool failed = false;

	for (size_t i = 0; i < n; i++) {
		const struct cd_ringset *ring = &sets[i].ring;

		if (sets[i].paths == NULL)
			continue;
		if (captures[i].guessed_set)
			cd_report_finding(
			    report, CD_NOTE, "set_guessed", (int)i,
			    "%zu files, %s to %s, were taken for one ring set; "
			    "to compare them, name each as LABEL=FILE",
			    ring->n, name_at(ring, 0),
			    name_at(ring, ring->n - 1));
		say_order(report, (int)i, ring);
		say_backwards(report, (int)i, ring);
		failed |= say_holes(report, (int)i, ring) | ring->two_runs;
	}
	return failed;
}
