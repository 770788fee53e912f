/* Onsets against their definition, cells, and what limits across sizes. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "random_report.h"
#include "report/sweep.h"
#include "sweep/parts.h"
#include "sweep/sweep.h"

/* ---- brackets against METRICS 9.4, word by word -------------------------- */

struct slow {
	double lo, hi; /* bps, 0: none */
	double inverted[16], undecided[16];
	size_t n_inverted, n_undecided;
};

/* hi = smallest rate that fails; lo = largest rate below hi that passes. */
static void find_slowly(const struct cd_rung *rungs, size_t n, struct slow *s)
{
	*s = (struct slow){0};
	for (size_t i = 0; i < n; i++)
		if (rungs[i].judgement == CD_FALSE &&
		    (s->hi == 0 || rungs[i].bps < s->hi))
			s->hi = rungs[i].bps;
	for (size_t i = 0; i < n; i++) {
		bool below = s->hi == 0 || rungs[i].bps < s->hi;

		if (rungs[i].judgement != CD_TRUE)
			continue;
		if (below && rungs[i].bps > s->lo)
			s->lo = rungs[i].bps;
		if (!below)
			s->inverted[s->n_inverted++] = rungs[i].bps;
	}
	for (size_t i = 0; i < n; i++)
		if (rungs[i].judgement == CD_INCONCLUSIVE &&
		    rungs[i].bps > s->lo &&
		    (s->hi == 0 || rungs[i].bps < s->hi))
			s->undecided[s->n_undecided++] = rungs[i].bps;
}

static void check_bracket(const struct cd_rung *rungs, size_t n)
{
	struct cd_sweep_bracket b;
	struct slow s;

	find_slowly(rungs, n, &s);
	cr_assert_eq(cd_sweep_bracket(rungs, n, &b), 0);
	cr_assert_eq(b.has_up_to, s.lo > 0);
	cr_assert_eq(b.has_fails_at, s.hi > 0);
	cr_assert_eq(b.up_to_bps, s.lo);
	cr_assert_eq(b.fails_at_bps, s.hi);
	cr_assert_eq(b.n_inverted, s.n_inverted);
	cr_assert_eq(b.n_undecided, s.n_undecided);
	for (size_t i = 0; i < s.n_inverted; i++)
		cr_assert_eq(b.inverted_bps[i], s.inverted[i]);
	for (size_t i = 0; i < s.n_undecided; i++)
		cr_assert_eq(b.undecided_bps[i], s.undecided[i]);
	if (s.lo > 0 && s.hi > 1.1 * s.lo)
		cr_assert_float_eq(b.next_bps, sqrt(s.lo * s.hi), 1e-6);
	else
		cr_assert_eq(b.next_bps, 0);
	free(b.inverted_bps);
	free(b.undecided_bps);
}

/* Every sequence of pass, fail and undecided over up to 7 rates. */
Test(sweep, brackets_of_all_small_series)
{
	static const enum cd_judgement all[] = {CD_FALSE, CD_TRUE,
						CD_INCONCLUSIVE};
	struct cd_rung rungs[7];
	int checked = 0;

	for (size_t n = 0; n <= 7; n++) {
		int sequences = (int)pow(3, (double)n);

		for (int k = 0; k < sequences; k++) {
			int rest = k;

			for (size_t i = 0; i < n; i++) {
				double pps = 1000 * pow(1.07, (double)(i * i));

				rungs[i] = (struct cd_rung){
				    pps, pps * 672, all[rest % 3], 0};
				rest /= 3;
			}
			check_bracket(rungs, n);
			checked++;
		}
	}
	cr_assert_eq(checked, 3280);
}

Test(sweep, interpolated_accuracy)
{
	struct cd_rung rungs[] = {{100, 100, CD_TRUE, 0.25},
				  {1600, 1600, CD_FALSE, 4}};
	struct cd_sweep_bracket b;

	cr_assert_eq(cd_sweep_bracket(rungs, 2, &b), 0);
	cr_assert_float_eq(b.estimate_bps, 400, 1e-9);
	cr_assert_float_eq(b.next_pps, 400, 1e-9);
	cr_assert_float_eq(b.next_bps, 400, 1e-9);
	rungs[1].g = 0.9; /* fails for another reason */
	free(b.inverted_bps);
	free(b.undecided_bps);
	cr_assert_eq(cd_sweep_bracket(rungs, 2, &b), 0);
	cr_assert_eq(b.estimate_bps, 0);
	free(b.inverted_bps);
	free(b.undecided_bps);
}

