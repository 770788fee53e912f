/*
 * A capture against a reference that is computed: a pair whose reference is a
 * track made up here, for the fit and the measurement of any other pair
 * (METRICS 6).
 */
#ifndef CAPDIFF_METRIC_IDEAL_H
#define CAPDIFF_METRIC_IDEAL_H

#include <stdint.h>

#include "align/track.h"
#include "metric/measure.h"
#include "metric/metric.h"

struct cd_ideal {
	struct cd_track *track;
	struct cd_stream stream; /* its smallest and largest time */
	struct cd_lane lane;
	struct cd_pair pair;
};

/* The lane with the most packets of the only stream; NULL: there is none, or
 * more than one stream. */
const struct cd_lane *cd_ideal_lane(const struct cd_pair *pair);

/* Against lane `of` of `pair`; times are then added by rising number. 0, or -1
 * without memory; release in any case. */
int cd_ideal_init(struct cd_ideal *ideal, const struct cd_pair *pair,
		  const struct cd_lane *of);
void cd_ideal_release(struct cd_ideal *ideal);
/* The ideal time of a number that the lane has, with a valid time; outside the
 * lane's interval it does not count. */
int cd_ideal_add(struct cd_ideal *ideal, int64_t seq, int64_t time_ps);

/*
 * Fit and measure. 1: ideal->pair.clock and `out` are filled; 0: there is no
 * fit, *reason says why; -1: no memory.
 */
int cd_ideal_measure(struct cd_ideal *ideal,
		     const struct cd_metric_options *options,
		     struct cd_measured *out, const char **reason);

#endif
