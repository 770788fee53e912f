/*
 * MTIE (ITU-T G.810; METRICS 5): the most that a time error moves within any
 * window of a given length. Exact, over samples at any distance, in one pass:
 * two monotonic queues for each length.
 */
#ifndef CAPDIFF_STAT_MTIE_H
#define CAPDIFF_STAT_MTIE_H

#include <stddef.h>
#include <stdint.h>

struct cd_mtie_sample {
	int64_t x, v;
};

/* Candidates for the extreme of the window, the next one first. */
struct cd_mtie_queue {
	struct cd_mtie_sample *items; /* n of them from items[at] on */
	size_t at, n, capacity;
};

struct cd_mtie {
	int64_t tau;	/* >= 0 */
	int64_t last_x; /* of this series */
	uint64_t worst; /* the result so far */
	struct cd_mtie_queue low, high;
};

/* Of windows [x, x + tau]. Release in any case. */
void cd_mtie_init(struct cd_mtie *mtie, int64_t tau);
void cd_mtie_release(struct cd_mtie *mtie);
/* n samples; an x below the one before it counts as that one. O(1) amortised,
 * memory for a window at most. 0, or -1 without memory. */
int cd_mtie_add(struct cd_mtie *mtie, const int64_t *x, const int64_t *v,
		size_t n);
/* Another series begins: no window holds samples of both. */
void cd_mtie_break(struct cd_mtie *mtie);

#endif
