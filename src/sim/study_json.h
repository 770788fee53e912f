/* study.json; the manual page describes its members. */
#ifndef CAPDIFF_SIM_STUDY_JSON_H
#define CAPDIFF_SIM_STUDY_JSON_H

#include "sim/study.h"

/* Packets in the captures of a run, the reference's first. */
struct cd_study_result {
	uint64_t records[CD_STUDY_MACHINES + 1];
};

/* `results`: one for each run. */
int cd_study_write_json(const struct cd_study *study,
			const struct cd_study_options *options,
			const struct cd_study_result *results,
			struct cd_error *error);

#endif
