/* Onsets of the simulator's studies, from parameters alone. */
#include <criterion/criterion.h>

#include "base/time.h"
#include "sim/noise.h"
#include "sim/onset.h"
#include "sim/scenario.h"

Test(onset, drain_needs_a_long_run)
{
	struct cd_point_spec p = {.buffer = 2000, .drain_mpps = 40000000};

	/* 40,000 packets/s empty 18,000 of 20,000 while all of them come */
	cr_assert_eq(cd_onset_of_loss(&p, 20000).pps, 44444);
	cr_assert_str_eq(cd_onset_of_loss(&p, 20000).by, "drain");
	cr_assert_eq(cd_onset_of_loss(&p, 2000).pps, CD_ONSET_NEVER);
	p.buffer = 0;
	cr_assert_eq(cd_onset_of_loss(&p, 20000).pps, CD_ONSET_NEVER);
}

Test(onset, windows_fill_what_waits)
{
	struct cd_window w = {.length_ps = 20000000000, .every_ps = CD_PS_PER_S};
	struct cd_windows windows = {&w, 1, 1};
	struct cd_point_spec p = {.ring = 256, .stalls = windows};

	cr_assert_eq(cd_onset_of_loss(&p, 1000).pps, 12800);
	cr_assert_str_eq(cd_onset_of_loss(&p, 1000).by, "stall");
	p.pauses = windows;
	p.buffer = 100;
	cr_assert_eq(cd_onset_of_loss(&p, 1000).pps, 5000);
	cr_assert_str_eq(cd_onset_of_loss(&p, 1000).by, "pause");
	w.length_ps = 1;
	cr_assert_eq(cd_onset_of_loss(&p, 1000).pps, CD_ONSET_NEVER);
}

Test(onset, error)
{
	struct cd_noise noise = {.kind = CD_NOISE_EXPONENTIAL,
				 .scale_ps = 3000000};
	struct cd_window w = {.length_ps = 1000000000, .every_ps = CD_PS_PER_S};
	struct cd_point_spec p = {.noise = {&noise, 1, 1}};

	/* 10 * 6.907 * 3 us = 207 us */
	cr_assert_eq(cd_onset_of_error(&p).pps, 4826);
	p.coalescing = CD_COALESCE_ONESHOT;
	p.period_ps = 125000000;
	cr_assert_str_eq(cd_onset_of_error(&p).by, "noise");
	p.period_ps = 250000000;
	cr_assert_eq(cd_onset_of_error(&p).pps, 4000);
	cr_assert_str_eq(cd_onset_of_error(&p).by, "coalescing");
	p.stalls = (struct cd_windows){&w, 1, 1};
	cr_assert_eq(cd_onset_of_error(&p).pps, 4000, "a thousandth is borne");
	w.length_ps++;
	cr_assert_eq(cd_onset_of_error(&p).pps, 0);
	p.stalls.n = 0;
	noise.scale_ps = 15000000;
	cr_assert_eq(cd_onset_of_error(&p).pps, 0, "above 100 us at any rate");
}

Test(onset, captured)
{
	struct cd_point_spec p = {.buffer = 10, .drain_mpps = 1000000000};
	int64_t ever = INT64_MAX;

	/* every 1 us a packet leaves, two come */
	cr_assert_eq(cd_onset_captured(&p, 1001, 500000, ever), 510);
	cr_assert_eq(cd_onset_captured(&p, 1001, 500000, 100000000), 110);
	cr_assert_eq(cd_onset_captured(&p, 15, 500000, ever), 15);
	cr_assert_eq(cd_onset_captured(&p, 1000, 1000000, ever), 1000);
	p.buffer = 0;
	cr_assert_eq(cd_onset_captured(&p, 1000, 1, ever), 1000);
}

Test(onset, captured_between_pauses)
{
	/* 20 us at 100 us and every 200 us */
	struct cd_window w = {100000000, 20000000, 200000000};
	struct cd_point_spec p = {.buffer = 10,
				  .drain_mpps = 1000000000,
				  .pauses = {&w, 1, 1}};

	cr_assert_eq(cd_onset_captured(&p, 10000, 500000, 100000000), 110);
	cr_assert_eq(cd_onset_captured(&p, 10000, 500000, 110000000), 110);
	cr_assert_eq(cd_onset_captured(&p, 10000, 500000, 130000000), 120);
	cr_assert_eq(cd_onset_captured(&p, 10000, 500000, 400000000), 370);
	cr_assert(cd_onset_knows(&p, 500000));
	cr_assert_not(cd_onset_knows(&p, 1000000), "it has caught up");
}
