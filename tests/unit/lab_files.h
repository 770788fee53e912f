/* The pairs of the shared collection and what was computed of them. */
#ifndef TESTS_UNIT_LAB_FILES_H
#define TESTS_UNIT_LAB_FILES_H

#include <jansson.h>
#include <stdio.h>
#include <sys/stat.h>

#include "pair_files.h"

static const char *const lab_names[] = {
    "derived_clock",
    "derived_messy",
    "derived_step",
    "iperf2",
    "iperf3",
    "mgen_drop",
    "pingflood",
    "pktgen_1514_20000",
    "pktgen_1514_80000",
    "pktgen_512_100000",
    "pktgen_512_20000",
    "pktgen_64_20000",
    "pktgen_64_200000",
    "rtp",
    "sockperf",
};

static inline void lab_folder(char *path, size_t size)
{
	const char *shared = getenv("CAPDIFF_SHARED");
	const char *srcdir = getenv("srcdir");

	if (shared != NULL)
		snprintf(path, size, "%s/lab", shared);
	else
		snprintf(path, size, "%s/../shared/lab",
			 srcdir == NULL ? "." : srcdir);
}

#define LAB_COUNT (sizeof(lab_names) / sizeof(lab_names[0]))

struct lab {
	const char *name;
	json_t *truth;
	struct pair_files pair;
};

static inline bool exists(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0;
}

static inline void find_file(const char *folder, const char *name,
			     const char *which, char *path, size_t size)
{
	snprintf(path, size, "%s/%s/%s.pcap.gz", folder, name, which);
	if (!exists(path))
		snprintf(path, size, "%s/%s/%s.pcapng.gz", folder, name, which);
}

/* False: the collection is not there. */
static inline bool lab_open(struct lab *lab, const char *name)
{
	char folder[300], path[512];

	*lab = (struct lab){.name = name};
	lab_folder(folder, sizeof(folder));
	snprintf(path, sizeof(path), "%s/%s/truth.json", folder, name);
	if (!exists(path))
		return false;
	lab->truth = json_load_file(path, 0, NULL);
	cr_assert_not_null(lab->truth, "%s", path);
	find_file(folder, name, "ref", lab->pair.paths[0],
		  sizeof(lab->pair.paths[0]));
	find_file(folder, name, "dut", lab->pair.paths[1],
		  sizeof(lab->pair.paths[1]));
	return true;
}

static inline void lab_release(struct lab *lab)
{
	json_decref(lab->truth);
	pair_release(&lab->pair);
}

static inline void lab_analyse(struct lab *lab, uint32_t reference)
{
	pair_analyse(&lab->pair, reference);
	cr_assert_eq(lab->pair.result, 0, "%s", lab->pair.error.what);
}

#endif
