#include "stamp/clocks.h"

#include "base/bytes.h"

#define DAY_S 86400 /* clocks are set no worse, wherever they are */
#define NTP_1900 INT64_C(2208988800) /* seconds from 1900 to 1970 */

enum shows { NO_TIME, WHOLE_TIME, FRACTION };

static bool is_near(uint64_t seconds, int64_t now)
{
	int64_t off;

	if (seconds > INT64_C(1) << 40)
		return false;
	off = (int64_t)seconds - now;
	return (off > -DAY_S && off < DAY_S) ||
	       (off - NTP_1900 > -DAY_S && off - NTP_1900 < DAY_S);
}

static bool has(const struct cd_body *b, int64_t at, int64_t n)
{
	return at >= 0 && at + n <= b->n;
}

/* The four bytes at `at` of the body, as seconds. */
static bool are_seconds(const struct cd_body *b, int64_t at, bool little,
			int64_t now)
{
	return has(b, at, 4) &&
	       is_near(little ? cd_le32(b->p + at) : cd_be32(b->p + at), now);
}

/* Eight bytes, as milli-, micro- or nanoseconds. */
static bool are_parts(const struct cd_body *b, int64_t at, bool little,
		      int64_t now)
{
	uint64_t v;

	if (!has(b, at, 8))
		return false;
	v = little ? cd_le64(b->p + at) : cd_be64(b->p + at);
	return is_near(v / 1000, now) || is_near(v / 1000000, now) ||
	       is_near(v / 1000000000, now);
}

/* `low`: where the lowest byte of the field is. Seconds before a fraction have
 * 4 bytes, or 8 as in a struct timeval, in the same order as the fraction. */
static enum shows find_time(const struct cd_body *b, int64_t low, bool little,
			    int64_t now)
{
	if (little) {
		if (are_seconds(b, low, true, now) ||
		    are_parts(b, low, true, now))
			return WHOLE_TIME;
		if (are_seconds(b, low - 4, true, now) ||
		    are_seconds(b, low - 8, true, now) ||
		    are_seconds(b, low + 4, true, now))
			return FRACTION;
		return NO_TIME;
	}
	if (are_seconds(b, low - 3, false, now) ||
	    are_parts(b, low - 7, false, now))
		return WHOLE_TIME;
	if (are_seconds(b, low - 7, false, now) ||
	    are_seconds(b, low - 11, false, now))
		return FRACTION;
	return NO_TIME;
}

/* Does a step take as long as it says, in fractions of a second? */
static bool keeps_time(const struct cd_reading *reading, double step_s)
{
	static const double units[] = {1e3, 1e6, 1e9, 4294967296.0};
	double step = (double)reading->step;

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (step > 0.95 * step_s * units[i] &&
		    step < 1.05 * step_s * units[i])
			return true;
	return false;
}

/* What a body shows, and the capture's time since the one before it. */
static enum shows look_at(const struct cd_reading *reading,
			  const struct cd_bodies *bodies,
			  const struct cd_ground *ground, size_t i,
			  double *passed_s)
{
	bool shared = reading->spot.shared;
	uint32_t x = cd_bodies_at(bodies, shared, i - 1);
	uint32_t y = cd_bodies_at(bodies, shared, i);
	const struct cd_body *a = &bodies->all[x], *b = &bodies->all[y];
	const struct cd_instant *times = ground->samples[b->capture].times;
	uint32_t at = reading->spot.at;
	struct cd_span span;

	if (times == NULL || !cd_bodies_joined(bodies, shared, x, y) ||
	    !cd_instant_diff(times[b->position], times[a->position], &span))
		return NO_TIME;
	*passed_s = (double)span.ps / (double)CD_PS_PER_S;
	return find_time(b, reading->spot.from_end ? b->n - 1 - at : at,
			 reading->little, times[b->position].s);
}

bool cd_reading_is_clock(const struct cd_reading *reading,
			 const struct cd_bodies *bodies,
			 const struct cd_ground *ground)
{
	size_t looked = 0, whole = 0, fraction = 0;
	double passed_s = 0;

	for (size_t i = 1; i < bodies->n; i++) {
		uint32_t y = cd_bodies_at(bodies, reading->spot.shared, i);
		double one_s = 0;

		if ((reading->marks[y] & CD_MARK_NEXT) == 0)
			continue;
		switch (look_at(reading, bodies, ground, i, &one_s)) {
		case WHOLE_TIME:
			whole++;
			break;
		case FRACTION:
			fraction++;
			passed_s += one_s;
			break;
		case NO_TIME:
			break;
		}
		looked++;
	}
	if (whole * 2 > looked)
		return true;
	return fraction * 2 > looked &&
	       keeps_time(reading, passed_s / (double)fraction);
}
