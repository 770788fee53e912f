/* Every format but the text: what it looks like. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"
#include "sample_formats.h"

/* What is between the tags is the same in every page: that of the pair. */
static void drop_style(char *page)
{
	char *first = strstr(page, "<style>\n");
	char *end = strstr(page, "</style>\n");

	cr_assert(first != NULL && end > first);
	first += strlen("<style>\n");
	memmove(first, end, strlen(end) + 1);
}

/* Takes over the report. */
static void check_format(const char *golden, struct cd_report *r,
			 const char *name, int status)
{
	char *text = render(r, name, status);

	if (strcmp(name, "html") == 0)
		drop_style(text);
	golden_check(golden, text);
	free(text);
	cd_report_free(r);
}

static void check_all(const char *stem, struct cd_report *(*make)(void),
		      int status)
{
	static const char *const names[] = {"json", "md", "junit", "tap"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char golden[64];

		snprintf(golden, sizeof(golden), "%s%s", stem,
			 cd_renderer_find(names[i])->suffix);
		check_format(golden, make(), names[i], status);
	}
}

Test(golden, formats_pair)
{
	check_all("pair", pair, 1);
}

Test(golden, formats_hostile)
{
	check_all("hostile", hostile, 2);
}

Test(golden, formats_damaged)
{
	check_format("damaged.xml", damaged(), "junit", 2);
	check_format("damaged.tap", damaged(), "tap", 2);
	check_format("damaged.md", damaged(), "md", 2);
}

static void check_page(const char *golden, struct cd_report *r, bool styled)
{
	const struct cd_picture pictures[] = {
	    {"delta", drawn, sizeof(drawn) - 1},
	    {"error", drawn, sizeof(drawn) - 2},
	    {"another", drawn, sizeof(drawn) - 3}};
	char *text = render_page(r, 3, pictures);

	if (!styled)
		drop_style(text);
	golden_check(golden, text);
	free(text);
	cd_report_free(r);
}

Test(golden, formats_html)
{
	check_page("pair.html", pair(), true);
	check_page("hostile.html", hostile(), false);
	check_format("damaged.html", damaged(), "html", 2);
	check_format("three.html", three(), "html", 1);
	check_format("single.html", alone(), "html", 1);
}

Test(golden, formats_sweep)
{
	struct cd_render_options options = {.width = 80, .verbosity = 1};
	struct cd_report *r = sweep();
	char *text = render_with(r, "md", &options);

	golden_check("sweep.md", text);
	free(text);
	cd_report_free(r);
	check_format("sweep.txt", sweep(), "text", 2);
	check_format("sweep.html", sweep(), "html", 2);
	check_format("sweep.xml", sweep(), "junit", 2);
	check_format("sweep.tap", sweep(), "tap", 2);
}

Test(golden, formats_clean)
{
	check_format("pair_clean.xml", clean_pair(), "junit", 0);
	check_format("pair_clean.tap", clean_pair(), "tap", 0);
	check_format("pair_clean.md", clean_pair(), "md", 0);
}

Test(golden, formats_single)
{
	check_format("single.xml", alone(), "junit", 1);
	check_format("single.md", alone(), "md", 1);
}

Test(golden, formats_three)
{
	check_format("three.md", three(), "md", 1);
	check_format("three.xml", three(), "junit", 1);
}

Test(golden, formats_verbose)
{
	struct cd_render_options options = {.width = 80, .verbosity = 1};
	struct cd_report *r = pair();
	char *text = render_with(r, "md", &options);

	golden_check("pair_verbose.md", text);
	free(text);
	cd_report_free(r);
}

static void check_csv(const char *golden, struct cd_report *r)
{
	char *text = render(r, "csv", 1), *turned = turn_table(text);

	golden_check(golden, turned);
	free(turned);
	free(text);
	cd_report_free(r);
}

Test(golden, formats_csv)
{
	check_csv("pair.csv.txt", pair());
	check_csv("hostile.csv.txt", hostile());
	check_csv("sweep.csv.txt", sweep());
}
