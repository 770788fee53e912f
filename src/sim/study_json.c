#include "sim/study_json.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/time.h"
#include "sim/json.h"
#include "sim/onset.h"

#define GAP_BYTES 20

/* ---- runs ---------------------------------------------------------------- */

/* Packets in the file by their own time, interval by interval. */
static void put_intervals(struct cd_json *j, const struct cd_study_run *run,
			  const struct cd_point_spec *point)
{
	int64_t step = INT64_C(1000000000) * run->interval_ms;
	int64_t end = (int64_t)run->packets * run->spacing_ps;
	uint64_t before = 0;

	cd_json_begin(j, "intervals", '[');
	for (int64_t from = 0; from + step <= end + run->spacing_ps;
	     from += step) {
		uint64_t all = cd_onset_captured(point, run->packets,
						 run->spacing_ps, from + step);
		int64_t row[] = {from / 1000000000, (int64_t)(all - before)};

		cd_json_tuple(j, row, 2);
		before = all;
	}
	cd_json_end(j, ']');
}

static void put_point(struct cd_json *j, const struct cd_study_run *run,
		      const struct cd_point_spec *point, uint64_t records)
{
	bool known = cd_onset_knows(point, run->spacing_ps);

	cd_json_begin(j, NULL, '{');
	cd_json_text(j, "point", point->name);
	cd_json_u64(j, "captured", records);
	if (known)
		cd_json_u64(j, "computed",
			    cd_onset_captured(point, run->packets,
					      run->spacing_ps, INT64_MAX));
	else
		cd_json_null(j, "computed");
	if (known && run->interval_ms > 0)
		put_intervals(j, run, point);
	cd_json_end(j, '}');
}

static uint64_t pps_of(const struct cd_study_run *run)
{
	return (uint64_t)(CD_PS_PER_S / run->spacing_ps);
}

static void put_run(struct cd_json *j, const struct cd_study *study,
		    const struct cd_study_run *run,
		    const struct cd_scenario *scenario,
		    const struct cd_study_result *result)
{
	cd_json_begin(j, NULL, '{');
	cd_json_text(j, "run", run->name);
	cd_json_u64(j, "size", run->bytes);
	cd_json_u64(j, "packets", run->packets);
	cd_json_i64(j, "spacing_ps", run->spacing_ps);
	cd_json_u64(j, "pps", pps_of(run));
	cd_json_begin(j, "points", '[');
	for (size_t k = study->apart ? 0 : 1; k < scenario->n_points; k++)
		put_point(j, run, &scenario->points[k], result->records[k]);
	cd_json_end(j, ']');
	cd_json_end(j, '}');
}

/* ---- onsets -------------------------------------------------------------- */

/* Rate, cause, and the tested rates below and above it. */
struct bracket {
	struct cd_onset onset;
	uint64_t lo, hi; /* packets/s; 0: no such rate */
};

static void put_rate(struct cd_json *j, const char *name, uint64_t pps)
{
	if (pps == 0 || pps == CD_ONSET_NEVER)
		cd_json_null(j, name);
	else
		cd_json_u64(j, name, pps);
}

static void put_bracket(struct cd_json *j, const char *name,
			const struct bracket *b, uint32_t bytes)
{
	uint64_t pps = b->onset.pps;

	cd_json_begin(j, name, '{');
	put_rate(j, "pps", pps);
	put_rate(j, "l1_bps",
		 pps == CD_ONSET_NEVER ? pps : pps * 8 * (bytes + GAP_BYTES));
	cd_json_text(j, "by", b->onset.by);
	put_rate(j, "lo_pps", b->lo);
	put_rate(j, "hi_pps", b->hi);
	cd_json_end(j, '}');
}

static void narrow(struct bracket *b, struct cd_onset onset, uint64_t pps)
{
	if (onset.pps < b->onset.pps || b->onset.by == NULL)
		b->onset = onset;
	if (pps < onset.pps)
		b->lo = pps > b->lo ? pps : b->lo;
	else if (b->hi == 0 || pps < b->hi)
		b->hi = pps;
}

/* The point `k` over all runs with frames of this size. */
static int put_onsets(struct cd_json *j, const struct cd_study *study,
		      const struct cd_study_options *options, size_t k,
		      uint32_t bytes, struct cd_error *error)
{
	struct bracket loss = {0}, inaccurate = {0};

	for (size_t i = 0; i < cd_study_runs(study); i++) {
		struct cd_scenario scenario = {0};
		struct cd_study_run run;

		if (cd_study_scenario(study, options, i, &run, &scenario,
				      error)) {
			cd_scenario_release(&scenario);
			return -1;
		}
		if (run.bytes == bytes) {
			const struct cd_point_spec *p = &scenario.points[k];

			narrow(&loss, cd_onset_of_loss(p, run.packets),
			       pps_of(&run));
			narrow(&inaccurate, cd_onset_of_error(p), pps_of(&run));
		}
		cd_scenario_release(&scenario);
	}
	cd_json_begin(j, NULL, '{');
	cd_json_text(j, "point", study->machines[k - 1].name);
	cd_json_u64(j, "size", bytes);
	put_bracket(j, "complete", &loss, bytes);
	put_bracket(j, "accurate", &inaccurate, bytes);
	cd_json_end(j, '}');
	return 0;
}

static int put_all_onsets(struct cd_json *j, const struct cd_study *study,
			  const struct cd_study_options *options,
			  struct cd_error *error)
{
	int status = 0;

	cd_json_begin(j, "onsets", '[');
	for (size_t k = 0; k < CD_STUDY_MACHINES && !study->apart; k++)
		for (size_t i = 0; i < CD_STUDY_SIZES && status == 0; i++)
			if (study->machines[k].name != NULL &&
			    study->sizes[i] != 0)
				status = put_onsets(j, study, options, k + 1,
						    study->sizes[i], error);
	cd_json_end(j, ']');
	return status;
}

static int put_runs(struct cd_json *j, const struct cd_study *study,
		    const struct cd_study_options *options,
		    const struct cd_study_result *results,
		    struct cd_error *error)
{
	int status = 0;

	cd_json_begin(j, "runs", '[');
	for (size_t i = 0; i < cd_study_runs(study) && status == 0; i++) {
		struct cd_scenario scenario = {0};
		struct cd_study_run run;

		status = cd_study_scenario(study, options, i, &run, &scenario,
					   error);
		if (status == 0)
			put_run(j, study, &run, &scenario, &results[i]);
		cd_scenario_release(&scenario);
	}
	cd_json_end(j, ']');
	return status;
}

int cd_study_write_json(const struct cd_study *study,
			const struct cd_study_options *options,
			const struct cd_study_result *results,
			struct cd_error *error)
{
	char *path = cd_strf("%s/study.json", options->dir);
	struct cd_json *j;
	int status;

	if (path == NULL)
		return cd_error_memory(error);
	j = cd_json_open(path, error);
	free(path);
	if (j == NULL)
		return -1;
	cd_json_begin(j, NULL, '{');
	cd_json_text(j, "study", study->name);
	cd_json_text(j, "about", study->about);
	cd_json_bool(j, "short", options->short_form);
	cd_json_u64(j, "seed", options->seed);
	status = put_runs(j, study, options, results, error);
	if (status == 0)
		status = put_all_onsets(j, study, options, error);
	cd_json_end(j, '}');
	return cd_json_close(j, error) || status ? -1 : 0;
}
