/* Did two tracks see the same packets, or equal numbers of two trials? */
#ifndef CAPDIFF_METRIC_IDENTITY_H
#define CAPDIFF_METRIC_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>

#include "align/track.h"
#include "base/error.h"

/* Numbers that both tracks have a sample of (first copies). */
struct cd_identity_tally {
	uint64_t compared; /* by transmit time or content */
	uint64_t tx, tx_different;
	uint64_t digests, digest_different;
	/* what was compared is not the same in all packets, so that equality
	 * means something */
	bool varies;
};

/* Add the numbers from..to of a pair to the tally. 0 or -1 (no memory). */
int cd_identity_compare(const struct cd_track *a, const struct cd_track *b,
			int64_t from, int64_t to,
			struct cd_identity_tally *tally);

/* Most of the transmit times differ, or without any most of the contents:
 * two trials. */
bool cd_identity_contradicts(const struct cd_identity_tally *tally);

/* Sampled copies inside one track that are not copies at all: same number,
 * other transmit time or content (METRICS 0.4). 0 or -1. */
int cd_identity_conflicts(const struct cd_track *track, int64_t from,
			  int64_t to, uint64_t *conflicts);

#endif
