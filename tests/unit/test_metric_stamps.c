/* What stamps say by themselves: ticks, links, a capture alone. */
#include "metric_times.h"
#include "metric/physics.h"

/* ---- V10, V11: ticks ------------------------------------------------------
 */

/* The reference in 8 ns, the other on a clock of its own with some noise. */
static struct times for_ticks(uint64_t seed)
{
	struct times t = make_times(20000, 97.31 * US);
	struct noise r = noise_seed(seed);

	for (size_t i = 0; i < t.n; i++) {
		t.ref[i] += llround(noise_uniform(&r) * 20e3) * NS;
		t.dut[i] = t.ref[i] + llround(noise_exponential(&r, 900)) * NS;
	}
	quantise(t.ref, t.n, 8 * NS);
	return t;
}

static void check_tick(int64_t tick_ps, const char *name)
{
	struct times t = for_ticks((uint64_t)tick_ps);
	struct rig rig;

	quantise(t.dut, t.n, tick_ps);
	run_times(&rig, &t);
	cr_assert_eq(of_dut(&rig, "time.tick_ns"), (double)tick_ps / NS,
		     "%s: %g", name, of_dut(&rig, "time.tick_ns"));
	cr_assert_eq(of_dut(&rig, "time.resolution_ns"), 1);
	cr_assert_eq(rig_value(&rig, 0, "time.tick_ns"), 8);
	cr_assert_eq(of_dut(&rig, "time.u_ref_ns"), 8);
	cr_assert_eq(finds(&rig, "tick_coarse"), tick_ps > NS);
	rig_release(&rig);
	free_times(&t);
}

Test(metric_stamps, effective_ticks)
{
	check_tick(NS, "1 ns");
	check_tick(100 * NS, "100 ns");
	check_tick(US, "1 us");
	check_tick(MS, "1 ms");
	check_tick(15625 * US, "15.625 ms");
}

Test(metric_stamps, stamps_through_a_double)
{
	struct times t = for_ticks(3);
	struct rig rig;

	for (size_t i = 0; i < t.n; i++) {
		double epoch = 1764500000 + (double)t.dut[i] / 1e12;

		t.dut[i] = llround((epoch - 1764500000) * 1e9) * NS;
	}
	run_times(&rig, &t);
	near(of_dut(&rig, "time.tick_ns"), 238.419, 0.001);
	cr_assert(finds(&rig, "tick_double"));
	rig_release(&rig);
	free_times(&t);
}

Test(metric_stamps, a_perfect_cadence_is_no_tick)
{
	struct times t = make_times(20000, 100 * US);
	struct rig rig;

	shift_and_drift(&t, 3 * US, 0);
	run_times(&rig, &t);
	cr_assert(strstr(null_reason(&rig, "time.tick_ns"), "inconclusive"));
	cr_assert_eq(cd_report_find(rig.report, 0, "time.tick_ns")->kind,
		     CD_VALUE_NULL);
	rig_release(&rig);
	free_times(&t);
}

/* Packets at multiples of 32 ns on a clock that ticks by 8: its tick could be
 * any of 1 to 32 ns. The other clock's own tick is seen across them. */
Test(metric_stamps, packets_on_a_lattice_hide_the_tick)
{
	struct times t = make_times(20000, 0);
	struct noise r = noise_seed(7);
	struct rig rig;

	for (size_t i = 1; i < t.n; i++)
		t.ref[i] = t.ref[i - 1] +
			   (int64_t)(40 + noise_below(&r, 700)) * 32 * NS;
	shift_and_drift(&t, 3 * US, -1.7e-6);
	for (size_t i = 0; i < t.n; i++)
		t.dut[i] += (int64_t)noise_below(&r, 9) * NS;
	quantise(t.dut, t.n, 8 * NS);
	run_times(&rig, &t);
	cr_assert_eq(cd_report_find(rig.report, 0, "time.tick_ns")->kind,
		     CD_VALUE_NULL);
	cr_assert_eq(of_dut(&rig, "time.tick_ns"), 8);
	rig_release(&rig);
	free_times(&t);
}

/* A stall moves 2 % of them. */
Test(metric_stamps, a_cadence_with_a_stall_is_no_tick)
{
	struct times t = make_times(20000, 50 * US);
	struct rig rig;

	for (size_t i = 9000; i < 9400; i++)
		t.dut[i] = t.dut[9400];
	run_times(&rig, &t);
	cr_assert(strstr(null_reason(&rig, "time.tick_ns"), "inconclusive"));
	rig_release(&rig);
	free_times(&t);
}

