/* What programs read: JSON and CSV. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/render.h"
#include "report/text.h"
#include "random_report.h"
#include "render_rig.h"
#include "verdict/verdict.h"

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
