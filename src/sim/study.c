#include "sim/study.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/str.h"
#include "base/time.h"
#include "sim/run.h"
#include "sim/study_json.h"

#define GAP_BYTES 20 /* preamble and gap on the wire */

/* ---- which runs there are ------------------------------------------------ */

static size_t count(const uint32_t *list, size_t most)
{
	size_t n = 0;

	while (n < most && list[n] != 0)
		n++;
	return n;
}

static size_t count_rates(const struct cd_study *study)
{
	return study->unit == CD_STUDY_LINE
		   ? 1
		   : count(study->rates, CD_STUDY_RATES);
}

static size_t count_machines(const struct cd_study *study)
{
	size_t n = 0;

	while (n < CD_STUDY_MACHINES && study->machines[n].name != NULL)
		n++;
	return n;
}

size_t cd_study_runs(const struct cd_study *study)
{
	return count(study->sizes, CD_STUDY_SIZES) * count_rates(study) *
	       (study->apart ? count_machines(study) : 1);
}

static int64_t spacing(const struct cd_study *study, uint32_t bytes,
		       uint32_t rate, uint64_t link_bps)
{
	uint64_t wire_bits = 8 * (uint64_t)(bytes + GAP_BYTES);

	switch (study->unit) {
	case CD_STUDY_MBPS:
		return (int64_t)(wire_bits * 1000000 / rate);
	case CD_STUDY_KPPS:
		return INT64_C(1000000000) / rate;
	default:
		return (int64_t)(wire_bits * (uint64_t)CD_PS_PER_S / link_bps);
	}
}

static void name_run(const struct cd_study *study, struct cd_study_run *run)
{
	if (study->apart)
		snprintf(run->name, sizeof(run->name), "%s_%04u_line",
			 study->machines[run->machine].name, run->bytes);
	else
		snprintf(run->name, sizeof(run->name), "%04u_%u%s", run->bytes,
			 run->rate,
			 study->unit == CD_STUDY_KPPS ? "kpps" : "Mb");
}

/* Machines change slowest, rates fastest. */
static void find_run(const struct cd_study *study, size_t i,
		     struct cd_study_run *run)
{
	size_t sizes = count(study->sizes, CD_STUDY_SIZES);
	size_t rates = count_rates(study);

	*run = (struct cd_study_run){.rate = study->rates[i % rates],
				     .bytes = study->sizes[i / rates % sizes],
				     .machine = i / rates / sizes};
	run->machines = study->apart ? 1 : count_machines(study);
	name_run(study, run);
}

/* ---- the scenario of a run ----------------------------------------------- */

static void add_window(struct cd_str *text, const char *key, uint32_t at_us,
		       uint32_t for_us, uint32_t every_us, uint32_t scale)
{
	if (for_us != 0)
		cd_str_addf(text, "%s = %" PRIu32 "us for %" PRIu32
				  "us every %" PRIu32 "us\n",
			    key, at_us / scale, for_us / scale,
			    every_us / scale);
}

static void add_machine(struct cd_str *text, const struct cd_machine *m,
			uint32_t bytes, uint32_t scale)
{
	uint64_t read_ps = UINT64_C(1000) * m->read_ns +
			   (uint64_t)m->read_ps_per_byte * bytes;
	uint64_t noise_ps =
	    m->noise_ps + (uint64_t)m->noise_ps_per_byte * bytes;

	cd_str_addf(text, "[point %s]\n%s", m->name, m->text);
	if (m->buffer_bytes != 0)
		cd_str_addf(text, "buffer = %" PRIu64 "\n",
			    m->buffer_bytes / scale / (bytes + m->slot_bytes));
	if (read_ps != 0)
		cd_str_addf(text, "drain = %" PRIu64 "pps\n",
			    (uint64_t)CD_PS_PER_S / read_ps);
	if (noise_ps != 0)
		cd_str_addf(text, "noise = exponential %" PRIu64 "ps\n",
			    noise_ps);
	if (m->ring != 0)
		cd_str_addf(text, "ring = %" PRIu32 "\n", m->ring / scale);
	add_window(text, "pause", m->pause_at_us, m->pause_us,
		   m->pause_every_us, scale);
	add_window(text, "stall", m->stall_at_us, m->stall_us,
		   m->stall_every_us, scale);
}

