/* Charts: the scripts, whatever the names in the report are. */
#include <criterion/criterion.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "render/chart.h"
#include "sample_series.h"

static const struct cd_chart *chart_named(const char *name)
{
	for (const struct cd_chart *c = cd_charts; c->name != NULL; c++)
		if (strcmp(c->name, name) == 0)
			return c;
	return NULL;
}

/* The script of a chart; NULL: there is nothing to draw. Needs free(). */
static char *script_of(const struct cd_report *r, const char *name)
{
	struct cd_str out = {0};

	if (cd_chart_script(chart_named(name), r, &out))
		return out.text;
	cr_assert_null(out.text, "nothing is appended");
	return NULL;
}

static bool holds(const char *script, const char *text)
{
	return strstr(script, text) != NULL;
}

static void relabel(struct cd_report *r, size_t i, const char *label)
{
	free(r->captures[i].label);
	r->captures[i].label = cd_strdup(label);
}

Test(chart, every_script)
{
	struct cd_report *r = sample_drawn();

	for (const struct cd_chart *c = cd_charts; c->name != NULL; c++) {
		char *script = script_of(r, c->name);
		char *again = script_of(r, c->name);
		char *head =
		    cd_strf("# Draw it again: gnuplot %s.gp\n", c->name);

		cr_assert_not_null(script, "%s is drawn", c->name);
		cr_expect(strncmp(script, head, strlen(head)) == 0);
		cr_expect(
		    holds(script, "\nif (!exists(\"term\")) term = 'svg'\n"));
		cr_expect(holds(script, "<< EOD\n"));
		cr_expect_str_eq(script, again, "the same bytes again");
		free(head);
		free(script);
		free(again);
	}
	cd_report_free(r);
}

Test(chart, nothing_to_draw)
{
	struct cd_report *r = sample_captures(2);

	for (const struct cd_chart *c = cd_charts; c->name != NULL; c++)
		cr_expect_null(script_of(r, c->name), "%s", c->name);
	/* series without rows are no more than none */
	cd_report_series(r, 1, "delta.histogram");
	cd_report_series(r, 1, "time.error.exceedance");
	cd_report_series(r, 1, "clock.offset");
	cd_report_series(r, 1, "loss.gap");
	for (const struct cd_chart *c = cd_charts; c->name != NULL; c++)
		cr_expect_null(script_of(r, c->name), "%s", c->name);
	/* nor deltas that have no place on a log axis */
	sample_bin(r, cd_report_series(r, 1, "delta.histogram"), CD_TIME_NONE,
		   0, 10);
	cr_expect_null(script_of(r, "delta"));
	cd_report_free(r);
}

/* Any byte changed, added or removed is seen. */
Test(chart, edits_are_seen)
{
	struct cd_report *r = sample_drawn();
	char *script = script_of(r, "loss");
	size_t n = strlen(script);

	cr_assert(cd_chart_untouched(script, n));
	for (size_t i = 0; i < n; i++) {
		script[i] ^= 1;
		cr_assert_not(cd_chart_untouched(script, n), "byte %zu", i);
		script[i] ^= 1;
	}
	cr_expect_not(cd_chart_untouched(script, n - 1));
	cr_expect_not(cd_chart_untouched(script + 1, n - 1));
	cr_expect_not(cd_chart_untouched("", 0));
	cr_expect_not(cd_chart_untouched("plot x\n", 7));
	cr_expect_not(cd_chart_untouched("# capdiff chart 0123", 20));
	free(script);
	cd_report_free(r);
}

/* Between head and look there are only our own words, numbers, and text in
 * single quotes. */
static void expect_harmless(const char *script)
{
	const char *data = strstr(script, "\nname = ") + 1;
	const char *end = strstr(script, "\n# common.gp");

	for (const char *line = data; line < end;) {
		const char *next = strchr(line, '\n') + 1;
		const char *quote = memchr(line, '\'', (size_t)(next - line));
		const char *stop = quote == NULL ? next : quote;

		for (const char *p = line; p < stop; p++)
			cr_assert(isalnum((unsigned char)*p) ||
				      strchr("[]=<$_.-% \n", *p) != NULL,
				  "byte %d outside of quotes", *p);
		if (quote != NULL) {
			size_t quotes = 0;

			for (const char *p = quote; p < next - 1; p++) {
				quotes += *p == '\'';
				cr_assert_not(iscntrl((unsigned char)*p));
			}
			cr_assert_eq(quotes % 2, 0);
			cr_assert_eq(next[-2], '\'');
		}
		line = next;
	}
}

