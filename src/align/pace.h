/*
 * How fast a stream runs: packets per 100 ms (for the look-ahead window of
 * METRICS 0.3) and numbers per time (for gaps so long that the sequence field
 * may have gone round more than once).
 */
#ifndef CAPDIFF_ALIGN_PACE_H
#define CAPDIFF_ALIGN_PACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/time.h"

#define CD_PACE_BUCKET (100 * CD_PS_PER_MS)

struct cd_pace_mark {
	int64_t time_ps, seq;
};

struct cd_pace {
	int64_t bucket;		/* start of the current 100 ms */
	uint64_t in_bucket;	/* packets in it so far */
	uint64_t in_100ms;	/* recent maximum of full buckets */
	int64_t last_ps;	/* time of the last packet */
	int64_t before_ps;	/* and when that was out of step, the one before */
	bool started;
	struct cd_pace_mark first, old, recent; /* of this epoch */
	bool has_first;
};

/* What the pace says of a gap in time: numbers passed, as the whole epoch and
 * as its recent part have it. */
struct cd_pace_guess {
	uint64_t by_all, by_recent;
};

/* A packet that is not in the current bucket, or has no time. */
void cd_pace_turn(struct cd_pace *pace, int64_t time_ps, int64_t max_seq);

/* Every accepted packet; max_seq is the largest number so far. */
static inline void cd_pace_note(struct cd_pace *pace, int64_t time_ps,
				int64_t max_seq)
{
	if ((uint64_t)time_ps - (uint64_t)pace->bucket < CD_PACE_BUCKET &&
	    pace->started) {
		pace->in_bucket++;
		pace->last_ps = time_ps;
	} else {
		cd_pace_turn(pace, time_ps, max_seq);
	}
}

/* A new epoch: numbers begin anew, the packet rate stays. */
void cd_pace_restart(struct cd_pace *pace);

/* Packets in 100 ms, as far as known. */
uint64_t cd_pace_100ms(const struct cd_pace *pace);

/* Time since the last packet; 0 if unknown or negative. */
int64_t cd_pace_gap(const struct cd_pace *pace, int64_t time_ps);

/* Would more than `limit` numbers pass in a gap of gap_ps? */
bool cd_pace_exceeds(const struct cd_pace *pace, int64_t gap_ps, int64_t max_seq,
		     uint64_t limit);
struct cd_pace_guess cd_pace_guess(const struct cd_pace *pace, int64_t gap_ps,
				   int64_t max_seq);

#endif
