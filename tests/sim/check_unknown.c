/*
 * What cannot be known from two files (METRICS 4.1, 4.5, 0.3, 3.6, appendix A):
 * the report must say so or leave the value null, and never tell apart what
 * the files do not.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trial.h"

#define SLOW "[stream]\npackets = 100000\nspacing = 100us\n"
#define NOISE "noise = exponential 20us\n"

static void says(const struct trial *t, const char *words)
{
	ok(trial_says(t, words), "%s: '%s'", t->what, words);
}

/* What no comparison shows is named in every report. */
static void names(const struct trial *t, const char *words)
{
	ok(trial_tells(t, "clock.not_seen", words), "%s: not seen: '%s'",
	   t->what, words);
}

static void inconclusive(const struct trial *t, const char *which)
{
	ok(trial_verdict(t, which) == -1, "%s: %s is null", t->what, which);
}

/* ---- lateness that all stamps share, or that grows ------------------------
 */

/* A delay that rises with the load, packet by packet, against a clock that is
 * fast by as much: the same files. */
static void ramp(void)
{
	struct trial t;

	if (trial_go(&t,
		     SLOW "[point ref]\n[point dut]\n" NOISE
			  "slew = 50us at 0s by 5\n",
		     NULL, NULL)) {
		near(&t, "clock.drift_ppm", 5, 0.3);
		same(&t, "clock.steps", 0);
	}
	trial_release(&t);
}

/* Two pairs of captures that differ in what cannot be seen: all values agree
 * but the offset and, where `drift` is set, the drift. */
static void tell_apart(const char *one, const char *other, bool drift)
{
	static const char *const keys[] = {
	    "time.error.span_ns", "time.error.p50_ns", "clock.wander_ns",
	    "delta_error.false_share", "clock.steps"};
	struct trial a, b;

	if (trial_go(&a, one, NULL, NULL) && trial_go(&b, other, NULL, NULL)) {
		for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
			near(&b, keys[i], trial_value(&a, keys[i]),
			     0.002 * trial_value(&a, keys[i]) + 2);
		if (drift)
			near(&b, "clock.drift_ppm",
			     trial_value(&a, "clock.drift_ppm"), 1e-3);
		names(&b, "a delay that all stamps share");
		names(&b, "a delay that grows evenly");
		ok(trial_verdict(&a, "accurate") ==
		       trial_verdict(&b, "accurate"),
		   "lateness and offset: one verdict");
		trial_release(&b);
	}
	trial_release(&a);
}

static void lateness(void)
{
	tell_apart(SLOW "[point ref]\n[point dut]\n" NOISE "offset = 22ms\n",
		   SLOW "[point ref]\n[point dut]\n" NOISE "delay = 22ms\n",
		   true);
	tell_apart(SLOW "[point ref]\n[point dut]\n" NOISE "ppm = 5\n",
		   SLOW "[point ref]\n[point dut]\n" NOISE
			"slew = 50us at 0s by 5\n",
		   true);
}

/* ---- steps below the noise ------------------------------------------------
 */

static void small_step(void)
{
	struct trial t;

	/* below the packet spacing, and below 8 sigma of the floors */
	if (trial_go(&t,
		     SLOW "[point ref]\n[point dut]\n" NOISE
			  "step = 60us at 5s\n",
		     NULL, NULL)) {
		same(&t, "clock.steps", 0);
		names(&t, "clock steps below 100.0 us");
		near(&t, "clock.step_least_ns", 100e3, 0);
	}
	trial_release(&t);
	/* the clocks are set to one time: a shared delay is seen, in the
	 * offset */
	if (trial_go(&t, SLOW "[point ref]\n[point dut]\n" NOISE "delay = 22ms\n",
		     NULL, "--clocks-synchronised")) {
		near(&t, "clock.offset_ns", 22e6, 1e3);
		ok(!trial_tells(&t, "clock.not_seen", "all stamps share"),
		   "%s: a shared delay shows", t.what);
	}
	trial_release(&t);
}

/* ---- numbers ---------------------------------------------------------------
 */

/* 16 bits, and a gap that is longer than half of their cycle in a stream that
 * comes in bursts: its two rates count differently. */
static void ambiguous_wrap(void)
{
	struct trial t;

	if (trial_go(&t,
		     "[stream]\nstamp = rtp\nsize = 218\npackets = 200000\n"
		     "rate = 20kpps\narrivals = bursts\nburst = 20000\n"
		     "[point ref]\n[point dut]\nloss = at 50000-109999\n",
		     NULL, NULL)) {
		undefined(&t, "loss.missing", "ambiguous wrap");
		undefined(&t, "loss.ratio", "ambiguous wrap");
		inconclusive(&t, "complete");
		says(&t, "cannot be counted");
	}
	trial_release(&t);
}

