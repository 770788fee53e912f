#include <criterion/criterion.h>
#include <string.h>

#include "report/codes.h"
#include "sample_report.h"
#include "verdict/verdict.h"

static const struct cd_verdict_options defaults = {0};

/* hw and laptop, the laptop clean. */
static struct cd_report *clean_pair(void)
{
	struct cd_report *r = sample_captures(2);

	sample_own(r, 0);
	sample_clean(r, 1);
	return r;
}

static const struct cd_report_verdict *
judge(struct cd_report *r, const struct cd_verdict_options *options)
{
	cr_assert_eq(cd_judge(r, options, NULL), 0);
	cr_assert_eq(r->n_verdicts, 1);
	return &r->verdicts[0];
}

static bool has_reason(const struct cd_report_verdict *v, const char *reason)
{
	for (size_t i = 0; i < v->n_reasons; i++)
		if (strcmp(v->reasons[i], reason) == 0)
			return true;
	return false;
}

static bool has_qualifier(const struct cd_report_verdict *v, const char *what)
{
	for (size_t i = 0; i < v->n_qualifiers; i++)
		if (strcmp(v->qualifiers[i], what) == 0)
			return true;
	return false;
}

#define SAYS(v, words)                                                        \
	cr_assert_not_null(strstr((v)->text, words), "%s\nlacks: %s",         \
			   (v)->text, words)
#define STARTS(v, words)                                                      \
	cr_assert_eq(strncmp((v)->text, words "\n", sizeof(words)), 0,        \
		     "%s", (v)->text)
#define JUDGED(v, complete_, accurate_)                                       \
	do {                                                                  \
		cr_assert_eq((v)->complete, complete_, "%s", (v)->text);      \
		cr_assert_eq((v)->accurate, accurate_, "%s", (v)->text);      \
	} while (0)

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
		"below 0.0149 %) and short (2 s; 60 s or more are usual).");
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

Test(accurate, few_packets)
{
	struct cd_report *r = clean_pair();
	const struct cd_report_verdict *v;

	cd_report_null(r, 1, "time.error.span_ns", "n<1000");
	cd_report_count(r, 1, "match.matched", 999);
	v = judge(r, &defaults);
	JUDGED(v, CD_TRUE, CD_INCONCLUSIVE);
	SAYS(v, "Only 999 packets could be compared");
	cd_report_free(r);
}

Test(accurate, no_information_and_other_packets)
{
	struct cd_report *r = clean_pair();

	cd_report_span(r, 1, "time.error.span_ns", SEC(2));
	cd_report_finding(r, CD_WARNING, CD_CODE_NO_TIME_INFORMATION, 1, "x");
	JUDGED(judge(r, &defaults), CD_TRUE, CD_INCONCLUSIVE);
	SAYS(judge(r, &defaults), "carry no information");
	cd_report_finding(r, CD_ERROR, CD_CODE_DIFFERENT_PACKETS, 1, "x");
	cd_report_count(r, 1, "loss.missing", 9);
	JUDGED(judge(r, &defaults), CD_INCONCLUSIVE, CD_INCONCLUSIVE);
	STARTS(judge(r, &defaults), "inconclusive");
	cd_report_free(r);
}

Test(complete, more_than_were_sent)
{
	struct cd_verdict_options options = {.has_expect = true};
	struct cd_report *r = clean_pair();
	const struct cd_report_verdict *v;

	cd_report_count(r, 1, "loss.whole_expected", 100);
	cd_report_count(r, 1, "loss.whole_missing", 0);
	cd_report_finding(r, CD_WARNING, CD_CODE_MORE_THAN_SENT, 1, "x");
	v = judge(r, &options);
	JUDGED(v, CD_INCONCLUSIVE, CD_TRUE);
	SAYS(v, "More packets were captured than were sent");
	/* a known loss is one all the same */
	cd_report_count(r, 1, "loss.missing", 1);
	JUDGED(judge(r, &options), CD_FALSE, CD_TRUE);
	cd_report_free(r);
}

