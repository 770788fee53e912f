/*
 * A capture point: what comes by on the wire, through card, kernel and buffer
 * into a file, with its clock's time stamps and its faults.
 */
#ifndef CAPDIFF_SIM_POINT_H
#define CAPDIFF_SIM_POINT_H

#include "base/error.h"
#include "sim/packet.h"
#include "sim/scenario.h"
#include "sim/truth.h"

struct cd_point; /* opaque */

/* The point's file name: "laptop.pcapng.gz". Caller frees; NULL without
 * memory. */
char *cd_point_file_name(const struct cd_point_spec *spec);

/* Writes its file into the folder `dir`. */
struct cd_point *cd_point_open(const struct cd_scenario *scenario,
			       size_t index, const char *dir,
			       struct cd_truth *truth,
			       struct cd_error *error);
/* A packet comes by; in the order of the wire. */
int cd_point_offer(struct cd_point *point, const struct cd_packet *packet,
		   struct cd_error *error);
/* Nothing more comes. Writes what is on its way and the counters. */
int cd_point_finish(struct cd_point *point, struct cd_error *error);
/* Close the file and free; after a failure (`keep` false) no file is left.
 * NULL is fine. */
int cd_point_close(struct cd_point *point, bool keep, struct cd_error *error);

#endif
