/*
 * The rows of METRICS 10 that a scenario of tests/scenarios shows, through
 * capsim, files and capdiff, with the tolerances derived there;
 * tests/scenarios/README.md says which test covers which row.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "counts.h"
#include "trial.h"

static const double pi = 3.14159265358979323846;

static void finds(const struct trial *t, const char *code)
{
	ok(trial_finds(t, code), "%s: finding %s", t->what, code);
}

/* ---- V1, V2: nothing, and nothing but a line ------------------------------
 */

static void identical(void)
{
	static const char *const zeros[] = {
	    "time.error.span_ns",	"delta_error.false_share",
	    "delta_error.max_abs_ns",	"clock.drift_ppm",
	    "clock.offset_ns",		"clock.steps",
	    "clock.wander_ns",		"loss.missing",
	    "loss.ref_miss",		"loss.both_miss",
	    "duplicate.copies",		"order.reordered_file",
	    "time.residual.min_ns",	"time.residual.max_ns",
	    "delta_error.mean_abs_ns",	"time.steps_back"};
	struct trial t;

	if (trial_go(&t, "v01-identical.sim", NULL, NULL)) {
		for (size_t i = 0; i < sizeof(zeros) / sizeof(*zeros); i++)
			same(&t, zeros[i], 0);
		check_counts(&t);
	}
	trial_release(&t);
}

static void drift_alone(void)
{
	struct trial t;

	if (trial_go(&t, "v02-drift.sim", NULL, NULL)) {
		near(&t, "clock.drift_ppm", 43.21, 2e-9 / 10 * 1e6);
		near(&t, "clock.offset_ns", 1234567.891, 1);
		near(&t, "time.residual.min_ns", 0, 1);
		near(&t, "time.residual.max_ns", 0, 1);
		near(&t, "time.error.span_ns", 0, 2);
	}
	trial_release(&t);
}

/* ---- V3, V4, V5: noise ----------------------------------------------------
 */

/* 100,000 packets every 100 us; in ns. Of the closed forms 3.7: the span of
 * 99.8 %, mean and RMS of delta errors, their share. */
struct noise {
	const char *scenario;
	double drift, scale; /* 7.5 SE of 4.3 is 7.5 scale / (T sqrt(n)) */
	double span, mean, rms;
};

static void noisy(const struct noise *noise)
{
	const double T = 10e9, n = 1e5, spacing = 100e3;
	struct trial t;

	if (trial_go(&t, noise->scenario, NULL, NULL)) {
		near(&t, "clock.drift_ppm", noise->drift,
		     7.5e6 * noise->scale / (T * sqrt(n)));
		near(&t, "time.error.span_ns", noise->span, 0.05 * noise->span);
		near(&t, "delta_error.mean_abs_ns", noise->mean,
		     0.02 * noise->mean);
		near(&t, "delta_error.rms_ns", noise->rms, 0.03 * noise->rms);
		near(&t, "delta_error.false_share", noise->mean / 2 / spacing,
		     0.02 * noise->mean / 2 / spacing);
		same(&t, "clock.steps", 0);
	}
	trial_release(&t);
}

static void all_noise(void)
{
	const double mu = 20e3, U = 125e3, sigma = 10e3;

	noisy(&(struct noise){"v03-exponential.sim", 20, 0.35 * mu,
			      6.907 * mu, mu, sqrt(2) * mu});
	noisy(&(struct noise){"v03-uniform.sim", -20, 0.345 * U, 0.998 * U,
			      U / 3, U / sqrt(6)});
	noisy(&(struct noise){"v04-gauss.sim", 20, 12.9 * sigma, 6.18 * sigma,
			      2 * sigma / sqrt(pi), sqrt(2) * sigma});
}

static void least_squares(void)
{
	struct trial t;

	if (trial_go(&t, "v04-gauss.sim", NULL, "--estimator; ols"))
		near(&t, "clock.drift_ppm", 20,
		     5e6 * sqrt(12) * 10e3 / (sqrt(1e5) * 10e9));
	trial_release(&t);
}

