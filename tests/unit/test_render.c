#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/render.h"
#include "report/text.h"
#include "golden.h"
#include "random_report.h"
#include "sample_report.h"
#include "verdict/verdict.h"

static const struct cd_render_options plain = {.width = 80};

static char *render(const struct cd_report *r, const char *name,
		    const struct cd_render_options *options)
{
	struct cd_str out = {0};

	cr_assert_eq(cd_renderer_find(name)->render(r, options, &out), 0);
	cr_assert_not(out.bad);
	return out.text == NULL ? cd_strdup("") : out.text;
}

/* `n` captures: every second one compared is the laptop. */
static struct cd_report *sample(size_t n)
{
	struct cd_report *r = sample_captures(n);

	sample_own(r, 0);
	for (uint32_t i = 1; i < n; i++) {
		if (i % 2 == 1)
			sample_laptop(r, i);
		else
			sample_clean(r, i);
	}
	return r;
}

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

/* ---- JSON ---------------------------------------------------------------- */

static void check_value(json_t *values, const struct cd_report *r,
			const struct cd_value *v)
{
	struct cd_str key = {0}, clean = {0};
	json_t *node, *value;
	double x = 0;

	cd_value_full_key(r, v, &key);
	/* line breaks stay, as JSON can hold them */
	for (const char *p = cd_str_text(&key); *p != '\0'; p++) {
		char piece[8];
		uint32_t code;
		unsigned n = cd_utf8_next(p, &code);

		snprintf(piece, sizeof(piece), "%.*s", n == 0 ? 1 : (int)n, p);
		if (*p == '\n')
			cd_str_add(&clean, "\n");
		else
			cd_text_name(&clean, piece);
		p += n == 0 ? 0 : n - 1;
	}
	node = json_object_get(values, cd_str_text(&clean));
	cr_assert_not_null(node, "%s", cd_str_text(&clean));
	value = json_object_get(node, "value");
	cr_assert_str_eq(json_string_value(json_object_get(node, "unit")),
			 v->key->unit);
	cr_assert_str_eq(json_string_value(json_object_get(node, "label")),
			 v->key->label);
	cr_assert_eq(json_object_get(node, "better") != NULL,
		     v->key->better != CD_BETTER_NONE);
	cr_assert_eq(json_object_get(node, "low") != NULL, v->has_interval);
	if (v->kind == CD_VALUE_NULL) {
		cr_assert(json_is_null(value));
		cr_assert_str_eq(
		    json_string_value(json_object_get(node, "reason")),
		    v->reason);
	} else if (v->kind == CD_VALUE_TEXT) {
		cr_assert(json_is_string(value));
	} else if (v->kind == CD_VALUE_COUNT) {
		cr_assert_eq(json_integer_value(value), v->integer);
	} else {
		cr_assert(cd_value_number(v, &x));
		cr_assert_float_eq(json_number_value(value), x,
				   fabs(x) * 1e-15);
	}
	cd_str_release(&key);
	cd_str_release(&clean);
}

static json_t *parse(const char *text)
{
	json_error_t error;
	json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &error);

	cr_assert_not_null(root, "%d: %s", error.line, error.text);
	return root;
}

Test(json, parses_back_and_is_complete)
{
	struct random_source random = {4};

	for (int round = 0; round < 300; round++) {
		struct cd_report *r = random_report(&random);
		char *text = render(r, "json", &plain);
		json_t *root = parse(text);
		json_t *values = json_object_get(root, "values");

		cr_assert_eq(json_object_size(values), r->n_values);
		for (size_t i = 0; i < r->n_values; i++)
			check_value(values, r, &r->values[i]);
		cr_assert_eq(json_array_size(json_object_get(root, "captures")),
			     r->n_captures);
		cr_assert_eq(json_object_size(json_object_get(root,
							      "verdicts")),
			     r->n_verdicts);
		cr_assert_eq(json_array_size(json_object_get(root,
							     "findings")),
			     r->n_findings);
		json_decref(root);
		free(text);
		cd_report_free(r);
	}
}

Test(json, what_the_interface_fixes)
{
	struct cd_render_options options = {.width = 80, .status = 1};
	struct cd_report *r = sample(2);
	json_t *root, *verdict;
	char *text;

	r->command = calloc(2, sizeof(*r->command));
	r->command[0] = cd_strdup("capdiff");
	r->command[1] = cd_strdup("--loss-ratio=0.005");
	r->n_command = 2;
	r->captures[0].time_digits = 12;
	random_judge(r);
	text = render(r, "json", &options);
	root = parse(text);
	cr_assert_str_eq(json_string_value(json_object_get(root, "schema")),
			 "capdiff-report/1");
	cr_assert_eq(json_integer_value(json_object_get(root, "status")), 1);
	cr_assert_not_null(strstr(text, "\"command\": [\"capdiff\", "
					"\"--loss-ratio=0.005\"]"));
	cr_assert_not_null(
	    strstr(text, "\"first\": \"2026-11-30T18:53:01.123456789012Z\""));
	cr_assert_not_null(strstr(text, "\"hits\": {\"hw\": 1, \"laptop\": 1}"));
	verdict = json_object_get(json_object_get(root, "verdicts"), "laptop");
	cr_assert(json_is_false(json_object_get(verdict, "complete")));
	cr_assert(json_is_false(json_object_get(verdict, "accurate")));
	cr_assert_eq(json_array_size(json_object_get(verdict, "reasons")), 2);
	json_decref(root);
	free(text);
	cd_report_free(r);
}

