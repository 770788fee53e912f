/*
 * The packets of all streams in the order in which they pass the wire. Each
 * direction of the link carries one packet at a time, at its bit rate.
 */
#ifndef CAPDIFF_SIM_GENERATOR_H
#define CAPDIFF_SIM_GENERATOR_H

#include <stdbool.h>

#include "base/error.h"
#include "sim/packet.h"
#include "sim/scenario.h"

struct cd_generator; /* opaque */

struct cd_generator *cd_generator_new(const struct cd_scenario *scenario,
				      struct cd_error *error);
void cd_generator_free(struct cd_generator *generator);

/* The next packet; false when all are sent. Packets that the scenario skips
 * take their time and number, but are not returned. */
bool cd_generator_next(struct cd_generator *generator,
		       struct cd_packet *packet);

/* Time of `bytes` bytes on the scenario's link, floored to ps. */
int64_t cd_generator_bytes_ps(const struct cd_scenario *scenario,
			      uint32_t bytes);

#endif
