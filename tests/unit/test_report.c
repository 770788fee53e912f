#include <criterion/criterion.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "report/report.h"
#include "report/series.h"
#include "report/text.h"

static struct cd_report *two_captures(void)
{
	struct cd_report *r = cd_report_new();

	r->captures = calloc(2, sizeof(*r->captures));
	r->n_captures = 2;
	r->captures[0].label = cd_strdup("hw");
	r->captures[1].label = cd_strdup("lap.top");
	return r;
}

Test(keys, names_are_unique_and_well_formed)
{
	for (size_t i = 0; i < cd_key_count; i++) {
		const struct cd_key *key = &cd_key_table[i];

		cr_assert_eq(cd_key_find(key->name), key, "%s", key->name);
		cr_assert_not_null(strchr(key->name, '.'));
		for (const char *p = key->name; *p != '\0'; p++)
			cr_assert(islower((unsigned char)*p) ||
				  isdigit((unsigned char)*p) || *p == '.' ||
				  *p == '_', "%s", key->name);
		cr_assert_neq(key->label[0], '\0');
	}
	cr_assert_null(cd_key_find("loss"));
}

Test(keys, units_are_in_the_name)
{
	for (size_t i = 0; i < cd_key_count; i++) {
		const struct cd_key *key = &cd_key_table[i];
		size_t n = strlen(key->name);
		bool ns = n > 3 && strcmp(key->name + n - 3, "_ns") == 0;

		if (key->kind == CD_VALUE_SPAN) {
			cr_assert(ns, "%s", key->name);
			cr_assert_str_eq(key->unit, "ns");
		} else if (ns) {
			cr_assert_str_eq(key->unit, "ns/B", "%s", key->name);
		}
		if (strstr(key->name, "_ppm") != NULL)
			cr_assert_str_eq(key->unit, "ppm");
	}
}

/* INTERFACE.md section 9: changing one of these is an API change. */
Test(keys, fixed_names_are_there)
{
	static const char *const fixed[] = {
	    "file.packets", "stream.packets", "stream.unparsed",
	    "loss.expected", "loss.missing", "loss.ratio",
	    "loss.ratio_upper_95", "loss.runs", "loss.longest_run",
	    "loss.longest_outage_ns", "loss.head_excluded",
	    "loss.tail_excluded", "loss.ref_miss", "loss.both_miss",
	    "loss.reported_by_file", "duplicate.copies", "duplicate.excess",
	    "order.reordered_file", "order.reordered_time",
	    "order.extent_max", "time.steps_back", "time.step_back_max_ns",
	    "time.equal", "time.invalid", "time.tick_ns", "delta.min_ns",
	    "delta.p50_ns", "delta.p99_ns", "delta.p99_9_ns", "delta.max_ns",
	    "delta.zero_ratio", "delta.negative", "delta.impossible_ratio",
	    "delta_error.mean_abs_ns", "delta_error.rms_ns",
	    "delta_error.max_abs_ns", "delta_error.false_share",
	    "clock.offset_ns", "clock.drift_ppm", "clock.drift_ols_ppm",
	    "clock.steps", "clock.wander_ns", "time.error.span_ns",
	    "time.error.p0_1_ns", "time.error.p50_ns", "time.error.p99_ns",
	    "time.error.p99_9_ns", "time.error.max_ns", "time.error.min_ns",
	    "burst.share", "burst.period_ns", "burst.size_p50", "rate.pps",
	    "rate.l1_bps", "rate.l2_bps", "rate.frame_bytes_p50",
	    "limit.lim_ns",
	};

	for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++)
		cr_assert_not_null(cd_key_find(fixed[i]), "%s", fixed[i]);
}

Test(report, values_are_found_by_key)
{
	struct cd_report *r = two_captures();
	double x;

	cd_report_count(r, 1, "loss.missing", 502)->has_n = true;
	cd_report_span(r, 1, "time.tick_ns", 1500);
	cd_report_real(r, 0, "rate.pps", 1e5);
	cd_report_text(r, 0, "time.tick_how", "header");
	cr_assert(cd_report_find_key(r, "lap.top.loss.missing")->has_n);
	cr_assert_null(cd_report_find_key(r, "hw.loss.missing"));
	cr_assert_null(cd_report_find_key(r, "loss.missing"));
	cr_assert(cd_value_number(cd_report_find(r, 1, "time.tick_ns"), &x));
	cr_assert_eq(x, 1.5);
	cr_assert_not(
	    cd_value_number(cd_report_find(r, 0, "time.tick_how"), &x));
	cr_assert_not(cd_value_number(NULL, &x));
	cr_assert_not(r->bad);
	cd_report_free(r);
}

