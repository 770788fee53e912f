/* Verdicts: complete and accurate. */
#include "verdicts.h"


Test(profile, table)
{
	cr_assert_str_eq(cd_profile_find(NULL)->name, "analysis");
	cr_assert_eq(cd_profile_find("monitoring")->abs_ps, MS(1));
	cr_assert_eq(cd_profile_find("lab")->abs_ps, US(10));
	cr_assert_null(cd_profile_find("la"));
	cr_assert_eq(cd_profile_count, 3);
}

Test(judge, clean_pair_needs_no_words)
{
	struct cd_report *r = clean_pair();
	const struct cd_report_verdict *v = judge(r, &defaults);

	JUDGED(v, CD_TRUE, CD_TRUE);
	cr_assert_str_eq(v->text, "complete and accurate");
	cr_assert_eq(v->n_reasons, 0);
	cr_assert_eq(v->n_qualifiers, 0);
	cr_assert_eq(cd_exit_status(r), 0);
	cr_assert_str_eq(r->profile, "analysis");
	cd_report_free(r);
}

Test(judge, the_example_of_the_interface)
{
	struct cd_report *r = clean_pair();
	const struct cd_report_verdict *v;

	sample_laptop(r, 1);
	v = judge(r, &defaults);
	JUDGED(v, CD_FALSE, CD_FALSE);
	cr_assert(has_reason(v, "LOSS"));
	cr_assert(has_reason(v, "BUNCHING"));
	cr_assert_str_eq(
	    v->text,
	    "NOT COMPLETE and NOT ACCURATE\n"
	    "502 of 200,000 packets are missing; 412 of them in one gap at "
	    "1.500 s, which looks like a capture buffer that overflowed. The "
	    "file's own counters admit 90.\n"
	    "Time stamps come in bursts of about 12 packets every 125 us, "
	    "which looks like interrupt coalescing. Do not interpret deltas "
	    "below about 125 us in this file.");
	cr_assert_eq(cd_exit_status(r), 1);
	cd_report_free(r);
}

Test(judge, judging_again_replaces)
{
	struct cd_report *r = clean_pair();

	judge(r, &defaults);
	judge(r, &defaults);
	cd_report_free(r);
}

Test(judge, nothing_judged_is_no_pass)
{
	struct cd_report *r = cd_report_new();

	cr_assert_eq(cd_exit_status(r), 1);
	cr_assert_eq(cd_judge(r, &defaults, NULL), 0);
	cr_assert_eq(cd_exit_status(r), 1);
	cd_report_free(r);
}

/* ---- complete ------------------------------------------------------------ */

Test(complete, one_missing_packet)
{
	struct cd_report *r = clean_pair();
	const struct cd_report_verdict *v;

	cd_report_count(r, 1, "loss.missing", 1);
	cd_report_count(r, 1, "loss.runs", 1);
	cd_report_count(r, 1, "loss.longest_run", 1);
	v = judge(r, &defaults);
	JUDGED(v, CD_FALSE, CD_TRUE);
	STARTS(v, "NOT COMPLETE but accurate");
	SAYS(v, "1 of 200,000 packets is missing. (The file has no drop");
	cr_assert_null(strstr(v->text, "overflow"));
	cd_report_free(r);
}

Test(complete, patterns_of_loss)
{
	struct cd_report *r = clean_pair();

	cd_report_count(r, 1, "loss.missing", 300);
	cd_report_count(r, 1, "loss.runs", 300);
	cd_report_count(r, 1, "loss.single_runs", 300);
	cd_report_count(r, 1, "loss.longest_run", 1);
	SAYS(judge(r, &defaults), "missing, never two in a row. ");
	cd_report_span(r, 1, "loss.run_spacing_p50_ns", MS(2));
	cd_report_real(r, 1, "loss.run_spacing_spread", 0.1);
	SAYS(judge(r, &defaults), "never two in a row, one about every 2 ms, "
				  "which looks like a capture that is a "
				  "little too slow for the rate.");
	cd_report_count(r, 1, "loss.runs", 10);
	cd_report_count(r, 1, "loss.single_runs", 0);
	cd_report_count(r, 1, "loss.longest_run", 31);
	cd_report_real(r, 1, "loss.mean_run", 30);
	cd_report_span(r, 1, "loss.longest_at_ns", SEC(12.5));
	SAYS(judge(r, &defaults),
	     "in 10 gaps, the longest of 31 at 12.50 s, one about every 2 "
	     "ms, which looks like a capture buffer that overflows again and "
	     "again.");
	cd_report_count(r, 1, "loss.runs", 1);
	cd_report_count(r, 1, "loss.longest_run", 300);
	SAYS(judge(r, &defaults), "missing, all of them in one gap at 12.50 s, "
				  "which looks like a capture buffer that "
				  "overflowed.");
	cd_report_free(r);
}

