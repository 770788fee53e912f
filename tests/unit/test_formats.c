/* Every format but the text: what it looks like, and that no name breaks out
 * of its place. */
#include <criterion/criterion.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"
#include "random_report.h"
#include "render/render.h"
#include "report/sweep.h"
#include "report/text.h"
#include "sample_report.h"
#include "verdict/verdict.h"

static char *render_with(const struct cd_report *r, const char *name,
			 const struct cd_render_options *options)
{
	struct cd_str out = {0};

	cr_assert_eq(cd_renderer_find(name)->render(r, options, &out), 0);
	cr_assert_not(out.bad);
	return out.text == NULL ? cd_strdup("") : out.text;
}

static char *render(const struct cd_report *r, const char *name, int status)
{
	struct cd_render_options options = {.width = 80, .status = status};

	return render_with(r, name, &options);
}

/* ---- golden -------------------------------------------------------------- */

static struct cd_report *pair(void)
{
	static const char *const command[] = {"capdiff",
					      "--limit=loss.missing<=0",
					      "hw.pcapng", "it's.pcapng"};
	struct cd_report *r = sample_captures(2);

	sample_own(r, 0);
	sample_laptop(r, 1);
	r->command = calloc(4, sizeof(*r->command));
	for (size_t i = 0; i < 4; i++)
		r->command[r->n_command++] = cd_strdup(command[i]);
	cd_report_null(r, 1, "time.error.p99_99_ns", "n<10000");
	cd_report_finding(r, CD_WARNING, "noisy", 1,
			  "The reference is 5 us noisier.");
	cd_report_finding(r, CD_NOTE, "counted", -1, "Counted from 0.");
	random_judge(r);
	cd_limit_apply(r, "loss.missing<=0", NULL);
	cd_limit_apply(r, "loss.missing<=1000", NULL);
	cd_limit_apply(r, "hw.clock.steps<=0", NULL);
	return r;
}

static struct cd_report *clean_pair(void)
{
	struct cd_report *r = sample_captures(2);

	sample_own(r, 0);
	sample_clean(r, 1);
	random_judge(r);
	return r;
}

static struct cd_report *three(void)
{
	struct cd_report *r = sample_captures(3);

	sample_own(r, 0);
	sample_laptop(r, 1);
	sample_clean(r, 2);
	random_judge(r);
	return r;
}

static struct cd_report *alone(void)
{
	struct cd_report *r = sample_captures(1);

	sample_own(r, 0);
	cd_report_count(r, 0, "stream.gaps", 12);
	cd_report_number(r, 0, "stream.first_seq", 0);
	cd_report_number(r, 0, "stream.last_seq", 200011);
	random_judge(r);
	return r;
}

/* A file that ends early, and one without anything to compare. */
static struct cd_report *damaged(void)
{
	struct cd_report *r = clean_pair();

	r->captures[1].cut_short = true;
	r->captures[1].stop_offset = 24800123;
	cd_report_finding(r, CD_ERROR, "cut_short", 1,
			  "cut short after packet 3 (byte 412); the rest is "
			  "analysed");
	cd_report_finding(r, CD_ERROR, "no_common", -1,
			  "no packet in common");
	return r;
}

static struct cd_report *hostile(void)
{
	struct cd_report *r = sample_captures(2);

	sample_own(r, 0);
	sample_laptop(r, 1);
	for (size_t i = 0; i < 2; i++) {
		struct cd_report_capture *c = &r->captures[i];

		free(c->label);
		c->label = cd_strdup(i == 0 ? "=cmd|' /C calc'!A0"
					    : "<script>`a`|b\n\"c\" & "
					      "\xe2\x80\xae \x1b[31m#d");
		free(c->path);
		c->path = cd_strdup("=HYPERLINK(\"http://x\",\"y\")\r\n");
		free(c->application);
		c->application = cd_strdup("[x](javascript:alert(1)) *y* @z");
		c->comment = cd_strdup("</pre><img src=x onerror=alert(1)>");
	}
	free(r->streams[0].what);
	r->streams[0].what = cd_strdup("UDP <b>10.0.0.1</b>:9 > @{x}");
	cd_report_finding(r, CD_ERROR, "odd", 1, "<!-- --> ]]> # SKIP");
	random_judge(r);
	cd_limit_apply(r, "loss.missing<=0", NULL);
	return r;
}

static void sample_run(struct cd_sweep *s, size_t i, const char *name,
		       struct cd_report *report, int status)
{
	s->runs[i].name = cd_strdup(name);
	s->runs[i].report = report;
	s->runs[i].status = status;
	if (report == NULL) {
		s->runs[i].error_file = cd_strdup("<64>/x.pcapng");
		s->runs[i].error = cd_strdup("no such file");
		return;
	}
	s->runs[i].size = 64;
	s->runs[i].pps = 148809;
	s->runs[i].l1_bps = 1e8;
}

