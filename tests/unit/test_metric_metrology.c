/* --clock, and what follows from an error of known size (METRICS 5). */
#include <stdlib.h>

#include "metric_times.h"
#include "report/series.h"

static void run_clock(struct rig *rig, const struct times *t)
{
	rig_init(rig);
	rig->options.clock = true;
	rig_add(rig, t->ref, t->dut, t->n);
	rig_run(rig);
}

/* |error of the interval| at its worst, by looking at all of them. */
static double worst_interval(const struct times *t, double y, int64_t tau_ps)
{
	double worst = 0;

	for (size_t i = 0; i < t->n; i++)
		for (size_t k = i + 1;
		     k < t->n && t->ref[k] - t->ref[i] <= tau_ps; k++) {
			double dut = (double)(t->dut[k] - t->dut[i]);
			double ref = (double)(t->ref[k] - t->ref[i]);
			double error = fabs(dut - ref * (1 + y));

			worst = error > worst ? error : worst;
		}
	return worst / (double)NS;
}

Test(metric_metrology, mtie_is_the_worst_error_of_an_interval)
{
	struct times t = noisy(3000, EXPONENTIAL, 11);
	static const struct {
		const char *key;
		int64_t tau_ps;
	} windows[] = {{"clock.mtie_100us_ns", 100 * US},
		       {"clock.mtie_1ms_ns", 1 * MS},
		       {"clock.mtie_10ms_ns", 10 * MS}};
	struct rig rig;

	run_clock(&rig, &t);
	for (size_t i = 0; i < 3; i++)
		near(of_dut(&rig, windows[i].key),
		     worst_interval(&t,
				    of_dut(&rig, "clock.drift_ppm") * 1e-6,
				    windows[i].tau_ps),
		     0.01);
	/* 37 ms in all */
	null_reason(&rig, "clock.mtie_100ms_ns");
	rig_release(&rig);
	free_times(&t);
}

/* White noise of 10 us in each of 100 blocks of 200 packets: its first
 * percentile scatters by 10 us * sqrt(p (1-p) / n) / phi(q). */
Test(metric_metrology, tdev_of_the_floors_falls_with_time)
{
	struct times t = noisy(40000, GAUSS, 12);
	const struct cd_series *series;
	struct rig rig;
	double last;

	run_clock(&rig, &t);
	series = cd_report_find_series(rig.report, 1, "clock.tdev");
	cr_assert_not_null(series);
	cr_assert_geq(series->n_rows, 6);
	near(cd_series_number(series, 0, 1), 10e3 * 0.264, 900);
	near(cd_series_number(series, 3, 0) / cd_series_number(series, 0, 0), 8,
	     1e-3);
	last = cd_series_number(series, 4, 1);
	near(cd_series_number(series, 0, 1) / last, 4, 2);
	rig_release(&rig);
	free_times(&t);
}

Test(metric_metrology, the_median_deviation)
{
	struct times t = noisy(100000, EXPONENTIAL, 13);
	struct rig rig;

	run_times(&rig, &t);
	/* of an exponential distribution: asinh(1/2) of its mean */
	near(of_dut(&rig, "time.error.mad_ns"), 20e3 * 0.481212, 200);
	cr_assert_null(
	    cd_report_find_series(rig.report, 1, "clock.mtie"));
	rig_release(&rig);
	free_times(&t);
}

/* By the span of the errors; by the tick where that is coarser. */
Test(metric_metrology, the_smallest_delta_to_interpret)
{
	struct times t = noisy(20000, UNIFORM, 14);
	struct rig rig;

	run_times(&rig, &t);
	near(of_dut(&rig, "delta.usable_ns"),
	     of_dut(&rig, "time.error.span_ns"), 1e-3);
	near(of_dut(&rig, "delta.usable_ns"), 125e3, 2e3);
	rig_release(&rig);
	for (size_t i = 0; i < t.n; i++)
		t.dut[i] = t.ref[i] + 7 * (int64_t)(i % 3) * US;
	quantise(t.dut, t.n, 1 * MS);
	run_times(&rig, &t);
	cr_assert_geq(of_dut(&rig, "delta.usable_ns"), 0.99e6);
	rig_release(&rig);
	t.n = 900;
	run_times(&rig, &t);
	null_reason(&rig, "delta.usable_ns");
	rig_release(&rig);
	free_times(&t);
}

