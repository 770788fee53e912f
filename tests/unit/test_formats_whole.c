/* Every format but the text: no name breaks out of its place, nothing that
 * matters is left out. */
#include <criterion/criterion.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/text.h"
#include "sample_formats.h"

static const char *const void_tags[] = {"meta", "img", "br", "hr", "link"};

static bool is_void(const char *name, size_t n)
{
	for (size_t i = 0; i < sizeof(void_tags) / sizeof(void_tags[0]); i++)
		if (strlen(void_tags[i]) == n &&
		    strncmp(void_tags[i], name, n) == 0)
			return true;
	return false;
}

struct tags {
	char open[32][24];
	size_t n;
};

/* A tag: pushes or pops its name, all attributes double quoted. */
static const char *check_tag(const char *p, struct tags *tags)
{
	bool closing = p[1] == '/', empty;
	const char *name = p + 1 + closing;
	size_t n = 0;

	while (isalnum((unsigned char)name[n]) || name[n] == '-')
		n++;
	cr_assert(n > 0 && n < 24, "no tag: %.40s", p);
	for (p = name + n; *p != '>'; p++) {
		cr_assert(*p != '<' && *p != '\0', "no tag: %.40s", name);
		if (*p == '"') {
			size_t value = strcspn(p + 1, "<>\"");

			cr_assert_eq(p[1 + value], '"', "%.80s", p);
			p += 1 + value;
		}
	}
	empty = p[-1] == '/';
	if (closing) {
		cr_assert(tags->n > 0 &&
			      strlen(tags->open[tags->n - 1]) == n &&
			      strncmp(tags->open[tags->n - 1], name, n) == 0,
			  "%.40s closes %s", name,
			  tags->n > 0 ? tags->open[tags->n - 1] : "nothing");
		tags->n--;
	} else if (!empty && !is_void(name, n)) {
		cr_assert_lt(tags->n, 32);
		snprintf(tags->open[tags->n++], 24, "%.*s", (int)n, name);
	}
	return p + 1;
}

static const char *check_reference(const char *p)
{
	size_t n = strspn(p + 1, "#abcdefghijklmnopqrstuvwxyz0123456789");

	cr_assert(n > 0 && n < 8 && p[1 + n] == ';', "%.40s", p);
	return p + 2 + n;
}

/* Tags nest, references are whole, every letter is one that XML knows. */
static void check_markup(const char *text)
{
	struct tags tags = {.n = 0};

	while (*text != '\0') {
		uint32_t code;
		unsigned n = cd_utf8_next(text, &code);

		cr_assert(n > 0 && (code >= 0x20 || code == '\n'), "%.40s",
			  text);
		cr_assert(code < 0x202a || code > 0x202e);
		if (*text == '<' && (text[1] == '?' || text[1] == '!'))
			text = strchr(text, '>') + 1;
		else if (*text == '<')
			text = check_tag(text, &tags);
		else if (*text == '&')
			text = check_reference(text);
		else
			text += n;
	}
	cr_assert_eq(tags.n, 0, "%s is open at the end",
		     tags.n > 0 ? tags.open[tags.n - 1] : "");
}

static size_t count(const char *text, const char *part)
{
	size_t n = 0;

	for (const char *p = text; (p = strstr(p, part)) != NULL;
	     p += strlen(part))
		n++;
	return n;
}

Test(junit, random_reports)
{
	struct random_source random = {3};

	for (int round = 0; round < 200; round++) {
		struct cd_report *r = random_report(&random);
		char *text = render(r, "junit", cd_exit_status(r));

		check_markup(text);
		cr_assert_geq(count(text, "<testcase "),
			      r->n_captures + 2 * r->n_verdicts + r->n_limits);
		free(text);
		cd_report_free(r);
	}
}

/* Whatever else it says, it says that something is wrong. */
Test(junit, status_is_never_lost)
{
	struct cd_report *r = clean_pair();
	char *text = render(r, "junit", 0);

	cr_assert_eq(count(text, "<failure") + count(text, "<error"), 0);
	free(text);
	text = render(r, "junit", 1);
	cr_assert_eq(count(text, "<failure"), 1);
	free(text);
	text = render(r, "junit", 2);
	cr_assert_eq(count(text, "<error"), 1);
	free(text);
	cd_report_free(r);
}

