/* The clock against known truth (METRICS 10). */
#include "metric_times.h"
#include "metric/floors.h"
#include "stat/blocks.h"

/* ---- V1, V2, V30 ----------------------------------------------------------
 */

Test(metric_clock, a_capture_against_itself_is_all_zeros)
{
	struct times t = make_times(5000, 12.3 * US);
	struct rig rig;

	run_times(&rig, &t);
	cr_assert_eq(of_dut(&rig, "clock.offset_ns"), 0);
	cr_assert_eq(of_dut(&rig, "clock.drift_ppm"), 0);
	cr_assert_eq(of_dut(&rig, "clock.drift_ols_ppm"), 0);
	cr_assert_eq(of_dut(&rig, "clock.drift_hull_ppm"), 0);
	cr_assert_eq(of_dut(&rig, "clock.steps"), 0);
	cr_assert_eq(of_dut(&rig, "clock.wander_ns"), 0);
	cr_assert_eq(of_dut(&rig, "time.error.span_ns"), 0);
	cr_assert_eq(of_dut(&rig, "time.error.max_ns"), 0);
	cr_assert_eq(of_dut(&rig, "time.residual.min_ns"), 0);
	cr_assert_eq(of_dut(&rig, "delta_error.max_abs_ns"), 0);
	cr_assert_eq(of_dut(&rig, "delta_error.false_share"), 0);
	cr_assert_eq(of_dut(&rig, "delta_error.pairs"), 4999);
	cr_assert_eq(of_dut(&rig, "delta.skipped_loss"), 0);
	rig_release(&rig);
	free_times(&t);
}

Test(metric_clock, offset_and_drift_alone_leave_one_ns)
{
	struct times t = make_times(100000, 12.3 * US);
	struct rig rig;

	shift_and_drift(&t, 5.5 * MS, 43.21e-6);
	run_times(&rig, &t);
	/* rounding of either end over the run */
	near(of_dut(&rig, "clock.drift_ppm"), 43.21, 2.0 / 1.23);
	near(of_dut(&rig, "clock.drift_ppm"), 43.21, 2e-9 / 1.23 * 1e6);
	near(of_dut(&rig, "clock.offset_ns"), 5.5e6, 2);
	cr_assert_geq(of_dut(&rig, "time.residual.min_ns"), -1);
	cr_assert_leq(of_dut(&rig, "time.residual.max_ns"), 1.5);
	cr_assert_leq(of_dut(&rig, "time.error.span_ns"), 1.5);
	cr_assert_lt(of_dut(&rig, "delta_error.false_share"), 1e-4);
	cr_assert(!finds(&rig, "early_outliers"));
	cr_assert(!finds(&rig, "noisy_reference"));
	rig_release(&rig);
	free_times(&t);
}

static const char *const invariant[] = {
    "clock.drift_ppm",	       "clock.drift_ols_ppm",  "time.error.span_ns",
    "time.error.p50_ns",       "time.residual.max_ns", "delta_error.rms_ns",
    "delta_error.false_share", "delta.p50_ns",	       "burst.coalescing"};

Test(metric_clock, a_shift_of_1e9_s_changes_only_the_offset)
{
	struct times t = make_times(20000, 12.3 * US);
	struct noise noise = noise_seed(7);
	struct rig near_rig, far_rig;

	shift_and_drift(&t, 3 * US, -7e-6);
	for (size_t i = 0; i < t.n; i++)
		t.dut[i] += llround(noise_exponential(&noise, 5000)) * NS;
	run_times(&near_rig, &t);
	rig_init(&far_rig);
	far_rig.points[1].base.s += 1000000000;
	rig_add(&far_rig, t.ref, t.dut, t.n);
	rig_run(&far_rig);
	for (size_t i = 0; i < sizeof(invariant) / sizeof(*invariant); i++)
		cr_assert_eq(of_dut(&near_rig, invariant[i]),
			     of_dut(&far_rig, invariant[i]), "%s",
			     invariant[i]);
	null_reason(&far_rig, "clock.offset_ns");
	near(of_dut(&far_rig, "clock.offset_days"), 1e9 / 86400, 1e-6);
	rig_release(&near_rig);
	rig_release(&far_rig);
	free_times(&t);
}