/* A tick of 100 us in one, less than the spacing, and of 10 us in the other;
 * the errors span less than the tick, as the rarest are left out. */
Test(metric_metrology, no_delta_below_the_tick_of_the_capture)
{
	struct times t = make_times(20000, 123.3 * US);
	struct rig rig;

	quantise(t.dut, t.n, 100 * US);
	quantise(t.ref, t.n, 10 * US);
	run_times(&rig, &t);
	cr_assert(isnan(rig.pair.burst_period_ps));
	cr_assert_lt(of_dut(&rig, "time.error.span_ns"), 100e3);
	cr_assert_eq(of_dut(&rig, "delta.usable_ns"), 100e3);
	cr_assert_eq(rig_value(&rig, 0, "delta.usable_ns"), 10e3);
	rig_release(&rig);
	free_times(&t);
}

/* Bursts 125 us apart, to 20 ns; the errors span a little less. */
Test(metric_metrology, no_delta_below_the_period_of_bursts)
{
	struct times t = make_times(100000, 1.23 * US);
	struct noise r = noise_seed(17);
	struct rig rig;
	double period;

	free_timer(&t, 125 * US);
	for (size_t i = 0, after; i < t.n; i = after) {
		int64_t late = (int64_t)noise_below(&r, 20) * NS;
		int64_t shown = t.dut[i];

		for (after = i; after < t.n && t.dut[after] == shown; after++)
			t.dut[after] += late;
	}
	run_times(&rig, &t);
	rig_run_one(&rig, &cd_metric_cluster);
	rig_run_one(&rig, &cd_metric_metrology);
	period = of_dut(&rig, "burst.period_ns");
	near(period, 125e3, 20);
	cr_assert_lt(of_dut(&rig, "time.tick_ns"), 1e3);
	cr_assert_lt(of_dut(&rig, "time.error.span_ns"), period);
	cr_assert_eq(of_dut(&rig, "delta.usable_ns"), period);
	rig_release(&rig);
	free_times(&t);
}

/* 10 ms are half of the run from 20 ms on. */
Test(metric_metrology, windows_of_at_most_half_of_the_run)
{
	struct times t = noisy(1628, EXPONENTIAL, 16);
	struct rig rig;

	run_clock(&rig, &t);
	cr_assert_gt(of_dut(&rig, "clock.mtie_10ms_ns"), 0);
	rig_release(&rig);
	t.n = 1626;
	run_clock(&rig, &t);
	null_reason(&rig, "clock.mtie_10ms_ns");
	rig_release(&rig);
	free_times(&t);
}

/* A step at the stated bar is found, one well below is not. */
Test(metric_metrology, the_smallest_step_that_could_be_seen)
{
	struct times t = noisy(40000, EXPONENTIAL, 15);
	double least;
	struct rig rig;

	run_times(&rig, &t);
	cr_assert_eq(of_dut(&rig, "clock.steps"), 0);
	least = of_dut(&rig, "clock.step_least_ns");
	cr_assert_geq(least, 12.3e3);
	rig_release(&rig);
	for (size_t i = t.n / 2; i < t.n; i++)
		t.dut[i] += llround(1.5 * least) * NS;
	run_times(&rig, &t);
	cr_assert_eq(of_dut(&rig, "clock.steps"), 1);
	rig_release(&rig);
	for (size_t i = t.n / 2; i < t.n; i++)
		t.dut[i] -= llround(least) * NS;
	run_times(&rig, &t);
	cr_assert_eq(of_dut(&rig, "clock.steps"), 0);
	rig_release(&rig);
	free_times(&t);
}
