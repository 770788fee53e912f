/* Saved reports: what was written is what is read. */
#include <criterion/criterion.h>
#include <string.h>

#include "random_report.h"
#include "render/json_read.h"
#include "render/render.h"
#include "report/series.h"

static struct cd_str render(const struct cd_report *r, const char *format,
			    int verbosity)
{
	struct cd_render_options options = {
	    .width = 80,
	    .utf8 = true,
	    .verbosity = verbosity,
	    .status = 1,
	};
	struct cd_str out = {0};

	cr_assert_eq(cd_renderer_find(format)->render(r, &options, &out), 0);
	return out;
}

static struct cd_report *read_back(const struct cd_report *r)
{
	struct cd_str json = render(r, "json", 0);
	struct cd_error error = {0};
	int status = -1;
	struct cd_report *copy =
	    cd_json_read(json.text, json.length, &status, &error);

	cr_assert_not_null(copy, "%s", error.what);
	cr_assert_eq(status, 1);
	cd_str_release(&json);
	return copy;
}

static void check_text(const char *a, const char *b, const char *format)
{
	size_t same = 0;

	while (a[same] != '\0' && a[same] == b[same])
		same++;
	cr_assert(a[same] == b[same], "%s: %.60s\nagainst %.60s", format,
		  a + same, b + same);
}

static void check_same(const struct cd_report *a, const struct cd_report *b)
{
	for (size_t i = 0; cd_renderers[i] != NULL; i++)
		for (int verbosity = -1; verbosity <= 1; verbosity++) {
			const char *name = cd_renderers[i]->name;
			struct cd_str first = render(a, name, verbosity);
			struct cd_str second = render(b, name, verbosity);

			check_text(cd_str_text(&first), cd_str_text(&second),
				   name);
			cd_str_release(&first);
			cd_str_release(&second);
		}
}

static void add_series(struct random_source *random, struct cd_report *r)
{
	struct cd_series *s = cd_report_series(r, 0, "loss.gap");

	for (int i = 0; i < 20; i++) {
		cd_series_add(r, s);
		cd_series_span(s, 0, random_integer(random));
		cd_series_count(s, 1, random_draw(random, 1000));
	}
	s->of = 4711;
	s = cd_report_series(r, 0, "delta.histogram");
	cd_series_add(r, s);
	cd_series_span(s, 1, 1500);
	s = cd_report_series(r, 0, "time.error.exceedance");
	cd_series_add(r, s);
	cd_series_real(s, 1, 1.0 / 3);
}

Test(saved, nothing_is_lost)
{
	struct random_source random = {7};

	for (int round = 0; round < 300; round++) {
		struct cd_report *r = random_report(&random), *copy;

		/* above, JSON has null: no reader has to take as much */
		for (size_t i = 0; i < r->n_captures; i++)
			r->captures[i].ifaces[0].dropped = INT64_MAX;
		if (round % 2 == 1)
			add_series(&random, r);
		copy = read_back(r);
		check_same(r, copy);
		cr_assert_eq(copy->n_values, r->n_values);
		for (size_t i = 0; i < r->n_values; i++) {
			const struct cd_value *a = &r->values[i];
			const struct cd_value *b = cd_report_find_stream(
			    copy, a->point, a->stream, a->key->name);

			cr_assert_not_null(b);
			cr_assert_eq(b->kind, a->kind);
			cr_assert_eq(b->integer, a->integer);
			cr_assert(b->real == a->real);
		}
		cd_report_free(r);
		cd_report_free(copy);
	}
}

Test(saved, spans_of_all_sizes_are_exact)
{
	static const int64_t spans[] = {
	    0, 1, -1, 999, 1000, 1001, -1500, INT64_C(9007199254740993),
	    INT64_MAX, -INT64_MAX, INT64_C(1234567890123456789)};

	for (size_t i = 0; i < sizeof(spans) / sizeof(spans[0]); i++) {
		struct cd_report *r = sample_captures(2), *copy;

		cd_report_span(r, 1, "clock.offset_ns", spans[i]);
		cd_report_number(r, 1, "stream.first_seq",
				 spans[i] == 0 ? INT64_MIN : spans[i]);
		copy = read_back(r);
		cr_assert_eq(cd_report_find(copy, 1, "clock.offset_ns")->integer,
			     spans[i]);
		cr_assert_eq(
		    cd_report_find(copy, 1, "stream.first_seq")->integer,
		    spans[i] == 0 ? INT64_MIN : spans[i]);
		cd_report_free(r);
		cd_report_free(copy);
	}
}

Test(saved, instants_before_and_after)
{
	static const int64_t seconds[] = {0, -1, 951782400, 951868799,
					  -62135596800, 253402300799,
					  -86400, 4107542399};

	for (size_t i = 0; i < sizeof(seconds) / sizeof(seconds[0]); i++) {
		struct cd_report *r = sample_captures(1), *copy;

		r->captures[0].first =
		    (struct cd_instant){seconds[i], INT64_C(987654321012)};
		r->captures[0].last = r->captures[0].first;
		r->captures[0].time_digits = (int)i + 5;
		copy = read_back(r);
		cr_assert_eq(copy->captures[0].first.s, seconds[i]);
		check_same(r, copy);
		cd_report_free(r);
		cd_report_free(copy);
	}
}

