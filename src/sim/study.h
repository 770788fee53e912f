/* A study: all its runs, and what its parameters say must come out. */
#ifndef CAPDIFF_SIM_STUDY_H
#define CAPDIFF_SIM_STUDY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "sim/scenario.h"
#include "sim/studies.h"

struct cd_study_options {
	const char *dir;
	bool short_form; /* a tenth of packets, buffers and times */
	uint64_t seed;
};

/* One run: a folder of captures. */
struct cd_study_run {
	uint32_t bytes;	   /* frame with check sequence */
	uint32_t rate;	   /* in the study's unit; 0 at line rate */
	int64_t spacing_ps;
	uint64_t packets;
	int64_t interval_ms; /* to look at one by one; 0: none */
	size_t machine, machines; /* the first of so many */
	char name[64];	   /* of the folder */
};

size_t cd_study_runs(const struct cd_study *study);

/* Run `i` and its scenario, checked; the caller releases the scenario, also
 * after an error. */
int cd_study_scenario(const struct cd_study *study,
		      const struct cd_study_options *options, size_t i,
		      struct cd_study_run *run, struct cd_scenario *scenario,
		      struct cd_error *error);

/* Write every run into a folder of its own in the folder `dir`, and study.json
 * beside them. */
int cd_study_write(const struct cd_study *study,
		   const struct cd_study_options *options,
		   struct cd_error *error);

#endif
