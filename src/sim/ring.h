/*
 * The capture buffer between kernel and file: so many packets fit, the
 * program takes them out at its own pace and sometimes pauses. Loss happens
 * when it is full.
 */
#ifndef CAPDIFF_SIM_RING_H
#define CAPDIFF_SIM_RING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "sim/scenario.h"

struct cd_ring {
	const struct cd_point_spec *point;
	int64_t *leaves; /* when each packet inside will be out; circular */
	size_t first, n;
	int64_t drain_ps; /* from one packet to the next, 0: no limit */
	int64_t last_ps;  /* when the last one is out */
	uint64_t dropped;
};

int cd_ring_init(struct cd_ring *ring, const struct cd_point_spec *point,
		 struct cd_error *error);
void cd_ring_release(struct cd_ring *ring);
/* A packet comes at `t_ps` (never falling): does it find room? */
bool cd_ring_offer(struct cd_ring *ring, int64_t t_ps);

#endif
