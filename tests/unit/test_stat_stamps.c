#include <criterion/criterion.h>
#include <stdlib.h>

#include "base/time.h"
#include "stat/cluster.h"
#include "stat/split.h"
#include "stat/tick.h"
#include "stat_random.h"

/* ---- ticks ---- */

#define STAMPS 20000
#define EPOCH INT64_C(1700000000)

static int64_t stamps[STAMPS];

static struct cd_tick_sample sample_of(int64_t unit_ps)
{
	return (struct cd_tick_sample){{EPOCH, 0}, stamps, STAMPS, unit_ps};
}

/* Poisson arrivals, 50 us apart on average, stamped down to num/den ps on the
 * epoch line and stored to whole ns; `astray` per mille are not. */
static void stamp_on_lattice(int64_t num, int64_t den, unsigned astray)
{
	struct noise r = noise_seed((uint64_t)num);
	__int128 epoch = (__int128)EPOCH * CD_PS_PER_S;
	double t = 0;

	for (int i = 0; i < STAMPS; i++) {
		__int128 at, k;

		t += noise_exponential(&r, 50e6);
		at = epoch + (int64_t)t;
		if (noise_below(&r, 1000) >= astray) {
			k = at * den / num;
			at = k * num / den;
		}
		stamps[i] = (int64_t)((at - epoch) / 1000 * 1000);
	}
}

static void check_tick(int64_t num, int64_t den)
{
	struct cd_tick_fit fits[CD_TICK_CANDIDATES];
	struct cd_tick_sample sample = sample_of(1000);
	size_t n;

	for (unsigned astray = 0; astray <= 10; astray += 10) {
		stamp_on_lattice(num, den, astray);
		n = cd_tick_candidates(&sample, fits);
		cr_assert_geq(n, 1);
		cr_assert_eq(fits[0].q.num, num);
		cr_assert_eq(fits[0].q.den, den);
		cr_assert_geq(fits[0].coherence, 0.95);
	}
}

/* V10 */
Test(tick, finds_the_lattice)
{
	check_tick(INT64_C(15625000000), 1);
	check_tick(INT64_C(10000000000), 1);
	check_tick(1000000000, 1);
	check_tick(1000000, 1);
	check_tick(100000, 1);
	check_tick(40000, 1);
	check_tick(8000, 1);
	check_tick(244140625, 256);
	check_tick(INT64_C(200000000000), 715909);
	check_tick(INT64_C(50000000000), 715909);
}

/* The lattice of epoch seconds in a double, made by one. */
Test(tick, finds_the_double)
{
	struct cd_tick_fit fits[CD_TICK_CANDIDATES];
	struct cd_tick_sample sample = sample_of(1000);

	stamp_on_lattice(1000, 1, 0);
	for (int i = 0; i < STAMPS; i++) {
		double s = (double)EPOCH + (double)stamps[i] / 1e12;

		stamps[i] = (int64_t)((s - (double)EPOCH) * 1e9) * 1000;
	}
	cr_assert_geq(cd_tick_candidates(&sample, fits), 1);
	cr_assert_eq(fits[0].q.num, 244140625);
	cr_assert_eq(fits[0].q.den, 1024);
	cr_assert_float_eq(cd_tick_ps(fits[0].q), 238418.579, 0.001);
	/* 2 ns, the rounding, is 0.8 % of the tick */
	cr_assert_geq(fits[0].share, 0.3);
}

Test(tick, nothing_in_pure_nanoseconds)
{
	struct cd_tick_fit fits[CD_TICK_CANDIDATES];
	struct cd_tick_sample sample = sample_of(1000);

	stamp_on_lattice(1000, 1, 0);
	cr_assert_eq(cd_tick_candidates(&sample, fits), 0);
	sample.n = 0;
	cr_assert_eq(cd_tick_candidates(&sample, fits), 0);
	cr_assert_eq(cd_tick_fit(&sample, (struct cd_tick){1000, 1}).coherence,
		     0);
}

/* Stamps closer together than a tick all have its phase; it shows nothing. */
Test(tick, none_that_the_stamps_do_not_span)
{
	struct cd_tick_fit fits[CD_TICK_CANDIDATES];
	struct cd_tick_sample sample = sample_of(1000);

	for (int i = 0; i < STAMPS; i++)
		stamps[i] = i % 2 == 0 ? i * INT64_C(1000) : i * INT64_C(1001);
	stamps[0] = INT64_C(-40000000000000); /* a wild one does not help */
	cr_assert_eq(cd_tick_candidates(&sample, fits), 0);
}

