/*
 * Which numbers of the recent past have come: kept as the holes between them,
 * so that a stream without loss costs nothing. Bounded: the oldest holes are
 * forgotten, and with them everything before.
 */
#ifndef CAPDIFF_ALIGN_SEEN_H
#define CAPDIFF_ALIGN_SEEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cd_hole {
	int64_t first;
	uint64_t n; /* 0: filled since */
};

struct cd_seen {
	int64_t from; /* nothing is known of smaller numbers */
	struct cd_hole *holes; /* rising */
	size_t n, capacity;
};

/* All zero is ready for cd_seen_start(). */
void cd_seen_release(struct cd_seen *seen);
/* Forget everything; numbers from `first` on count. */
void cd_seen_start(struct cd_seen *seen, int64_t first);
/* n numbers from `first` on, all larger than any before, did not come. 0 or
 * -1 (no memory). */
int cd_seen_skip(struct cd_seen *seen, int64_t first, uint64_t n);
/* One of them came after all. 0 or -1. */
int cd_seen_fill(struct cd_seen *seen, int64_t seq);
/* Has it come? For from <= seq <= the largest accepted. */
bool cd_seen_has(const struct cd_seen *seen, int64_t seq);
/* How many of first..last have not. */
uint64_t cd_seen_missing(const struct cd_seen *seen, int64_t first,
			 int64_t last);

#endif
