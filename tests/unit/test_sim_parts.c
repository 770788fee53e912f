/* The parts of the simulator: arithmetic, noise, quantities, clock, card. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "sim/clock.h"
#include "sim/fixed.h"
#include "sim/nic.h"
#include "sim/noise.h"
#include "sim/picker.h"
#include "sim/random.h"
#include "sim/ring.h"
#include "sim/units.h"

#define Q56 72057594037927936.0

/* ---- fixed point against libm ---- */

Test(fixed, logarithm)
{
	struct cd_random r = cd_random_init(1, "test", "ln");

	cr_assert_eq(cd_fix_neg_ln(0), 0);
	cr_assert_float_eq((double)cd_fix_neg_ln(1) / Q56, 64 * log(2), 1e-13);
	for (int i = 0; i < 100000; i++) {
		uint64_t u = cd_random_next(&r) >> i % 64;
		double want = 64 * log(2) - log((double)u);

		if (u == 0)
			continue;
		cr_assert_float_eq((double)cd_fix_neg_ln(u) / Q56, want, 2e-14,
				   "%llu", (unsigned long long)u);
	}
}

Test(fixed, logarithm_falls)
{
	/* also where the mantissa is halved and where the exponent changes */
	for (uint64_t top = 0xb504f333; top < 0xb504f339; top++)
		cr_assert_geq(cd_fix_neg_ln(top << 32),
			      cd_fix_neg_ln((top + 1) << 32));
	cr_assert_geq(cd_fix_neg_ln(UINT64_C(1) << 63) + 4,
		      cd_fix_neg_ln((UINT64_C(1) << 63) + 1));
}

Test(fixed, exponential)
{
	for (int i = 0; i < 3900; i++) {
		double y = i / 100.0;
		int64_t got = cd_fix_scale_exp(1000, (uint64_t)(y * Q56),
					       INT64_MAX);
		double want = 1000 * exp(y);

		if (want < 9e18)
			cr_assert_float_eq((double)got, want,
					   1 + want * 1e-13, "e^%g", y);
	}
	cr_assert_eq(cd_fix_scale_exp(1000, (uint64_t)(30 * Q56), 12345),
		     12345);
	cr_assert_eq(cd_fix_scale_exp(1, UINT64_MAX, 77), 77);
}

Test(fixed, root)
{
	struct cd_random r = cd_random_init(1, "test", "root");

	for (int i = 0; i < 20000; i++) {
		cd_u128 v = ((cd_u128)cd_random_next(&r) << 64 |
			     cd_random_next(&r)) >> i % 128;
		cd_u128 root = cd_fix_sqrt(v);

		cr_assert(root * root <= v);
		cr_assert(root == UINT64_MAX || (root + 1) * (root + 1) > v);
	}
	cr_assert_eq(cd_fix_sqrt(0), 0);
}

Test(fixed, sine)
{
	for (int i = -1000; i <= 1000; i++) {
		uint64_t turn = (uint64_t)i * UINT64_C(18446744073709551);
		double want = sin(2 * M_PI * (double)i *
				  18446744073709551.0 / 18446744073709551616.0);

		cr_assert_float_eq((double)cd_fix_sin(turn) / Q56, want, 1e-14,
				   "%d", i);
	}
	cr_assert_eq(cd_fix_sin(UINT64_C(1) << 63), 0);
}

/* ---- random numbers and noise ---- */

Test(random, purposes_do_not_share_a_stream)
{
	struct cd_random a = cd_random_init(1, "laptop", "loss");
	struct cd_random b = cd_random_init(1, "laptop", "swap");
	struct cd_random c = cd_random_init(2, "laptop", "loss");
	struct cd_random d = cd_random_init(1, "lapto", "ploss");
	uint64_t first = cd_random_next(&a);

	cr_assert_neq(first, cd_random_next(&b));
	cr_assert_neq(first, cd_random_next(&c));
	cr_assert_neq(first, cd_random_next(&d));
}

