#include "sim/ring.h"

#include <stdlib.h>

#include "sim/nic.h"

int cd_ring_init(struct cd_ring *ring, const struct cd_point_spec *point,
		 struct cd_error *error)
{
	*ring = (struct cd_ring){.point = point, .last_ps = INT64_MIN};
	if (point->drain_mpps > 0)
		ring->drain_ps = (int64_t)(UINT64_C(1000) *
					   (uint64_t)CD_PS_PER_S /
					   point->drain_mpps);
	if (point->buffer == 0)
		return 0;
	ring->leaves = calloc(point->buffer, sizeof(*ring->leaves));
	return ring->leaves == NULL ? cd_error_memory(error) : 0;
}

void cd_ring_release(struct cd_ring *ring)
{
	free(ring->leaves);
	ring->leaves = NULL;
}

bool cd_ring_offer(struct cd_ring *ring, int64_t t_ps)
{
	uint64_t slots = ring->point->buffer;
	int64_t begin = t_ps;

	if (slots == 0)
		return true;
	while (ring->n > 0 && ring->leaves[ring->first] <= t_ps) {
		ring->first = ring->first + 1 == slots ? 0 : ring->first + 1;
		ring->n--;
	}
	if (ring->n == slots) {
		ring->dropped++;
		return false;
	}
	if (begin < ring->last_ps)
		begin = ring->last_ps;
	begin = cd_windows_after(&ring->point->pauses, begin);
	ring->last_ps = begin + ring->drain_ps;
	ring->leaves[(ring->first + ring->n) % slots] = ring->last_ps;
	ring->n++;
	return true;
}
