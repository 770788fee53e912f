/*
 * Which packets of a lane are missing, one by one: the same as the loss metric
 * counts (METRICS 1.1), inside the common interval and promoted outside it.
 */
#ifndef CAPDIFF_METRIC_ABSENT_H
#define CAPDIFF_METRIC_ABSENT_H

#include <stdbool.h>
#include <stdint.h>

#include "metric/edges.h"
#include "metric/lanes.h"
#include "metric/metric.h"

/* After the loss metric. */
struct cd_absence {
	const struct cd_lane *lane;
	struct cd_window dut; /* where D ran for sure */
};

struct cd_absence cd_absence_of(const struct cd_analysis *analysis,
				const struct cd_pair *pair,
				const struct cd_lane *lane);

/* Is a packet that only the reference has, sent at `ref_ps`, missing in D? */
static inline bool cd_is_missing(const struct cd_absence *absence, int64_t seq,
				 int64_t ref_ps)
{
	const struct cd_lane *lane = absence->lane;

	if (cd_is_common(lane, seq))
		return true;
	return ref_ps != CD_TIME_NONE && ref_ps >= absence->dut.from_ps &&
	       ref_ps <= absence->dut.to_ps;
}

/* A packet that is missing, or one that D has. */
struct cd_absent_packet {
	int64_t seq;
	uint64_t n;	 /* numbers from `seq` on, > 1 only in a capture by
			    itself */
	uint64_t frame;	 /* of the reference if missing (0 without), else D's */
	int64_t time_ps; /* the reference's, or CD_TIME_NONE */
	int64_t dut_ps;	 /* D's, or CD_TIME_NONE */
};

/* What to do with a lane's packets, in order of their numbers; 0 or -1. */
struct cd_absent_sink {
	int (*missing)(void *context, const struct cd_absent_packet *packet);
	int (*present)(void *context, const struct cd_absent_packet *packet);
	void *context;
};

/* 0 or -1 (no memory). Nothing in pairs without numbers. */
int cd_absent_walk(const struct cd_analysis *analysis,
		   const struct cd_pair *pair, const struct cd_lane *lane,
		   const struct cd_absent_sink *sink);

#endif