static int set_number(struct cd_scenario *scenario, const char *key,
		      uint64_t value, const char *unit, struct cd_error *error)
{
	char *assignment = cd_strf("%s=%" PRIu64 "%s", key, value, unit);
	int status;

	if (assignment == NULL)
		return cd_error_memory(error);
	status = cd_scenario_set(scenario, assignment, error);
	free(assignment);
	return status;
}

/* So many packets as the study says, but for as long as it says. */
static uint64_t count_packets(const struct cd_study *study,
			      const struct cd_study_run *run, uint32_t scale)
{
	uint64_t least_ps = UINT64_C(1000000000) * study->least_ms / scale;
	uint64_t least = least_ps / (uint64_t)run->spacing_ps;
	uint64_t packets = study->packets / scale;

	return packets > least ? packets : least;
}

static int fill_in(const struct cd_study *study,
		   const struct cd_study_options *options, size_t i,
		   struct cd_study_run *run, struct cd_scenario *scenario,
		   struct cd_error *error)
{
	run->spacing_ps = spacing(study, run->bytes, run->rate,
				  scenario->link_bps);
	run->packets = count_packets(study, run, options->short_form ? 10 : 1);
	run->interval_ms = study->interval_ms / (options->short_form ? 10 : 1);
	if (set_number(scenario, "seed", options->seed + i, "", error) ||
	    set_number(scenario, "spacing", (uint64_t)run->spacing_ps, "ps",
		       error) ||
	    set_number(scenario, "size", run->bytes, "", error) ||
	    set_number(scenario, "packets", run->packets, "", error))
		return -1;
	return cd_scenario_check(scenario, error);
}

int cd_study_scenario(const struct cd_study *study,
		      const struct cd_study_options *options, size_t i,
		      struct cd_study_run *run, struct cd_scenario *scenario,
		      struct cd_error *error)
{
	struct cd_str text = {0};
	int status;

	find_run(study, i, run);
	cd_str_addf(&text, "about = %s\n%s", study->about, study->text);
	for (size_t k = 0; k < run->machines; k++)
		add_machine(&text, &study->machines[run->machine + k],
			    run->bytes, options->short_form ? 10 : 1);
	status = text.bad ? cd_error_memory(error)
			  : cd_scenario_parse(scenario, run->name,
					      cd_str_text(&text), study->name,
					      error);
	if (status == 0)
		status = fill_in(study, options, i, run, scenario, error);
	cd_str_release(&text);
	return status;
}

/* ---- all of them --------------------------------------------------------- */

static int write_run(const struct cd_study *study,
		     const struct cd_study_options *options, size_t i,
		     struct cd_study_result *result, struct cd_error *error)
{
	struct cd_scenario scenario = {0};
	struct cd_truth truth = {0};
	struct cd_study_run run;
	char *dir = NULL;
	int status;

	status = cd_study_scenario(study, options, i, &run, &scenario, error);
	if (status == 0) {
		dir = cd_strf("%s/%s", options->dir, run.name);
		status = dir == NULL ? cd_error_memory(error)
				     : cd_sim_run(&scenario, dir, &truth,
						  error);
	}
	if (status == 0)
		for (size_t k = 0; k < scenario.n_points; k++)
			result->records[k] = truth.points[k].records;
	free(dir);
	cd_truth_release(&truth);
	cd_scenario_release(&scenario);
	return status;
}

int cd_study_write(const struct cd_study *study,
		   const struct cd_study_options *options,
		   struct cd_error *error)
{
	size_t n = cd_study_runs(study);
	struct cd_study_result *results = calloc(n, sizeof(*results));
	int status;

	if (results == NULL)
		return cd_error_memory(error);
	status = cd_sim_folder(options->dir, error);
	for (size_t i = 0; i < n && status == 0; i++)
		status = write_run(study, options, i, &results[i], error);
	if (status == 0)
		status = cd_study_write_json(study, options, results, error);
	free(results);
	return status;
}
