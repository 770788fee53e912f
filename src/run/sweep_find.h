/* The runs in folders: which capture files belong together. */
#ifndef CAPDIFF_RUN_SWEEP_FIND_H
#define CAPDIFF_RUN_SWEEP_FIND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "report/report.h"

/* The files of a ring set, n 0: the capture is one file. */
struct cd_found_set {
	char **files;
	size_t n;
};

/* A saved report, or the captures of one run, the reference first. */
struct cd_found {
	char *saved; /* NULL: captures */
	char **paths; /* of a ring set what stands for it: "hw_*.pcap" */
	struct cd_found_set *sets;
	size_t n;
};

struct cd_finds {
	struct cd_found *runs;
	size_t n, capacity;
};

/*
 * Look into files, folders and folders of folders. `reference`: label of -r,
 * or NULL. `alone`: captures without a reference are runs by themselves.
 * Files that belong to no run become findings. CD_E_USAGE if no reference can
 * be told. 0 or -1; release in any case.
 */
int cd_sweep_discover(struct cd_finds *finds, const char *const *sources, size_t n,
		  const char *reference, bool alone, struct cd_report *report,
		  struct cd_error *error);
void cd_sweep_discovered_release(struct cd_finds *finds);

#endif