/* What passes with S above Lim, by its interval, is no lower end. */
Test(sweep, no_estimate_from_above_the_limit)
{
	struct cd_rung rungs[] = {{100, 100, CD_TRUE, 1.5},
				  {1600, 1600, CD_FALSE, 4}};
	struct cd_sweep_bracket b;

	cr_assert_eq(cd_sweep_bracket(rungs, 2, &b), 0);
	cr_assert_eq(b.estimate_bps, 0);
	free(b.inverted_bps);
	free(b.undecided_bps);
}

/* RFC 2544 section 26.3: a bracket of a tenth is narrow enough. */
Test(sweep, next_rate_of_a_wide_bracket)
{
	struct cd_rung rungs[] = {{1000, 1000, CD_TRUE, 0},
				  {1099, 1099, CD_FALSE, 0}};
	struct cd_sweep_bracket b;

	cr_assert_eq(cd_sweep_bracket(rungs, 2, &b), 0);
	cr_assert_eq(b.next_pps, 0);
	rungs[1].pps = rungs[1].bps = 1102;
	free(b.inverted_bps);
	free(b.undecided_bps);
	cr_assert_eq(cd_sweep_bracket(rungs, 2, &b), 0);
	cr_assert_float_eq(b.next_pps, sqrt(1000 * 1102), 1e-9);
	free(b.inverted_bps);
	free(b.undecided_bps);
}

/* ---- whole sweeps -------------------------------------------------------- */

static struct cd_report *new_sweep(size_t n)
{
	struct cd_report *r = cd_report_new();

	r->sweep = cd_sweep_new();
	r->sweep->runs = calloc(n, sizeof(*r->sweep->runs));
	r->sweep->n_runs = n;
	return r;
}

/* One run of hw and laptop. */
static void set_run(struct cd_report *sweep, size_t i, const char *name,
		    uint32_t size, double pps, enum cd_judgement complete,
		    enum cd_judgement accurate)
{
	struct cd_sweep_run *run = &sweep->sweep->runs[i];
	struct cd_report *r = sample_captures(2);

	run->name = cd_strdup(name);
	run->report = r;
	run->status = complete == CD_TRUE && accurate == CD_TRUE ? 0 : 1;
	cd_report_count(r, 1, "loss.expected", 1000);
	cd_report_count(r, 1, "loss.missing", complete == CD_TRUE ? 0 : 10);
	cd_report_real(r, 1, "rate.pps", pps);
	cd_report_real(r, 1, "rate.l1_bps", pps * 8 * (size + 20));
	cd_report_real(r, 1, "rate.l2_bps", pps * 8 * size);
	cd_report_count(r, 1, "rate.frame_bytes_p50", size);
	cd_report_real(r, 1, "physics.link_bps", 1e9);
	cd_report_span(r, 1, "time.error.span_ns", US((double)i + 1));
	r->verdicts = calloc(1, sizeof(*r->verdicts));
	r->n_verdicts = 1;
	r->verdicts[0] = (struct cd_report_verdict){
	    .point = 1, .complete = complete, .accurate = accurate,
	    .reasons = {complete == CD_FALSE ? "LOSS" : "JITTER"},
	    .n_reasons = complete == CD_TRUE && accurate == CD_TRUE ? 0 : 1};
}

static void compute(struct cd_report *r)
{
	struct cd_error error = {0};

	cr_assert_eq(cd_sweep_compute(r, &error), 0, "%s", error.what);
}

Test(sweep, trials_of_a_cell)
{
	struct cd_report *r = new_sweep(4);
	const struct cd_sweep_cell *cell;

	set_run(r, 0, "64/100/t1", 64, 100000, CD_TRUE, CD_TRUE);
	set_run(r, 1, "64/100/t2", 64, 101500, CD_FALSE, CD_INCONCLUSIVE);
	set_run(r, 2, "64/100/t3", 64, 100500, CD_TRUE, CD_FALSE);
	set_run(r, 3, "64/110/t1", 64, 110000, CD_INCONCLUSIVE, CD_TRUE);
	compute(r);
	cr_assert_eq(r->n_captures, 2);
	cr_assert_str_eq(r->captures[0].label, "hw");
	cr_assert(r->captures[0].reference);
	cr_assert_eq(r->sweep->n_cells, 2);
	cell = &r->sweep->cells[0];
	cr_assert_eq(cell->n_runs, 3);
	cr_assert_eq(cell->complete.valid, 3);
	cr_assert_eq(cell->complete.failed, 1);
	cr_assert_eq(cell->complete.judgement, CD_FALSE);
	cr_assert_eq(cell->accurate.valid, 2);
	cr_assert_eq(cell->accurate.judgement, CD_FALSE);
	cr_assert_eq(cell->pps, 100500);
	cr_assert_eq(cell->expected, 3000);
	cr_assert_eq(cell->missing, 10);
	cr_assert_str_eq(cell->reason, "LOSS");
	cr_assert_eq(cell->error.median_ps, US(2));
	cr_assert_eq(cell->error.high_ps, US(3));
	cr_assert_float_eq(cell->load, 100500.0 * 672 / 1e9, 1e-9);
	cell = &r->sweep->cells[1];
	cr_assert_eq(cell->complete.judgement, CD_INCONCLUSIVE);
	cr_assert_eq(cell->accurate.judgement, CD_TRUE);
	cd_report_free(r);
}