/* ---- sweeps -------------------------------------------------------------- */

Test(sweep, markup)
{
	struct cd_report *r = sweep();
	char *page = render(r, "html", 2), *suites = render(r, "junit", 2);

	check_markup(page);
	check_markup(suites);
	/* the captures of two runs, and the run that could not be read */
	cr_assert_eq(count(suites, "<testsuite "), 5);
	cr_assert_eq(count(suites, "<error "), 1);
	free(page);
	free(suites);
	cd_report_free(r);
}

/* One row per run and capture; as many cells as the head has. */
Test(sweep, csv)
{
	struct cd_report *r = sweep();
	char *text = render(r, "csv", 2);

	cr_assert_eq(count(text, "\r\n"), 1 + 2 + 2 + 1);
	free(turn_table(text));
	free(text);
	cd_report_free(r);
}

/* ---- the page ------------------------------------------------------------ */

Test(html, random_reports)
{
	struct random_source random = {6};

	for (int round = 0; round < 200; round++) {
		struct cd_report *r = random_report(&random);
		char *text = render(r, "html", cd_exit_status(r));

		check_markup(text);
		cr_assert_null(strstr(text, "<script"));
		cr_assert_eq(count(text, "src="), 0);
		cr_assert_eq(count(text, "<th "),
			     count(text, "<th scope=\"row\"") +
				 count(text, "<th scope=\"col\""));
		cr_assert_eq(count(text, "<table"), count(text, "<caption>"));
		free(text);
		cd_report_free(r);
	}
}

static unsigned base64_digit(char c)
{
	return c >= 'A' && c <= 'Z'   ? (unsigned)(c - 'A')
	       : c >= 'a' && c <= 'z' ? (unsigned)(c - 'a') + 26
	       : c >= '0' && c <= '9' ? (unsigned)(c - '0') + 52
	       : c == '+'	      ? 62
	       : c == '/'	      ? 63
				      : 64;
}

/* What is in the page is the picture, whatever its length. */
Test(html, pictures_are_whole)
{
	struct cd_report *r = clean_pair();

	for (size_t length = 1; length < sizeof(drawn); length++) {
		const struct cd_picture picture = {"loss", drawn, length};
		char *text = render_page(r, 1, &picture);
		const char *p = strstr(text, ";base64,");
		size_t have = 0;
		unsigned bits = 0, n_bits = 0;

		cr_assert_not_null(p);
		cr_assert_not_null(strstr(
		    text, "alt=\"Chart: Where packets are missing. laptop: "
			  "complete and accurate.\""));
		for (p += strlen(";base64,"); base64_digit(*p) < 64; p++) {
			bits = bits << 6 | base64_digit(*p);
			n_bits += 6;
			if (n_bits < 8)
				continue;
			n_bits -= 8;
			cr_assert_eq((char)(bits >> n_bits & 0xff),
				     drawn[have++]);
		}
		cr_assert_eq(have, length);
		cr_assert_eq((size_t)(strspn(p, "=")), (3 - length % 3) % 3);
		cr_assert_eq(p[strspn(p, "=")], '"');
		free(text);
	}
	cd_report_free(r);
}

/* A megabyte is the most, whatever there is to show. */
Test(html, stays_small)
{
	const size_t large = 400000;
	struct cd_report *r = sample_captures(2);
	char *svg = calloc(1, large);
	const struct cd_picture pictures[] = {
	    {"delta", svg, large}, {"error", svg, large},
	    {"offset", drawn, sizeof(drawn) - 1}};
	char *text;

	memset(svg, 'x', large);
	sample_own(r, 0);
	sample_clean(r, 1);
	for (uint32_t stream = 0; stream < 2000; stream++)
		for (size_t i = 0; i < 8; i++)
			cd_value_of_stream(
			    r,
			    cd_report_null(r, 1, cd_key_table[i].name, "none"),
			    stream);
	random_judge(r);
	text = render_page(r, 3, pictures);
	cr_assert_lt(strlen(text), 1000000);
	cr_assert_eq(count(text, "<img "), 2);
	cr_assert_eq(count(text, "Left out, as it would make this page too "
				 "large: Time stamp error."),
		     1);
	cr_assert_not_null(strstr(text, "more tables would make this page"));
	check_markup(text);
	free(text);
	free(svg);
	cd_report_free(r);
}

