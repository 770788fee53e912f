/*
 * Exact order statistics of a stream of int64 that is played two or three
 * times: no sort, no copy (METRICS 8). The result is that of a full sort.
 *
 *	s = cd_select_new();
 *	p50 = cd_select_want(s, 50000);
 *	do {
 *		while (the next block of v)
 *			cd_select_add(s, v, n);
 *	} while ((more = cd_select_end_pass(s)) == 1);
 *	if (more == 0)
 *		x = cd_select_result(s, p50);
 *
 * The first pass counts magnitudes in log-linear buckets, the later ones only
 * look into buckets that hold a wanted rank: they gather the values of thin
 * buckets and split fat ones. Every pass must bring the same values, in any
 * order. 0.13 MB, and at most 1 MB of values gathered and 33 kB for every rank
 * in a fat bucket.
 */
#ifndef CAPDIFF_STAT_SELECT_H
#define CAPDIFF_STAT_SELECT_H

#include <stddef.h>
#include <stdint.h>

#include "stat/moments.h"

struct cd_select; /* opaque */

/* At most this many ranks. */
#define CD_SELECT_MAX 64

/* NULL without memory. */
struct cd_select *cd_select_new(void);
void cd_select_free(struct cd_select *s);

/*
 * Ask for percentile p (stat/percentile.h) or for a 0-based rank, which is
 * known to be < n at the latest when the first pass ends. Both only before
 * the first cd_select_end_pass(), at most CD_SELECT_MAX times; asking after
 * the values were added is fine. Return the handle of the result.
 */
size_t cd_select_want(struct cd_select *s, uint32_t p);
size_t cd_select_want_rank(struct cd_select *s, uint64_t rank);

/*
 * Save passes where the values are not known yet but n of them, drawn from all
 * over a stream of about `total`, are: after everything was asked for, before
 * the first value. Nearly always all is known after one pass then (stat/grid.h);
 * where the sample misleads, the usual passes follow for the rest. Reorders the
 * sample. 0, or -1 without memory.
 */
int cd_select_aim(struct cd_select *s, int64_t *sample, size_t n,
		  uint64_t total);

/* No rank will be asked for: keep only the moments, in one pass. Before the
 * first value. */
void cd_select_only_moments(struct cd_select *s);

void cd_select_add(struct cd_select *s, const int64_t *v, size_t n);

/* 1: play the stream again; 0: all results are there (also if n is 0, when
 * there are none); -1: no memory. */
int cd_select_end_pass(struct cd_select *s);

/* Only after cd_select_end_pass() gave 0, and n > 0. */
int64_t cd_select_result(const struct cd_select *s, size_t handle);

/* Of the values of the first pass; complete as soon as they were added. */
const struct cd_moments *cd_select_moments(const struct cd_select *s);

/*
 * Parts of the stream, on other threads: fork an empty one with the plan of
 * `s` for the pass that begins, add a part to it, merge it into `s` before
 * cd_select_end_pass(s), free it; again for the next pass. fork: NULL without
 * memory. Not with an aim.
 */
struct cd_select *cd_select_fork(const struct cd_select *s);
void cd_select_merge(struct cd_select *s, const struct cd_select *part);

#endif