Test(random, reference_vector)
{
	/* xoshiro256++ from the state 1, 2, 3, 4 (Blackman, Vigna: first
	 * outputs of the authors' C) */
	struct cd_random r = {{1, 2, 3, 4}};

	cr_assert_eq(cd_random_next(&r), UINT64_C(41943041));
	cr_assert_eq(cd_random_next(&r), UINT64_C(58720359));
	cr_assert_eq(cd_random_next(&r), UINT64_C(3588806011781223));
}

Test(random, chances)
{
	struct cd_random r = cd_random_init(3, "test", "chance");
	uint64_t limit = cd_random_limit(1, 8);
	int hits = 0;

	for (int i = 0; i < 80000; i++)
		hits += cd_random_hit(&r, limit);
	/* sd = sqrt(80000 / 8 * 7 / 8) = 93.5 */
	cr_assert_float_eq(hits, 10000, 5 * 93.5);
	cr_assert_eq(cd_random_limit(0, 5), 0);
	cr_assert(cd_random_hit(&r, cd_random_limit(5, 5)));
	cr_assert_not(cd_random_hit(&r, 0));
}

struct moments {
	double mean, sd, min, max, tail; /* share above 3 scales */
};

static struct moments measure(struct cd_noise noise)
{
	enum { N = 200000 };
	struct cd_noises one = {.items = &noise, .n = 1};
	struct cd_random r = cd_random_init(4, "test", "noise");
	struct moments m = {.min = 1e18, .max = -1e18};
	double sum = 0, squares = 0;

	for (int i = 0; i < N; i++) {
		double x = (double)cd_noise_draw(&one, &r) /
			   (double)noise.scale_ps;

		sum += x;
		squares += x * x;
		m.min = x < m.min ? x : m.min;
		m.max = x > m.max ? x : m.max;
		m.tail += x > 3;
	}
	m.mean = sum / N;
	m.sd = sqrt(squares / N - m.mean * m.mean);
	m.tail /= N;
	return m;
}

/* Tolerances are 5 standard errors for n = 200,000. */
Test(noise, moments)
{
	struct moments m;

	m = measure((struct cd_noise){CD_NOISE_UNIFORM, 1000000, 0,
				      CD_SHARE_ONE});
	cr_assert_float_eq(m.mean, 0.5, 5 * 0.289 / 447);
	cr_assert_float_eq(m.sd, sqrt(1.0 / 12), 0.002);
	cr_assert(m.min >= 0 && m.max <= 1);
	m = measure((struct cd_noise){CD_NOISE_GAUSS, 1000000, 0,
				      CD_SHARE_ONE});
	cr_assert_float_eq(m.mean, 0, 5.0 / 447);
	cr_assert_float_eq(m.sd, 1, 5 * 0.707 / 447);
	cr_assert_float_eq(m.tail, 0.00135, 5 * sqrt(0.00135 / 200000));
	m = measure((struct cd_noise){CD_NOISE_EXPONENTIAL, 1000000, 0,
				      CD_SHARE_ONE});
	cr_assert_float_eq(m.mean, 1, 5.0 / 447);
	cr_assert_float_eq(m.sd, 1, 5 * 1.414 / 447);
	cr_assert_float_eq(m.tail, exp(-3), 5 * sqrt(exp(-3) / 200000));
	m = measure((struct cd_noise){CD_NOISE_PARETO, 1000000, 2000000,
				      CD_SHARE_ONE});
	cr_assert_geq(m.min, 1);
	cr_assert_float_eq(m.tail, 1.0 / 9, 5 * sqrt(0.111 / 200000));
}

Test(noise, early_and_rare)
{
	struct moments m = measure((struct cd_noise){
	    CD_NOISE_UNIFORM, -1000000, 0, CD_SHARE_ONE / 100});

	/* negative scale: x = value / scale is positive again */
	cr_assert(m.min >= 0 && m.max <= 1);
	cr_assert_float_eq(m.mean, 0.005, 5 * 0.058 / 447);
}