/* Relative luminance and contrast: WCAG 2.1. */
static double luminance(unsigned rgb)
{
	static const double weights[] = {0.2126, 0.7152, 0.0722};
	double sum = 0;

	for (int i = 0; i < 3; i++) {
		double c = (double)(rgb >> (16 - 8 * i) & 0xff) / 255;

		sum += weights[i] *
		       (c <= 0.03928 ? c / 12.92 : pow((c + 0.055) / 1.055,
						       2.4));
	}
	return sum;
}

static unsigned colour(const char *css, const char *name)
{
	const char *p = strstr(css, name);
	unsigned rgb;

	cr_assert_not_null(p, "%s", name);
	p += strlen(name) + 1;
	rgb = (unsigned)strtoul(p, NULL, 16);
	if (strspn(p, "0123456789abcdef") == 3)
		rgb = (rgb >> 8 & 15) * 0x110000 + (rgb >> 4 & 15) * 0x1100 +
		      (rgb & 15) * 0x11;
	return rgb;
}

Test(html, contrast)
{
	static const char *const inks[] = {"--fg:", "--soft:", "--good:",
					   "--bad:", "--doubt:", "--link:"};
	struct cd_report *r = clean_pair();
	char *text = render(r, "html", 0);
	const char *dark = strstr(text, "prefers-color-scheme:dark");

	cr_assert_not_null(dark);
	for (int scheme = 0; scheme < 2; scheme++) {
		const char *css = scheme == 0 ? text : dark;

		for (size_t i = 0; i < 12; i++) {
			double a = luminance(colour(css, inks[i / 2]));
			double b = luminance(
			    colour(css, i % 2 == 0 ? "--bg:" : "--card:"));

			cr_assert_geq((fmax(a, b) + 0.05) /
					  (fmin(a, b) + 0.05),
				      4.5, "%s", inks[i / 2]);
		}
	}
	free(text);
	cd_report_free(r);
}

/* ---- Markdown and TAP ---------------------------------------------------- */

/* Columns of a row: pipes that no backslash precedes. */
static size_t count_pipes(const char *line, size_t bytes)
{
	size_t n = 0;

	for (size_t i = 0; i < bytes; i++) {
		if (line[i] == '\\')
			i++;
		else if (line[i] == '|')
			n++;
	}
	return n;
}

Test(md, random_reports)
{
	struct random_source random = {4};

	for (int round = 0; round < 200; round++) {
		struct cd_report *r = random_report(&random);
		char *text = render(r, "md", 1);
		size_t columns = 0;

		cr_assert_null(strchr(text, '<'));
		for (const char *p = text; (p = strstr(p, "](")) != NULL; p++)
			cr_assert_eq(p[-1], '\\', "%.40s", p);
		cr_assert_null(strchr(text, '\x1b'));
		for (const char *p = text; *p != '\0';) {
			size_t n = strcspn(p, "\n");
			size_t pipes = count_pipes(p, n);

			cr_assert(columns == 0 || pipes == 0 ||
				      pipes == columns,
				  "%.*s", (int)n, p);
			cr_assert(pipes == 0 || *p == '|');
			columns = pipes;
			p += n + 1;
		}
		free(text);
		cd_report_free(r);
	}
}

Test(tap, random_reports)
{
	struct random_source random = {5};

	for (int round = 0; round < 200; round++) {
		struct cd_report *r = random_report(&random);
		char *text = render(r, "tap", cd_exit_status(r)), plan[32];
		size_t n = count(text, "\nok ") + count(text, "\nnot ok ");

		snprintf(plan, sizeof(plan), "\n1..%zu\n", n);
		cr_assert_not_null(strstr(text, plan), "%s in %s", plan, text);
		cr_assert_eq(count(text, "\n  ---\n"),
			     count(text, "\nnot ok "));
		for (const char *p = text; *p != '\0';) {
			size_t length = strcspn(p, "\n");
			const char *sign = memchr(p, '#', length);

			/* no directive outside of the diagnostics */
			cr_assert(*p == ' ' || sign == NULL ||
				      sign[-1] == '\\',
				  "%.*s", (int)length, p);
			p += length + 1;
		}
		free(text);
		cd_report_free(r);
	}
}