/* METRICS 9.3: from 20 trials on percentiles, of nearest rank. */
Test(sweep, spread_of_many_trials)
{
	struct cd_report *r = new_sweep(200);
	const struct cd_sweep_cell *cell;
	char name[16];

	for (size_t i = 0; i < 200; i++) {
		snprintf(name, sizeof(name), "t%zu", i);
		set_run(r, i, name, 64, 100000, CD_TRUE, CD_TRUE);
	}
	compute(r);
	cr_assert_eq(r->sweep->n_cells, 1);
	cell = &r->sweep->cells[0];
	cr_assert_eq(cell->error.n, 200);
	cr_assert_eq(cell->error.median_ps, US(100));
	cr_assert_eq(cell->error.low_ps, US(2));
	cr_assert_eq(cell->error.high_ps, US(198));
	cd_report_free(r);
}

/* METRICS 9.1: trials are of one rate, not of the next one. */
Test(sweep, rates_that_are_two)
{
	struct cd_report *r = new_sweep(3);

	set_run(r, 0, "a", 64, 100000, CD_TRUE, CD_TRUE);
	set_run(r, 1, "b", 64, 101900, CD_TRUE, CD_TRUE);
	set_run(r, 2, "c", 64, 102100, CD_TRUE, CD_TRUE);
	compute(r);
	cr_assert_eq(r->sweep->n_cells, 2);
	cr_assert_eq(r->sweep->cells[0].n_runs, 2);
	cd_report_free(r);
}

/* With --expect the larger loss counts, as in the verdict. */
Test(sweep, larger_loss_counts)
{
	struct cd_report *r = new_sweep(2);

	set_run(r, 0, "a", 64, 100000, CD_FALSE, CD_TRUE);
	set_run(r, 1, "b", 64, 200000, CD_FALSE, CD_TRUE);
	for (size_t i = 0; i < 2; i++) {
		struct cd_report *run = r->sweep->runs[i].report;

		cd_report_count(run, 1, "loss.whole_expected", 1100);
		cd_report_count(run, 1, "loss.whole_missing", i == 0 ? 110 : 9);
	}
	compute(r);
	cr_assert_eq(r->sweep->cells[0].missing, 110);
	cr_assert_eq(r->sweep->cells[0].expected, 1100);
	cr_assert_eq(r->sweep->cells[1].missing, 10);
	cr_assert_eq(r->sweep->cells[1].expected, 1000);
	cd_report_free(r);
}

/* METRICS 9.1: names agree within a hundredth. */
Test(sweep, names_that_disagree)
{
	static const double pps[] = {100900, 102000};

	for (size_t i = 0; i < 2; i++) {
		struct cd_report *r = new_sweep(1);

		set_run(r, 0, "100000pps", 64, pps[i], CD_TRUE, CD_TRUE);
		compute(r);
		cr_assert_eq(cd_report_has_finding(r, "sweep_name", -1),
			     i == 1);
		cd_report_free(r);
	}
}

/* METRICS 9.5: ten times the error at the lowest rate. */
Test(sweep, wander_of_an_overload)
{
	for (int64_t us = 9; us <= 11; us += 2) {
		struct cd_report *r = new_sweep(2);

		set_run(r, 0, "a", 64, 100000, CD_TRUE, CD_TRUE);
		set_run(r, 1, "b", 64, 200000, CD_FALSE, CD_TRUE);
		cd_report_span(r->sweep->runs[1].report, 1, "clock.wander_ns",
			       us * (int64_t)CD_PS_PER_US);
		compute(r);
		cr_assert_not(r->sweep->cells[0].overloaded);
		cr_assert_eq(r->sweep->cells[1].overloaded, us == 11);
		cd_report_free(r);
	}
}