/* Two clocks that tick alike, and are not one. */
Test(metric_stamps, two_clocks_of_one_tick)
{
	struct times t = for_ticks(9);
	struct rig rig;

	for (size_t i = 0; i < t.n; i++)
		t.dut[i] += 400 * NS;
	quantise(t.ref, t.n, US);
	quantise(t.dut, t.n, US);
	run_times(&rig, &t);
	cr_assert_eq(of_dut(&rig, "time.tick_ns"), 1000);
	cr_assert_eq(rig_value(&rig, 0, "time.tick_ns"), 1000);
	rig_release(&rig);
	free_times(&t);
}

Test(metric_stamps, equal_stamps_carry_no_information)
{
	struct times t = make_times(2000, 10 * US);
	struct rig rig;

	for (size_t i = 0; i < t.n; i++)
		t.dut[i] = 5 * MS;
	run_times(&rig, &t);
	cr_assert(finds(&rig, "time_carries_no_information"));
	null_reason(&rig, "clock.offset_ns");
	null_reason(&rig, "clock.drift_ppm");
	null_reason(&rig, "time.error.span_ns");
	null_reason(&rig, "delta_error.false_share");
	null_reason(&rig, "time.tick_ns");
	cr_assert_eq(of_dut(&rig, "delta.zero_ratio"), 1);
	rig_release(&rig);
	free_times(&t);
}

Test(metric_stamps, us_and_ns_stamps_agree_to_the_us)
{
	static const char *const names[] = {
	    "clock.offset_ns",	      "time.error.span_ns", "time.error.max_ns",
	    "delta_error.max_abs_ns", "delta.p50_ns",	    "delta.max_ns"};
	struct times t = noisy(20000, EXPONENTIAL, 21);
	struct rig fine, coarse;

	run_times(&fine, &t);
	quantise(t.dut, t.n, US);
	rig_init(&coarse);
	coarse.points[1].unit_ps = US;
	rig_add(&coarse, t.ref, t.dut, t.n);
	rig_run(&coarse);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		near(of_dut(&coarse, names[i]), of_dut(&fine, names[i]), 1000);
	near(of_dut(&coarse, "clock.drift_ppm"),
	     of_dut(&fine, "clock.drift_ppm"), 1.0 / 0.246);
	rig_release(&fine);
	rig_release(&coarse);
	free_times(&t);
}

/* ---- wire physics ---------------------------------------------------------
 */

Test(metric_stamps, what_a_wire_can_carry)
{
	/* 64 octets at 1 Gb/s: 672 ns with the full gap, 640 ns with 8 */
	near((double)cd_physics_threshold_ps(1e9, 64, 0), 640e3 * (1 - 2e-4),
	     1);
	near((double)cd_physics_threshold_ps(10e9, 1518, 8 * NS),
	     1531 * 800 * (1 - 2e-4) - 8000, 1);
	near((double)cd_physics_threshold_ps(100e6, 1518, 0),
	     1538 * 80e3 * (1 - 2e-4), 1);
	cr_assert_lt(cd_physics_threshold_ps(1e9, 64, US), 0);
}

Test(metric_stamps, impossible_deltas_on_a_given_link)
{
	struct times t = make_times(20000, 20 * US);
	struct rig rig;

	/* the timer keeps its own time, so the stamps lie on no lattice */
	free_timer(&t, 125 * US);
	for (size_t i = 0; i < t.n; i++)
		t.dut[i] = llround((double)t.dut[i] * (1 + 20e-6) / NS) * NS;
	rig_init(&rig);
	rig.options.link_bps = 1e9;
	rig_add(&rig, t.ref, t.dut, t.n);
	rig_run(&rig);
	near(of_dut(&rig, "delta.impossible_ratio"), 1 - 20.0 / 125, 1e-3);
	cr_assert_eq(rig_value(&rig, 0, "delta.impossible_ratio"), 0);
	rig_release(&rig);
	free_times(&t);
}

Test(metric_stamps, a_link_is_guessed_from_frames_back_to_back)
{
	struct times t = make_times(20000, 50 * US);
	struct rig rig;

	run_times(&rig, &t);
	null_reason(&rig, "delta.impossible_ratio");
	rig_release(&rig);
	for (size_t i = 0; i + 1 < t.n; i += 2)
		t.ref[i + 1] = t.dut[i + 1] = t.ref[i] + 12304 * NS;
	run_times(&rig, &t);
	cr_assert_eq(rig_value(&rig, 0, "physics.link_bps"), 1e9);
	cr_assert_eq(of_dut(&rig, "delta.impossible"), 0);
	rig_release(&rig);
	free_times(&t);
}

/* ---- a capture alone ------------------------------------------------------
 */