/* ---- V3, V4, V5: noise ----------------------------------------------------
 */

Test(metric_clock, drift_is_recovered_from_noise)
{
	static const double spans[] = {138.1e3, 124.8e3, 61.8e3};
	const size_t n = 50000;

	for (int model = EXPONENTIAL; model <= GAUSS; model++)
		for (uint64_t seed = 1; seed <= 3; seed++) {
			struct times t = noisy(n, (enum model)model, seed);
			struct rig rig;
			double bound = tolerance((enum model)model, n);

			run_times(&rig, &t);
			near(of_dut(&rig, "clock.drift_ppm"), 43.21, bound);
			near(of_dut(&rig, "time.error.span_ns"), spans[model],
			     0.1 * spans[model]);
			cr_assert_eq(of_dut(&rig, "clock.steps"), 0);
			cr_assert(!finds(&rig, "early_outliers"));
			cr_assert(!finds(&rig, "noisy_reference"));
			cr_assert(!finds(&rig, "load_drift"));
			rig_release(&rig);
			free_times(&t);
		}
}

Test(metric_clock, least_squares_on_request)
{
	const size_t n = 50000;
	struct times t = noisy(n, GAUSS, 5);
	struct rig rig;
	double se = sqrt(12) * 10e-6 / (sqrt((double)n) * (double)n * 12.3e-6);

	rig_init(&rig);
	rig.options.estimator = CD_OLS;
	rig_add(&rig, t.ref, t.dut, t.n);
	rig_run(&rig);
	near(of_dut(&rig, "clock.drift_ppm"), 43.21, 5e6 * se);
	near(of_dut(&rig, "time.residual.mean_ns"), 0, 1);
	cr_assert_eq(of_dut(&rig, "clock.drift_ppm"),
		     of_dut(&rig, "clock.drift_ols_ppm"));
	rig_release(&rig);
	free_times(&t);
}

Test(metric_clock, one_early_stamp_is_named_and_harmless)
{
	const size_t n = 50000;
	struct times t = noisy(n, EXPONENTIAL, 9);
	struct rig rig;

	t.dut[1000] -= 5 * MS;
	run_times(&rig, &t);
	near(of_dut(&rig, "clock.drift_ppm"), 43.21,
	     2 * tolerance(EXPONENTIAL, n));
	/* proves that the estimator matters */
	cr_assert_gt(fabs(of_dut(&rig, "clock.drift_hull_ppm") - 43.21), 1);
	cr_assert(finds(&rig, "early_outliers"));
	cr_assert_eq(of_dut(&rig, "clock.early_outliers"), 1);
	rig_release(&rig);
	free_times(&t);
}

Test(metric_clock, the_noisier_capture_is_a_poor_reference)
{
	struct times t = noisy(20000, EXPONENTIAL, 11), swapped;
	struct rig rig;

	swapped = (struct times){t.dut, t.ref, t.n};
	run_times(&rig, &swapped);
	cr_assert(finds(&rig, "noisy_reference"));
	rig_release(&rig);
	free_times(&t);
}

/* ---- V18: steps -----------------------------------------------------------
 */

static size_t steps_found(const struct times *t, double size_ps, size_t at,
			  double tolerance_ppm)
{
	struct rig rig;
	size_t n;

	run_times(&rig, t);
	n = (size_t)of_dut(&rig, "clock.steps");
	if (n == 1 && size_ps != 0) {
		near(of_dut(&rig, "clock.step_max_ns"), size_ps / NS,
		     fmax(fabs(size_ps) / NS * 0.02, 20e3));
		near(of_dut(&rig, "clock.step_max_seq"), (double)at, 1500);
		near(of_dut(&rig, "clock.drift_ppm"), 43.21, tolerance_ppm);
		cr_assert(finds(&rig, "clock_step"));
	}
	rig_release(&rig);
	return n;
}