/* Batches that begin on a lattice: 673 ns apart, eight or two every 400 us.
 * Stamps that are a unit off one of 16 ns may still be rounded. */
Test(tick, none_that_batches_begin_on)
{
	struct cd_tick_fit fits[CD_TICK_CANDIDATES];
	struct cd_tick_sample sample = sample_of(1000);

	for (int batch = 2; batch <= 8; batch *= 4) {
		for (int i = 0; i < STAMPS; i++)
			stamps[i] = i / batch * INT64_C(400000000) +
				    i % batch * INT64_C(673000);
		if (cd_tick_candidates(&sample, fits) > 0)
			cr_assert_leq(cd_tick_ps(fits[0].q), 16000);
	}
}

/* The unit itself is no finding. */
Test(tick, only_coarser_than_the_unit)
{
	struct cd_tick_fit fits[CD_TICK_CANDIDATES];
	struct cd_tick_sample sample = sample_of(1000000);

	stamp_on_lattice(1000000, 1, 0);
	cr_assert_eq(cd_tick_candidates(&sample, fits), 0);
	/* 2^-20 s, rounded to ps */
	stamp_on_lattice(244140625, 256, 0);
	sample.unit_ps = 953674;
	cr_assert_eq(cd_tick_candidates(&sample, fits), 0);
}

/* V11: a perfect 100 us stream looks like a 100 us tick; the reference's own
 * coherence gives it away. */
Test(tick, aliasing_shows_on_the_reference)
{
	struct cd_tick_fit fits[CD_TICK_CANDIDATES], alias;
	struct cd_tick_sample sample = sample_of(1000);

	for (int i = 0; i < STAMPS; i++)
		stamps[i] = i * INT64_C(100000000);
	cr_assert_geq(cd_tick_candidates(&sample, fits), 1);
	cr_assert_eq(fits[0].q.num, 100000000);
	alias = cd_tick_fit(&sample, fits[0].q);
	cr_assert_geq(alias.coherence, 0.999);
	cr_assert_eq(alias.share, 1);
}

Test(tick, phase_is_absolute_and_shift_invariant)
{
	struct cd_tick q = {244140625, 1024};
	struct cd_tick_sample sample = sample_of(1000);
	struct cd_tick_fit here, there;

	stamp_on_lattice(q.num, q.den, 0);
	here = cd_tick_fit(&sample, q);
	/* whole seconds are whole ticks of 2^-22 s */
	sample.base.s = -5 - EPOCH;
	there = cd_tick_fit(&sample, q);
	cr_assert_float_eq(here.coherence, there.coherence, 1e-6);
	/* the same stamps told from another base are the same stamps */
	sample.base.s = EPOCH - 77;
	for (int i = 0; i < STAMPS; i++)
		stamps[i] += 77 * CD_PS_PER_S;
	there = cd_tick_fit(&sample, q);
	cr_assert_eq(here.coherence, there.coherence);
	cr_assert_eq(here.share, there.share);
}

Test(tick, extremes_do_not_overflow)
{
	int64_t ends[] = {INT64_MIN + 1, INT64_MAX, 0};
	struct cd_tick_sample sample = {{INT64_MAX, 0}, ends, 3, 1};
	struct cd_tick_fit fits[CD_TICK_CANDIDATES];

	cd_tick_candidates(&sample, fits);
	cd_tick_fit(&sample, (struct cd_tick){INT64_MAX, INT64_MAX});
	cd_tick_pileup(&sample);
	sample.base.s = INT64_MIN;
	cd_tick_candidates(&sample, fits);
	cr_assert_leq(cd_tick_fit(&sample, (struct cd_tick){INT64_MAX, 1})
			  .coherence,
		      1 + 1e-9);
}

static uint64_t gcd_of(const int64_t *t, size_t n, int64_t unit,
		       uint64_t *bumps)
{
	struct cd_tick_gcd whole, split;

	cd_tick_gcd_init(&whole, unit);
	cd_tick_gcd_init(&split, unit);
	cd_tick_gcd_add(&whole, t, n);
	for (size_t i = 0; i < n; i++)
		cd_tick_gcd_add(&split, t + i, 1);
	cr_assert_eq(whole.gcd_ps, split.gcd_ps);
	cr_assert_eq(whole.bumps, split.bumps);
	cr_assert_eq(whole.n, n);
	if (bumps != NULL)
		*bumps = whole.bumps;
	return whole.gcd_ps;
}