Test(complete, the_number_sent_needs_no_numbers)
{
	struct cd_verdict_options options = {.has_expect = true};
	struct cd_report *r = clean_pair();

	cd_report_null(r, 1, "loss.missing", "no numbers");
	cd_report_finding(r, CD_NOTE, CD_CODE_NO_NUMBERS, -1, "x");
	cd_report_count(r, 1, "loss.whole_expected", 100);
	cd_report_count(r, 1, "loss.whole_missing", 0);
	cr_assert_eq(judge(r, &options)->complete, CD_TRUE);
	cd_report_count(r, 1, "loss.whole_missing", 1);
	cr_assert_eq(judge(r, &options)->complete, CD_FALSE);
	cr_assert_eq(judge(r, &defaults)->complete, CD_INCONCLUSIVE);
	cd_report_free(r);
}

Test(judge, only_what_could_be_read)
{
	struct cd_report *r = clean_pair();

	r->captures[1].cut_short = true;
	SAYS(judge(r, &defaults), "The file is cut short: only what");
	cr_assert(has_qualifier(&r->verdicts[0], "file incomplete"));
	r->captures[1].damaged = true;
	SAYS(judge(r, &defaults), "The file is damaged: only what");
	cd_report_free(r);
}

Test(accurate, stamps_that_cannot_be_used)
{
	struct cd_report *r = clean_pair();
	const struct cd_report_verdict *v;

	cd_report_count(r, 1, "stream.packets", 100000);
	cd_report_count(r, 1, "time.invalid", 200);
	JUDGED(judge(r, &defaults), CD_TRUE, CD_TRUE);
	cd_report_count(r, 1, "time.invalid", 201);
	v = judge(r, &defaults);
	JUDGED(v, CD_TRUE, CD_FALSE);
	cr_assert(has_reason(v, "INVALID_TIMES"));
	SAYS(v, "201 packets have no usable time stamp.");
	cd_report_free(r);
}

Test(accurate, a_pace_that_no_clock_has)
{
	struct cd_report *r = clean_pair();
	const struct cd_report_verdict *v;

	cd_report_finding(r, CD_ERROR, CD_CODE_TIME_RATE, 1, "x");
	cd_report_real(r, 1, "clock.drift_ppm", 1e6);
	v = judge(r, &defaults);
	JUDGED(v, CD_TRUE, CD_FALSE);
	cr_assert(has_reason(v, "RATE"));
	SAYS(v, "run 2 times as fast as the reference's");
	cd_report_real(r, 1, "clock.drift_ppm", -2e6);
	SAYS(judge(r, &defaults), "run backwards against");
	cd_report_free(r);
}

Test(accurate, units)
{
	struct cd_report *r = clean_pair();

	cd_report_finding(r, CD_WARNING, CD_CODE_TIME_UNIT, 1, "x");
	JUDGED(judge(r, &defaults), CD_TRUE, CD_FALSE);
	cr_assert(has_reason(judge(r, &defaults), "UNIT"));
	cd_report_free(r);
	/* the reference's own fault says nothing about the other */
	r = clean_pair();
	cd_report_finding(r, CD_WARNING, CD_CODE_TIME_UNIT, 0, "x");
	JUDGED(judge(r, &defaults), CD_TRUE, CD_INCONCLUSIVE);
	cd_report_free(r);
}

Test(accurate, strict)
{
	struct cd_verdict_options options = {.strict = true};
	struct cd_report *r = clean_pair();

	cd_report_span(r, 1, "time.error.max_ns", US(10));
	JUDGED(judge(r, &options), CD_TRUE, CD_TRUE);
	cd_report_span(r, 1, "time.error.max_ns", US(10.1));
	JUDGED(judge(r, &options), CD_TRUE, CD_FALSE);
	SAYS(judge(r, &options), "The largest time stamp error, 10.10 us, is "
				 "more than ten times the limit of 1 us");
	JUDGED(judge(r, &defaults), CD_TRUE, CD_TRUE);
	cd_report_free(r);
}

Test(accurate, marginal)
{
	struct cd_report *r = clean_pair();
	struct cd_value *v;

	v = cd_report_span(r, 1, "time.error.span_ns", NS(990));
	v->has_interval = true;
	v->low = 950;
	v->high = 1030;
	cr_assert(has_qualifier(judge(r, &defaults), "marginal"));
	cr_assert_str_eq(r->verdicts[0].text,
			 "complete and accurate (marginal)");
	v = cd_report_span(r, 1, "time.error.span_ns", NS(990));
	v->has_interval = true;
	v->low = 950;
	v->high = 995;
	cr_assert_not(has_qualifier(judge(r, &defaults), "marginal"));
	cd_report_free(r);
}