/* The hull is off by more than this, which shows that the test is sharp. */
static void early_stamps(const char *scenario, double hull)
{
	struct trial t;

	if (trial_go(&t, scenario, NULL, NULL)) {
		near(&t, "clock.drift_ppm", 20,
		     15e6 * 0.35 * 20e3 / (10e9 * sqrt(1e5)));
		finds(&t, "early_outliers");
		ok(fabs(trial_value(&t, "clock.drift_hull_ppm") - 20) > hull,
		   "%s: the hull is ruined (%g ppm)", t.what,
		   trial_value(&t, "clock.drift_hull_ppm"));
		same(&t, "clock.steps", 0);
	}
	trial_release(&t);
}

/* ---- V6 to V9: batches ----------------------------------------------------
 */

static void timer(void)
{
	const double P = 125e3, D = 12345.6, f = D / P;
	struct trial t;

	if (trial_go(&t, "v06-timer.sim", NULL, NULL)) {
		/* a rotation: 2 P/n + 1 ns a stamp */
		near(&t, "time.residual.rms_ns", P / sqrt(12), 1e-3 * P);
		/* 500 stamps a block, whose floors come P/500 apart */
		near(&t, "time.error.span_ns", 0.998 * P, 6 * P / 500);
		near(&t, "delta_error.rms_ns", P * sqrt(f * (1 - f)),
		     1e-3 * P * sqrt(f * (1 - f)));
		near(&t, "delta_error.mean_abs_ns", 2 * P * f * (1 - f),
		     2e-3 * P * f * (1 - f));
		near(&t, "delta_error.false_share", 1 - D / P, 1e-3);
		near(&t, "delta.zero_ratio", 1 - D / P, 1e-3);
		near(&t, "burst.period_ns", P, 1e-3 * P);
		near(&t, "burst.coalescing", 1 - D / P, 1e-3);
		/* one and the same to who sees only stamps (3.6, step 4) */
		ok(trial_reason(&t, "BUNCHING") ||
		       trial_reason(&t, "RESOLUTION"),
		   "%s: reason BUNCHING or RESOLUTION", t.what);
	}
	trial_release(&t);
}

static void one_shot(void)
{
	const double D = 12345.6, N = 11; /* floor(125 / 12.3456) + 1 */
	struct trial t;

	if (trial_go(&t, "v07-oneshot.sim", NULL, NULL)) {
		near(&t, "time.error.span_ns", (N - 1) * D, 2);
		near(&t, "time.residual.rms_ns", D * sqrt((N * N - 1) / 12), 1);
		near(&t, "delta_error.rms_ns", D * sqrt(N - 1), 2);
		near(&t, "delta_error.mean_abs_ns", 2 * D * (N - 1) / N, 1);
		near(&t, "delta_error.false_share", (N - 1) / N, 1e-4);
		near(&t, "delta.zero_ratio", (N - 1) / N, 1e-4);
		near(&t, "burst.period_ns", N * D, 1e-3 * N * D);
		same(&t, "burst.size_p50", N);
	}
	trial_release(&t);
	if (trial_go(&t, "v07-oneshot.sim", "spacing=150us", NULL)) {
		near(&t, "delta_error.max_abs_ns", 0, 1);
		near(&t, "time.error.span_ns", 0, 1);
		same(&t, "loss.missing", 0);
	}
	trial_release(&t);
}

static void cost(void)
{
	struct trial t;

	if (trial_go(&t, "v08-cost.sim", NULL, NULL)) {
		near(&t, "delta_error.false_share",
		     (1 - 12.3456 / 1000) * (1 - 0.6 / 12.3456), 1e-3);
		near(&t, "burst.period_ns", 1e6, 1e3);
		same(&t, "delta.zero", 0);
	}
	trial_release(&t);
}

static void trap(void)
{
	struct trial t;

	if (trial_go(&t, "v09-trap.sim", NULL, NULL)) {
		near(&t, "delta_error.p99_9_ns", 12300, 123);
		near(&t, "time.error.span_ns", 19.96e6, 0.01 * 19.96e6);
		ok(trial_verdict(&t, "accurate") == 0, "%s: not accurate",
		   t.what);
		same(&t, "clock.steps", 0);
	}
	trial_release(&t);
}

/* ---- V10, V11: ticks ------------------------------------------------------
 */

