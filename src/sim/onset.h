/* Up to which rate a capture point is complete and accurate, from what is set
 * for it alone: nothing is simulated. */
#ifndef CAPDIFF_SIM_ONSET_H
#define CAPDIFF_SIM_ONSET_H

#include <stdint.h>

#include "sim/scenario.h"

#define CD_ONSET_NEVER UINT64_MAX

/* What sets in above `pps`; CD_ONSET_NEVER: at no rate, 0: at every rate. */
struct cd_onset {
	uint64_t pps;
	const char *by; /* "drain", "pause", "stall", "noise", "coalescing" */
};

/*
 * The first loss in a run of `packets` at a constant rate that begins before
 * every pause and stall. A reader of `drain` packets/s lets a run overflow the
 * buffer only if the run is longer than that is.
 */
struct cd_onset cd_onset_of_loss(const struct cd_point_spec *point,
				 uint64_t packets);

/*
 * The first rate at which 99.8 % of the stamps do not lie within a tenth of
 * the packet spacing, at most 100 us (the limits of the analysis profile),
 * with exponential noise and one-shot coalescing.
 */
struct cd_onset cd_onset_of_error(const struct cd_point_spec *point);

/*
 * What is in the file of those that came by until `until_ps`, of `packets`
 * that come `spacing_ps` apart from 0 on, as far as buffer, drain and pauses
 * decide: within one packet if there is no pause or the reader never waits for
 * a packet.
 */
uint64_t cd_onset_captured(const struct cd_point_spec *point, uint64_t packets,
			   int64_t spacing_ps, int64_t until_ps);

/* Whether that holds. */
bool cd_onset_knows(const struct cd_point_spec *point, int64_t spacing_ps);

#endif
