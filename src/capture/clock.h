/*
 * Ticks of an interface to instants, fast: consecutive packets mostly share
 * their second, so no division is needed for any decimal resolution up to
 * 10^-12. Everything else goes through cd_instant_from_ticks().
 */
#ifndef CAPDIFF_CAPTURE_CLOCK_H
#define CAPDIFF_CAPTURE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/time.h"

struct cd_clock {
	uint64_t per_second; /* ticks; 0: only the slow way is exact */
	uint64_t first;	     /* tick that began the second of the last packet */
	int64_t second;	     /* that second */
	int64_t tick_ps;
	struct cd_resolution resolution;
	int64_t offset_s;
};

struct cd_clock cd_clock_init(struct cd_resolution resolution,
			      int64_t offset_s);

/* The slow half of cd_clock_instant(). */
bool cd_clock_seek(struct cd_clock *clock, uint64_t ticks,
		   struct cd_instant *out);

/* As cd_instant_from_ticks(). */
static inline bool cd_clock_instant(struct cd_clock *clock, uint64_t ticks,
				    struct cd_instant *out)
{
	uint64_t rest = ticks - clock->first;

	if (CD_UNLIKELY(rest >= clock->per_second))
		return cd_clock_seek(clock, ticks, out);
	out->s = clock->second;
	out->ps = (int64_t)rest * clock->tick_ps;
	return true;
}

#endif
