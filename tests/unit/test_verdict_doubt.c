/* Verdicts: what cannot be known, limits. */
#include "verdicts.h"

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

/* ---- what is about what -------------------------------------------------- */

/* The one reason of a pair with this finding, and the paragraph that says it. */
static void check_about(const char *code, enum cd_about about)
{
	struct cd_report *r = clean_pair();
	const struct cd_report_verdict *v;

	cd_report_finding(r, CD_WARNING, code, 1, "x");
	v = judge(r, &defaults);
	cr_assert_eq(v->n_reasons, 1, "%s", code);
	cr_assert_eq(v->reasons_about.n, 1, "%s", code);
	cr_assert_eq(v->reasons_about.list[0], about, "%s", code);
	cr_assert_eq(v->paragraphs_about.n, 1, "%s: %s", code, v->text);
	cr_assert_eq(v->paragraphs_about.list[0], about, "%s", code);
	cd_report_free(r);
}

Test(about, one_reason)
{
	check_about(CD_CODE_NO_COMMON, CD_ABOUT_BOTH);
	check_about(CD_CODE_NO_NUMBERS, CD_ABOUT_BOTH);
	check_about(CD_CODE_DIFFERENT_PACKETS, CD_ABOUT_BOTH);
	check_about(CD_CODE_WRAP_AMBIGUOUS, CD_ABOUT_COMPLETE);
	check_about(CD_CODE_AMBIGUOUS_NUMBERS, CD_ABOUT_COMPLETE);
	check_about(CD_CODE_NO_TIME_INFORMATION, CD_ABOUT_ACCURATE);
}

Test(about, several_reasons)
{
	static const enum cd_about paragraphs[] = {
	    CD_ABOUT_BOTH, CD_ABOUT_COMPLETE, CD_ABOUT_ACCURATE,
	    CD_ABOUT_ACCURATE};
	struct cd_report *r = sample_captures(2);
	const struct cd_report_verdict *v;

	sample_own(r, 0);
	sample_laptop(r, 1);
	cd_report_count(r, 1, "clock.steps", 1);
	r->captures[1].cut_short = true;
	v = judge(r, &defaults);
	cr_assert_eq(v->n_reasons, 3); /* LOSS BUNCHING STEP */
	cr_assert_eq(v->reasons_about.n, 3);
	cr_assert_eq(v->paragraphs_about.n, 4, "%s", v->text);
	for (size_t i = 0; i < 4; i++) {
		cr_expect_eq(v->paragraphs_about.list[i], paragraphs[i]);
		cr_expect(i == 0 || v->reasons_about.list[i - 1] ==
					paragraphs[i]);
	}
	cr_expect(cd_is_about(&v->paragraphs_about, 0, CD_ABOUT_ACCURATE));
	cr_expect_not(cd_is_about(&v->paragraphs_about, 1, CD_ABOUT_ACCURATE));
	/* what an earlier version did not say */
	cr_expect(cd_is_about(&v->paragraphs_about, 4, CD_ABOUT_COMPLETE));
	cd_report_free(r);
}

/* Without a reference each judgement has its own words. */
Test(about, a_capture_alone)
{
	struct cd_report *r = sample_captures(1);
	const struct cd_report_verdict *v;

	sample_own(r, 0);
	cd_report_count(r, 0, "stream.gaps", 12);
	cd_report_real(r, 0, "delta.impossible_ratio", 0.5);
	v = judge(r, &defaults);
	cr_assert_eq(v->n_reasons, 1); /* NO_REFERENCE */
	cr_assert_eq(v->reasons_about.list[0], CD_ABOUT_BOTH);
	cr_assert_eq(v->paragraphs_about.n, 2, "%s", v->text);
	cr_assert_eq(v->paragraphs_about.list[0], CD_ABOUT_COMPLETE);
	cr_assert_eq(v->paragraphs_about.list[1], CD_ABOUT_ACCURATE);
	cd_report_free(r);
}