static void number_is(int64_t ps, const char *expected)
{
	struct cd_report *r = sample_captures(1);
	struct cd_str wanted = {0};
	char *text;

	cd_report_span(r, 0, "time.tick_ns", ps);
	text = render(r, "json", &plain);
	cd_str_addf(&wanted, "{\"value\": %s, \"unit\": \"ns\"", expected);
	cr_assert_not_null(strstr(text, cd_str_text(&wanted)), "%s in %s",
			   expected, text);
	cd_str_release(&wanted);
	free(text);
	cd_report_free(r);
}

Test(json, times_are_exact)
{
	number_is(0, "0");
	number_is(1, "0.001");
	number_is(-1, "-0.001");
	number_is(1500, "1.5");
	number_is(-1050, "-1.05");
	number_is(1000, "1");
	number_is(INT64_MAX, "9223372036854775.807");
	number_is(INT64_MIN + 1, "-9223372036854775.807");
}

Test(json, reals_read_back_the_same)
{
	static const double reals[] = {0,    -0.0, 0.1,	  1.0 / 3, 1e300, 5e-324,
				       1e15, 0.3,  2.0e-5, 12.034,  -7};

	for (size_t i = 0; i < sizeof(reals) / sizeof(reals[0]); i++) {
		struct cd_report *r = sample_captures(1);
		json_t *root;
		char *text;

		cd_report_real(r, 0, "clock.drift_ppm", reals[i]);
		text = render(r, "json", &plain);
		root = parse(text);
		cr_assert_eq(json_number_value(json_object_get(
				 json_object_get(
				     json_object_get(root, "values"),
				     "hw.clock.drift_ppm"),
				 "value")),
			     reals[i]);
		json_decref(root);
		free(text);
		cd_report_free(r);
	}
}

/* The order in which metrics fill a report does not show. */
Test(json, order_of_filling_does_not_matter)
{
	struct cd_report *a = sample_captures(2), *b = sample_captures(2);
	char *x, *y;

	for (size_t i = 0; i < cd_key_count; i++) {
		size_t j = cd_key_count - 1 - i;

		cd_report_null(a, i % 2, cd_key_table[i].name, "x");
		cd_report_null(b, j % 2, cd_key_table[j].name, "x");
	}
	for (size_t f = 0; cd_renderers[f] != NULL; f++) {
		x = render(a, cd_renderers[f]->name, &plain);
		y = render(b, cd_renderers[f]->name, &plain);
		cr_assert_str_eq(x, y);
		free(x);
		free(y);
	}
	cd_report_free(a);
	cd_report_free(b);
}

/* ---- CSV ----------------------------------------------------------------- */

/* RFC 4180: the fields of the row at *text, moved past it; copies field
 * `wanted` to `field`. */
static size_t read_row(const char **text, size_t wanted, char *field,
		       size_t size)
{
	const char *p = *text;
	size_t n = 0, at = 0;
	bool quoted = false;

	for (;; p++) {
		cr_assert_neq(*p, '\0', "row without an end");
		if (*p == '"' && quoted && p[1] == '"') {
			p++;
		} else if (*p == '"') {
			quoted = !quoted;
			continue;
		} else if (!quoted && *p == ',') {
			n++;
			continue;
		} else if (!quoted && p[0] == '\r' && p[1] == '\n') {
			break;
		}
		if (n == wanted && at + 1 < size)
			field[at++] = *p;
	}
	field[at] = '\0';
	*text = p + 2;
	return n + 1;
}

Test(csv, a_row_per_capture_and_a_column_per_key)
{
	struct random_source random = {5};

	for (int round = 0; round < 200; round++) {
		struct cd_report *r = random_report(&random);
		char *text = render(r, "csv", &plain), field[512];
		const char *p = text;

		cr_assert_eq(read_row(&p, 1, field, sizeof(field)),
			     cd_key_count + 10);
		cr_assert_str_eq(field, "capture");
		for (size_t i = 0; i < r->n_captures; i++) {
			cr_assert_eq(read_row(&p, 1, field, sizeof(field)),
				     cd_key_count + 10);
			cr_assert_null(strchr("=+-@\t\r", field[0]));
		}
		cr_assert_eq(*p, '\0');
		free(text);
		cd_report_free(r);
	}
}

static void field_is(const char *row, size_t column, const char *expected)
{
	char field[512];

	read_row(&row, column, field, sizeof(field));
	cr_assert_str_eq(field, expected);
}

Test(csv, cells)
{
	struct cd_report *r = sample(2);
	char *text, field[512];
	const char *p, *header;
	size_t column = 0;

	free(r->captures[0].label);
	r->captures[0].label = cd_strdup("=1+1");
	free(r->captures[1].path);
	r->captures[1].path = cd_strdup("a \"b\", c");
	cd_report_span(r, 1, "time.tick_ns", -1500);
	random_judge(r);
	text = render(r, "csv", &plain);
	header = p = text;
	read_row(&p, 0, field, sizeof(field));
	field_is(p, 1, "'=1+1");
	field_is(p, 2, "reference");
	field_is(p, 6, "");
	read_row(&p, 0, field, sizeof(field));
	field_is(p, 1, "laptop");
	field_is(p, 3, "a \"b\", c");
	field_is(p, 6, "false");
	field_is(p, 8, "LOSS;BUNCHING");
	do {
		const char *h = header;

		read_row(&h, ++column, field, sizeof(field));
	} while (strcmp(field, "time.tick_ns") != 0);
	field_is(p, column, "-1.5");
	free(text);
	cd_report_free(r);
}
