/* For reading.c and moves.c: a field while it is read. */
#ifndef CAPDIFF_STAMP_READER_H
#define CAPDIFF_STAMP_READER_H

#include "stamp/reading.h"

enum { CD_HITS_MIN = 16 /* neighbours one step apart that no chance gives */ };

struct cd_neighbours {
	uint32_t x, y; /* bodies; y follows x */
};

struct cd_reader {
	const struct cd_bodies *bodies;
	const struct cd_ground *ground;
	struct cd_spot spot;
	bool little;
	unsigned bytes; /* read of each body */
	uint64_t *values;
	bool *valid;
	struct cd_neighbours *pairs; /* flow by flow */
	size_t n_pairs;
	uint64_t *deltas;
	uint32_t *counts; /* of each 16-bit difference, all 0 between uses */
	/* what was found */
	uint64_t step;	/* modulo 2^64, sign extended from `limit` bytes */
	unsigned limit; /* widest field that makes sense */
	unsigned moved; /* bytes that change: a carry into the last was seen */
	uint64_t ones, zeros; /* bits that are 1, 0 in some number */
};

static inline uint64_t cd_reader_delta(const struct cd_reader *r,
				       const struct cd_neighbours *p)
{
	return r->values[p->y] - r->values[p->x];
}

/* The lowest bytes as a signed number. */
static inline int64_t cd_extend(uint64_t v, unsigned bytes)
{
	unsigned unused = 64 - 8 * bytes;

	return (int64_t)(v << unused) >> unused;
}

/* How do the numbers go on from neighbour to neighbour? Fills marks and counts
 * of the reading, which has width and step. Is it a counter? */
bool cd_reader_measure(const struct cd_reader *r, struct cd_reading *reading);

#endif
