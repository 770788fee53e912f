/* Time stamp errors and deltas against known truth (METRICS 10). */
#include <stdio.h>

#include "metric_times.h"

#include "stat/percentile.h"

/* ---- V6, V7, V9: coalescing -----------------------------------------------
 */

Test(metric_error, free_running_timer)
{
	const double P = 125e3, D = 12.3e3, f = D / P; /* ns */
	const size_t n = 100000;
	struct times t = make_times(n, D * NS);
	struct rig rig;

	free_timer(&t, 125 * US);
	run_times(&rig, &t);
	near(of_dut(&rig, "time.residual.rms_ns"), P / sqrt(12), 40);
	near(of_dut(&rig, "time.error.span_ns"), 0.998 * P, 60);
	near(of_dut(&rig, "delta_error.rms_ns"), P * sqrt(f * (1 - f)),
	     1e-3 * P * sqrt(f * (1 - f)));
	near(of_dut(&rig, "delta_error.mean_abs_ns"), 2 * P * f * (1 - f),
	     2e-3 * P * f * (1 - f));
	near(of_dut(&rig, "delta_error.false_share"), 1 - D / P, 1e-3);
	near(of_dut(&rig, "delta.zero_ratio"), 1 - D / P, 1e-3);
	near(of_dut(&rig, "burst.period_ns"), P, 1e-3 * P);
	near(of_dut(&rig, "burst.coalescing"), 1 - D / P, 1e-3);
	cr_assert_eq(of_dut(&rig, "clock.steps"), 0);
	rig_release(&rig);
	free_times(&t);
}

/* A one-shot timer started by the first packet of a batch. */
static void one_shot(struct times *t, int64_t period_ps)
{
	int64_t fires = INT64_MIN;

	for (size_t i = 0; i < t->n; i++) {
		if (t->ref[i] > fires)
			fires = t->ref[i] + period_ps;
		t->dut[i] = fires;
	}
}

Test(metric_error, one_shot_timer)
{
	const double D = 30e3, N = 5; /* floor(125/30) + 1 */
	struct times t = make_times(100000, D * NS);
	struct rig rig;

	one_shot(&t, 125 * US);
	run_times(&rig, &t);
	near(of_dut(&rig, "time.error.span_ns"), (N - 1) * D, 1);
	near(of_dut(&rig, "time.residual.rms_ns"), D * sqrt((N * N - 1) / 12),
	     1);
	near(of_dut(&rig, "delta_error.rms_ns"), D * sqrt(N - 1), 1);
	near(of_dut(&rig, "delta_error.mean_abs_ns"), 2 * D * (N - 1) / N, 1);
	near(of_dut(&rig, "delta_error.false_share"), (N - 1) / N, 1e-4);
	near(of_dut(&rig, "burst.period_ns"), N * D, 100);
	rig_release(&rig);
	free_times(&t);
}

Test(metric_error, one_shot_timer_shorter_than_the_spacing_does_no_harm)
{
	struct times t = make_times(20000, 150 * US);
	struct rig rig;

	one_shot(&t, 125 * US);
	run_times(&rig, &t);
	cr_assert_eq(of_dut(&rig, "delta_error.max_abs_ns"), 0);
	cr_assert_eq(of_dut(&rig, "time.error.span_ns"), 0);
	cr_assert_eq(of_dut(&rig, "clock.offset_ns"), 125000);
	rig_release(&rig);
	free_times(&t);
}

/* METRICS 3.2: percentiles of delta errors look fine, the times are 20 ms off.
 */
