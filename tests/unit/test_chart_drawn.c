/* Charts drawn by gnuplot, where it is there. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/gnuplot.h"
#include "render/chart.h"
#include "sample_series.h"

/* A label, and what the picture shows of it. */
struct label {
	const char *label, *shown;
};

static const struct label labels[] = {
    {"`touch pwned`", "`touch pwned`"},
    {"' . `touch pwned`", "' . `touch pwned`"},
    {"''';! touch pwned", "! touch pwned"},
    {"'.system('touch'", "system('touch'"},
    {"\"`touch pwned`\"", "`touch pwned`"},
    {"@term @out @name", "@term @out @name"},
    {"EOD\n! touch pwned", "EOD\\x0a! touch"},
    {"<script>x()", "&lt;script>x()"},
    {"&amp; a&b", "&amp;amp; a&amp;b"},
    {"{/=9 x}^2_3~a{.6-}", "{/=9 x}^2_3~a{.6-}"},
    {"\xff\xfe \x1b[31m", "\\xff\\xfe \\x1b[31m"},
    {"100 %s %n %%", "100 %s %n %%"},
    {"\xe6\x97\xa5\xe6\x9c\xac", "\xe6\x97\xa5\xe6\x9c\xac"},
    {"=cmd|' /C'!A0", "=cmd|' /C'!A0"},
};

static char folder[64];
static char *gnuplot;

static void setup(void)
{
	snprintf(folder, sizeof(folder), "/tmp/capdiff.XXXXXX");
	cr_assert_not_null(mkdtemp(folder));
	cr_assert_eq(chdir(folder), 0);
	gnuplot = cd_gnuplot_find();
}

static void teardown(void)
{
	free(gnuplot);
	cr_assert_eq(chdir("/"), 0);
	cr_assert_eq(rmdir(folder), 0, "nothing was left in the folder");
}

TestSuite(chart_drawn, .init = setup, .fini = teardown);

static void draw(const struct cd_report *r, const struct cd_chart *chart,
		 struct cd_str *svg)
{
	struct cd_error error = {0};
	struct cd_str script = {0};

	cr_assert(cd_chart_script(chart, r, &script));
	cr_expect_eq(cd_gnuplot_draw(gnuplot, &script, svg, &error), 0,
		     "%s: %s", chart->name, error.what);
	cd_str_release(&script);
}

Test(chart_drawn, hostile_labels)
{
	if (gnuplot == NULL)
		cr_skip_test("no gnuplot in PATH");
	for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++) {
		struct cd_report *r = sample_drawn();

		for (size_t k = 0; k < 2; k++) {
			free(r->captures[k].label);
			r->captures[k].label = cd_strdup(labels[i].label);
		}
		for (const struct cd_chart *c = cd_charts; c->name; c++) {
			struct cd_str svg = {0};

			draw(r, c, &svg);
			cr_expect(strstr(cd_str_text(&svg), labels[i].shown),
				  "%s shows %s", c->name, labels[i].shown);
			cr_expect_null(strstr(cd_str_text(&svg), "<script"));
			cd_str_release(&svg);
		}
		cd_report_free(r);
	}
}

Test(chart_drawn, the_same_again)
{
	struct cd_report *r = sample_drawn();

	if (gnuplot == NULL)
		cr_skip_test("no gnuplot in PATH");
	for (const struct cd_chart *c = cd_charts; c->name != NULL; c++) {
		struct cd_str one = {0}, two = {0};

		draw(r, c, &one);
		draw(r, c, &two);
		cr_assert_gt(one.length, 1000);
		cr_expect_str_eq(one.text, two.text);
		cd_str_release(&one);
		cd_str_release(&two);
	}
	cd_report_free(r);
}

/* A program called gnuplot that does this. */
static void fake(const char *body)
{
	FILE *file = fopen("gnuplot", "w");

	fprintf(file, "#!/bin/sh\n%s\n", body);
	fclose(file);
	chmod("gnuplot", 0755);
}

static void expect_failure(const char *body, const char *what)
{
	struct cd_str script = {0}, svg = {0};
	struct cd_error error = {0};
	char *path = cd_strf("%s/gnuplot", folder);

	fake(body);
	cd_str_add(&script, "plot x\n");
	cr_expect_eq(cd_gnuplot_draw(path, &script, &svg, &error), -1);
	cr_expect_not_null(strstr(error.what, what), "'%s' holds '%s'",
			   error.what, what);
	cr_expect_eq(svg.length, 0, "no half picture");
	unlink("gnuplot");
	free(path);
	cd_str_release(&script);
	cd_str_release(&svg);
}

Test(chart_drawn, failures)
{
	expect_failure("echo; echo '  line 1: oops' >&2; exit 1",
		       "gnuplot failed: line 1: oops");
	expect_failure("echo '<svg><g>'", "no picture, and no message");
	expect_failure("echo '<svg></svg>'; exit 3", "gnuplot failed");
	expect_failure("kill -9 $$", "gnuplot failed");
	expect_failure("#\nexec /no/such", "gnuplot failed");
}

Test(chart_drawn, search_in_path)
{
	char *path = cd_strf("relative:/no/such:%s", folder), *found;

	fake("exit 0");
	setenv("PATH", path, 1);
	found = cd_gnuplot_find();
	cr_assert_not_null(found);
	cr_expect_eq(strncmp(found, folder, strlen(folder)), 0);
	free(found);
	chmod("gnuplot", 0644);
	cr_expect_null(cd_gnuplot_find(), "not a program");
	chmod("gnuplot", 0755);
	setenv("PATH", ":.:", 1);
	cr_expect_null(cd_gnuplot_find(), "the current folder is no place");
	unsetenv("PATH");
	cr_expect_null(cd_gnuplot_find());
	unlink("gnuplot");
	free(path);
}