/* What is wrong, and words that the message must have. */
static void check_refused(const char *text, size_t n, const char *says)
{
	struct cd_error error = {0};
	int status;
	struct cd_report *r = cd_json_read(text, n, &status, &error);

	cr_assert_null(r, "%.100s", text);
	cr_assert_eq(error.fault, CD_E_FORMAT);
	cr_assert_not_null(strstr(error.what, says), "%s\nfor %.100s",
			   error.what, text);
}

/* The sample report with one passage replaced. */
static void check_edit(const char *old, const char *new, const char *says)
{
	struct cd_report *r = sample_captures(2);
	struct cd_str json, edited = {0};
	const char *at;

	cd_report_span(r, 1, "clock.offset_ns", 1500);
	cd_report_text(r, 1, "identity.how", "timer");
	cd_report_finding(r, CD_NOTE, "some_code", 1, "text");
	random_judge(r);
	json = render(r, "json", 0);
	at = strstr(json.text, old);
	cr_assert_not_null(at, "%s in\n%s", old, json.text);
	cd_str_addn(&edited, json.text, (size_t)(at - json.text));
	cd_str_add(&edited, new);
	cd_str_add(&edited, at + strlen(old));
	check_refused(edited.text, edited.length, says);
	cd_str_release(&edited);
	cd_str_release(&json);
	cd_report_free(r);
}

Test(saved, wrong_types_are_named)
{
	check_edit("capdiff-report/1", "capdiff-report/2", "capdiff-report/2");
	check_edit("\"schema\"", "\"scheme\"", "schema");
	check_edit("\"status\": 1", "\"status\": 3", "status");
	check_edit("\"status\": 1", "\"status\": \"1\"", "status");
	check_edit("\"status\": 1", "\"status\": 1e400", "1e400");
	check_edit("\"captures\"", "\"captured\"", "captures");
	check_edit("\"label\": \"hw\"", "\"label\": 5", "captures[0]");
	check_edit("\"label\": \"hw\"", "\"label\": null", "captures[0]");
	check_edit("\"label\": \"hw\"", "\"label\": \"laptop\"", "label");
	check_edit("\"packets\": 200000", "\"packets\": -1", "packets");
	check_edit("\"packets\": 200000", "\"packets\": 1.5", "1.5");
	check_edit("\"packets\": 200000", "\"packets\": 99999999999999999999",
		   "64 bits");
	check_edit("\"first\": \"2026", "\"first\": \"soon", "first");
	check_edit("\"value\": 1.5", "\"value\": \"1.5\"", "clock.offset_ns");
	check_edit("\"value\": 1.5", "\"value\": 1e30", "clock.offset_ns");
	check_edit("\"value\": 1.5", "\"value\": [1.5]", "clock.offset_ns");
	check_edit("\"value\": \"timer\"", "\"value\": 7", "identity.how");
	check_edit("\"severity\": \"note\"", "\"severity\": \"fun\"",
		   "severity");
	check_edit("\"capture\": \"laptop\"", "\"capture\": \"other\"",
		   "findings[0]");
	check_edit("\"series\": {", "\"series\": 5, \"x\": {", "series");
	check_edit("\"values\": {", "\"values\": [], \"x\": {", "values");
	check_edit("\"verdicts\": {", "\"verdicts\": {\"x\": {}, ",
		   "verdicts");
	check_edit("\"complete\": null", "\"complete\": 1", "complete");
	check_edit("\"paragraphs_about\": [",
		   "\"paragraphs_about\": [\"all\", ", "complete");
	check_edit("\"reasons_about\": [", "\"reasons_about\": [5, ",
		   "complete");
	check_edit("\"captures\": [", "\"captures\": [, ", "line");
	check_edit("\"status\": 1", "\"status\": 01", "line");
	check_edit("\"status\": 1", "\"status\": 1, \"status\": 1", "dup");
}

Test(saved, no_report_at_all)
{
	static const char *const texts[] = {"",    "{",   "[]",      "5",
					    "\"x", "\"\\", "{\"a\":-}", "nul",
					    "{}",  "-",   "[1,2"};
	char *deep = malloc(200000);

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		check_refused(texts[i], strlen(texts[i]), "");
	check_refused("{\"a\":\0}", 7, "NUL");
	memset(deep, '[', 200000);
	check_refused(deep, 200000, "depth");
	free(deep);
}

/* Any byte of a report replaced: refused or read, never worse. */
Test(saved, damaged_bytes)
{
	struct random_source random = {3};
	struct cd_report *r = random_report(&random);
	struct cd_str json = render(r, "json", 0);

	for (int round = 0; round < 3000; round++) {
		char *at = &json.text[random_draw(&random, json.length)];
		static const char with[] = "\"\\{}[],:0-e.x\n\x01\xff";
		char old = *at;
		struct cd_error error = {0};
		struct cd_report *copy;
		int status;

		*at = with[random_draw(&random, sizeof(with))];
		copy = cd_json_read(json.text, json.length, &status, &error);
		cr_assert((copy == NULL) == (error.fault != CD_OK));
		cd_report_free(copy);
		*at = old;
	}
	cd_str_release(&json);
	cd_report_free(r);
}
