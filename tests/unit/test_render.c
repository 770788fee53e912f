#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/render.h"
#include "report/text.h"
#include "golden.h"
#include "random_report.h"
#include "render_rig.h"
#include "verdict/verdict.h"

Test(renderers, table)
{
	for (size_t i = 0; cd_renderers[i] != NULL; i++)
		cr_assert_eq(cd_renderer_find(cd_renderers[i]->name),
			     cd_renderers[i]);
	cr_assert_str_eq(cd_renderers[0]->name, "text");
	cr_assert_null(cd_renderer_find("tex"));
	cr_assert_str_eq(cd_renderer_for_path("dir.json/x.csv")->name, "csv");
	cr_assert_str_eq(cd_renderer_for_path("x.json")->name, "json");
	cr_assert_null(cd_renderer_for_path("x"));
	cr_assert_null(cd_renderer_for_path(".json"));
	cr_assert_null(cd_renderer_for_path(""));
}

/* ---- golden texts -------------------------------------------------------- */

/* Takes over the report. */
static void check_golden(const char *name, struct cd_report *r,
			 const struct cd_render_options *options)
{
	char *text = render(r, "text", options);

	golden_check(name, text);
	free(text);
	cd_report_free(r);
}

Test(golden, pair)
{
	struct cd_report *r = sample(2);

	random_judge(r);
	check_golden("pair.txt", r, &plain);
}

Test(golden, pair_clean)
{
	struct cd_report *r = sample_captures(2);

	sample_own(r, 0);
	sample_clean(r, 1);
	random_judge(r);
	cd_limit_apply(r, "loss.missing<=0", NULL);
	check_golden("pair_clean.txt", r, &plain);
}

Test(golden, pair_quiet)
{
	struct cd_render_options options = {.width = 80, .verbosity = -1};
	struct cd_report *r = sample(2);

	random_judge(r);
	cd_limit_apply(r, "loss.missing<=0", NULL);
	cd_limit_apply(r, "loss.missing<=1000", NULL);
	check_golden("pair_quiet.txt", r, &options);
}

Test(golden, pair_verbose)
{
	struct cd_render_options options = {.width = 80, .verbosity = 1};
	struct cd_report *r = sample(2);

	r->captures[1].comment = cd_strdup("second try,\nnew cable");
	r->captures[1].compression = cd_strdup("gzip");
	r->captures[1].cut_short = true;
	r->captures[1].stop_offset = 24800123;
	r->captures[1].ifaces[0].received = 199592;
	r->captures[1].ifaces[0].dropped = 90;
	cd_report_null(r, 1, "time.error.p99_99_ns", "n<10000");
	cd_value_of_stream(r, cd_report_count(r, 1, "loss.missing", 502), 0);
	cd_report_finding(r, CD_NOTE, "offset_tai", 1,
			  "The offset is near 37 s: one clock may show TAI, "
			  "the other UTC.");
	random_judge(r);
	cd_limit_apply(r, "clock.steps<=0", NULL);
	check_golden("pair_verbose.txt", r, &options);
}

/* What could not be measured says why. */
Test(golden, pair_nulls)
{
	struct cd_report *r = sample_captures(2);

	sample_own(r, 0);
	sample_clean(r, 1);
	cd_report_count(r, 1, "match.matched", 37);
	cd_report_null(r, 1, "time.error.span_ns", "n<1000");
	cd_report_null(r, 1, "time.error.max_ns", "n<50");
	cd_report_null(r, 1, "clock.drift_ppm", "n<50");
	cd_report_null(r, 1, "delta_error.false_share", "no pairs");
	cd_report_null(r, 1, "delta.impossible_ratio", "link rate not known");
	cd_report_count(r, 1, "loss.head_excluded", 199000);
	cd_report_count(r, 1, "loss.expected", 1000);
	cd_report_count(r, 1, "loss.ref_miss", 3);
	cd_report_count(r, 1, "loss.both_miss", 5);
	r->stamp_hits[1] = 0.4321;
	cd_report_finding(r, CD_WARNING, "short_span", 1,
			  "Only 12.30 ms were captured by both; the drift "
			  "cannot be told from noise.");
	random_judge(r);
	check_golden("pair_nulls.txt", r, &plain);
}