static void check_trap(int64_t ref_tick_ps)
{
	struct times t = make_times(200000, 12.3 * US);
	struct rig rig;

	free_timer(&t, 20 * MS);
	quantise(t.ref, t.n, ref_tick_ps);
	rig_init(&rig);
	rig.points[0].unit_ps = ref_tick_ps;
	rig_add(&rig, t.ref, t.dut, t.n);
	rig_run(&rig);
	near(of_dut(&rig, "delta_error.p99_9_ns"), 12.3e3, 1000);
	near(of_dut(&rig, "time.error.span_ns"), 19.96e6, 0.01 * 19.96e6);
	cr_assert_gt(of_dut(&rig, "delta_error.false_share"), 0.999);
	near(of_dut(&rig, "clock.drift_ppm"), 0, 6);
	near(of_dut(&rig, "delta.worst_shown_ns"), 20e6, 1000);
	near(of_dut(&rig, "delta.worst_true_ns"), 12.3e3, 1000);
	cr_assert_eq(of_dut(&rig, "clock.steps"), 0);
	cr_assert_eq(of_dut(&rig, "limit.lim_ns"),
		     floor(12.3e3 / (double)ref_tick_ps * NS) / 10 *
			 (double)ref_tick_ps / NS);
	rig_release(&rig);
	free_times(&t);
}

Test(metric_error, the_trap_of_bunching)
{
	check_trap(NS);
}

Test(metric_error, the_trap_with_a_reference_in_us)
{
	check_trap(US);
}

/* Batches every 20 ms whose packets take up to some us each to be stamped:
 * to the clusters they look like many, so they do not show the period. */
Test(metric_error, ragged_batches_do_not_bend_the_line)
{
	struct times t = make_times(40000, 12.3 * US);
	struct noise r = noise_seed(3);
	struct rig rig;

	free_timer(&t, 20 * MS);
	for (size_t i = 0; i < t.n; i++)
		t.dut[i] += llround(noise_exponential(&r, 1000)) * NS;
	run_times(&rig, &t);
	/* 24 periods, 8 blocks */
	near(of_dut(&rig, "clock.drift_ppm"), 0, 50);
	near(of_dut(&rig, "time.error.span_ns"), 20e6, 0.02 * 20e6);
	cr_assert_eq(of_dut(&rig, "clock.steps"), 0);
	rig_release(&rig);
	free_times(&t);
}

/* ---- against a plain sort ---- */

struct list {
	int64_t *v;
	size_t n;
};

static int compare(const void *a, const void *b)
{
	int64_t x, y;

	memcpy(&x, a, sizeof(x));
	memcpy(&y, b, sizeof(y));
	return x < y ? -1 : x > y;
}

static void check_list(const struct rig *rig, uint32_t point, struct list *list,
		       const char *prefix)
{
	static const char *const names[] = {"p1", "p50", "p99", "p99_9"};
	static const uint32_t p[] = {1000, 50000, 99000, 99900};
	char name[64];

	qsort(list->v, list->n, sizeof(*list->v), compare);
	for (size_t i = 0; i < 4; i++) {
		if (strcmp(prefix, "delta_error.") == 0 && i == 0)
			continue;
		snprintf(name, sizeof(name), "%s%s_ns", prefix, names[i]);
		cr_assert_eq(
		    rig_value(rig, point, name),
		    (double)list->v[cd_percentile_rank(list->n, p[i])] / NS,
		    "%s", name);
	}
}

/* What the definitions say, row by row, from the line that was fitted. */
static void check_definitions(const struct rig *rig, const struct times *t)
{
	const struct cd_clock *clock = &rig->pair.clock;
	double theta = rig->lanes[0].theta_ps[0], invented = 0, shown = 0;
	struct list r = {malloc(t->n * sizeof(int64_t)), 0};
	struct list e = {malloc(t->n * sizeof(int64_t)), 0};
	struct list raw = {malloc(t->n * sizeof(int64_t)), 0};
	struct list dut = {malloc(t->n * sizeof(int64_t)), 0};
	int64_t seen = LOST, before = LOST;

	for (size_t i = 0; i < t->n; i++, before = t->dut[i - 1]) {
		int64_t x = t->ref[i] - clock->x0_ps, d, now;

		if (t->dut[i] == LOST)
			continue;
		if (seen != LOST)
			raw.v[raw.n++] = t->dut[i] - seen;
		seen = t->dut[i];
		d = t->dut[i] - t->ref[i] - clock->d0_ps;
		now = llround((double)d - clock->y * (double)x - theta);
		r.v[r.n++] = now;
		if (i == 0 || before == LOST)
			continue;
		dut.v[dut.n++] = t->dut[i] - before;
		e.v[e.n++] = llabs(now - r.v[r.n - 2]);
		invented += (double)e.v[e.n - 1];
		shown += fabs((double)(t->dut[i] - before)) +
			 (1 + clock->y) * (double)(t->ref[i] - t->ref[i - 1]);
	}
	check_list(rig, 1, &r, "time.residual.");
	check_list(rig, 1, &e, "delta_error.");
	check_list(rig, 1, &dut, "delta.");
	check_list(rig, 1, &raw, "delta.raw_");
	near(rig_value(rig, 1, "delta_error.false_share"), invented / shown,
	     1e-9);
	free(r.v);
	free(e.v);
	free(raw.v);
	free(dut.v);
}

