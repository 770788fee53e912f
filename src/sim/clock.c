#include "sim/clock.h"

#include "sim/fixed.h"

/* floor(a / b), b > 0 */
static cd_i128 floor_div(cd_i128 a, cd_i128 b)
{
	cd_i128 q = a / b;

	return a % b < 0 ? q - 1 : q;
}

static int64_t rate_times(int64_t rate, int64_t ps)
{
	return (int64_t)floor_div((cd_i128)rate * ps, CD_SHARE_ONE);
}

/* The part of a slew done by `t_ps`. */
static int64_t slewed(const struct cd_step *slew, int64_t t_ps)
{
	int64_t size = slew->size_ps < 0 ? -slew->size_ps : slew->size_ps;
	int64_t done;

	if (t_ps <= slew->at_ps)
		return 0;
	done = rate_times(slew->rate, t_ps - slew->at_ps);
	if (done > size)
		done = size;
	return slew->size_ps < 0 ? -done : done;
}

static int64_t wandered(const struct cd_point_spec *point, int64_t t_ps)
{
	int64_t phase = t_ps % point->wander_period_ps;
	cd_u128 turn;

	if (phase < 0)
		phase += point->wander_period_ps;
	turn = ((cd_u128)(uint64_t)phase << 64) /
	       (uint64_t)point->wander_period_ps;
	return (int64_t)((cd_i128)cd_fix_sin((uint64_t)turn) *
			 point->wander_ps >> 56);
}

int64_t cd_clock_ahead(const struct cd_point_spec *point, int64_t t_ps)
{
	cd_i128 ahead = point->offset_ps;

	if (point->ppm != 0)
		ahead += rate_times(point->ppm, t_ps);
	for (size_t i = 0; i < point->steps.n; i++)
		if (t_ps >= point->steps.items[i].at_ps)
			ahead += point->steps.items[i].size_ps;
	for (size_t i = 0; i < point->slews.n; i++)
		ahead += slewed(&point->slews.items[i], t_ps);
	if (point->wander_ps != 0)
		ahead += wandered(point, t_ps);
	/* many steps of 20 days could leave what a span holds */
	if (ahead > INT64_MAX)
		return INT64_MAX;
	return ahead < -INT64_MAX ? -INT64_MAX : (int64_t)ahead;
}

static struct cd_instant from_ps(cd_i128 ps)
{
	cd_i128 s = floor_div(ps, CD_PS_PER_S);

	return (struct cd_instant){.s = (int64_t)s,
				   .ps = (int64_t)(ps - s * CD_PS_PER_S)};
}

static struct cd_instant quantise(const struct cd_point_spec *point,
				  struct cd_instant t)
{
	cd_i128 ps = (cd_i128)t.s * CD_PS_PER_S + t.ps;
	cd_i128 ticks = floor_div(ps * point->tick_den, point->tick_num_ps);

	return from_ps(floor_div(ticks * point->tick_num_ps,
				 point->tick_den));
}

/* Seconds since 1970 as a double (53 bits, nearest, ties to even), printed
 * with nine decimals and read back: what scripts do to time stamps. */
static struct cd_instant through_double(struct cd_instant t)
{
	cd_i128 ps = (cd_i128)t.s * CD_PS_PER_S + t.ps;
	cd_i128 units, twice, rest;
	int bits = 1;

	if (t.s <= 0)
		return t;
	while (t.s >> bits != 0)
		bits++;
	/* the unit in the last place is 2^(bits - 53) s */
	twice = (ps << (53 - bits)) * 2;
	units = twice / (2 * CD_PS_PER_S);
	rest = twice % (2 * CD_PS_PER_S);
	if (rest > CD_PS_PER_S || (rest == CD_PS_PER_S && (units & 1)))
		units++;
	ps = (units * CD_PS_PER_S) >> (53 - bits);
	return from_ps((ps + CD_PS_PER_NS / 2) / CD_PS_PER_NS * CD_PS_PER_NS);
}

struct cd_instant cd_clock_read(const struct cd_point_spec *point,
				int64_t t_ps)
{
	struct cd_instant t = {.s = point->epoch_s};

	t = cd_instant_add(t, (struct cd_span){t_ps});
	t = cd_instant_add(t, (struct cd_span){cd_clock_ahead(point, t_ps)});
	if (point->tick_num_ps > 0)
		t = quantise(point, t);
	return point->through_double ? through_double(t) : t;
}