Test(tick, gcd)
{
	int64_t us[] = {5000007000, 7000007000, 4000007000, 5000007000};
	int64_t bumped[] = {1000, 101000, 101000, 102000, 103000, 103000,
			    201000, 301000};
	int64_t fine[] = {1000, 2000, 4000, 14000};
	int64_t ends[] = {INT64_MIN, INT64_MAX, 0};
	uint64_t bumps;

	cr_assert_eq(gcd_of(us, 4, 1000, &bumps), 1000000000);
	cr_assert_eq(bumps, 0);
	cr_assert_eq(gcd_of(bumped, 8, 1000, &bumps), 100000);
	cr_assert_eq(bumps, 3);
	cr_assert_eq(gcd_of(fine, 4, 1000, NULL), 1000);
	cr_assert_eq(gcd_of(us, 1, 1000, NULL), 0);
	cr_assert_eq(gcd_of(us, 0, 1000, NULL), 0);
	cr_assert_eq(gcd_of(ends, 3, 1, NULL), 1);
}

Test(tick, pileup)
{
	struct cd_tick_sample sample = sample_of(1000);
	struct cd_tick_pileup p;

	stamp_on_lattice(1000, 1, 0);
	p = cd_tick_pileup(&sample);
	cr_assert_leq(fabs(p.z), 5);
	stamp_on_lattice(1000000, 1, 500);
	p = cd_tick_pileup(&sample);
	cr_assert_eq(p.n, STAMPS);
	cr_assert_geq(p.round, STAMPS / 2 - 400);
	cr_assert_leq(p.round, STAMPS / 2 + 400);
	cr_assert_geq(p.z, 1000);
	sample.n = 0;
	cr_assert(isnan(cd_tick_pileup(&sample).z));
}

/* ---- clusters ---- */

static struct cd_cluster_summary cluster(const int64_t *t, size_t n,
					 int64_t spacing, size_t block)
{
	struct cd_clusters c;
	struct cd_cluster_summary s;

	cr_assert_eq(cd_clusters_init(&c), 0);
	for (size_t i = 0; i < n; i += block)
		cd_clusters_add(&c, t + i, NULL, spacing,
				n - i < block ? n - i : block);
	cd_clusters_end(&c);
	s = cd_clusters_summary(&c);
	cd_clusters_release(&c);
	return s;
}

Test(cluster, by_hand)
{
	/* spacing 100: below 25 goes on; 25 does not */
	int64_t t[] = {0, 24, 48, 200, 225, 226, 220, 500};
	struct cd_cluster_summary s = cluster(t, 8, 100, 3);

	cr_assert_eq(s.packets, 8);
	cr_assert_eq(s.clusters, 4);
	cr_assert_eq(s.coalescing, 0.5);
	cr_assert_eq(s.mean_size, 2);
	cr_assert_eq(s.size_p50, 1);
	cr_assert_eq(s.size_max, 3);
	cr_assert_eq(s.share_bunched, 0.75);
	cr_assert(s.has_onsets);
	cr_assert_eq(s.onset_p10, 25);
	cr_assert_eq(s.onset_p50, 200);
	cr_assert_eq(s.onset_p90, 275);
	cr_assert(s.has_period);
	cr_assert_eq(s.period, 200);
	cr_assert_not(s.fixed_timer);
}

Test(cluster, few_packets)
{
	int64_t t[] = {5, 6};
	struct cd_cluster_summary s = cluster(t, 0, 100, 10);

	cr_assert_eq(s.clusters, 0);
	cr_assert(isnan(s.coalescing));
	cr_assert(isnan(s.share_bunched));
	s = cluster(t, 1, 100, 10);
	cr_assert_eq(s.clusters, 1);
	cr_assert_eq(s.coalescing, 0);
	cr_assert_not(s.has_onsets);
	s = cluster(t, 2, 100, 10);
	cr_assert_eq(s.coalescing, 0.5);
	cr_assert_not(s.has_onsets);
	cr_assert_not(s.has_period);
}

/* V6: M1, a free-running timer of P, spacing with no ratio to it. */
Test(cluster, free_running_timer)
{
	static int64_t t[100000];
	struct cd_cluster_summary s;

	for (int i = 0; i < 100000; i++)
		t[i] = (int64_t)(ceil(i * 12312345.67 / 125e6) * 125e6);
	s = cluster(t, 100000, 12312345, 4096);
	cr_assert_float_eq((double)s.period, 125e6, 125e3);
	cr_assert(s.fixed_timer);
	cr_assert_float_eq(s.coalescing, 1 - 12312345.67 / 125e6, 1e-3);
	/* but the last cluster may have been cut to one */
	cr_assert_geq(s.share_bunched, 0.9999);
}