Test(complete, counters_of_the_file)
{
	struct cd_report *r = clean_pair();

	cd_report_count(r, 1, "loss.missing", 50);
	cd_report_count(r, 1, "loss.reported_by_file", 0);
	SAYS(judge(r, &defaults), "The file's own counters admit none.");
	cd_report_count(r, 1, "loss.reported_by_file", 50);
	SAYS(judge(r, &defaults), "The file's own counters admit as many.");
	cd_report_count(r, 1, "loss.reported_by_file", 1234);
	SAYS(judge(r, &defaults), "The file's own counters say even 1,234.");
	cd_report_null(r, 1, "loss.reported_by_file", "not recorded");
	SAYS(judge(r, &defaults), "(The file has no drop counters.)");
	free(r->captures[1].format);
	r->captures[1].format = cd_strdup("pcap");
	SAYS(judge(r, &defaults), "(A pcap file has no drop counters.)");
	cd_report_free(r);
}

Test(complete, tolerance)
{
	struct cd_verdict_options options = {.loss_ratio = 0.005};
	struct cd_report *r = clean_pair();
	const struct cd_report_verdict *v;

	cd_report_count(r, 1, "loss.missing", 1000);
	v = judge(r, &options);
	JUDGED(v, CD_TRUE, CD_TRUE);
	cr_assert(has_qualifier(v, "within the loss tolerance"));
	cr_assert_not(has_reason(v, "LOSS"));
	STARTS(v, "complete (within the tolerance) and accurate");
	SAYS(v, "within the tolerance of 0.500 %");
	cd_report_count(r, 1, "loss.missing", 1001);
	JUDGED(judge(r, &options), CD_FALSE, CD_TRUE);
	cd_report_free(r);
}

Test(complete, the_reference_may_lack_packets)
{
	struct cd_report *r = clean_pair();
	const struct cd_report_verdict *v;

	cd_report_count(r, 1, "loss.ref_miss", 12);
	cd_report_count(r, 1, "loss.both_miss", 17);
	v = judge(r, &defaults);
	JUDGED(v, CD_TRUE, CD_TRUE);
	cr_assert(has_qualifier(v, "ref incomplete"));
	SAYS(v, "The reference lacks 12 packets that laptop has");
	SAYS(v, "17 more packets are missing in every capture and probably "
		"never sent.");
	cd_report_free(r);
}

Test(complete, only_inside_the_common_interval)
{
	struct cd_report *r = clean_pair();
	const struct cd_report_verdict *v;

	cd_report_count(r, 1, "loss.head_excluded", 2000);
	cr_assert_str_eq(judge(r, &defaults)->text, "complete and accurate");
	cd_report_count(r, 1, "loss.tail_excluded", 1);
	v = judge(r, &defaults);
	STARTS(v, "complete (inside the common interval) and accurate");
	cr_assert(has_qualifier(v, "inside the common interval"));
	SAYS(v, "2,000 came before it and 1 after it.");
	/* few packets, but more than a second of them */
	cd_report_count(r, 1, "loss.head_excluded", 2);
	cd_report_span(r, 1, "loss.excluded_ns", SEC(1.1));
	cr_assert(has_qualifier(judge(r, &defaults),
				"inside the common interval"));
	cd_report_free(r);
}