Test(report, what_is_not_finite_is_null)
{
	struct cd_report *r = two_captures();
	const struct cd_value *v;

	cd_report_real(r, 0, "rate.pps", NAN);
	cd_report_span(r, 0, "time.tick_ns", CD_TIME_NONE);
	v = cd_report_find(r, 0, "rate.pps");
	cr_assert_eq(v->kind, CD_VALUE_NULL);
	cr_assert_str_eq(v->reason, "not finite");
	cr_assert_eq(cd_report_find(r, 0, "time.tick_ns")->kind,
		     CD_VALUE_NULL);
	cd_report_free(r);
}

Test(report, a_key_again_replaces)
{
	struct cd_report *r = two_captures();

	cd_report_text(r, 0, "time.tick_how", "first");
	cd_report_text(r, 0, "time.tick_how", "second");
	cr_assert_eq(r->n_values, 1);
	cr_assert_str_eq(cd_report_find(r, 0, "time.tick_how")->text,
			 "second");
	cd_report_free(r);
}

Test(report, values_of_streams_leave_the_total_alone)
{
	struct cd_report *r = two_captures();
	struct cd_str key = {0};
	struct cd_value *v;

	cd_report_count(r, 1, "loss.missing", 10);
	for (uint32_t s = 0; s < 3000; s++) {
		v = cd_report_count(r, 1, "loss.missing", s);
		v->has_n = true;
		v->n = s;
		v = cd_value_of_stream(r, v, s);
		cr_assert_eq(v->n, s);
	}
	/* before any total: nothing is left where the total would be */
	v = cd_report_count(r, 0, "loss.missing", 7);
	cd_value_of_stream(r, v, 5);
	cr_assert_null(cd_report_find(r, 0, "loss.missing"));
	cr_assert_eq(cd_report_find(r, 1, "loss.missing")->integer, 10);
	cr_assert_eq(r->n_values, 3002);
	for (uint32_t s = 0; s < 3000; s++)
		cr_assert_eq(
		    cd_report_find_stream(r, 1, s, "loss.missing")->integer,
		    s);
	cd_value_full_key(r, cd_report_find_stream(r, 1, 41, "loss.missing"),
			  &key);
	cr_assert_str_eq(cd_str_text(&key), "lap.top.stream.41.loss.missing");
	cr_assert_eq(cd_report_find_key(r, cd_str_text(&key))->integer, 41);
	cr_assert_eq(
	    cd_report_find_key(r, "hw.stream.5.loss.missing")->integer, 7);
	cd_str_release(&key);
	cd_report_free(r);
}

/* "stream.packets" is a key, "stream.3.loss.missing" one of a stream. */
Test(report, keys_of_the_stream_group_are_no_streams)
{
	struct cd_report *r = two_captures();

	cd_report_count(r, 0, "stream.packets", 4);
	cr_assert_eq(cd_report_find_key(r, "hw.stream.packets")->integer, 4);
	cr_assert_null(cd_report_find_key(r, "hw.stream.9.stream.packets"));
	cr_assert_null(cd_report_find_key(r, "hw.stream.9x.stream.packets"));
	cd_report_free(r);
}

Test(report, numbers_may_be_negative)
{
	struct cd_report *r = two_captures();

	cd_report_number(r, 0, "loss.common_first", -3);
	cr_assert_eq(cd_report_find(r, 0, "loss.common_first")->integer, -3);
	cd_report_count(r, 0, "loss.expected", UINT64_MAX);
	cr_assert_eq(cd_report_find(r, 0, "loss.expected")->integer,
		     INT64_MAX);
	cd_report_free(r);
}

Test(report, findings)
{
	struct cd_report *r = two_captures();

	cd_report_finding(r, CD_WARNING, "tail_excluded", 1, "%d packets", 3);
	cr_assert(cd_report_has_finding(r, "tail_excluded", 1));
	cr_assert_not(cd_report_has_finding(r, "tail_excluded", 0));
	cr_assert_not(cd_report_has_finding(r, "tail_exclude", 1));
	cr_assert_str_eq(r->findings[0].text, "3 packets");
	cd_report_free(r);
	cd_report_free(NULL);
}

