/* What to call the runs of a sweep. */
#ifndef CAPDIFF_RUN_SWEEP_NAMES_H
#define CAPDIFF_RUN_SWEEP_NAMES_H

#include <stddef.h>

#include "report/sweep.h"
#include "run/sweep_find.h"

/* What stands between the words of a file's name. */
#define CD_SWEEP_JOINTS "_- .,+="

/* Length of a file's name (without folders) up to the suffix of a capture or a
 * report; other dots are part of it: "1.5G.pcap.gz". */
size_t cd_sweep_stem(const char *name);

/*
 * Fill sweep->folder and the names of the runs that have none, from the paths
 * of their captures: the folder if it is of this run alone, else the folder
 * and what the names of its captures share, without what begins all of them.
 * So a run is called the same when its saved report is gathered. `finds` has
 * the paths of sweep->runs, one by one. 0 or -1 (memory).
 */
int cd_sweep_names(struct cd_sweep *sweep, const struct cd_finds *finds);

#endif
