/* What a file says about itself. */
#ifndef CAPDIFF_METRIC_FILE_H
#define CAPDIFF_METRIC_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "align/point.h"

/* A counter of all interfaces that count for this capture together. */
struct cd_file_counter {
	uint64_t sum;	    /* CD_COUNT_NONE: see reason */
	const char *reason; /* "not recorded", "format has no counters", ... */
	bool impossible;    /* some counter cannot be right */
};

/* Drops that the file admits: of the interface and of the system, else those
 * noted before packets (epb_dropcount). */
struct cd_file_counter cd_file_drops(const struct cd_point *point);

#endif