Test(noise, is_bounded)
{
	struct cd_noise noise = {CD_NOISE_PARETO, CD_NOISE_MAX_PS, 1000,
				 CD_SHARE_ONE};
	struct cd_noises one = {.items = &noise, .n = 1};
	struct cd_random r = cd_random_init(5, "test", "noise");

	for (int i = 0; i < 1000; i++)
		cr_assert_leq(cd_noise_draw(&one, &r), CD_NOISE_MAX_PS);
}

/* ---- quantities ---- */

Test(units, exact_decimals)
{
	struct cd_resolution r;
	uint64_t u;
	int64_t v;

	cr_assert_eq(cd_units_span("1.234567891ms", &v, NULL), 0);
	cr_assert_eq(v, 1234567891);
	cr_assert_eq(cd_units_span("-5 s", &v, NULL), 0);
	cr_assert_eq(v, -5 * CD_PS_PER_S);
	cr_assert_eq(cd_units_span("30d", &v, NULL), 0);
	cr_assert_eq(v, 30 * 86400 * CD_PS_PER_S);
	cr_assert_eq(cd_units_span("0", &v, NULL), 0);
	cr_assert_eq(cd_units_rate("148.809523kpps", &u, NULL), 0);
	cr_assert_eq(u, 148809523);
	cr_assert_eq(cd_units_bits("2.5Gb/s", &u, NULL), 0);
	cr_assert_eq(u, 2500000000);
	cr_assert_eq(cd_units_share("0.07 %", &u, NULL), 0);
	cr_assert_eq(u, 700000000);
	cr_assert_eq(cd_units_ppm("-43.21", &v, NULL), 0);
	cr_assert_eq(v, -43210000);
	cr_assert_eq(cd_units_count("1.5M", &u, NULL), 0);
	cr_assert_eq(u, 1500000);
	cr_assert_eq(cd_units_count("0xfffffffe", &u, NULL), 0);
	cr_assert_eq(u, 0xfffffffe);
	cr_assert_eq(cd_units_resolution("2^-32", &r, NULL), 0);
	cr_assert(r.base == 2 && r.exponent == 32);
	cr_assert_eq(cd_units_resolution("us", &r, NULL), 0);
	cr_assert(r.base == 10 && r.exponent == 6);
}

Test(units, epochs)
{
	int64_t s;

	cr_assert_eq(cd_units_epoch("1970-01-01T00:00:00Z", &s, NULL), 0);
	cr_assert_eq(s, 0);
	cr_assert_eq(cd_units_epoch("2000-02-29T23:59:59Z", &s, NULL), 0);
	cr_assert_eq(s, 951868799);
	cr_assert_eq(cd_units_epoch("2026-01-01T00:00:00Z", &s, NULL), 0);
	cr_assert_eq(s, 1767225600);
	cr_assert_eq(cd_units_epoch("86400", &s, NULL), 0);
	cr_assert_eq(s, 86400);
	cr_assert_eq(cd_units_epoch("2026-13-01T00:00:00Z", &s, NULL), -1);
	cr_assert_eq(cd_units_epoch("2026-01-01T00:00:00", &s, NULL), -1);
}

Test(units, what_is_no_quantity)
{
	const char *const spans[] = {"", "5", "us", "1.5.2s", "1e3s", "5 parsec",
				     "0.1ps", "200d", "-", "99999999999999999h"};
	struct cd_error error = {0};
	uint64_t u;
	int64_t v;

	for (size_t i = 0; i < sizeof(spans) / sizeof(spans[0]); i++)
		cr_assert_eq(cd_units_span(spans[i], &v, NULL), -1, "%s",
			     spans[i]);
	cr_assert_eq(cd_units_count("1.5", &u, NULL), -1);
	cr_assert_eq(cd_units_count("-1", &u, NULL), -1);
	cr_assert_eq(cd_units_count("0x", &u, NULL), -1);
	cr_assert_eq(cd_units_share("101%", &u, NULL), -1);
	cr_assert_eq(cd_units_rate("10", &u, &error), -1);
	cr_assert_eq(error.fault, CD_E_USAGE);
	cr_assert_str_eq(error.what,
			 "'10' is not a packet rate such as 100kpps");
}

