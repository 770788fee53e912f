/* Copies of a track beside its numbers, both rising. Inside the room. */
#ifndef CAPDIFF_METRIC_COPIES_H
#define CAPDIFF_METRIC_COPIES_H

#include "align/track.h"

/* Those still to come. */
struct cd_copies {
	const struct cd_copy *at, *end;
};

/* None of NULL. */
static inline struct cd_copies cd_copies_of(const struct cd_track *track)
{
	size_t n = 0;
	struct cd_copies copies = {0};

	if (track != NULL)
		copies.at = cd_track_copies(track, &n);
	copies.end = n == 0 ? copies.at : copies.at + n;
	return copies;
}

/* How many this number has, which is none of before. */
static inline uint64_t cd_copies_take(struct cd_copies *copies, int64_t seq)
{
	uint64_t n = 0;

	while (copies->at != copies->end && copies->at->seq < seq)
		copies->at++;
	while (copies->at != copies->end && copies->at->seq == seq) {
		copies->at++;
		n++;
	}
	return n;
}

#endif