/* ---- text ---------------------------------------------------------------- */

#define TEXT_IS(call, expected)                                               \
	do {                                                                  \
		struct cd_str s = {0};                                        \
		call;                                                         \
		cr_assert_str_eq(cd_str_text(&s), expected);                  \
		cd_str_release(&s);                                           \
	} while (0)

Test(text, counts)
{
	TEXT_IS(cd_text_count(&s, 0), "0");
	TEXT_IS(cd_text_count(&s, 999), "999");
	TEXT_IS(cd_text_count(&s, 1000), "1,000");
	TEXT_IS(cd_text_count(&s, -123456), "-123,456");
	TEXT_IS(cd_text_count(&s, INT64_MAX), "9,223,372,036,854,775,807");
	TEXT_IS(cd_text_count(&s, INT64_MIN), "-9,223,372,036,854,775,808");
}

Test(text, spans_have_four_digits)
{
	TEXT_IS(cd_text_span(&s, 0, false), "0 ns");
	TEXT_IS(cd_text_span(&s, 1, false), "1.000 ps");
	TEXT_IS(cd_text_span(&s, 238420, false), "238.4 ns");
	TEXT_IS(cd_text_span(&s, 10e6, false), "10.00 us");
	TEXT_IS(cd_text_span(&s, -1.2345e6, true), "-1.234 \xc2\xb5s");
	TEXT_IS(cd_text_span(&s, 9.99949e9, false), "9.999 ms");
	TEXT_IS(cd_text_span(&s, 9.99951e9, false), "10.00 ms");
	TEXT_IS(cd_text_span(&s, 999.949e9, false), "999.9 ms");
	TEXT_IS(cd_text_span(&s, 999.951e9, false), "1.000 s");
	TEXT_IS(cd_text_span(&s, 37e12, false), "37.00 s");
	TEXT_IS(cd_text_span(&s, 1234.56e12, false), "1235 s");
	TEXT_IS(cd_text_span(&s, 86400e12, false), "86,400 s");
	TEXT_IS(cd_text_span_signed(&s, 1.314e9, false), "+1.314 ms");
	TEXT_IS(cd_text_span_signed(&s, -1.314e9, false), "-1.314 ms");
	TEXT_IS(cd_text_span_signed(&s, 0, false), "0 ns");
	TEXT_IS(cd_text_span_short(&s, 1e6, 4, false), "1 us");
	TEXT_IS(cd_text_span_short(&s, 124.96e6, 3, false), "125 us");
	TEXT_IS(cd_text_span_short(&s, 100e9, 3, false), "100 ms");
	TEXT_IS(cd_text_span_short(&s, 999.6e6, 3, false), "1 ms");
	TEXT_IS(cd_text_span_short(&s, 15.625e9, 4, false), "15.62 ms");
}

Test(text, captured_is_never_rounded_up)
{
	TEXT_IS(cd_text_percent_captured(&s, 199498, 200000), "99.7490 %");
	TEXT_IS(cd_text_percent_captured(&s, 999999999, 1000000000),
		"99.9999 %");
	TEXT_IS(cd_text_percent_captured(&s, 5, 5), "100 %");
	TEXT_IS(cd_text_percent_captured(&s, 0, 5), "0 %");
	TEXT_IS(cd_text_percent_captured(&s, 0, 0), "n/a");
	TEXT_IS(cd_text_percent_captured(&s, UINT64_MAX - 1, UINT64_MAX),
		"99.9999 %");
}

Test(text, shares_are_truncated)
{
	TEXT_IS(cd_text_ratio(&s, 0), "0 %");
	TEXT_IS(cd_text_ratio(&s, 1), "100 %");
	TEXT_IS(cd_text_ratio(&s, 0.99999), "99.9 %");
	TEXT_IS(cd_text_ratio(&s, 0.29), "29.0 %");
	TEXT_IS(cd_text_ratio(&s, 0.00251), "0.251 %");
	TEXT_IS(cd_text_ratio(&s, 1 - 125221.0 / 133126), "5.94 %");
	TEXT_IS(cd_text_ratio(&s, 0.999999999), "99.9 %");
	TEXT_IS(cd_text_ratio(&s, 0.0419), "4.19 %");
	TEXT_IS(cd_text_ratio(&s, 2.4366e-6), "2.44 ppm");
	TEXT_IS(cd_text_ratio(&s, -0.5), "-50.0 %");
}