Test(complete, ends_that_were_lost)
{
	struct cd_report *r = clean_pair();

	cd_report_count(r, 1, "loss.missing", 70);
	cd_report_count(r, 1, "loss.tail_lost", 70);
	SAYS(judge(r, &defaults), "70 of them came after the last one stored, "
				  "though the capture was still running.");
	cd_report_free(r);
}

Test(complete, null_with_its_reason)
{
	static const struct {
		const char *code, *reason, *words;
	} cases[] = {
	    {CD_CODE_NO_COMMON, "NO_COMMON_INTERVAL", "no numbers in common"},
	    {CD_CODE_NO_NUMBERS, "NO_NUMBERS", "carry no numbers"},
	    {CD_CODE_WRAP_AMBIGUOUS, "WRAP_AMBIGUOUS", "wrapped around"},
	    {CD_CODE_AMBIGUOUS_NUMBERS, "AMBIGUOUS_NUMBERS", "repeat"},
	    {CD_CODE_DIFFERENT_PACKETS, "DIFFERENT_PACKETS",
	     "two different runs"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct cd_report *r = clean_pair();
		const struct cd_report_verdict *v;

		cd_report_finding(r, CD_WARNING, cases[i].code, 1, "x");
		v = judge(r, &defaults);
		cr_assert_eq(v->complete, CD_INCONCLUSIVE, "%s",
			     cases[i].code);
		cr_assert(has_reason(v, cases[i].reason));
		SAYS(v, cases[i].words);
		cr_assert_eq(cd_exit_status(r), 1);
		cd_report_free(r);
	}
}

/* A known loss is never hidden by what is unknown beside it. */
Test(complete, cut_numbers_hide_only_as_many_as_were_cut)
{
	struct cd_report *r = clean_pair();
	const struct cd_report_verdict *v;

	cd_report_finding(r, CD_WARNING, CD_CODE_NUMBERS_CUT, 1, "x");
	cd_report_count(r, 1, "loss.cut", 30);
	cd_report_count(r, 1, "loss.missing", 30);
	v = judge(r, &defaults);
	JUDGED(v, CD_INCONCLUSIVE, CD_TRUE);
	STARTS(v, "accurate, completeness inconclusive");
	SAYS(v, "cut off in 30 packets by the snapshot length");
	cd_report_count(r, 1, "loss.missing", 0);
	JUDGED(judge(r, &defaults), CD_INCONCLUSIVE, CD_TRUE);
	cd_report_count(r, 1, "loss.missing", 31);
	JUDGED(judge(r, &defaults), CD_FALSE, CD_TRUE);
	cd_report_free(r);
}

Test(complete, merged_frames_explain_some_loss)
{
	struct cd_report *r = clean_pair();

	cd_report_finding(r, CD_WARNING, CD_CODE_OFFLOAD_MERGE, 1, "x");
	cd_report_count(r, 1, "stream.offload", 10);
	JUDGED(judge(r, &defaults), CD_TRUE, CD_TRUE);
	cd_report_count(r, 1, "loss.missing", 400);
	JUDGED(judge(r, &defaults), CD_INCONCLUSIVE, CD_TRUE);
	SAYS(judge(r, &defaults), "receive offload");
	cd_report_count(r, 1, "loss.missing", 641);
	JUDGED(judge(r, &defaults), CD_FALSE, CD_TRUE);
	cd_report_free(r);
}

Test(complete, weak_and_short)
{
	struct cd_report *r = clean_pair();
	const struct cd_report_verdict *v;

	cd_report_count(r, 1, "loss.expected", 20000);
	cd_report_real(r, 1, "loss.ratio_upper_95", 1.498e-4);
	cd_report_span(r, 1, "clock.span_ns", SEC(2));
	v = judge(r, &defaults);
	JUDGED(v, CD_TRUE, CD_TRUE);
	cr_assert(has_qualifier(v, "weak"));
	cr_assert(has_qualifier(v, "short"));
	SAYS(v, "The evidence is weak (20,000 packets cannot exclude a loss "
		"below 0.0150 %) and short (2 s; 60 s or more are usual).");
	cr_assert_eq(cd_exit_status(r), 0);
	cd_report_free(r);
}

Test(complete, expect_counts_all_that_was_sent)
{
	struct cd_verdict_options options = {.has_expect = true};
	struct cd_report *r = clean_pair();

	cd_report_count(r, 1, "loss.whole_expected", 200100);
	cd_report_count(r, 1, "loss.whole_missing", 100);
	JUDGED(judge(r, &options), CD_FALSE, CD_TRUE);
	SAYS(judge(r, &options), "100 of 200,100 packets are missing");
	JUDGED(judge(r, &defaults), CD_TRUE, CD_TRUE);
	cd_report_free(r);
}

/* ---- accurate ------------------------------------------------------------ */

Test(accurate, limits_of_the_span)
{
	struct cd_report *r = clean_pair();
	const struct cd_report_verdict *v;

	/* Lim 1,000 ns, u_ref 1 ns */
	cd_report_span(r, 1, "time.error.span_ns", NS(999));
	JUDGED(judge(r, &defaults), CD_TRUE, CD_TRUE);
	cd_report_span(r, 1, "time.error.span_ns", NS(999) + 1);
	v = judge(r, &defaults);
	JUDGED(v, CD_TRUE, CD_INCONCLUSIVE);
	STARTS(v, "complete, accuracy inconclusive");
	cr_assert(has_reason(v, "REFERENCE_COARSE"));
	SAYS(v, "The reference is uncertain by 1 ns, too much to tell whether "
		"a time stamp error of 999.0 ns is inside the limit of 1 us "
		"(10 % of the median packet spacing).");
	cd_report_span(r, 1, "time.error.span_ns", NS(1001));
	JUDGED(judge(r, &defaults), CD_TRUE, CD_INCONCLUSIVE);
	cd_report_span(r, 1, "time.error.span_ns", NS(1001) + 1);
	v = judge(r, &defaults);
	JUDGED(v, CD_TRUE, CD_FALSE);
	STARTS(v, "complete but NOT ACCURATE");
	cr_assert(has_reason(v, "JITTER"));
	SAYS(v, "99.8 % of them lie within 1.001 us, the limit is 1 us (10 % "
		"of the median packet spacing). Do not interpret deltas below about "
		"1 us in this file.");
	cd_report_free(r);
}

Test(accurate, the_tick_of_the_reference_is_its_uncertainty)
{
	struct cd_report *r = sample_captures(2);

	sample_own(r, 0);
	cd_report_span(r, 0, "time.tick_ns", NS(700));
	sample_clean(r, 1);
	cd_report_null(r, 1, "time.u_ref_ns", "not measured");
	JUDGED(judge(r, &defaults), CD_TRUE, CD_INCONCLUSIVE);
	/* too large to be excused by it */
	cd_report_span(r, 1, "time.error.span_ns", NS(1701));
	JUDGED(judge(r, &defaults), CD_TRUE, CD_FALSE);
	cd_report_free(r);
}

Test(accurate, invented_time_fails_however_coarse_the_reference)
{
	struct cd_report *r = clean_pair();
	const struct cd_report_verdict *v;

	cd_report_span(r, 1, "time.u_ref_ns", MS(1));
	cd_report_real(r, 1, "delta_error.false_share", 0.05);
	JUDGED(judge(r, &defaults), CD_TRUE, CD_INCONCLUSIVE);
	cd_report_real(r, 1, "delta_error.false_share", 0.0501);
	cd_report_count(r, 1, "time.late_events", 7);
	cd_report_span(r, 1, "time.late_max_ns", MS(20.31));
	cd_report_span(r, 1, "time.late_max_at_ns", SEC(1.5));
	v = judge(r, &defaults);
	JUDGED(v, CD_TRUE, CD_FALSE);
	cr_assert(has_reason(v, "STALL"));
	SAYS(v, "Time stamps are late in 7 events, at worst 20.31 ms late at "
		"1.500 s, which looks like a capturing computer that was held "
		"up. Any delta in this file can be wrong by as much as 20.3 "
		"ms.");
	cd_report_free(r);
}

Test(accurate, reasons_in_their_order)
{
	struct cd_report *r = clean_pair();

	cd_report_span(r, 1, "time.error.span_ns", MS(20));
	cd_report_real(r, 1, "time.late_in_runs_ratio", 0.9);
	cr_assert(has_reason(judge(r, &defaults), "STALL"));
	cd_report_real(r, 1, "time.late_in_runs_ratio", 0.89);
	cr_assert(has_reason(judge(r, &defaults), "JITTER"));
	cd_report_real(r, 1, "burst.coalescing", 0.3);
	cr_assert(has_reason(judge(r, &defaults), "BUNCHING"));
	cr_assert_not(has_reason(judge(r, &defaults), "JITTER"));
	cd_report_null(r, 1, "burst.period_ns", "stamps scatter, no batches");
	cr_assert(has_reason(judge(r, &defaults), "JITTER"));
	cd_report_span(r, 1, "burst.period_ns", MS(20));
	cr_assert(has_reason(judge(r, &defaults), "BUNCHING"));
	cd_report_span(r, 1, "time.tick_ns", MS(15.625));
	cr_assert(has_reason(judge(r, &defaults), "RESOLUTION"));
	SAYS(judge(r, &defaults),
	     "Time stamps have a resolution of 15.62 ms (though the file "
	     "could hold 1 ns), the limit is 1 us (10 % of the median "
	     "packet spacing). Do not interpret deltas below about 20 ms");
	cd_report_free(r);
}

Test(accurate, long_bursts_are_no_interrupts)
{
	struct cd_report *r = clean_pair();

	cd_report_span(r, 1, "time.error.span_ns", MS(20));
	cd_report_real(r, 1, "burst.coalescing", 0.99);
	SAYS(judge(r, &defaults), "Time stamps come in bursts. Do not");
	cd_report_span(r, 1, "burst.period_ns", MS(18));
	cd_report_span(r, 1, "burst.period_p10_ns", MS(10));
	cd_report_span(r, 1, "burst.period_p90_ns", MS(30));
	SAYS(judge(r, &defaults),
	     "bursts about every 18 ms, which looks like a buffer");
	SAYS(judge(r, &defaults), "deltas below about 20 ms");
	cd_report_free(r);
}

Test(accurate, steps_and_wander)
{
	struct cd_report *r = clean_pair();
	const struct cd_report_verdict *v;

	cd_report_count(r, 1, "clock.steps", 2);
	cd_report_span(r, 1, "clock.step_max_ns", MS(-25));
	cd_report_span(r, 1, "clock.step_max_at_ns", SEC(5.12));
	cd_report_span(r, 1, "clock.wander_ns", US(101));
	v = judge(r, &defaults);
	JUDGED(v, CD_TRUE, CD_FALSE);
	cr_assert(has_reason(v, "STEP"));
	cr_assert(has_reason(v, "WANDER"));
	SAYS(v, "stepped 2 times, the most by -25.00 ms at 5.120 s.");
	SAYS(v, "The clock wanders by 101.0 us around its drift, the limit is "
		"100 us");
	/* a step is certain also when little could be compared */
	cd_report_count(r, 1, "clock.steps", 1);
	cd_report_null(r, 1, "time.error.span_ns", "n<1000");
	cd_report_count(r, 1, "match.matched", 60);
	JUDGED(judge(r, &defaults), CD_TRUE, CD_FALSE);
	SAYS(judge(r, &defaults), "stepped once, by -25.00 ms");
	cd_report_free(r);
}

Test(accurate, wander_that_the_reference_may_have)
{
	struct cd_report *r = clean_pair();

	cd_report_span(r, 1, "time.u_ref_ns", NS(500));
	cd_report_span(r, 1, "clock.wander_ns", NS(99800));
	JUDGED(judge(r, &defaults), CD_TRUE, CD_INCONCLUSIVE);
	SAYS(judge(r, &defaults), "whether a clock wander of 99.80 us");
	cd_report_free(r);
}