/* Nothing can be compared: said once, not in every row. */
Test(golden, pair_apart)
{
	static const char *const none[] = {
	    "clock.offset_ns", "clock.drift_ppm", "clock.wander_ns",
	    "clock.steps", "time.error.span_ns", "time.error.max_ns",
	    "burst.period_ns", "delta_error.false_share"};
	struct cd_report *r = sample_captures(2);

	sample_own(r, 0);
	sample_clean(r, 1);
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		cd_report_null(r, 1, none[i],
			       "no matched packets with times");
	cd_report_null(r, 1, "loss.expected", "no packet in common");
	cd_report_null(r, 1, "loss.missing", "no packet in common");
	cd_report_count(r, 1, "loss.head_excluded", 199000);
	random_judge(r);
	check_golden("pair_apart.txt", r, &plain);
}

/* Long names take no room from remarks. */
Test(golden, pair_long_names)
{
	struct cd_report *r = sample(2);

	for (size_t i = 0; i < 2; i++) {
		free(r->captures[i].application);
		r->captures[i].application =
		    cd_strdup("capture appliance of many words 4.0.17");
	}
	random_judge(r);
	check_golden("pair_long_names.txt", r, &plain);
}

Test(golden, pair_utf8)
{
	struct cd_render_options options = {.width = 80, .utf8 = true};
	struct cd_report *r = sample(2);

	free(r->captures[1].label);
	r->captures[1].label = cd_strdup("M\xc3\xbcller");
	random_judge(r);
	check_golden("pair_utf8.txt", r, &options);
}

Test(golden, single)
{
	struct cd_report *r = sample(1);

	cd_report_count(r, 0, "stream.gaps", 12);
	cd_report_number(r, 0, "stream.first_seq", 0);
	cd_report_number(r, 0, "stream.last_seq", 200011);
	cd_report_span(r, 0, "cadence.span_ns", US(1.25));
	random_judge(r);
	check_golden("single.txt", r, &plain);
}

Test(golden, three)
{
	struct cd_report *r = sample(3);

	random_judge(r);
	check_golden("three.txt", r, &plain);
}

Test(golden, four)
{
	struct cd_report *r = sample(4);

	random_judge(r);
	check_golden("four.txt", r, &plain);
}

Test(golden, six_in_blocks)
{
	struct cd_report *r = sample(6);

	random_judge(r);
	check_golden("six.txt", r, &plain);
}

Test(golden, other_faults)
{
	struct cd_report *r = sample_captures(2);

	sample_own(r, 0);
	sample_clean(r, 1);
	cd_report_span(r, 1, "time.error.span_ns", MS(1.2));
	cd_report_span(r, 1, "time.error.max_ns", MS(20.31));
	cd_report_number(r, 1, "time.error.max_seq", 150612);
	cd_report_count(r, 1, "time.error.max_frame", 150113);
	cd_report_count(r, 1, "time.late_events", 31);
	cd_report_span(r, 1, "time.late_max_ns", MS(20.31));
	cd_report_span(r, 1, "time.late_max_at_ns", SEC(1.5));
	cd_report_real(r, 1, "time.late_in_runs_ratio", 0.98);
	cd_report_count(r, 1, "clock.steps", 1);
	cd_report_span(r, 1, "clock.step_max_ns", MS(25));
	cd_report_span(r, 1, "clock.step_max_at_ns", SEC(30.25));
	cd_report_span(r, 1, "clock.wander_ns", US(312));
	cd_report_real(r, 1, "clock.offset_days", -20423.5);
	cd_report_count(r, 1, "duplicate.copies", 200000);
	cd_report_count(r, 1, "duplicate.excess", 1000);
	cd_report_count(r, 1, "order.reordered_file", 12);
	cd_report_count(r, 1, "order.reordered_time", 0);
	cd_report_count(r, 1, "delta.negative", 12);
	random_judge(r);
	check_golden("other_faults.txt", r, &plain);
}

/* ---- every line fits ----------------------------------------------------- */

/* Columns counted apart from the renderer: everything from Hangul on is wide
 * in the names used here. */
static size_t count_columns(const char *line, size_t bytes)
{
	size_t columns = 0;

	for (size_t i = 0; i < bytes;) {
		uint32_t code;
		unsigned n = cd_utf8_next(line + i, &code);

		cr_assert_gt(n, 0);
		cr_assert(code >= 0x20 && code != 0x7f,
			  "control in a line: %x", code);
		columns += code >= 0x1100 ? 2 : 1;
		i += n;
	}
	return columns;
}