static void ticks(void)
{
	static const struct {
		const char *set;
		double ns;
	} cases[] = {
	    {"dut.tick=1us", 1000},
	    {"dut.tick=100ns", 100},
	    {"dut.tick=15.625ms", 15625000},
	    {"dut.tick=8ns", 8},
	    {"dut.tick=none", 1},
	};
	struct trial t;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		if (trial_go(&t, "v10-tick.sim", cases[i].set, NULL))
			same(&t, "time.tick_ns", cases[i].ns);
		/* the triangular law: packets come at any phase */
		if (cases[i].ns == 1000)
			near(&t, "delta_error.rms_ns", 1000 / sqrt(6), 10);
		trial_release(&t);
	}
	/* stamps are whole ns, the ticks are not */
	if (trial_go(&t, "v10-tick.sim", "dut.tick=1024Hz", NULL))
		near(&t, "time.tick_ns", 1e9 / 1024, 0.001);
	trial_release(&t);
	if (trial_go(&t, "v10-tick.sim", "dut.tick=3579545Hz", NULL))
		near(&t, "time.tick_ns", 1e9 / 3579545, 0.001);
	trial_release(&t);
	if (trial_go(&t, "v10-double.sim", NULL, NULL)) {
		near(&t, "time.tick_ns", 0x1p-22 * 1e9, 0.001);
		finds(&t, "tick_double");
	}
	trial_release(&t);
}

static void lattice(void)
{
	struct trial t;

	if (trial_go(&t, "v11-lattice.sim", NULL, NULL)) {
		undefined(&t, "time.tick_ns", "inconclusive");
		ok(isnan(trial_of_ref(&t, "time.tick_ns")),
		   "%s: no tick of the reference either", t.what);
	}
	trial_release(&t);
}

/* ---- V12 to V15, V17, V21: counts -----------------------------------------
 */

/* Shares of Gilbert's model against those that were drawn. */
static void losses(const char *scenario, double good_bad, double bad_good)
{
	struct trial t;

	if (trial_go(&t, scenario, NULL, NULL)) {
		double lost = truth_stream(&t, "lost"), n = 1e5;

		check_counts(&t);
		near(&t, "loss.p_good_bad", good_bad,
		     5 * sqrt(good_bad * (1 - good_bad) / n));
		near(&t, "loss.p_bad_good", bad_good,
		     5 * sqrt(bad_good * (1 - bad_good) / lost) + 1e-9);
		/* mean run times the share received: 1 if independent */
		near(&t, "loss.burstiness",
		     lost / truth_stream(&t, "runs") * (1 - lost / n), 1e-9);
	}
	trial_release(&t);
}

static void overflows(void)
{
	struct trial t;

	if (trial_go(&t, "v13-stall.sim", NULL, NULL)) {
		check_counts(&t);
		near(&t, "loss.missing", 0.02 * 100e3 - 256, 1);
		same(&t, "loss.runs", 1);
		near(&t, "loss.longest_run", 0.02 * 100e3 - 256, 1);
	}
	trial_release(&t);
	if (trial_go(&t, "v14-drain.sim", NULL, NULL)) {
		check_counts(&t);
		near(&t, "loss.missing", (200e3 - 180e3) * 1 - 4096, 2);
	}
	trial_release(&t);
}

static void ends(void)
{
	struct trial t;

	if (trial_go(&t, "v15-cut.sim", NULL, NULL)) {
		check_counts(&t);
		same(&t, "loss.head_excluded", truth_stream(&t, "cut_head"));
		same(&t, "loss.tail_excluded", truth_stream(&t, "cut_tail"));
		same(&t, "loss.missing", 0);
	}
	trial_release(&t);
	if (trial_go(&t, "v15-cut.sim", "point.run_times=no", NULL)) {
		check_counts(&t);
		same(&t, "loss.missing", 0);
	}
	trial_release(&t);
	/* g is 10 times the 100 ms that packets come late: 1 s */
	if (trial_go(&t, "v15-tail.sim", "other.packets=250", NULL)) {
		near(&t, "loss.tail_lost", truth_stream(&t, "tail_excluded"),
		     0);
		check_counts(&t);
		ok(trial_verdict(&t, "complete") == 0, "%s: not complete",
		   t.what);
	}
	trial_release(&t);
	if (trial_go(&t, "v15-tail.sim", NULL, NULL)) {
		same(&t, "loss.tail_lost", 0);
		same(&t, "loss.tail_excluded",
		     truth_stream(&t, "tail_excluded"));
	}
	trial_release(&t);
}