static struct cd_sweep_cell sample_cell(size_t run, double l1_bps,
					bool lossy)
{
	struct cd_sweep_cell c = {
	    .size = 64,
	    .pps = l1_bps / 672,
	    .l1_bps = l1_bps,
	    .load = l1_bps / 1e9,
	    .point = 1,
	    .n_runs = 1,
	    .complete = {1, lossy, lossy ? CD_FALSE : CD_TRUE},
	    .accurate = {1, lossy, lossy ? CD_FALSE : CD_TRUE},
	    .has_counts = true,
	    .expected = 200000,
	    .missing = lossy ? 502 : 0,
	    .longest_delta = {1, US(141.2), US(141.2), US(141.2)},
	    .error = {3, US(66.1), US(61), US(71)},
	    .reason = lossy ? "LOSS" : NULL,
	    .overloaded = lossy,
	};

	c.runs = calloc(1, sizeof(*c.runs));
	c.runs[0] = run;
	return c;
}

/* A good run, a bad one, and one that could not be read. */
static struct cd_report *sweep(void)
{
	struct cd_report *r = sample_captures(2);
	struct cd_sweep *s = cd_sweep_new();

	r->sweep = s;
	s->has_reference = true;
	s->link_bps = 1e9;
	s->expect = -1;
	s->runs = calloc(3, sizeof(*s->runs));
	s->n_runs = 3;
	sample_run(s, 0, "64/100M", clean_pair(), 0);
	sample_run(s, 1, "64/<b>|500M", pair(), 1);
	sample_run(s, 2, "64/900M", NULL, 2);
	s->cells = calloc(2, sizeof(*s->cells));
	s->n_cells = 2;
	s->cells[0] = sample_cell(0, 1e8, false);
	s->cells[1] = sample_cell(1, 5e8, true);
	s->onsets = calloc(2, sizeof(*s->onsets));
	s->n_onsets = 2;
	s->onsets[0] = (struct cd_sweep_onset){
	    .size = 64,
	    .point = 1,
	    .complete = {.tested = 2, .has_up_to = true, .has_fails_at = true,
			 .up_to_bps = 1e8, .fails_at_bps = 5e8,
			 .next_bps = 2.5e8},
	    .accurate = {.tested = 2, .has_fails_at = true,
			 .fails_at_bps = 1e8}};
	s->onsets[1] = (struct cd_sweep_onset){
	    .size = 1518,
	    .point = 1,
	    .complete = {.tested = 1, .has_up_to = true, .up_to_bps = 1e9}};
	s->onsets[1].complete.inverted_bps = calloc(1, sizeof(double));
	s->onsets[1].complete.inverted_bps[0] = 9.8e8;
	s->onsets[1].complete.n_inverted = 1;
	cd_report_finding(r, CD_WARNING, "run_name", -1,
			  "64/100M is named so but measured otherwise.");
	return r;
}

/* Takes over the report. */
static void check_format(const char *golden, struct cd_report *r,
			 const char *name, int status)
{
	char *text = render(r, name, status);

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

/* What no chart looks like, but data all the same. */
static const char drawn[] =
    "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 8 4\"><path "
    "d=\"M0 0L8 4\" stroke=\"#000\"/></svg>\n";

static char *render_page(const struct cd_report *r, size_t n_pictures,
			 const struct cd_picture *pictures)
{
	struct cd_render_options options = {
	    .width = 80,
	    .status = 1,
	    .pictures = pictures,
	    .n_pictures = n_pictures,
	};

	return render_with(r, "html", &options);
}

static void check_page(const char *golden, struct cd_report *r)
{
	const struct cd_picture pictures[] = {
	    {"delta", drawn, sizeof(drawn) - 1},
	    {"error", drawn, sizeof(drawn) - 2},
	    {"another", drawn, sizeof(drawn) - 3}};
	char *text = render_page(r, 3, pictures);

	golden_check(golden, text);
	free(text);
	cd_report_free(r);
}

Test(golden, formats_html)
{
	check_page("pair.html", pair());
	check_page("hostile.html", hostile());
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

/* One cell of a row whose cells hold no line breaks; RFC 4180. */
static const char *next_cell(const char *p, struct cd_str *cell)
{
	bool quoted = *p == '"';

	p += quoted;
	for (; *p != '\0'; p++) {
		if (quoted && *p == '"') {
			if (*++p != '"')
				break;
		} else if (!quoted && strchr(",\r", *p) != NULL) {
			break;
		}
		cd_str_addn(cell, p, 1);
	}
	cr_assert(*p == ',' || strncmp(p, "\r\n", 2) == 0, "%s", p);
	return *p == ',' ? p + 1 : p;
}

/* What a column holds in each row, one column a line, empty ones left out:
 * a new key changes nothing. */
static char *turn_table(const char *csv)
{
	const char *rows[8];
	struct cd_str out = {0};
	size_t n = 0;

	for (const char *p = csv; *p != '\0'; p = strstr(p, "\r\n") + 2)
		rows[n++] = p;
	while (strncmp(rows[0], "\r\n", 2) != 0) {
		struct cd_str line = {0};
		bool any = false;

		for (size_t i = 0; i < n; i++) {
			struct cd_str cell = {0};

			rows[i] = next_cell(rows[i], &cell);
			any = any || (i > 0 && cell.length > 0);
			cd_str_addf(&line, "%s[%s]", i > 0 ? " " : "",
				    cd_str_text(&cell));
			cd_str_release(&cell);
		}
		if (any)
			cd_str_addf(&out, "%s\n", line.text);
		cd_str_release(&line);
	}
	for (size_t i = 1; i < n; i++)
		cr_assert_eq(strncmp(rows[i], "\r\n", 2), 0, "as many cells");
	return out.text;
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

/* ---- no name breaks out -------------------------------------------------- */

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