Test(metric_clock, steps_are_found_and_sized)
{
	static const double sizes[] = {0, 200, -200, 1000, -25000, 100000};
	const size_t n = 60000;

	for (size_t s = 0; s < sizeof(sizes) / sizeof(*sizes); s++)
		for (uint64_t seed = 1; seed <= 2; seed++) {
			enum model model = seed == 1 ? EXPONENTIAL : GAUSS;
			struct times t = noisy(n, model, seed + s);
			size_t at = 20000 + 7777 * seed;

			for (size_t i = at; i < n; i++)
				t.dut[i] += llround(sizes[s] * US);
			/* two segments: half the time each */
			cr_assert_eq(steps_found(&t, sizes[s] * US, at,
						 2 * tolerance(model, n)),
				     sizes[s] != 0, "%g us", sizes[s]);
			free_times(&t);
		}
}

Test(metric_clock, a_sharp_step_is_put_between_two_packets)
{
	struct times t = noisy(50000, UNIFORM, 4);
	struct rig rig;

	for (size_t i = 31234; i < t.n; i++)
		t.dut[i] -= 3 * MS;
	run_times(&rig, &t);
	cr_assert_eq(of_dut(&rig, "clock.steps"), 1);
	cr_assert_eq(of_dut(&rig, "clock.step_max_seq"), 31234);
	near(of_dut(&rig, "clock.step_max_ns"), -3e6, 20e3);
	near(of_dut(&rig, "clock.step_max_at_ns"), 31234 * 12300.0, 10);
	near(of_dut(&rig, "time.error.span_ns"), 124.8e3, 10e3);
	/* the pair across it is left out */
	cr_assert_eq(of_dut(&rig, "delta_error.pairs"), 49998);
	cr_assert_lt(of_dut(&rig, "delta_error.max_abs_ns"), 126e3);
	cr_assert_eq(of_dut(&rig, "delta.skipped_loss"), 0);
	rig_release(&rig);
	free_times(&t);
}

Test(metric_clock, a_change_of_latency_is_no_step)
{
	struct times t = noisy(50000, EXPONENTIAL, 6);
	struct noise r = noise_seed(99);

	/* busier from the middle on: later, but the best case stays */
	for (size_t i = 25000; i < t.n; i++)
		t.dut[i] += llround(noise_exponential(&r, 200e3)) * NS;
	cr_assert_eq(steps_found(&t, 0, 0, 0), 0);
	free_times(&t);
}

/* ---- V20: few packets -----------------------------------------------------
 */

static void run_few(struct rig *rig, size_t n, bool force)
{
	struct times t = make_times(n, 10 * US);

	for (size_t i = 0; i < n; i++)
		t.dut[i] += (5 + (int64_t)(i * 7 % 4)) * US;
	rig_init(rig);
	rig->options.force_skew = force;
	rig_add(rig, t.ref, t.dut, n);
	rig_run(rig);
	free_times(&t);
}

Test(metric_clock, no_packet_defines_nothing)
{
	struct rig rig;

	run_few(&rig, 0, false);
	null_reason(&rig, "clock.offset_ns");
	null_reason(&rig, "clock.drift_ppm");
	null_reason(&rig, "time.error.span_ns");
	null_reason(&rig, "delta_error.false_share");
	null_reason(&rig, "limit.lim_ns");
	rig_release(&rig);
}

Test(metric_clock, one_packet_defines_an_offset)
{
	struct rig rig;

	run_few(&rig, 1, false);
	cr_assert_eq(of_dut(&rig, "clock.offset_ns"), 5000);
	cr_assert_str_eq(null_reason(&rig, "clock.drift_ppm"), "n<50");
	null_reason(&rig, "delta_error.max_abs_ns");
	rig_release(&rig);
}

