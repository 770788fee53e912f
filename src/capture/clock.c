#include "capture/clock.h"

struct cd_clock cd_clock_init(struct cd_resolution resolution,
			      int64_t offset_s)
{
	struct cd_clock clock = {
		.resolution = resolution,
		.offset_s = offset_s,
		.second = offset_s,
	};

	if (resolution.base != 10 || resolution.exponent > 12)
		return clock;
	clock.per_second = 1;
	for (unsigned i = 0; i < resolution.exponent; i++)
		clock.per_second *= 10;
	clock.tick_ps = CD_PS_PER_S / (int64_t)clock.per_second;
	return clock;
}

bool cd_clock_seek(struct cd_clock *clock, uint64_t ticks,
		   struct cd_instant *out)
{
	if (!cd_instant_from_ticks(ticks, clock->resolution, clock->offset_s,
				   out))
		return false;
	if (clock->per_second != 0) {
		clock->first = ticks - ticks % clock->per_second;
		clock->second = out->s;
	}
	return true;
}