/* Frames whose mean is not their median have no single size. */
Test(sweep, mixed_sizes)
{
	static const double mean[] = {64.5, 66};

	for (size_t i = 0; i < 2; i++) {
		struct cd_report *r = new_sweep(1);

		set_run(r, 0, "a", 64, 100000, CD_TRUE, CD_TRUE);
		cd_report_real(r->sweep->runs[0].report, 1, "rate.l1_bps",
			       100000 * 8 * (mean[i] + 20));
		compute(r);
		cr_assert_eq(r->sweep->cells[0].size, i == 0 ? 64 : 0);
		cd_report_free(r);
	}
}

/* Spreads that are nearly the same name no bottleneck. */
Test(sweep, limiter_of_a_tie)
{
	static const double apart[] = {4.4415, 5};

	for (size_t i = 0; i < 2; i++) {
		struct cd_report *r = new_sweep(4);

		set_run(r, 0, "a", 1518, 100000, CD_TRUE, CD_TRUE);
		set_run(r, 1, "b", 1518, 200000, CD_FALSE, CD_TRUE);
		set_run(r, 2, "c", 64, 100000 * apart[i], CD_TRUE, CD_TRUE);
		set_run(r, 3, "d", 64, 200000 * apart[i], CD_FALSE, CD_TRUE);
		compute(r);
		cr_assert_eq(r->sweep->n_limiters, 1);
		cr_assert_eq(r->sweep->limiters[0].complete,
			     i == 0 ? CD_LIMITED_UNKNOWN : CD_LIMITED_BY_BYTES);
		cd_report_free(r);
	}
}

/* What is not known comes first in the verdict, but the failure counts. */
Test(sweep, reason_of_the_failure)
{
	struct cd_report *r = new_sweep(1);
	struct cd_report_verdict *v;

	set_run(r, 0, "64/100", 64, 100000, CD_INCONCLUSIVE, CD_FALSE);
	v = &r->sweep->runs[0].report->verdicts[0];
	v->reasons[0] = "OFFLOAD_MERGE";
	v->reasons[1] = "JITTER";
	v->n_reasons = 2;
	v->reasons_about = (struct cd_abouts){
	    {CD_ABOUT_COMPLETE, CD_ABOUT_ACCURATE}, 2};
	compute(r);
	cr_assert_str_eq(r->sweep->cells[0].reason, "JITTER");
	cd_report_free(r);
}

/* The same, whatever the order in which runs ended. */
Test(sweep, order_of_runs_changes_nothing)
{
	static const char *const names[] = {"c", "a", "b"};
	struct cd_report *r = new_sweep(3);

	for (size_t i = 0; i < 3; i++)
		set_run(r, i, names[i], 64, 1000.0 * (double)(i + 1), CD_TRUE,
			CD_TRUE);
	compute(r);
	cr_assert_str_eq(r->sweep->runs[0].name, "a");
	cr_assert_eq(r->sweep->runs[0].pps, 2000);
	cr_assert_eq(r->sweep->cells[0].runs[0], 2);
	cd_report_free(r);
}

static void add_onset(struct cd_report *r, size_t *i, uint32_t size,
		      double lo_pps, double hi_pps)
{
	char name[40];

	snprintf(name, sizeof(name), "%lu/lo", (unsigned long)size);
	set_run(r, (*i)++, name, size, lo_pps, CD_TRUE, CD_TRUE);
	snprintf(name, sizeof(name), "%lu/hi", (unsigned long)size);
	set_run(r, (*i)++, name, size, hi_pps, CD_FALSE, CD_TRUE);
}

Test(sweep, what_limits)
{
	for (int bytes = 0; bytes < 2; bytes++) {
		static const uint32_t sizes[] = {64, 512, 1518};
		struct cd_report *r = new_sweep(6);
		size_t n = 0;

		for (size_t i = 0; i < 3; i++) {
			double pps = bytes ? 1e8 / 8 / (sizes[i] + 20.0)
					   : 90000;

			add_onset(r, &n, sizes[i], pps, pps * 2);
		}
		compute(r);
		cr_assert_eq(r->sweep->n_onsets, 3);
		cr_assert_eq(r->sweep->n_limiters, 1);
		cr_assert_eq(r->sweep->limiters[0].complete,
			     bytes ? CD_LIMITED_BY_BYTES
				   : CD_LIMITED_PER_PACKET);
		cr_assert_eq(r->sweep->limiters[0].accurate,
			     CD_LIMITED_UNKNOWN);
		cd_report_free(r);
	}
}

