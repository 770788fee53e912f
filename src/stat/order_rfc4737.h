/*
 * Packet reordering by RFC 4737 (METRICS 2.2), streaming. Arrivals are numbers
 * (sequence numbers, or better their rank in the reference), first copies
 * only (a second one counts as reordered), in the order to be judged.
 *
 * Memory: 24 bytes for every run of consecutive numbers so far; a stream in
 * order without loss is one run.
 */
#ifndef CAPDIFF_STAT_ORDER_RFC4737_H
#define CAPDIFF_STAT_ORDER_RFC4737_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stat/histogram.h"

struct cd_reorder; /* opaque */

/* What one arrival was. */
struct cd_reorder_packet {
	bool reordered;	   /* s < NextExp (3.3) */
	uint64_t extent;   /* 4.2: i - min{j < i: s[j] > s[i]}; 0: in order */
	uint64_t n;	   /* 5: n-reordered for all up to this; 0: none */
	bool has_late;	   /* late time known */
	int64_t late;	   /* 4.3: T(i) - T(i - extent) */
};

/* Times of the last `window` arrivals are kept for late times; 0: none.
 * NULL without memory. */
struct cd_reorder *cd_reorder_new(size_t window);
void cd_reorder_free(struct cd_reorder *r);

/*
 * Arrivals in order, block after block; `t` (their stamps) may be NULL if the
 * window is 0, `packets` (n results) may always be. O(log runs) for late ones.
 * 0, or -1 without memory.
 */
int cd_reorder_add(struct cd_reorder *r, const int64_t *s, const int64_t *t,
		   size_t n, struct cd_reorder_packet *packets);

struct cd_reorder_summary {
	uint64_t arrivals, reordered;
	/* of the reordered; empty ones while there are none */
	const struct cd_histogram *extents;
	const struct cd_histogram *late_times; /* of those known */
	const struct cd_histogram *n_reordering; /* of those with n >= 1 */
	uint64_t n3; /* n-reordered for n >= 3: what TCP takes for loss */
	/* 4.6, reordering-free runs: maximal runs of arrivals in order, each
	 * ended by a reordered one or the end */
	uint64_t runs, run_packets;
	unsigned __int128 run_squares;
};
/* May be asked at any time; valid until the next call on `r`. */
struct cd_reorder_summary cd_reorder_summary(const struct cd_reorder *r);

/*
 * Least number of packets to move to restore order: n minus the longest
 * rising subsequence. Needs n * 8 bytes for a while, O(n log n). 0, or -1
 * without memory.
 */
int cd_reorder_moves(const int64_t *s, size_t n, uint64_t *moves);

#endif