/* A run of 500 numbers a second time, without transmit times. */
static void copies_or_restart(void)
{
	struct trial t;

	if (trial_go(&t,
		     "[stream]\nstamp = sockperf\nsize = 100\n"
		     "packets = 20000\nrate = 100kpps\nrestart = 500\n"
		     "[point ref]\n[point dut]\nloss = 1%\n",
		     NULL, NULL)) {
		ok(trial_finds(&t, "ambiguous_numbers"),
		   "%s: finding ambiguous_numbers", t.what);
		inconclusive(&t, "complete");
		says(&t, "which packet is which");
	}
	trial_release(&t);
}

/* ---- which packets ---------------------------------------------------------
 */

static void identity(void)
{
	struct trial t;

	/* nothing but the number in them */
	if (trial_go(&t,
		     "[stream]\nstamp = field\nat = udp+4\nwidth = 4\n"
		     "ip_id = no\npackets = 5000\nrate = 10kpps\nsize = 128\n"
		     "[point ref]\n[point dut]\nppm = 3\n",
		     NULL,
		     "--stamp; field:at=udp+4,width=4,endian=big"))
		ok(trial_finds(&t, "identity_unverifiable"),
		   "%s: finding identity_unverifiable", t.what);
	trial_release(&t);
}

/* ---- ticks, and batches as long as the spacing ----------------------------
 */

static void cadence(void)
{
	struct trial t;

	if (trial_go(&t, "v11-lattice.sim", NULL, NULL)) {
		undefined(&t, "time.tick_ns", "inconclusive");
		undefined(&t, "burst.period_ns", "no coalescing");
	}
	trial_release(&t);
	/* a timer in step with the packets: always as late, and no tick */
	if (trial_go(&t, "v11-lattice.sim", "dut.coalesce=timer 100us phase 3us",
		     NULL)) {
		undefined(&t, "time.tick_ns", "inconclusive");
		same(&t, "time.error.span_ns", 0);
	}
	trial_release(&t);
	/* stamps that scatter come close together, too, in no batches */
	if (trial_go(&t, "v03-exponential.sim", "spacing=12.3456us; dut.noise=none; "
		     "dut.noise=exponential 100us", NULL)) {
		undefined(&t, "burst.period_ns", "scatter");
		ok(!trial_reason(&t, "BUNCHING"), "%s: not BUNCHING", t.what);
	}
	trial_release(&t);
	/* a clock that must not fall makes equal stamps of them: no card did */
	if (trial_go(&t, "v03-exponential.sim",
		     "spacing=12.3456us; dut.monotonic=clamp; dut.noise=none; "
		     "dut.noise=exponential 100us", NULL)) {
		says(&t, "too irregularly for a timer");
		ok(!trial_says(&t, "coalescing"), "%s: no coalescing", t.what);
	}
	trial_release(&t);
}

/* ---- too few ---------------------------------------------------------------
 */

static void few(void)
{
	struct trial t;

	if (trial_go(&t, SLOW "[point ref]\n[point dut]\nnoise = gauss 1us\n",
		     "stream.packets=49", NULL)) {
		undefined(&t, "clock.drift_ppm", "n<50");
		undefined(&t, "time.error.span_ns", "n<50");
		inconclusive(&t, "accurate");
	}
	trial_release(&t);
	/* floors that scatter over more than the limit are no wander of the
	 * clock */
	if (trial_go(&t, SLOW "[point ref]\n[point dut]\n"
			      "noise = exponential 2ms\n",
		     "stream.packets=200", NULL)) {
		ok(trial_value(&t, "clock.wander_ns") > 1e5, "%s: wander",
		   t.what);
		ok(!trial_reason(&t, "WANDER"), "%s: not WANDER", t.what);
	}
	trial_release(&t);
	if (trial_go(&t, SLOW "[point ref]\n[point dut]\nnoise = gauss 1us\n",
		     "stream.packets=999", NULL)) {
		undefined(&t, "time.error.span_ns", "n<1000");
		inconclusive(&t, "accurate");
	}
	trial_release(&t);
}

int main(void)
{
	lateness();
	ramp();
	small_step();
	ambiguous_wrap();
	copies_or_restart();
	identity();
	cadence();
	few();
	return done();
}
