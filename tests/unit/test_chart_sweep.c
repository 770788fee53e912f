/* The heat map of a sweep: which cell is where, and what it says. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/chart.h"
#include "sample_series.h"

static char *sweep_script(const struct cd_report *r)
{
	const struct cd_chart *chart = cd_charts;
	struct cd_str out = {0};

	while (strcmp(chart->name, "sweep") != 0)
		chart++;
	return cd_chart_script(chart, r, &out) ? out.text : NULL;
}

static void expect_in(const struct cd_report *r, const char *text)
{
	char *script = sweep_script(r);

	cr_assert_not_null(script);
	cr_expect_not_null(strstr(script, text), "%s\nlacks %s", script, text);
	free(script);
}

/* Measured rates that are nearly the same share a column. */
Test(chart_sweep, places)
{
	struct cd_report *r = sample_captures(3);
	struct cd_sweep *s = sample_sweep(r, 12);

	for (uint32_t p = 0; p < 3; p++) {
		sample_cell(s, 1518, 99.6e6, p, 0);
		sample_cell(s, 1518, 987e6, p, 5);
		sample_cell(s, 64, 101.2e6, p, p);
		sample_cell(s, 64, 998e6, p, 1488095);
	}
	expect_in(r, "\nn = 2\n");
	expect_in(r, "\ncolumns = 2\nrows = 2\n");
	expect_in(r, "load[1] = '101'\nload[2] = '998'\n");
	expect_in(r, "size[1] = '64'\nsize[2] = '1518'\n");
	expect_in(r, "row[1] = 'laptop'\nrow[2] = 'tap'\n");
	expect_in(r, "$CELL << EOD\n"
		     "1 2 0 100%\n2 2 2 99.9996%\n1 1 2 99.9999%\n2 1 2 0%\n"
		     "\n\n"
		     "1 2 0 100%\n2 2 2 99.9996%\n1 1 2 99.9998%\n2 1 2 0%\n"
		     "EOD\n");
	cd_report_free(r);
}

Test(chart_sweep, classes)
{
	static const struct {
		enum cd_judgement complete, accurate;
		int shown;
	} cases[] = {
	    {CD_TRUE, CD_TRUE, 0},	   {CD_TRUE, CD_FALSE, 1},
	    {CD_TRUE, CD_INCONCLUSIVE, 3}, {CD_FALSE, CD_TRUE, 2},
	    {CD_FALSE, CD_FALSE, 2},	   {CD_FALSE, CD_INCONCLUSIVE, 2},
	    {CD_INCONCLUSIVE, CD_TRUE, 3}, {CD_INCONCLUSIVE, CD_FALSE, 3},
	};
	struct cd_report *r = sample_captures(2);
	struct cd_sweep *s = sample_sweep(r, 1);

	sample_cell(s, 64, 1e8, 1, 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char line[32];

		s->cells[0].complete.judgement = cases[i].complete;
		s->cells[0].accurate.judgement = cases[i].accurate;
		snprintf(line, sizeof(line), "\n1 1 %d 100%%\n",
			 cases[i].shown);
		expect_in(r, line);
	}
	s->cells[0].has_counts = false;
	expect_in(r, "\n1 1 3 -\n");
	cd_report_free(r);
}

/* Less room, fewer decimals; still not 100 % while something is missing. */
Test(chart_sweep, decimals)
{
	struct cd_report *r = sample_captures(2);
	struct cd_sweep *s = sample_sweep(r, 13);

	for (int i = 0; i < 9; i++)
		sample_cell(s, 64, 1e8 * (i + 1), 1, 1);
	expect_in(r, "\n9 1 2 99.99%\n");
	for (int i = 9; i < 13; i++)
		sample_cell(s, 64, 1e8 * (i + 1), 1, 1);
	expect_in(r, "\n13 1 2 99.9%\n");
	expect_in(r, "load[10] = '1000'\n");
	cd_report_free(r);
}

/* Without a reference, one rate per size: a column per set-up. */
Test(chart_sweep, without_reference)
{
	struct cd_report *r = sample_captures(3);
	struct cd_sweep *s = sample_sweep(r, 7);

	s->has_reference = false;
	free(r->captures[1].label);
	r->captures[1].label = cd_strdup("100 %s");
	for (uint32_t p = 0; p < 3; p++) {
		sample_cell(s, 64, 1e8 * (p + 1), p, p);
		sample_cell(s, 0, 5e8, p, 0);
	}
	expect_in(r, "\nn = 1\n");
	expect_in(r, "load[1] = 'hw'\nload[2] = '100 %%s'\nload[3] = 'tap'\n");
	expect_in(r, "size[1] = 'mixed'\nsize[2] = '64'\n");
	expect_in(r, "\n3 2 2 99.9998%\n");
	/* a second rate: panels again, the first set-up too */
	sample_cell(s, 64, 9e8, 0, 0);
	expect_in(r, "\nn = 3\n");
	cd_report_free(r);
}

Test(chart_sweep, rates_in_packets)
{
	struct cd_report *r = sample_captures(2);
	struct cd_sweep *s = sample_sweep(r, 3);

	sample_cell(s, 64, 1e8, 1, 0);
	sample_cell(s, 64, 1e9, 1, 0);
	s->cells[0].l1_bps = s->cells[1].l1_bps = 0;
	s->cells[0].pps = 2e3;
	s->cells[1].pps = 5e4;
	expect_in(r, "legend = 'rate (1,000 packets/s)'\n");
	expect_in(r, "load[1] = '2'\nload[2] = '50'\n");
	/* no rate at all: no place */
	s->cells[0].pps = 0;
	expect_in(r, "\ncolumns = 1\n");
	s->cells[1].pps = 0;
	cr_expect_null(sweep_script(r));
	cd_report_free(r);
}
