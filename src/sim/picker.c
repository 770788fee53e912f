#include "sim/picker.h"

typedef unsigned __int128 u128;

/*
 * Runs are Gilbert's model with every packet of the bad state hit (RFC 6534
 * 7.1): mean run b = 1 / p_bg, share p = p_gb / (p_gb + p_bg), hence
 * p_gb = p / (b (1 - p)).
 */
struct cd_picker cd_picker_init(const struct cd_pick *pick, uint64_t seed,
				const char *owner, const char *purpose)
{
	struct cd_picker p = {.pick = pick,
			      .random = cd_random_init(seed, owner, purpose),
			      .active = pick->share > 0 || pick->n_ranges > 0};

	if (pick->burst == 0 || pick->share == CD_SHARE_ONE) {
		p.begin = cd_random_limit(pick->share, CD_SHARE_ONE);
		return p;
	}
	p.begin = cd_random_limit(
	    pick->share, (u128)pick->burst * (CD_SHARE_ONE - pick->share));
	p.end = cd_random_limit(1, pick->burst);
	return p;
}

static bool in_ranges(const struct cd_pick *pick, uint64_t index)
{
	size_t low = 0, high = pick->n_ranges;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (pick->ranges[mid].last < index)
			low = mid + 1;
		else
			high = mid;
	}
	return low < pick->n_ranges && pick->ranges[low].first <= index;
}

bool cd_picker_hit(struct cd_picker *p, uint64_t index)
{
	if (!p->active)
		return false;
	if (p->pick->n_ranges > 0)
		return in_ranges(p->pick, index);
	if (p->end == 0)
		return cd_random_hit(&p->random, p->begin);
	p->in_run = p->in_run ? !cd_random_hit(&p->random, p->end)
			      : cd_random_hit(&p->random, p->begin);
	return p->in_run;
}