Test(chart, hostile_labels)
{
	static const char *const labels[] = {
	    "`touch pwned`",
	    "'; system('id'); '",
	    "\"`id`\" @term",
	    "a\nplot x\n",
	    "EOD\n! id",
	    "<script>alert(1)</script>",
	    "{/=99 big} ^2 _3 \\n",
	    "\xff\xfe\x80 \x1b[31m \x07",
	    "100 %s %n %%",
	    "'",
	    "=cmd|' /C calc'!A0",
	    "\xe2\x80\xae rtl \xc2\x85",
	};

	for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++) {
		struct cd_report *r = sample_drawn();

		relabel(r, 0, labels[i]);
		relabel(r, 1, labels[i]);
		for (const struct cd_chart *c = cd_charts; c->name; c++) {
			char *script = script_of(r, c->name);

			cr_assert_not_null(script);
			expect_harmless(script);
			free(script);
		}
		cd_report_free(r);
	}
}

Test(chart, quotes_are_doubled)
{
	struct cd_report *r = sample_drawn();
	char *script;

	relabel(r, 1, "it's\n`x`");
	script = script_of(r, "error");
	cr_expect(holds(script, "\nitem[1] = 'it''s\\x0a`x`'\n"));
	free(script);
	relabel(r, 1, "''; system('id')'");
	script = script_of(r, "error");
	cr_expect(holds(script, "\nitem[1] = ' '' ''; system(''id'')'''\n"));
	free(script);
	relabel(r, 1, "a name that is much longer than there is room");
	script = script_of(r, "error");
	cr_expect(holds(script, "\nitem[1] = 'a name that is muc..'\n"));
	free(script);
	cd_report_free(r);
}

Test(chart, delta_counts_what_has_no_place)
{
	struct cd_report *r = sample_drawn();
	char *script = script_of(r, "delta");

	cr_expect(holds(script, "row[1] = 'hw: 199,999 deltas between "
				"consecutive IDs, none of them zero or "
				"less'\n"));
	cr_expect(holds(script, "row[2] = 'laptop: 199,402 deltas between "
				"consecutive IDs, 183,480 of them zero "
				"or less (92.0 %)'\n"));
	cr_expect(holds(script, "$DELTA << EOD\n9900000e-12 10100000e-12 "
				"199999\n\n\n500001e-12 1000000e-12 21\n"
				"1000000e-12 1030000e-12 1000\n"));
	cr_expect(holds(script, "\nmedian = 10000000e-12\n"));
	cr_expect(holds(script, "\nymax = 399998\n"));
	cr_expect_not(holds(script, "183480"), "not among the bins");
	free(script);
	cd_report_free(r);
}

Test(chart, error_lines_and_edges)
{
	struct cd_report *r = sample_drawn();
	char *script = script_of(r, "error");

	cr_expect(holds(script, "title = 'Time stamp error against hw'\n"));
	cr_expect(holds(script, "line[1] = 'packet spacing 10.00 us'\n"));
	cr_expect(holds(script, "line[2] = 'limit 1.000 us'\n"));
	cr_expect(holds(script, "$LINE << EOD\n10000000e-12 1e-12\n"
				"10000000e-12 1\n\n\n1000000e-12 1e-12\n"));
	/* zero error at the left edge, zero share at the bottom */
	cr_expect(holds(script, "\nxmin = 1e-7\nxmax = 1e-3\nymin = 1e-8\n"));
	cr_expect(holds(script, "$ERROR << EOD\n1e-7 1\n312500e-12 0.992519"));
	cr_expect(holds(script, "\n125000000e-12 1e-8\nEOD\n"));
	free(script);
	cd_report_free(r);
}

/* One packet of 1,000 with the largest error does not lie on the axis. */
Test(chart, error_of_a_single_packet)
{
	struct cd_report *r = sample_captures(2);
	struct cd_series *s = cd_report_series(r, 1, "time.error.exceedance");
	char *script;

	for (int i = 0; i < 2; i++) {
		cd_series_add(r, s);
		cd_series_span(s, 0, US(i + 2));
		cd_series_real(s, 1, i == 0 ? 0.001 : 0);
	}
	script = script_of(r, "error");
	cr_expect(holds(script, "\nymin = 1e-4\n"));
	cr_expect(holds(script, "\n2000000e-12 0.001\n3000000e-12 1e-4\n"));
	free(script);
	cd_report_free(r);
}

Test(chart, limits_of_several_captures)
{
	struct cd_report *r = sample_captures(4);
	char *script;

	for (uint32_t p = 1; p < 4; p++) {
		sample_exceedance(r, p, 10 * p);
		cd_report_span(r, p, "limit.lim_ns", p < 3 ? US(1) : US(5));
	}
	script = script_of(r, "error");
	cr_expect(holds(script, "\nlines = 2\n"));
	cr_expect(holds(script, "line[1] = 'limit 1.000 us'\n"));
	cr_expect(holds(script, "line[2] = 'limit of server 5.000 us'\n"));
	cr_expect(holds(script, "color[3] = 4\n"));
	free(script);
	cd_report_free(r);
}

