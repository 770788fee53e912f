/* Reports for the tests of formats, and what renders them. */
#ifndef CAPDIFF_TESTS_SAMPLE_FORMATS_H
#define CAPDIFF_TESTS_SAMPLE_FORMATS_H

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "random_report.h"
#include "render/render.h"
#include "report/sweep.h"
#include "sample_report.h"
#include "verdict/verdict.h"

static inline char *render_with(const struct cd_report *r, const char *name,
			 const struct cd_render_options *options)
{
	struct cd_str out = {0};

	cr_assert_eq(cd_renderer_find(name)->render(r, options, &out), 0);
	cr_assert_not(out.bad);
	return out.text == NULL ? cd_strdup("") : out.text;
}

static inline char *render(const struct cd_report *r, const char *name, int status)
{
	struct cd_render_options options = {.width = 80, .status = status};

	return render_with(r, name, &options);
}

static inline struct cd_report *pair(void)
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

static inline struct cd_report *clean_pair(void)
{
	struct cd_report *r = sample_captures(2);

	sample_own(r, 0);
	sample_clean(r, 1);
	random_judge(r);
	return r;
}

static inline struct cd_report *three(void)
{
	struct cd_report *r = sample_captures(3);

	sample_own(r, 0);
	sample_laptop(r, 1);
	sample_clean(r, 2);
	random_judge(r);
	return r;
}

static inline struct cd_report *alone(void)
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
static inline struct cd_report *damaged(void)
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

static inline struct cd_report *hostile(void)
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

static inline void sample_run(struct cd_sweep *s, size_t i, const char *name,
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

static inline struct cd_sweep_cell sample_cell(size_t run, double l1_bps,
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
static inline struct cd_report *sweep(void)
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

/* What no chart looks like, but data all the same. */
static const char drawn[] =
    "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 8 4\"><path "
    "d=\"M0 0L8 4\" stroke=\"#000\"/></svg>\n";

static inline char *render_page(const struct cd_report *r, size_t n_pictures,
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

/* One cell of a row whose cells hold no line breaks; RFC 4180. */
static inline const char *next_cell(const char *p, struct cd_str *cell)
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
static inline char *turn_table(const char *csv)
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

#endif