static void run_alone(struct rig *rig, const struct times *t)
{
	rig_add(rig, t->dut, t->dut, t->n);
	rig->pair.alone = true;
	rig->pair.dut = 0;
	rig->lanes[0].ref = NULL;
	rig->lanes[0].ref_stream = NULL;
	rig_run(rig);
	rig_run_one(rig, &cd_metric_cluster);
	rig_run_one(rig, &cd_metric_cadence);
	rig_run_one(rig, &cd_metric_sender);
}

Test(metric_stamps, an_even_cadence_is_a_reference)
{
	struct times t = noisy(20000, EXPONENTIAL, 41);
	struct rig rig;

	rig_init(&rig);
	run_alone(&rig, &t);
	near(rig_value(&rig, 0, "cadence.interval_ns"), 12300 * (1 + 43.21e-6),
	     0.05);
	near(rig_value(&rig, 0, "cadence.span_ns"), 138e3, 14e3);
	cr_assert_eq(rig_value(&rig, 0, "delta.pairs"), 19999);
	rig_release(&rig);
	free_times(&t);
}

Test(metric_stamps, other_traffic_is_not)
{
	struct times t = make_times(20000, 10 * US);
	struct noise r = noise_seed(2);
	const struct cd_value *value;
	struct rig rig;
	int64_t at = 0;

	for (size_t i = 0; i < t.n; i++) {
		at += (i / 2000 % 2 == 0 ? 10 : 40) * US;
		t.dut[i] = at + llround(noise_uniform(&r) * 2000) * NS;
	}
	rig_init(&rig);
	run_alone(&rig, &t);
	value = cd_report_find(rig.report, 0, "cadence.span_ns");
	cr_assert_eq(value->kind, CD_VALUE_NULL);
	cr_assert_str_eq(value->reason, "not_cbr");
	rig_release(&rig);
	free_times(&t);
}

Test(metric_stamps, bursts_of_a_capture_alone)
{
	struct times t = make_times(20000, 12.3 * US);
	struct rig rig;

	free_timer(&t, 125 * US);
	rig_init(&rig);
	run_alone(&rig, &t);
	near(rig_value(&rig, 0, "burst.period_ns"), 125e3, 100);
	near(rig_value(&rig, 0, "burst.coalescing"), 1 - 12.3 / 125, 1e-3);
	rig_release(&rig);
	free_times(&t);
}

static const char *const sender_keys[] = {"sender.offset_ns",
					  "sender.drift_ppm", "sender.span_ns",
					  "sender.wander_ns"};

Test(metric_stamps, send_times_in_the_packets_are_a_reference)
{
	struct times t = noisy(80000, EXPONENTIAL, 61);
	struct rig rig;

	rig_init(&rig);
	rig.tx_num = 123; /* us since 1970, cut to whole ones */
	rig.tx_den = 10;
	rig.tx_at = INT64_C(1764500000000000);
	run_alone(&rig, &t);
	near(rig_value(&rig, 0, "sender.drift_ppm"), 43.21, 3);
	near(rig_value(&rig, 0, "sender.offset_ns"), 1e6, 3000);
	near(rig_value(&rig, 0, "sender.span_ns"), 138e3, 30e3);
	cr_assert_lt(rig_value(&rig, 0, "sender.wander_ns"), 20e3);
	rig_release(&rig);
	free_times(&t);
}

Test(metric_stamps, send_times_of_32_bits_begin_again)
{
	struct times t = noisy(80000, EXPONENTIAL, 62);
	const struct cd_value *value;
	struct rig rig;

	rig_init(&rig);
	rig.tx_num = 12300; /* ns of who knows what */
	rig.tx_den = 1;
	rig.tx_at = (INT64_C(1) << 32) - 300000000;
	rig.tx_wraps = true;
	run_alone(&rig, &t);
	near(rig_value(&rig, 0, "sender.drift_ppm"), 43.21, 3);
	value = cd_report_find(rig.report, 0, "sender.offset_ns");
	cr_assert_eq(value->kind, CD_VALUE_NULL);
	rig_release(&rig);
	free_times(&t);
}

Test(metric_stamps, send_times_that_are_none)
{
	struct times t = noisy(20000, EXPONENTIAL, 63);
	struct rig rig;

	rig_init(&rig);
	rig.tx_num = 777;
	rig.tx_den = 1;
	run_alone(&rig, &t);
	for (size_t i = 0; i < 4; i++)
		cr_assert_eq(
		    cd_report_find(rig.report, 0, sender_keys[i])->kind,
		    CD_VALUE_NULL);
	rig_release(&rig);
	free_times(&t);
}
