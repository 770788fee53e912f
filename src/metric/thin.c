#include "metric/thin.h"

#include <stdlib.h>

#include "metric/numbers.h"
int cd_thin_init(struct cd_thin *thin, uint64_t m, size_t most)
{
	*thin = (struct cd_thin){.most = m < most ? (size_t)m : most};
	if (thin->most == 0)
		return 0;
	thin->stride = m / thin->most;
	thin->rows = malloc(thin->most * sizeof(*thin->rows));
	return thin->rows == NULL ? -1 : 0;
}

void cd_thin_release(struct cd_thin *thin)
{
	free(thin->rows);
	*thin = (struct cd_thin){0};
}

/* Somewhere in stretch i: a fixed stride could beat with the data. */
static uint64_t pick(const struct cd_thin *thin)
{
	uint64_t i = thin->n;

	return i * thin->stride +
	       (i * UINT64_C(0x9e3779b97f4a7c15) >> 32) % thin->stride;
}

static void take(struct cd_thin *thin, const struct cd_walk_block *block,
		 size_t i)
{
	struct cd_clock_row *row = &thin->rows[thin->n++];
	int64_t before = i > 0 ? block->seq[i - 1] : thin->seq;

	*row = (struct cd_clock_row){
	    .lane = (uint32_t)block->lane,
	    .neighbours =
		block->row + i > 0 && cd_follows(before, block->seq[i]),
	    .x_ps = block->x_ps[i],
	    .d_ps = block->d_ps[i],
	    .before_x_ps = i > 0 ? block->x_ps[i - 1] : thin->x_ps,
	    .before_d_ps = i > 0 ? block->d_ps[i - 1] : thin->d_ps,
	};
}

void cd_thin_add(struct cd_thin *thin, const struct cd_walk_block *block)
{
	size_t last = block->n - 1;

	while (thin->n < thin->most && thin->next < thin->seen + block->n) {
		take(thin, block, (size_t)(thin->next - thin->seen));
		thin->next = pick(thin);
	}
	thin->seen += block->n;
	thin->seq = block->seq[last];
	thin->x_ps = block->x_ps[last];
	thin->d_ps = block->d_ps[last];
}