/* ---- the clock ---- */

static const struct cd_point_spec plain_point = {
    .tick_den = 1, .queues = 1, .resolution = {10, 9}, .stop_ps = CD_FOREVER};

Test(clock, offset_drift_and_steps_add_up)
{
	struct cd_step steps[] = {{10 * CD_PS_PER_S, -3000000, 0},
				  {20 * CD_PS_PER_S, 5000000, 0}};
	struct cd_step slews[] = {{30 * CD_PS_PER_S, -1000000000, 500000000}};
	struct cd_point_spec p = plain_point;

	p.offset_ps = 7;
	p.ppm = 43210000; /* 43.21 ppm */
	cr_assert_eq(cd_clock_ahead(&p, 30 * 86400 * CD_PS_PER_S),
		     7 + INT64_C(30) * 86400 * 43210000);
	p.ppm = 0;
	p.steps = (struct cd_steps){.items = steps, .n = 2};
	cr_assert_eq(cd_clock_ahead(&p, 10 * CD_PS_PER_S - 1), 7);
	cr_assert_eq(cd_clock_ahead(&p, 10 * CD_PS_PER_S), 7 - 3000000);
	cr_assert_eq(cd_clock_ahead(&p, 20 * CD_PS_PER_S), 7 + 2000000);
	p.steps.n = 0;
	p.slews = (struct cd_steps){.items = slews, .n = 1};
	cr_assert_eq(cd_clock_ahead(&p, 30 * CD_PS_PER_S), 7);
	/* 500 ppm: 0.5 ms a second */
	cr_assert_eq(cd_clock_ahead(&p, 31 * CD_PS_PER_S), 7 - 500000000);
	cr_assert_eq(cd_clock_ahead(&p, 99 * CD_PS_PER_S), 7 - 1000000000);
}

Test(clock, wander_is_a_sine)
{
	struct cd_point_spec p = plain_point;

	p.wander_ps = 25000000;
	p.wander_period_ps = 10 * CD_PS_PER_S;
	for (int64_t t = -5; t < 40; t++) {
		double want = 25e6 * sin(2 * M_PI * (double)t / 10);

		cr_assert_float_eq((double)cd_clock_ahead(&p, t * CD_PS_PER_S),
				   want, 1.0);
	}
}

Test(clock, ticks)
{
	struct cd_point_spec p = plain_point;
	struct cd_instant t;

	p.epoch_s = 1767225600;
	p.tick_num_ps = INT64_C(15625000000); /* 15.625 ms */
	t = cd_clock_read(&p, 100 * CD_PS_PER_MS);
	cr_assert_eq(t.s, 1767225600);
	cr_assert_eq(t.ps, 6 * INT64_C(15625000000));
	p.tick_num_ps = CD_PS_PER_S;
	p.tick_den = 1024;
	p.epoch_s = 5;
	t = cd_clock_read(&p, CD_PS_PER_S / 2 + 1000);
	cr_assert_eq(t.ps, CD_PS_PER_S / 2);
	t = cd_clock_read(&p, CD_PS_PER_S / 2 - 1);
	cr_assert_eq(t.ps, 499023437500); /* 511/1024 s */
}

Test(clock, a_double_of_seconds)
{
	struct cd_point_spec p = plain_point;
	struct cd_random r = cd_random_init(6, "test", "double");

	p.epoch_s = 1767225600;
	p.through_double = true;
	for (int i = 0; i < 10000; i++) {
		int64_t ps = (int64_t)cd_random_below(&r, CD_PS_PER_S);
		struct cd_instant t = cd_clock_read(&p, ps);
		double seconds = 1767225600 + (double)ps / 1e12;
		/* exact: a multiple of 2^-22, below 2^53 of them */
		double fraction = seconds - 1767225600.0;
		int64_t ns = (int64_t)llrint(fraction * 1e9);

		cr_assert_eq((t.s - 1767225600) * 1000000000 + t.ps / 1000, ns,
			     "%lld", (long long)ps);
		cr_assert_eq(t.ps % 1000, 0);
	}
}

