/* A whole simulation: scenario to files. */
#ifndef CAPDIFF_SIM_RUN_H
#define CAPDIFF_SIM_RUN_H

#include "base/error.h"
#include "sim/scenario.h"
#include "sim/truth.h"

/*
 * Write every point's capture and truth.json into the folder `dir`, which is
 * made if it is not there. `truth` stays for the caller, who releases it, also
 * after an error. Memory: half a byte per packet and point, and 4 bytes where
 * the order in a file can differ.
 */
int cd_sim_run(const struct cd_scenario *scenario, const char *dir,
	       struct cd_truth *truth, struct cd_error *error);

/* Make the folder `dir` if it is not there. */
int cd_sim_folder(const char *dir, struct cd_error *error);

#endif