Test(metric_clock, two_packets_fit_any_line)
{
	struct rig rig;

	run_few(&rig, 2, false);
	cr_assert_str_eq(null_reason(&rig, "clock.offset_ns"), "n<50");
	null_reason(&rig, "clock.drift_ppm");
	null_reason(&rig, "delta_error.false_share");
	rig_release(&rig);
}

Test(metric_clock, from_three_packets_on_there_are_delta_errors)
{
	static const unsigned sizes[] = {3, 49};
	struct rig rig;

	for (size_t i = 0; i < 2; i++) {
		run_few(&rig, sizes[i], false);
		cr_assert_eq(of_dut(&rig, "clock.offset_ns"), 5000);
		cr_assert_str_eq(null_reason(&rig, "clock.drift_ppm"), "n<50");
		cr_assert_str_eq(null_reason(&rig, "time.error.span_ns"),
				 "n<50");
		cr_assert_eq(of_dut(&rig, "delta_error.pairs"), sizes[i] - 1);
		cr_assert(finds(&rig, "skew_uncorrected"));
		rig_release(&rig);
	}
}

Test(metric_clock, from_fifty_packets_on_there_is_a_drift)
{
	struct rig rig;

	run_few(&rig, 50, false);
	near(of_dut(&rig, "clock.drift_ppm"), 0, 5000);
	cr_assert_eq(of_dut(&rig, "time.error.p50_ns") >= 0, 1);
	cr_assert_str_eq(null_reason(&rig, "time.error.span_ns"), "n<1000");
	cr_assert_str_eq(null_reason(&rig, "time.error.p99_ns"), "n<100");
	rig_release(&rig);
	run_few(&rig, 20, true);
	cr_assert_not(isnan(of_dut(&rig, "clock.drift_ppm")));
	rig_release(&rig);
}

/* ---- V22: a month ---------------------------------------------------------
 */

Test(metric_clock, a_month_of_exact_drift)
{
	const size_t n = 20000;
	const int64_t step = 30 * 86400 * SEC / 20000; /* a multiple of 10^8 */
	struct times t = make_times(n, 0);
	struct rig rig;

	for (size_t i = 0; i < n; i++) {
		t.ref[i] = (int64_t)i * step;
		/* 43.21 ppm is 4321/10^8 */
		t.dut[i] = t.ref[i] + t.ref[i] / 100000000 * 4321;
	}
	run_times(&rig, &t);
	/* 0.01 ns over the run */
	near(of_dut(&rig, "clock.drift_ppm"), 43.21,
	     0.01e-9 / (30 * 86400) * 1e6);
	near(of_dut(&rig, "clock.drift_ols_ppm"), 43.21,
	     0.01e-9 / (30 * 86400) * 1e6);
	cr_assert_leq(of_dut(&rig, "time.error.span_ns"), 0.001);
	rig_release(&rig);
	free_times(&t);
}

/* ---- V29: the other way round ---------------------------------------------
 */

Test(metric_clock, swapped_captures_mirror)
{
	struct times t = make_times(20000, 12.3 * US), swapped;
	struct rig rig, mirror;
	double y = 1e-4;

	for (size_t i = 0; i < t.n; i++) { /* exact: no rounding */
		t.ref[i] = (int64_t)i * 12300 * NS;
		t.dut[i] = (int64_t)i * 12301230 + 77 * US;
	}
	swapped = (struct times){t.dut, t.ref, t.n};
	run_times(&rig, &t);
	run_times(&mirror, &swapped);
	near(of_dut(&rig, "clock.drift_ppm"), 1e6 * y, 1e-9);
	near(of_dut(&mirror, "clock.drift_ppm"), -1e6 * y / (1 + y), 1e-9);
	cr_assert_eq(of_dut(&rig, "delta_error.false_share"),
		     of_dut(&mirror, "delta_error.false_share"));
	rig_release(&rig);
	rig_release(&mirror);
	free_times(&t);
}

/* ---- streams, findings ---- */