Test(text, rates)
{
	TEXT_IS(cd_text_rate(&s, 1e5, "pps"), "100 kpkt/s");
	TEXT_IS(cd_text_rate(&s, 148809.5, "pps"), "148.8 kpkt/s");
	TEXT_IS(cd_text_rate(&s, 1e9, "bit/s"), "1 Gb/s");
	TEXT_IS(cd_text_rate(&s, 98.4e6, "bit/s"), "98.4 Mb/s");
	TEXT_IS(cd_text_rate(&s, 0, "pps"), "0 pkt/s");
}

Test(text, values)
{
	struct cd_report *r = two_captures();

	TEXT_IS(cd_text_value(
		    &s, cd_report_count(r, 0, "loss.missing", 5471), false),
		"5,471");
	TEXT_IS(cd_text_value(
		    &s, cd_report_span(r, 0, "time.tick_ns", 8000), false),
		"8.000 ns");
	TEXT_IS(cd_text_value(&s, cd_report_real(r, 0, "loss.ratio", .025),
			      false),
		"2.50 %");
	TEXT_IS(cd_text_value(
		    &s, cd_report_real(r, 0, "clock.drift_ppm", 12.034),
		    false),
		"12.03 ppm");
	TEXT_IS(cd_text_value(&s, cd_report_null(r, 0, "loss.ratio", "x"),
			      false),
		"n/a");
	TEXT_IS(cd_text_value(
		    &s, cd_report_text(r, 0, "time.tick_how", "a\x1b[31m"),
		    false),
		"a\\x1b[31m");
	cd_report_free(r);
}

Test(text, names_from_outside)
{
	TEXT_IS(cd_text_name(&s, "lap\ntop"), "lap\\x0atop");
	TEXT_IS(cd_text_name(&s, "gr\xc3\xbc\xc3\x9f"), "gr\xc3\xbc\xc3\x9f");
	TEXT_IS(cd_text_name(&s, "\xff\xc3"), "\\xff\\xc3");
	TEXT_IS(cd_text_name(&s, "\xc2\x9b" "31m"), "\\xc2\\x9b31m");
	TEXT_IS(cd_text_name(&s, "\xe2\x80\xae" "x"), "\\xe2\\x80\\xaex");
	/* overlong, surrogate, past the last plane */
	TEXT_IS(cd_text_name(&s, "\xc0\x80"), "\\xc0\\x80");
	TEXT_IS(cd_text_name(&s, "\xed\xa0\x80"), "\\xed\\xa0\\x80");
	TEXT_IS(cd_text_name(&s, "\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
}

Test(series, rows_are_null_until_set_and_found_by_kind_and_capture)
{
	struct cd_report *r = two_captures();
	struct cd_series *s = cd_report_series(r, 1, "loss.gap");
	int at = cd_series_column(s->kind, "at_ns");
	int packets = cd_series_column(s->kind, "packets");

	cr_assert(cd_series_add(r, s));
	cd_series_span(s, at, 1500);
	cr_assert(cd_series_add(r, s));
	cd_series_span(s, at, CD_TIME_NONE);
	cd_series_count(s, packets, 412);
	cr_assert_null(cd_report_find_series(r, 0, "loss.gap"));
	cr_assert_eq(cd_report_find_series(r, 1, "loss.gap"), s);
	cr_assert_eq(s->n_rows, 2);
	cr_assert_eq(cd_series_number(s, 0, at), 1.5);
	cr_assert(isnan(cd_series_number(s, 0, packets)));
	cr_assert(isnan(cd_series_number(s, 1, at)));
	cr_assert_eq(cd_series_number(s, 1, packets), 412);
	cr_assert_eq(cd_series_column(s->kind, "nothing"), -1);
	s = cd_report_series(r, 1, "loss.gap");
	cr_assert_eq(s->n_rows, 0);
	cr_assert_eq(r->n_series, 1);
	cd_report_free(r);
}

Test(series, kinds_are_unique_and_fit)
{
	for (const struct cd_series_kind *k = cd_series_table; k->name; k++) {
		cr_assert_eq(cd_series_kind_find(k->name), k, "%s", k->name);
		cr_assert_gt(cd_series_columns(k), 1);
		cr_assert_lt(cd_series_columns(k), CD_SERIES_COLUMNS);
	}
	cr_assert_null(cd_series_kind_find("loss"));
}