/* What the name says, and whether it is doubted: 64 bytes with FCS at
 * 148,810 packets/s are 100 Mb/s on the wire, 76.2 with FCS, 71.4 without. */
Test(sweep, names_are_held_to_a_hundredth)
{
	static const struct {
		const char *name;
		bool doubted;
	} cases[] = {
	    {"64/100M", false},	     {"64B_100Mbps", false},
	    {"60_76.2Mb", false},	     {"64_71.4Mbit", false},
	    {"64_148810", false},	     {"148.8kpps", false},
	    {"64_200000", true},	     {"512_100M", true},
	    {"64/250M", true},	     {"64/1G", true},
	    {"trial_7/run2", false},     {"20261130_100M", false},
	    {"port-5001_vlan12", false}, {"128B/100M", true},
	    {"149k", false},	     {"149kbps", true},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct cd_report *r = new_sweep(1);

		set_run(r, 0, cases[i].name, 64, 148810, CD_TRUE, CD_TRUE);
		compute(r);
		cr_assert_eq(cd_report_has_finding(r, "sweep_name", -1),
			     cases[i].doubted, "%s", cases[i].name);
		cd_report_free(r);
	}
}

Test(sweep, inversion_and_overload_are_said)
{
	struct cd_report *r = new_sweep(3);

	set_run(r, 0, "a", 64, 10000, CD_TRUE, CD_TRUE);
	set_run(r, 1, "b", 64, 20000, CD_FALSE, CD_TRUE);
	set_run(r, 2, "c", 64, 30000, CD_TRUE, CD_TRUE);
	cd_report_span(r->sweep->runs[1].report, 1, "clock.wander_ns",
		       MS(20));
	compute(r);
	cr_assert(cd_report_has_finding(r, "sweep_inversion", 1));
	cr_assert(cd_report_has_finding(r, "sweep_overload", 1));
	cr_assert(r->sweep->cells[1].overloaded);
	cr_assert_not(r->sweep->cells[2].overloaded);
	cr_assert_eq(r->sweep->onsets[0].complete.up_to_pps, 10000);
	cr_assert_eq(r->sweep->onsets[0].complete.n_inverted, 1);
	cd_report_free(r);
}

/* Captures by themselves: set-ups from their names. */
Test(sweep, setups_from_names)
{
	static const char *const names[] = {
	    "default_0064_line", "default_0512_line", "buffer-100MB_0064_line",
	    "buffer-100MB_0512_line"};
	struct cd_report *r = new_sweep(4);

	for (size_t i = 0; i < 4; i++) {
		struct cd_report *one = sample_captures(1);

		r->sweep->runs[i].name = cd_strdup(names[i]);
		r->sweep->runs[i].report = one;
		cd_report_count(one, 0, "loss.whole_expected", 1000);
		cd_report_count(one, 0, "loss.whole_missing", 500);
		cd_report_real(one, 0, "rate.pps", 5000);
		cd_report_real(one, 0, "rate.l1_bps", 5000 * 672);
		cd_report_count(one, 0, "rate.frame_bytes_p50", 64);
	}
	compute(r);
	cr_assert_not(r->sweep->has_reference);
	cr_assert_eq(r->n_captures, 2);
	cr_assert_str_eq(r->captures[0].label, "buffer-100MB");
	cr_assert_str_eq(r->captures[1].label, "default");
	cr_assert_eq(r->sweep->runs[0].pps, 10000);
	cr_assert_eq(r->sweep->cells[0].missing, 1000);
	cd_report_free(r);
}

/* What was offered to a capture alone fits on the link. */
Test(sweep, alone_up_to_the_link)
{
	struct cd_report *r = new_sweep(1), *one = sample_captures(1);

	r->sweep->runs[0].name = cd_strdup("default_0064_line");
	r->sweep->runs[0].report = one;
	cd_report_count(one, 0, "loss.whole_expected", 1000);
	cd_report_count(one, 0, "loss.whole_missing", 500);
	cd_report_real(one, 0, "rate.pps", 5000);
	cd_report_real(one, 0, "rate.l1_bps", 5000 * 672);
	cd_report_real(one, 0, "physics.link_bps", 7500 * 672);
	cd_report_count(one, 0, "rate.frame_bytes_p50", 64);
	compute(r);
	cr_assert_float_eq(r->sweep->runs[0].pps, 7500, 1e-9);
	cd_report_free(r);
}