Test(accurate, as_good_as_the_worst_stream)
{
	struct cd_report *r = clean_pair();
	const struct cd_report_verdict *v;

	r->streams = realloc(r->streams, 2 * sizeof(*r->streams));
	r->streams[1] = (struct cd_report_stream){
	    .id = 7,
	    .what = cd_strdup("UDP 1"),
	    .packets = calloc(2, sizeof(uint64_t)),
	};
	r->n_streams = 2;
	for (uint32_t id = 0; id <= 7; id += 7) {
		struct cd_value *s =
		    cd_report_span(r, 1, "time.error.span_ns", NS(300));

		s->has_n = true;
		s->n = 100000;
		cd_value_of_stream(r, s, id);
	}
	JUDGED(judge(r, &defaults), CD_TRUE, CD_TRUE);
	cd_value_of_stream(
	    r, cd_report_real(r, 1, "delta_error.false_share", 0.2), 7);
	v = judge(r, &defaults);
	JUDGED(v, CD_TRUE, CD_FALSE);
	SAYS(v, "This is of the worst stream, UDP 1; the table takes both "
		"streams together.");
	/* one stream too small to judge, the other fine */
	cd_value_of_stream(
	    r, cd_report_real(r, 1, "delta_error.false_share", 0), 7);
	cd_value_of_stream(
	    r, cd_report_null(r, 1, "time.error.span_ns", "n<1000"), 7);
	cd_value_of_stream(r, cd_report_count(r, 1, "match.matched", 20), 7);
	v = judge(r, &defaults);
	JUDGED(v, CD_TRUE, CD_INCONCLUSIVE);
	SAYS(v, "Only 20 packets");
	cd_report_free(r);
}

/* ---- one capture alone --------------------------------------------------- */

Test(single, numbering_is_reported_but_not_judged)
{
	struct cd_report *r = sample_captures(1);
	const struct cd_report_verdict *v;

	sample_own(r, 0);
	cd_report_count(r, 0, "stream.gaps", 0);
	v = judge(r, &defaults);
	JUDGED(v, CD_INCONCLUSIVE, CD_INCONCLUSIVE);
	STARTS(v, "inconclusive without a reference");
	SAYS(v, "No number is absent between the first and the last.");
	cd_report_count(r, 0, "stream.gaps", 502);
	cd_report_real(r, 0, "delta.impossible_ratio", 0.61);
	cd_report_span(r, 0, "cadence.span_ns", US(124.8));
	cd_report_real(r, 0, "burst.coalescing", 0.6);
	cd_report_span(r, 0, "burst.period_ns", US(125));
	v = judge(r, &defaults);
	SAYS(v, "502 numbers are absent between the first and the last. "
		"Without a reference it cannot be known whether they were "
		"lost here or never came.");
	SAYS(v, "61.0 % of the deltas are impossible on a wire of 1 Gb/s");
	SAYS(v, "lie within 124.8 us, the sender's own unevenness included.");
	SAYS(v, "Do not interpret deltas below about 125 us");
	cr_assert_eq(cd_exit_status(r), 1);
	cd_report_free(r);
}

Test(single, expect_judges_completeness)
{
	struct cd_verdict_options options = {.has_expect = true};
	struct cd_report *r = sample_captures(1);

	sample_own(r, 0);
	cd_report_count(r, 0, "loss.whole_expected", 200000);
	cd_report_count(r, 0, "loss.whole_missing", 0);
	JUDGED(judge(r, &options), CD_TRUE, CD_INCONCLUSIVE);
	cr_assert_str_eq(
	    r->verdicts[0].text,
	    "complete, accuracy inconclusive without a reference");
	cd_report_count(r, 0, "loss.whole_missing", 3);
	JUDGED(judge(r, &options), CD_FALSE, CD_INCONCLUSIVE);
	cd_report_free(r);
}

Test(judge, every_compared_capture)
{
	struct cd_report *r = sample_captures(3);

	r->captures[0].reference = false;
	r->captures[1].reference = true;
	r->reference = 1;
	sample_own(r, 1);
	sample_clean(r, 0);
	sample_laptop(r, 2);
	cr_assert_eq(cd_judge(r, &defaults, NULL), 0);
	cr_assert_eq(r->n_verdicts, 2);
	cr_assert_eq(r->verdicts[0].point, 0);
	JUDGED(&r->verdicts[0], CD_TRUE, CD_TRUE);
	cr_assert_eq(r->verdicts[1].point, 2);
	JUDGED(&r->verdicts[1], CD_FALSE, CD_FALSE);
	cr_assert_eq(cd_exit_status(r), 1);
	cd_report_free(r);
}

