#include "metric/errors.h"

#include "metric/walk.h"
#include "stat/blocks.h"

int cd_errors_init(struct cd_errors *errors, const struct cd_pair *pair)
{
	*errors = (struct cd_errors){
	    .pair = pair,
	    .known = pair->clock.has_drift && pair->clock.has_offset,
	};
	if (!errors->known)
		return 0;
	if (cd_trend_init(&errors->trend, pair))
		return -1;
	errors->has_sizes = cd_sizes_differ(pair);
	return errors->has_sizes ? cd_sizes_measure(&errors->sizes, pair) : 0;
}

void cd_errors_release(struct cd_errors *errors)
{
	cd_trend_release(&errors->trend);
	cd_sizes_release(&errors->sizes);
}

int64_t cd_error_of(struct cd_errors *errors, size_t lane, int64_t ref_ps,
		    int64_t dut_ps, uint32_t length)
{
	const struct cd_clock *clock = &errors->pair->clock;
	int64_t x = ref_ps - clock->x0_ps;
	int64_t d = dut_ps - ref_ps - clock->d0_ps, r, f;
	double theta =
	    errors->pair->lanes[lane].theta_ps[cd_clock_segment(clock, x)];

	r = cd_round_ps(cd_residual(x, d, clock->y) - theta);
	if (errors->has_sizes)
		r -= cd_sizes_floor_ps(&errors->sizes, length);
	cd_trend_subtract(&errors->trend, lane, &x, &r, &f, 1);
	return f;
}