/* Small ones in several passes, large ones in one that a sample aims. */
Test(metric_error, percentiles_are_those_of_a_sort)
{
	static const size_t sizes[] = {3000, 260000};

	for (size_t k = 0; k < 2; k++) {
		struct times t = noisy(sizes[k], EXPONENTIAL, 51 + k);
		struct noise noise = noise_seed(k + 1);
		struct rig rig;

		for (size_t i = 0; i < t.n; i++)
			if (noise_below(&noise, 50) == 0)
				t.dut[i] = LOST;
		run_times(&rig, &t);
		check_definitions(&rig, &t);
		rig_release(&rig);
		free_times(&t);
	}
}

/* ---- V19: wander ----------------------------------------------------------
 */

Test(metric_error, slow_wander_is_no_time_stamp_error)
{
	const size_t n = 100000;
	struct times t = make_times(n, 12.3 * US);
	struct noise r = noise_seed(17);
	struct rig rig;

	for (size_t i = 0; i < n; i++) {
		double phase = 6.283185307 * 2 * (double)i / (double)n;

		t.dut[i] +=
		    llround(25e3 * sin(phase) + noise_exponential(&r, 3e3)) *
		    NS;
	}
	run_times(&rig, &t);
	near(of_dut(&rig, "time.error.span_ns"), 20.7e3, 0.08 * 20.7e3);
	near(of_dut(&rig, "clock.wander_ns"), 55e3, 0.25 * 55e3);
	cr_assert_gt(of_dut(&rig, "time.residual.p99_9_ns") -
			 of_dut(&rig, "time.residual.p0_1_ns"),
		     50e3);
	cr_assert_eq(of_dut(&rig, "clock.steps"), 0);
	rig_release(&rig);
	free_times(&t);
}

/* ---- losses, late packets ---- */

Test(metric_error, missing_packets_leave_their_pairs_out)
{
	struct times t = make_times(10000, 10 * US);
	struct rig rig;

	for (size_t i = 0; i < 5000; i++)
		t.dut[i] += 1000 * NS;
	for (size_t i = 5000; i < t.n; i++)
		t.dut[i] += 1300 * NS;
	t.dut[100] = LOST;		  /* 2 pairs */
	t.dut[4999] = t.dut[5000] = LOST; /* 3 pairs, error 300 ns */
	t.ref[200] = LOST;		  /* the reference lacks 2 */
	run_times(&rig, &t);
	cr_assert_eq(of_dut(&rig, "delta_error.pairs"), 9999 - 2 - 3 - 2);
	cr_assert_eq(of_dut(&rig, "delta.skipped_loss"), 5);
	cr_assert_eq(of_dut(&rig, "delta.pairs"), 9999 - 2 - 3);
	cr_assert_eq(rig_value(&rig, 0, "delta.pairs"), 9999 - 2);
	cr_assert_eq(of_dut(&rig, "delta_error.bridged"), 3);
	near(of_dut(&rig, "delta_error.bridged_max_ns"), 300, 1);
	cr_assert_leq(of_dut(&rig, "delta_error.max_abs_ns"), 1);
	rig_release(&rig);
	free_times(&t);
}