Test(chart, offset_title_says_drift_and_steps)
{
	struct cd_report *r = sample_drawn();
	char *script = script_of(r, "offset");

	cr_expect(holds(script, "row[1] = 'laptop: +1.314 ms, drift +12.03 ppm "
				"(+- 0.02), 1 step: +200.0 us'\n"));
	cr_expect(holds(script, "\nunit = 'us'\n"));
	cr_expect(holds(script, "\nsteps = 1\n"));
	cr_expect(holds(script, "step_row[1] = 1\nstep_at[1] = "
				"1000000000000e-12\n"));
	cr_expect(holds(script, "\n4000000000e-12 -9950000e-6 1050000e-6 "
				"111050000e-6 50000e-6\n"));
	free(script);
	cd_report_null(r, 1, "clock.drift_ppm", "n<50");
	script = script_of(r, "offset");
	cr_expect(holds(script, "drift not known, 1 step"));
	free(script);
	cd_report_free(r);
}

Test(chart, offset_of_a_clock_that_is_the_same)
{
	struct cd_report *r = sample_captures(2);
	struct cd_series *s = cd_report_series(r, 1, "clock.offset");
	char *script;

	for (int column = 0; column < 2; column++) {
		cd_series_add(r, s);
		cd_series_span(s, 0, SEC(column));
		cd_series_span(s, 2, 0);
	}
	script = script_of(r, "offset");
	cr_expect(holds(script, "ymin[1] = -1000e-3\nymax[1] = 1000e-3\n"),
		  "an axis is not empty");
	cr_expect(holds(script, "\n0 NaN 0 NaN NaN\n"), "null is no zero");
	free(script);
	cd_report_free(r);
}

/* One wild packet does not squeeze the others, and is told of. */
Test(chart, offset_with_an_outlier)
{
	struct cd_report *r = sample_captures(2);
	struct cd_series *s = cd_report_series(r, 1, "clock.offset");
	char *script;

	for (int i = 0; i < 200; i++) {
		cd_series_add(r, s);
		cd_series_span(s, 0, MS(i));
		cd_series_span(s, 1, -US(10));
		cd_series_span(s, 2, 0);
		cd_series_span(s, 3, i == 100 ? SEC(3) : US(10));
		cd_series_span(s, 4, 0);
	}
	script = script_of(r, "offset");
	cr_expect(holds(script, "no step; not shown: up to +3.000 s'\n"));
	cr_expect(holds(script, "\nunit = 'us'\n"));
	cr_expect(holds(script, "ymin[1] = -11500000e-6\n"
				"ymax[1] = 21500000e-6\n"));
	free(script);
	/* so many of them are no outliers */
	for (size_t i = 0; i < 10; i++)
		s->cells[5 * i + 3].integer = SEC(3);
	script = script_of(r, "offset");
	cr_expect(holds(script, "no step'\n"));
	cr_expect(holds(script, "\nunit = 's'\n"));
	free(script);
	cd_report_free(r);
}

Test(chart, offset_with_a_pause)
{
	struct cd_report *r = sample_captures(2);
	struct cd_series *s = cd_report_series(r, 1, "clock.offset");
	char *script;

	for (int i = 0; i < 20; i++) {
		cd_series_add(r, s);
		cd_series_span(s, 0, MS(i < 10 ? i : i + 100));
		cd_series_span(s, 2, 0);
	}
	script = script_of(r, "offset");
	cr_expect(holds(script, "\n9000000000e-12 NaN 0 NaN NaN\n\n"
				"110000000000e-12 NaN 0 NaN NaN\n"
				"111000000000e-12 "));
	free(script);
	cd_report_free(r);
}

Test(chart, loss_over_the_whole_time)
{
	struct cd_report *r = sample_drawn();
	char *script = script_of(r, "loss");

	cr_expect(holds(script, "row[1] = 'laptop: 502 of 200,000 missing, 91 "
				"gaps, longest 412 (4.130 ms); 4 duplicates'"));
	cr_expect(holds(script, "\nymax = 824\n"));
	cr_expect(holds(script, "\nxmax = 62619989900000e-12\n"),
		  "to the end of the reference and 1 %% more");
	cr_expect(holds(script, "\n1503000000000e-12 412\n"));
	cr_expect(holds(script, "$COPY << EOD\n500000000000e-12\n"));
	free(script);
	cd_report_free(r);
}

/* A row for a capture that has only duplicates. */
Test(chart, loss_of_duplicates_alone)
{
	struct cd_report *r = sample_captures(3);
	struct cd_series *s = cd_report_series(r, 1, "duplicate.copy");
	char *script;

	cd_series_add(r, s);
	cd_series_span(s, 0, SEC(1));
	cd_series_count(s, 1, 1);
	sample_gaps(r, 2);
	script = script_of(r, "loss");
	cr_expect(holds(script, "\nn = 2\n"));
	cr_expect(holds(script, "gaps[1] = 0\ncopies[1] = 1\n"));
	cr_expect(holds(script, "gaps[2] = 1\ncopies[2] = 1\n"));
	cr_expect(holds(script, "$GAP << EOD\n0 0\n\n\n3000000000e-12 1\n"));
	free(script);
	cd_report_free(r);
}