static void check_lines(const char *text, size_t width)
{
	while (*text != '\0') {
		size_t n = strcspn(text, "\n");

		cr_assert_leq(count_columns(text, n), width, "%.*s", (int)n,
			      text);
		cr_assert(n == 0 || text[n - 1] != ' ',
			  "blank at the end: \"%.*s\"", (int)n, text);
		cr_assert_eq(text[n], '\n');
		text += n + 1;
	}
}

Test(text, a_number_keeps_its_unit)
{
	static const char *const units[] = {"us", "ns", "ms", "s", "%", "ppm"};
	struct cd_report *r = sample(2);

	random_judge(r);
	for (int width = 70; width <= 120; width++) {
		struct cd_render_options options = {.width = width};
		char *text = render(r, "text", &options);

		for (const char *end = text; (end = strchr(end, '\n'));) {
			const char *next = end + 1 + strspn(end + 1, " ");
			size_t n = strcspn(next, " .,;:)\n");
			bool digit = end > text && end[-1] >= '0' &&
				     end[-1] <= '9';

			for (size_t i = 0; digit && i < 6; i++)
				cr_assert(n != strlen(units[i]) ||
					      strncmp(next, units[i], n) != 0,
					  "at %d:\n%s", width, text);
			end++;
		}
		free(text);
	}
	cd_report_free(r);
}

Test(text, no_line_is_wider_than_the_screen)
{
	struct random_source random = {1};

	for (int round = 0; round < 400; round++) {
		struct cd_report *r = random_report(&random);
		static const int widths[] = {80, 60, 132};

		for (int i = 0; i < 12; i++) {
			struct cd_render_options options = {
			    .width = widths[i / 4],
			    .utf8 = i % 2 == 1,
			    .verbosity = i % 4 == 0 ? -1 : i % 4 - 1,
			};
			char *text = render(r, "text", &options);

			if (!options.utf8)
				for (const char *p = text; *p != '\0'; p++)
					cr_assert_gt(*p, 0);
			check_lines(text, (size_t)options.width);
			free(text);
		}
		cd_report_free(r);
	}
}

static void strip_colour(char *text)
{
	char *to = text;

	for (const char *p = text; *p != '\0';) {
		if (*p == '\x1b')
			p = strchr(p, 'm') + 1;
		else
			*to++ = *p++;
	}
	*to = '\0';
}

Test(text, colour_changes_nothing_else)
{
	struct cd_render_options coloured = {.width = 80, .color = true};
	struct random_source random = {2};

	for (int round = 0; round < 100; round++) {
		struct cd_report *r = random_report(&random);
		char *a = render(r, "text", &plain);
		char *b = render(r, "text", &coloured);

		cr_assert_not_null(strchr(b, '\x1b'));
		strip_colour(b);
		cr_assert_str_eq(a, b);
		free(a);
		free(b);
		cd_report_free(r);
	}
}

Test(text, words_of_a_label_are_not_coloured)
{
	struct cd_render_options options = {
	    .width = 80, .color = true, .verbosity = -1};
	struct cd_report *r = sample_captures(2);
	char *text;

	sample_own(r, 0);
	sample_clean(r, 1);
	free(r->captures[1].label);
	r->captures[1].label = cd_strdup("NOT COMPLETE");
	random_judge(r);
	text = render(r, "text", &options);
	cr_assert_str_eq(text, "NOT COMPLETE: \x1b[1;32mcomplete\x1b[0m and "
			       "\x1b[1;32maccurate\x1b[0m\n");
	free(text);
	cd_report_free(r);
}

Test(text, verbose_shows_every_value)
{
	struct cd_render_options options = {.width = 80, .verbosity = 1};
	struct random_source random = {6};
	struct cd_report *r = random_report(&random);
	char *text = render(r, "text", &options);

	cr_assert_gt(r->n_values, 20);
	for (size_t i = 0; i < r->n_values; i++)
		cr_assert_not_null(strstr(text, r->values[i].key->name));
	free(text);
	cd_report_free(r);
}

Test(text, an_empty_report_is_no_crash)
{
	struct cd_report *r = cd_report_new();
	char *text = render(r, "text", &plain);

	check_lines(text, 80);
	free(text);
	cd_report_free(r);
}