Test(metric_clock, streams_share_one_drift_and_have_their_own_offsets)
{
	struct times a = noisy(30000, EXPONENTIAL, 31);
	struct times b = noisy(10000, EXPONENTIAL, 32);
	const struct cd_value *value;
	struct rig rig;

	for (size_t i = 0; i < b.n; i++)
		b.dut[i] += 70 * US;
	rig_init(&rig);
	rig_add(&rig, a.ref, a.dut, a.n);
	rig_add(&rig, b.ref, b.dut, b.n);
	rig_run(&rig);
	near(of_dut(&rig, "clock.drift_ppm"), 43.21,
	     2 * tolerance(EXPONENTIAL, 30000));
	near(rig.lanes[1].theta_ps[0] - rig.lanes[0].theta_ps[0], 70.0 * US,
	     1.5 * US);
	cr_assert_eq(of_dut(&rig, "delta_error.pairs"), 39998);
	near(of_dut(&rig, "time.error.span_ns"), 138e3, 14e3);
	value =
	    cd_report_find_key(rig.report, "dut.stream.1.time.error.span_ns");
	cr_assert_not_null(value);
	near((double)value->integer / NS, 138e3, 30e3);
	cr_assert_eq(value->n, 10000);
	value = cd_report_find_key(rig.report, "dut.stream.1.limit.lim_ns");
	cr_assert_eq(value->integer, 1230 * NS);
	value =
	    cd_report_find_key(rig.report, "dut.stream.0.delta_error.pairs");
	cr_assert_eq(value->integer, 29999);
	rig_release(&rig);
	free_times(&a);
	free_times(&b);
}

/* Many streams too short for blocks of their own. */
Test(metric_clock, many_short_streams)
{
	struct noise r = noise_seed(5);
	struct rig rig;

	rig_init(&rig);
	for (size_t s = 0; s < RIG_LANES; s++) {
		struct times t = make_times(60, 10 * MS);

		shift_and_drift(&t, (double)s * MS, 100e-6);
		for (size_t i = 0; i < t.n; i++)
			t.dut[i] += llround(noise_exponential(&r, 300)) * NS;
		rig_add(&rig, t.ref, t.dut, t.n);
		free_times(&t);
	}
	rig_run(&rig);
	near(of_dut(&rig, "clock.drift_ppm"), 100, 3);
	for (size_t s = 0; s < RIG_LANES; s++)
		near(rig.lanes[s].theta_ps[0] + (double)rig.pair.clock.d0_ps,
		     (double)s * MS, 2.0 * US);
	rig_release(&rig);
}

static void check_hint(double offset_ps, const char *code)
{
	static const char *const codes[] = {"offset_tai", "offset_zone"};
	struct times t = make_times(200, 1 * MS);
	struct rig rig;

	shift_and_drift(&t, 1 * MS, 0);
	rig_init(&rig);
	rig.points[1].base.s += llround(offset_ps / SEC);
	rig_add(&rig, t.ref, t.dut, t.n);
	rig_run(&rig);
	for (size_t i = 0; i < sizeof(codes) / sizeof(*codes); i++)
		cr_assert_eq(finds(&rig, codes[i]),
			     code != NULL && strcmp(code, codes[i]) == 0,
			     "%s at %g s", codes[i], offset_ps / SEC);
	near(of_dut(&rig, "clock.offset_ns"), offset_ps / NS + 1e6, 1);
	rig_release(&rig);
	free_times(&t);
}

Test(metric_clock, offsets_that_mean_something)
{
	check_hint(0, NULL);
	check_hint(37.0 * SEC, "offset_tai");
	check_hint(-37.0 * SEC, "offset_tai");
	check_hint(3600.0 * SEC, "offset_zone");
	check_hint(-8.25 * 3600 * SEC, "offset_zone");
	check_hint(123.0 * SEC, NULL);
}

Test(metric_clock, a_clock_that_counts_from_boot)
{
	struct times t = make_times(200, 1 * MS);
	struct rig rig;

	rig_init(&rig);
	rig.points[1].base.s = 86400;
	rig_add(&rig, t.ref, t.dut, t.n);
	rig_run(&rig);
	cr_assert(finds(&rig, "offset_since_boot"));
	rig_release(&rig);
	free_times(&t);
}