/* Whatever is missing or odd, a verdict comes out and says something. */
Test(judge, random_reports)
{
	uint64_t state = 1;

	for (int round = 0; round < 3000; round++) {
		size_t n = 1 + (size_t)round % 3;
		struct cd_report *r = sample_captures(n);

		for (int i = 0; i < 60; i++) {
			const struct cd_key *key;
			uint32_t p;
			int64_t x;

			state = state * UINT64_C(6364136223846793005) + 12345;
			key = &cd_key_table[(state >> 33) % cd_key_count];
			p = (uint32_t)((state >> 20) % n);
			x = (int64_t)state >> ((state >> 8) % 64);
			if (state >> 60 == 0)
				cd_report_null(r, p, key->name, "x");
			else if (key->kind == CD_VALUE_COUNT)
				cd_report_number(r, p, key->name, x);
			else if (key->kind == CD_VALUE_SPAN)
				cd_report_span(r, p, key->name, x);
			else if (key->kind == CD_VALUE_REAL)
				cd_report_real(r, p, key->name, (double)x);
		}
		cr_assert_eq(cd_judge(r, &defaults, NULL), 0);
		for (size_t i = 0; i < r->n_verdicts; i++) {
			cr_assert_gt(strlen(r->verdicts[i].text), 7);
			cr_assert_null(strstr(r->verdicts[i].text, "nan"));
		}
		cd_report_free(r);
	}
}

/* ---- limits -------------------------------------------------------------- */

static bool holds(struct cd_report *r, const char *expression)
{
	struct cd_error e = {0};
	size_t before = r->n_limits;

	cr_assert_eq(cd_limit_apply(r, expression, &e), 0, "%s: %s",
		     expression, e.what);
	cr_assert_eq(r->n_limits, before + 1);
	cr_assert_str_eq(r->limits[before].expression, expression);
	return r->limits[before].passed;
}

Test(limit, relations_and_units)
{
	struct cd_report *r = clean_pair();

	sample_laptop(r, 1);
	cr_assert(holds(r, "loss.missing<=502"));
	cr_assert_not(holds(r, "loss.missing < 502"));
	cr_assert(holds(r, "loss.missing==502"));
	cr_assert(holds(r, "loss.missing >= 502 packets"));
	cr_assert_not(holds(r, "loss.missing>502"));
	cr_assert(holds(r, "time.error.span_ns<=124.8us"));
	cr_assert(holds(r, "time.error.span_ns<=124800"));
	cr_assert(holds(r, "time.error.span_ns<=0.1248 ms"));
	cr_assert_not(holds(r, "time.error.span_ns<124.8us"));
	cr_assert_not(holds(r, "time.error.span_ns<=5us"));
	cr_assert(holds(r, "loss.ratio<=0.251%"));
	cr_assert(holds(r, "loss.ratio<=2510ppm"));
	cr_assert_not(holds(r, "loss.ratio<=0.25%"));
	cr_assert(holds(r, "clock.drift_ppm<=13ppm"));
	cr_assert_not(holds(r, "clock.drift_ppm<=12000ppb"));
	cr_assert(holds(r, "rate.pps>=100kpps"));
	cr_assert(holds(r, "rate.l1_bps<0.2Gb/s"));
	cr_assert(holds(r, "clock.offset_ns>-1s"));
	cr_assert_str_eq(r->limits[0].key, "laptop.loss.missing");
	cr_assert_str_eq(r->limits[0].value, "502");
	cr_assert_eq(cd_exit_status(r), 1);
	cd_report_free(r);
}

Test(limit, a_limit_alone_fails_a_clean_capture)
{
	struct cd_report *r = clean_pair();

	judge(r, &defaults);
	cr_assert_eq(cd_exit_status(r), 0);
	cr_assert(holds(r, "loss.missing<=0"));
	cr_assert_eq(cd_exit_status(r), 0);
	cr_assert_not(holds(r, "clock.offset_ns<=1ms"));
	cr_assert_eq(cd_exit_status(r), 1);
	cd_report_free(r);
}