static void exact(const char *scenario, const char *set)
{
	struct trial t;

	if (trial_go(&t, scenario, set, NULL))
		check_counts(&t);
	trial_release(&t);
}

static void wraps(void)
{
	struct trial t;

	exact("v17-wrap-pktgen.sim", NULL);
	exact("v17-wrap-rtp.sim", NULL);
	exact("v17-restart.sim", NULL);
	exact("v21-both.sim", NULL);
	exact("queues.sim", NULL);
	if (trial_go(&t, "v17-corrupt.sim", NULL, NULL)) {
		check_counts(&t);
		near(&t, "stream.strays", truth_stream(&t, "corrupt"),
		     truth_stream(&t, "corrupt") / 4);
	}
	trial_release(&t);
}

/* ---- V18, V19, V22, V28: clocks -------------------------------------------
 */

static void steps(void)
{
	struct trial t;

	if (trial_go(&t, "v18-step.sim", NULL, NULL)) {
		same(&t, "clock.steps", 2);
		near(&t, "clock.step_max_ns", -25e6,
		     trial_high(&t, "clock.step_max_ns") -
			 trial_value(&t, "clock.step_max_ns"));
		near(&t, "clock.step_max_seq", 130000, 2);
		near(&t, "clock.drift_ppm", 20,
		     7.5e6 * 0.35 * 20e3 / (20e9 * sqrt(2e5)));
		ok(trial_reason(&t, "STEP"), "%s: reason STEP", t.what);
	}
	trial_release(&t);
	if (trial_go(&t, "v18-step.sim", "dut.step=none", NULL))
		same(&t, "clock.steps", 0);
	trial_release(&t);
}

static void wander(void)
{
	struct trial t;

	if (trial_go(&t, "v19-wander.sim", NULL, NULL)) {
		near(&t, "clock.wander_ns", 50e3, 0.2 * 50e3);
		near(&t, "time.error.span_ns", 6.907 * 3e3,
		     0.05 * 6.907 * 3e3);
		same(&t, "clock.steps", 0);
		ok(trial_low(&t, "clock.drift_ppm") <= 0 &&
		       0 <= trial_high(&t, "clock.drift_ppm"),
		   "%s: the interval of the drift knows of it (%g to %g)",
		   t.what, trial_low(&t, "clock.drift_ppm"),
		   trial_high(&t, "clock.drift_ppm"));
	}
	trial_release(&t);
}

static void month(void)
{
	struct trial t;

	if (trial_go(&t, "v22-month.sim", "point.resolution=ps", NULL))
		near(&t, "clock.drift_ppm", 43.21, 0.01e-9 / 2592000 * 1e6);
	trial_release(&t);
}

static void end_of_frame(void)
{
	struct trial t;

	if (trial_go(&t, "v28-imix-end.sim", NULL, NULL))
		near(&t, "clock.per_byte_ns", 8, 0.4);
	trial_release(&t);
}

/* ---- V30: another epoch ---------------------------------------------------
 */

static void far_away(void)
{
	static const char *const keys[] = {
	    "clock.drift_ppm",	    "time.error.span_ns",
	    "delta_error.rms_ns",   "delta_error.false_share",
	    "time.residual.p50_ns", "burst.coalescing"};
	struct trial near_one, far_one;

	/* the other clock 10^9 s back */
	if (trial_go(&near_one, "v03-exponential.sim", NULL, NULL) &&
	    trial_go(&far_one, "v03-exponential.sim", "dut.clock=767225600",
		     NULL)) {
		for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
			same(&far_one, keys[i],
			     trial_value(&near_one, keys[i]));
		undefined(&far_one, "clock.offset_ns", "106 days");
		trial_release(&far_one);
	}
	trial_release(&near_one);
}

int main(void)
{
	identical();
	drift_alone();
	all_noise();
	least_squares();
	early_stamps("v05-outlier.sim", 1);
	early_stamps("v05-early.sim", 0.3);
	timer();
	one_shot();
	cost();
	trap();
	ticks();
	lattice();
	losses("v12-bernoulli.sim", 0.01, 0.99);
	losses("v12-gilbert.sim", 0.02 / 0.98 / 20, 1.0 / 20);
	overflows();
	ends();
	wraps();
	steps();
	wander();
	month();
	end_of_frame();
	far_away();
	return done();
}