/* ---- card, kernel, buffer ---- */

struct served {
	int64_t at[4096];
	uint64_t index[4096];
	size_t n;
};

static void collect(struct cd_nic *nic, int64_t before, struct served *out)
{
	struct cd_arrival a;

	while (cd_nic_take(nic, before, &a)) {
		out->at[out->n] = a.service_ps;
		out->index[out->n++] = a.packet.index;
	}
}

/* `n` arrivals `spacing` apart, from 0 on. */
static void serve(const struct cd_point_spec *point, size_t n, int64_t spacing,
		  struct served *out, uint64_t *dropped)
{
	struct cd_nic nic;

	cd_nic_init(&nic, point);
	out->n = 0;
	for (size_t i = 0; i < n; i++) {
		struct cd_packet p = {.index = i};
		int64_t t = (int64_t)i * spacing;

		collect(&nic, t, out);
		cr_assert_geq(cd_nic_arrive(&nic, &p, t, NULL), 0);
	}
	collect(&nic, INT64_MAX, out);
	if (dropped != NULL)
		*dropped = nic.dropped;
	cd_nic_release(&nic);
}

/* Slow reference: M1 stamps a frame at the first tick not before it. */
Test(nic, timer)
{
	struct cd_point_spec p = plain_point;
	struct served got;

	p.coalescing = CD_COALESCE_TIMER;
	p.period_ps = 1000;
	p.phase_ps = 17;
	serve(&p, 4000, 123, &got, NULL);
	cr_assert_eq(got.n, 4000);
	for (size_t i = 0; i < got.n; i++) {
		int64_t tick = 17;

		while (tick < (int64_t)i * 123)
			tick += 1000;
		cr_assert_eq(got.at[i], tick);
		cr_assert_eq(got.index[i], i);
	}
}

/* M2: batches of floor(P / spacing) + 1, the interrupt P after the first. */
Test(nic, oneshot)
{
	struct cd_point_spec p = plain_point;
	struct served got;

	p.coalescing = CD_COALESCE_ONESHOT;
	p.period_ps = 1000;
	serve(&p, 3600, 123, &got, NULL);
	for (size_t i = 0; i < got.n; i++)
		cr_assert_eq(got.at[i], (int64_t)(i / 9 * 9) * 123 + 1000);
	p.period_ps = 1230; /* a multiple: the frame at that time is in */
	serve(&p, 3300, 123, &got, NULL);
	for (size_t i = 0; i < got.n; i++)
		cr_assert_eq(got.at[i], (int64_t)(i / 11 * 11) * 123 + 1230);
	serve(&p, 1000, 5000, &got, NULL);
	for (size_t i = 0; i < got.n; i++)
		cr_assert_eq(got.at[i], (int64_t)i * 5000 + 1230);
}

Test(nic, frames_limit_and_cost)
{
	struct cd_point_spec p = plain_point;
	struct served got;

	p.coalescing = CD_COALESCE_ONESHOT;
	p.period_ps = 1000;
	p.frames = 4;
	serve(&p, 4000, 100, &got, NULL);
	for (size_t i = 0; i < got.n; i++)
		cr_assert_eq(got.at[i], (int64_t)(i / 4 * 4 + 3) * 100);
	p.cost_ps = 10;
	serve(&p, 4000, 100, &got, NULL);
	for (size_t i = 0; i < got.n; i++)
		cr_assert_eq(got.at[i], (int64_t)(i / 4 * 4 + 3) * 100 +
					    (int64_t)(i % 4) * 10);
}

