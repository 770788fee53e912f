/*
 * Order of arrivals in one pass, as long as nothing is further out of place
 * than a window: then `beyond` is set, and a slower way must be taken.
 */
#ifndef CAPDIFF_METRIC_ORDER_WINDOW_H
#define CAPDIFF_METRIC_ORDER_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* By arrival (RFC 4737): the last `size` of them are remembered. */
struct cd_file_window {
	uint64_t at; /* arrivals so far */
	uint64_t reordered, extent_max, n_max;
	uint64_t moves; /* after the end */
	bool has_late;
	int64_t late_max_ps;
	bool beyond;	   /* counts and extents are not complete */
	bool moves_beyond; /* moves are not */
	/* inside */
	size_t size;		      /* power of two */
	int64_t greatest;	      /* key, once at > 0 */
	int64_t *key, *top, *time_ps; /* by arrival modulo size; top: largest
					 key up to it */
	uint64_t work;		      /* steps spent on late ones */
	struct cd_tangle *tangles;
	size_t n_tangles, capacity;
	int64_t *keys; /* of one tangle */
	size_t keys_capacity;
};

/* 0 or -1 (no memory). `size` is a power of two. */
int cd_file_window_init(struct cd_file_window *w, size_t size);
void cd_file_window_release(struct cd_file_window *w);
/* Keys are all different. 0 or -1. */
int cd_file_window_add(struct cd_file_window *w, const int64_t *key,
		       const int64_t *time_ps, size_t n);
void cd_file_window_end(struct cd_file_window *w);

/* By time: arrivals are sorted, stable, inside a buffer. Without a time they
 * are left out. */
struct cd_time_window {
	uint64_t reordered;
	bool beyond;
	/* inside */
	size_t size, n; /* buffer of 2 * size, n in it */
	int64_t *key, *time_ps;
	bool any;		   /* something has left the buffer */
	uint64_t added, work;	   /* arrivals, and places they were moved by */
	int64_t last_ps, greatest; /* time and largest key that left */
};

int cd_time_window_init(struct cd_time_window *w, size_t size);
void cd_time_window_release(struct cd_time_window *w);
void cd_time_window_add(struct cd_time_window *w, const int64_t *key,
			const int64_t *time_ps, size_t n);
void cd_time_window_end(struct cd_time_window *w);

#endif
