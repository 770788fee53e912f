/*
 * A lattice that stamps lie on: is it the clock's, or do the packets themselves
 * come at such times (METRICS 3.6, step 3)?
 */
#ifndef CAPDIFF_METRIC_LATTICE_H
#define CAPDIFF_METRIC_LATTICE_H

#include <stdbool.h>

#include "metric/sample.h"
#include "stat/tick.h"

/* A sample of a capture's stamps, and the same as stat wants it. */
struct cd_lattice {
	const struct cd_sample_times *times;
	struct cd_tick_sample sample;
};

/*
 * `mine` lies on q. The packets do, if another capture of them, on a clock of
 * its own, shows it; `other` has none if there is none. Where nothing tells, a
 * perfect cadence is taken for the packets', anything else for the clock's.
 */
bool cd_lattice_is_packets(const struct cd_lattice *mine,
			   const struct cd_lattice *other, struct cd_tick q);

#endif