/* V7: M2, one-shot timer from the first packet: N = floor(P/spacing) + 1. */
Test(cluster, one_shot_timer)
{
	static int64_t t[100000];
	struct cd_cluster_summary s;

	for (int64_t i = 0; i < 100000; i++)
		t[i] = i / 11 * 11 * 12300000 + 125000000;
	s = cluster(t, 100000, 12300000, 1000);
	cr_assert_eq(s.size_p50, 11);
	cr_assert_float_eq((double)s.period, 11 * 12300000.0, 11 * 12300.0);
	cr_assert_float_eq(s.coalescing, 10.0 / 11, 1e-4);
	cr_assert(s.fixed_timer);
}

Test(cluster, expected_spacings_and_gaps)
{
	int64_t t[] = {0, 10, 20, 30, 40};
	int64_t expected[] = {0, 100, 40, CD_TIME_NONE, 1000};
	struct cd_clusters c, other;
	struct cd_cluster_summary s;

	cr_assert_eq(cd_clusters_init(&c), 0);
	cr_assert_eq(cd_clusters_init(&other), 0);
	cd_clusters_add(&c, t, expected, 0, 5);
	cd_clusters_end(&c);
	s = cd_clusters_summary(&c);
	/* 0 10 | 20 | 30 40 */
	cr_assert_eq(s.clusters, 3);
	cr_assert_eq(s.share_bunched, 0.8);
	cd_clusters_add(&other, t, NULL, 1000, 5);
	cd_clusters_end(&other);
	cd_clusters_merge(&c, &other);
	s = cd_clusters_summary(&c);
	cr_assert_eq(s.packets, 10);
	cr_assert_eq(s.clusters, 4);
	cr_assert_eq(s.size_max, 5);
	cd_clusters_release(&c);
	cd_clusters_release(&other);
}

Test(cluster, extremes_do_not_overflow)
{
	int64_t t[] = {INT64_MIN, INT64_MAX, INT64_MIN, 0};

	cr_assert_eq(cluster(t, 4, INT64_MAX, 1).packets, 4);
	cr_assert_eq(cluster(t, 4, INT64_MIN, 4).clusters, 4);
}

/* ---- gaps inside and between batches ---- */

Test(split, by_hand)
{
	int64_t gaps[] = {100, 1, 2, 90, 0, 1, 110, 0, 3};
	int64_t same[] = {7, 7, 7}, back[] = {-5, -100, -2, -300};
	int64_t threshold;

	cr_assert(cd_split_gaps(gaps, 9, &threshold));
	cr_assert_gt(threshold, 3);
	cr_assert_leq(threshold, 90);
	cr_assert_not(cd_split_gaps(same, 3, &threshold));
	cr_assert_not(cd_split_gaps(same, 1, &threshold));
	cr_assert_not(cd_split_gaps(back, 4, &threshold));
}

/* Batches of 13 whose packets follow at 600 ns, with noise that a clock which
 * never goes back turns into gaps of some us; any unit. */
Test(split, noise_inside_batches)
{
	static const double units[] = {1, 1e3, 1e6};
	static int64_t gaps[8000];
	struct noise r = noise_seed(3);
	int64_t threshold;

	for (size_t u = 0; u < 3; u++) {
		double batch = 0, latest = 0, before = 0;

		for (size_t i = 0; i < 8000; i++) {
			batch = i % 13 == 0 ? (double)(i / 13) * 130 : batch + 0.6;
			latest = fmax(latest, batch + noise_exponential(&r, 3));
			gaps[i] = (int64_t)(units[u] * (latest - before));
			before = latest;
		}
		cr_assert(cd_split_gaps(gaps, 8000, &threshold));
		cr_assert_geq((double)threshold, 20 * units[u]);
		cr_assert_leq((double)threshold, 90 * units[u]);
	}
}

/* Late by more than the spacing at random: neighbours are close together as
 * often as in batches, but as many go back as forward. */
Test(split, scatter_is_no_batches)
{
	static int64_t gaps[8000];
	struct noise r = noise_seed(4);
	double before = 0;
	int64_t threshold;

	for (size_t i = 0; i < 8000; i++) {
		double t = (double)i * 12.3 + noise_exponential(&r, 20);

		gaps[i] = (int64_t)(1e3 * (t - before));
		before = t;
	}
	cr_assert_not(cd_split_gaps(gaps, 8000, &threshold));
}

Test(split, extremes_do_not_overflow)
{
	int64_t gaps[] = {INT64_MIN, INT64_MAX, 0, INT64_MAX, INT64_MAX, 5, 6,
			  INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX,
			  INT64_MAX, INT64_MAX};
	int64_t threshold;

	cr_assert(cd_split_gaps(gaps, 14, &threshold));
	cr_assert_gt(threshold, 6);
}