Test(nic, a_stall_fills_the_ring)
{
	struct cd_window stall = {.at_ps = 100000, .length_ps = 50000};
	struct cd_point_spec p = plain_point;
	struct served got;
	uint64_t dropped;

	p.stalls = (struct cd_windows){.items = &stall, .n = 1};
	p.ring = 100;
	serve(&p, 4000, 100, &got, &dropped);
	/* 500 or 501 come in the stall, 100 fit */
	cr_assert(dropped >= 399 && dropped <= 401);
	cr_assert_eq(got.n + dropped, 4000);
	for (size_t i = 0; i < got.n; i++)
		cr_assert(got.at[i] < 100000 || got.at[i] >= 150000);
	/* one run is missing, and it ends with the stall */
	for (size_t i = 1, gaps = 0; i < got.n; i++)
		if (got.index[i] != got.index[i - 1] + 1) {
			cr_assert_eq(++gaps, 1);
			cr_assert_eq(got.index[i] - got.index[i - 1] - 1,
				     dropped);
		}
}

/* Cost above the spacing: the ring fills and stays full; what is served comes
 * every `cost`. */
Test(nic, overload)
{
	struct cd_point_spec p = plain_point;
	struct served got;
	uint64_t dropped;

	p.cost_ps = 200;
	p.ring = 64;
	serve(&p, 4000, 100, &got, &dropped);
	/* 400,000 ps / 200 ps are served in time, 64 wait */
	cr_assert_float_eq((double)dropped, 4000 - 2000 - 64, 2);
	for (size_t i = 1; i < got.n; i++)
		cr_assert_eq(got.at[i] - got.at[i - 1], 200);
}

Test(ring, drain_slower_than_the_offer)
{
	struct cd_point_spec p = plain_point;
	struct cd_error error = {0};
	struct cd_ring ring;
	size_t kept = 0;

	p.buffer = 1000;
	p.drain_mpps = 180000000; /* 180 kpps */
	cr_assert_eq(cd_ring_init(&ring, &p, &error), 0);
	for (int i = 0; i < 200000; i++)
		kept += cd_ring_offer(&ring, (int64_t)i * 5000000);
	/* (200 - 180) kpps for 1 s, less the buffer */
	cr_assert_float_eq((double)(200000 - kept), 19000, 2);
	cr_assert_eq(ring.dropped, 200000 - kept);
	cd_ring_release(&ring);
}

Test(windows, repeat)
{
	struct cd_window items[] = {{100, 10, 50}, {115, 5, 0}};
	struct cd_windows w = {.items = items, .n = 2};

	cr_assert_eq(cd_windows_after(&w, 99), 99);
	cr_assert_eq(cd_windows_after(&w, 100), 110);
	cr_assert_eq(cd_windows_after(&w, 109), 110);
	cr_assert_eq(cd_windows_after(&w, 117), 120);
	cr_assert_eq(cd_windows_after(&w, 155), 160);
	cr_assert_eq(cd_windows_after(&w, 1000005), 1000010);
}

/* Gilbert: share and mean run, 5 standard errors (METRICS 1.4). */
Test(picker, runs)
{
	enum { N = 400000 };
	struct cd_pick pick = {.share = CD_SHARE_ONE / 50, .burst = 20};
	struct cd_picker p = cd_picker_init(&pick, 7, "test", "runs");
	bool before = false;
	double hits = 0, runs = 0, pbg;

	for (uint64_t i = 0; i < N; i++) {
		bool hit = cd_picker_hit(&p, i);

		hits += hit;
		runs += hit && !before;
		before = hit;
	}
	pbg = runs / hits;
	cr_assert_float_eq(pbg, 0.05, 5 * sqrt(0.05 * 0.95 / hits));
	cr_assert_float_eq(runs / (N - hits), 0.02 / (20 * 0.98),
			   5 * sqrt(0.00102 / N));
}

Test(picker, named_packets)
{
	struct cd_range ranges[] = {{3, 3}, {10, 12}};
	struct cd_pick pick = {.ranges = ranges, .n_ranges = 2};
	struct cd_picker p = cd_picker_init(&pick, 7, "test", "named");

	for (uint64_t i = 0; i < 20; i++)
		cr_assert_eq(cd_picker_hit(&p, i),
			     i == 3 || (i >= 10 && i <= 12));
}