Test(limit, what_is_null_or_absent_fails)
{
	struct cd_report *r = clean_pair();

	cd_report_null(r, 1, "loss.ratio", "n=0");
	cr_assert_not(holds(r, "loss.ratio<=1"));
	cr_assert_not(holds(r, "burst.share<=1"));
	cr_assert_str_eq(r->limits[0].value, "n/a (n=0)");
	cr_assert_str_eq(r->limits[1].value, "n/a (not measured)");
	cd_report_free(r);
}

Test(limit, every_compared_capture_or_one)
{
	struct cd_report *r = sample_captures(3);

	sample_own(r, 0);
	sample_clean(r, 1);
	sample_laptop(r, 2);
	cr_assert_eq(cd_limit_apply(r, "loss.missing<=0", NULL), 0);
	cr_assert_eq(r->n_limits, 2);
	cr_assert(r->limits[0].passed);
	cr_assert_not(r->limits[1].passed);
	cr_assert_str_eq(r->limits[1].key, "tap.loss.missing");
	cr_assert(holds(r, "laptop.loss.missing<=0"));
	cr_assert(holds(r, "hw.file.packets==200000"));
	cr_assert_not(holds(r, "laptop.stream.3.loss.missing<=0"));
	cr_assert_eq(cd_limit_apply(r, "stream.3.loss.missing<=0", NULL), 0);
	cr_assert_eq(r->n_limits, 7);
	cd_report_free(r);
}

Test(limit, one_capture_alone_is_meant)
{
	struct cd_report *r = sample_captures(1);

	sample_own(r, 0);
	cr_assert(holds(r, "file.packets==200000"));
	cd_report_free(r);
}

Test(limit, labels_may_hold_anything)
{
	struct cd_report *r = clean_pair();

	free(r->captures[1].label);
	r->captures[1].label = cd_strdup("a.b<=c");
	cr_assert(holds(r, "a.b<=c.loss.missing<=0"));
	cd_report_free(r);
}

static void refused(const char *expression, const char *what,
		    const char *hint)
{
	struct cd_report *r = clean_pair();
	struct cd_error e = {0};

	cr_assert_eq(cd_limit_apply(r, expression, &e), -1, "%s", expression);
	cr_assert_eq(e.fault, CD_E_USAGE);
	cr_assert_not_null(strstr(e.what, what), "%s", e.what);
	cr_assert_not_null(strstr(e.hint, hint), "%s", e.hint);
	cr_assert_eq(r->n_limits, 0);
	cd_report_free(r);
}

Test(limit, mistakes_are_said_with_the_nearest)
{
	refused("loss.mising<=0", "no value is called \"loss.mising\"",
		"did you mean \"loss.missing\"?");
	refused("laptop.clock.step<=0", "\"laptop.clock.step\"",
		"did you mean \"laptop.clock.steps\"?");
	refused("desktop.loss.missing<=0", "desktop", "loss.missing");
	refused("loss.missing", "has no <=", "KEY<=VALUE");
	refused("loss.missing<=", "not a number", "for example");
	refused("loss.missing<=nan", "not a number", "");
	refused("loss.missing<=0x10", "not a number", "");
	refused("loss.missing<=1e400", "too large", "");
	refused("loss.missing<=5us", "unit \"us\" does not fit", "packets");
	refused("time.error.span_ns<=5 parsec", "unit \"parsec\"",
		"ps ns us ms s");
	refused("time.tick_how==3", "is a text", "");
	refused("", "has no <=", "");
	refused("<=", "no value", "did you mean");
}

Test(limit, checked_before_there_is_a_report)
{
	struct cd_error error = {0};

	cr_assert_eq(cd_limit_check("loss.missing<=0", &error), 0);
	cr_assert_eq(cd_limit_check("a.b.time.error.span_ns < 5us", &error), 0);
	cr_assert_eq(cd_limit_check("x.stream.3.loss.ratio<=1%", &error), 0);
	cr_assert_eq(cd_limit_check("loss.missing<=5us", &error), -1);
	error = (struct cd_error){0};
	cr_assert_eq(cd_limit_check("loss.mising<=0", &error), -1);
	cr_assert(strstr(error.hint, "loss.missing") != NULL);
}