Test(metric_error, late_packets_come_in_events)
{
	struct times t = make_times(20000, 100 * US);
	struct rig rig;

	shift_and_drift(&t, 1 * MS, 1e-6);
	for (size_t i = 5000; i < 5010; i++)
		t.dut[i] += (int64_t)(500 + i - 5000) * US;
	t.dut[9000] += 40 * US;
	t.dut[9002] += 40 * US;
	run_times(&rig, &t);
	cr_assert_eq(of_dut(&rig, "limit.lim_ns"), 10000);
	cr_assert_eq(of_dut(&rig, "time.late_packets"), 12);
	cr_assert_eq(of_dut(&rig, "time.late_events"), 3);
	cr_assert_eq(of_dut(&rig, "time.late_longest"), 10);
	cr_assert_eq(of_dut(&rig, "time.late_max_seq"), 5009);
	cr_assert_eq(of_dut(&rig, "time.error.max_seq"), 5009);
	cr_assert_eq(of_dut(&rig, "time.error.max_frame"), 5010);
	near(of_dut(&rig, "time.late_max_ns"), 509e3, 2);
	near(of_dut(&rig, "time.late_in_runs_ratio"), 10.0 / 12, 1e-9);
	cr_assert_eq(of_dut(&rig, "delta.worst_seq"), 5010);
	cr_assert_eq(of_dut(&rig, "delta.worst_frame"), 5011);
	near(of_dut(&rig, "delta.worst_shown_ns"), -409e3, 2);
	rig_release(&rig);
	free_times(&t);
}

Test(metric_error, negative_deltas_do_not_push_the_share_past_one)
{
	struct times t = make_times(2000, 10 * US);
	struct rig rig;

	for (size_t i = 1; i < t.n; i += 2)
		t.dut[i] -= 35 * US;
	run_times(&rig, &t);
	cr_assert_leq(of_dut(&rig, "delta_error.false_share"), 1);
	cr_assert_gt(of_dut(&rig, "delta_error.false_share"), 0.5);
	cr_assert(finds(&rig, "negative_deltas"));
	cr_assert_eq(of_dut(&rig, "delta.negative"), 1000);
	rig_release(&rig);
	free_times(&t);
}

/* ---- V28: frames of several lengths ---- */

/* IMIX: seven of 60, four of 576, one of 1514 octets. */
static uint32_t imix(size_t i)
{
	size_t at = i * 7919 % 12;

	return at < 7 ? 60 : at < 11 ? 576 : 1514;
}

static void run_imix(struct rig *rig, double per_byte_ps)
{
	struct times t = make_times(60000, 50 * US);
	struct noise r = noise_seed(71);

	for (size_t i = 0; i < t.n; i++)
		t.dut[i] += llround(noise_exponential(&r, 300)) * NS +
			    llround(imix(i) * per_byte_ps / NS) * NS;
	rig_init(rig);
	rig->length_of = imix;
	rig->options.link_bps = 1e9;
	rig_add(rig, t.ref, t.dut, t.n);
	rig_run(rig);
	free_times(&t);
}

Test(metric_error, stamps_at_the_end_of_frames_are_not_scatter)
{
	struct rig rig;

	run_imix(&rig, 8000); /* 1 Gb/s */
	near(of_dut(&rig, "clock.per_byte_ns"), 8, 0.05 * 8);
	cr_assert_eq(of_dut(&rig, "clock.per_byte_wire_ns"), 8);
	near(of_dut(&rig, "time.error.span_ns"), 6.9 * 300, 0.1 * 6.9 * 300);
	cr_assert_lt(of_dut(&rig, "delta_error.false_share"), 0.01);
	near(of_dut(&rig, "clock.drift_ppm"), 0, 0.01);
	cr_assert(finds(&rig, "delay_by_length"));
	rig_release(&rig);
}

Test(metric_error, lengths_that_do_not_matter)
{
	struct rig rig;

	run_imix(&rig, 0);
	near(of_dut(&rig, "clock.per_byte_ns"), 0, 0.02);
	near(of_dut(&rig, "time.error.span_ns"), 6.9 * 300, 0.1 * 6.9 * 300);
	cr_assert(!finds(&rig, "delay_by_length"));
	rig_release(&rig);
}
