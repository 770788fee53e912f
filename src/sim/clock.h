/*
 * The clock of a capture point: true time to what it shows. Offset, drift,
 * steps, slews and wander add up; then the clock's own tick, and what a trip
 * through a double leaves of it.
 */
#ifndef CAPDIFF_SIM_CLOCK_H
#define CAPDIFF_SIM_CLOCK_H

#include "base/time.h"
#include "sim/scenario.h"

/* How far the clock is ahead at true time `t_ps`, in ps, before the tick. */
int64_t cd_clock_ahead(const struct cd_point_spec *point, int64_t t_ps);

/* What it shows. */
struct cd_instant cd_clock_read(const struct cd_point_spec *point,
				int64_t t_ps);

#endif
