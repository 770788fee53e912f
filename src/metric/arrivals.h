/*
 * First copies of a track in file order, each with a key that says its place
 * in the reference: what order is judged by (METRICS 2.2).
 */
#ifndef CAPDIFF_METRIC_ARRIVALS_H
#define CAPDIFF_METRIC_ARRIVALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "align/track.h"

/* Places of the reference's packets: rising with its file order. Most keep
 * their number; those late in the reference come behind what they followed
 * there, and everything after moves up. */
struct cd_places {
	const struct cd_late *late; /* of the reference, in seq order */
	int64_t *late_keys;	    /* their keys */
	int64_t *anchors;	    /* numbers that late ones follow, rising */
	size_t n;
	uint64_t filter[1024]; /* low 16 bits of late numbers */
};

/* `ref` NULL: every packet keeps its number. 0 or -1 (no memory). */
int cd_places_init(struct cd_places *places, const struct cd_track *ref);
void cd_places_release(struct cd_places *places);
/* A packet that the reference lacks keeps its place by its number. */
int64_t cd_places_key(const struct cd_places *places, int64_t seq);

/* Tells first copies of a track while its rows, but for strays, are gone
 * through in file order. */
struct cd_firsts {
	const struct cd_late *late;
	size_t n_late;
	bool any;
	int64_t greatest; /* number so far */
};

struct cd_firsts cd_firsts_of(const struct cd_track *track);
bool cd_firsts_take(struct cd_firsts *firsts, int64_t seq, uint64_t position);

/* A block of arrivals. */
struct cd_arrivals_block {
	size_t n;
	int64_t key[CD_BLOCK_ROWS];
	int64_t time_ps[CD_BLOCK_ROWS]; /* CD_TIME_NONE: invalid */
};

/* Is v rising from one to the next? At least 1 of them. */
static inline bool cd_is_rising(const int64_t *v, size_t n)
{
	bool rising = true;

	for (size_t i = 1; i < n; i++)
		rising &= v[i] > v[i - 1];
	return rising;
}

struct cd_arrivals; /* opaque */
/* First copies with numbers from..to of `track`. NULL without memory. */
struct cd_arrivals *cd_arrivals_new(const struct cd_track *track, int64_t from,
				    int64_t to, const struct cd_places *places);
void cd_arrivals_free(struct cd_arrivals *arrivals);
/* 1: a block of at least one; 0: end. NULL-free; the block is the caller's. */
int cd_arrivals_next(struct cd_arrivals *arrivals,
		     struct cd_arrivals_block *block);

#endif