static void check_rate(double y, const char *code)
{
	static const char *const codes[] = {"time_unit", "time_rate",
					    "drift_implausible"};
	struct times t = make_times(2000, 1 * MS);
	struct rig rig;

	shift_and_drift(&t, 1 * MS, y);
	run_times(&rig, &t);
	for (size_t i = 0; i < sizeof(codes) / sizeof(*codes); i++)
		cr_assert_eq(finds(&rig, codes[i]),
			     code != NULL && strcmp(code, codes[i]) == 0,
			     "%s at %g", codes[i], y);
	rig_release(&rig);
	free_times(&t);
}

Test(metric_clock, drifts_that_no_clock_has)
{
	check_rate(400e-6, NULL);
	check_rate(-600e-6, "drift_implausible");
	check_rate(999, "time_unit");
	check_rate(-0.999, "time_unit");
	check_rate(0.09, "drift_implausible");
	check_rate(0.5, "time_rate");
	check_rate(-0.5, "time_rate");
	check_rate(-2, "time_rate");
}

/* ---- streamed floors ------------------------------------------------------
 */

/* Against the block in memory, for sizes around every corner. */
static void check_floors(size_t n, size_t blocks, double y, uint64_t seed)
{
	struct cd_floor_group group = {.rows = n};
	struct cd_block_scratch scratch = {0};
	struct cd_block_floor expected;
	struct cd_floors floors;
	struct noise r = noise_seed(seed);
	int64_t *x = malloc(n * sizeof(*x)), *d = malloc(n * sizeof(*d));
	int64_t *seq = malloc(n * sizeof(*seq));

	for (size_t i = 0; i < n; i++) {
		x[i] = (int64_t)i * 1000;
		/* few values: many ties */
		d[i] = (int64_t)noise_below(&r, 60) - (int64_t)(i / 10);
		seq[i] = (int64_t)i;
	}
	cr_assert_eq(cd_floors_init(&floors, &group, 1, blocks), 0);
	cd_floors_begin(&floors, y);
	for (size_t i = 0, k; i < n; i += k) {
		struct cd_walk_block block = {
		    .row = i, .seq = seq + i, .x_ps = x + i, .d_ps = d + i};

		k = 1 + noise_below(&r, CD_BLOCK_ROWS);
		k = k < n - i ? k : n - i;
		block.n = k;
		cr_assert_eq(cd_floors_add(&floors, &block), 0);
	}
	for (size_t b = 0; b < floors.n; b++) {
		const struct cd_floor_block *block = &floors.blocks[b];
		size_t at = (size_t)block->first_row;

		cr_assert_eq(cd_block_pick(&scratch, x + at, d + at,
					   (size_t)block->rows, y, &expected),
			     0);
		cr_assert_eq(block->floor, expected.floor);
		cr_assert_eq(block->point.x, x[at + expected.row]);
		cr_assert_eq(block->point.d, d[at + expected.row]);
		cr_assert_eq(block->first_seq, (int64_t)at);
		/* a sample of large ones: 1 % of what the values span */
		near(block->median, expected.median,
		     block->rows < 2048
			 ? 1e-9
			 : 1 + (double)block->rows * (1e-3 + 10 * fabs(y)));
	}
	cd_floors_release(&floors);
	cd_block_scratch_release(&scratch);
	free(x);
	free(d);
	free(seq);
}

Test(metric_clock, streamed_floors_are_those_of_whole_blocks)
{
	static const double slopes[] = {0, 1e-3, -1e-3, 1e-4};

	for (size_t i = 0; i < 4; i++) {
		check_floors(50, 20, slopes[i], i + 1);
		check_floors(4000, 20, slopes[i], i + 2);
		check_floors(60000, 7, slopes[i], i + 3);
		check_floors(60000, 200, slopes[i], i + 4);
		check_floors(50000, 1, slopes[i], i + 5);
	}
}
