/* JUnit XML: one test suite per capture, as build servers read it. */
#include <string.h>

#include "render/cases.h"
#include "render/phrase.h"
#include "render/renderers.h"
#include "render/screen.h"
#include "render/xml.h"

static const char *const tags[] = {
    [CD_CASE_PASSED] = NULL,
    [CD_CASE_FAILED] = "failure",
    [CD_CASE_ERROR] = "error",
};

static void add_counts(struct cd_str *out, const struct cd_cases *cases,
		       size_t first, size_t end)
{
	size_t counts[] = {0, 0, 0};

	for (size_t i = first; i < end; i++)
		counts[cases->list[i].outcome]++;
	cd_str_addf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\"",
		    end - first, counts[CD_CASE_FAILED],
		    counts[CD_CASE_ERROR]);
}

static void add_case(struct cd_str *out, const struct cd_case *c)
{
	const char *tag = tags[c->outcome];

	cd_str_add(out, "    <testcase name=\"");
	cd_xml_add(out, c->name);
	cd_str_add(out, "\" classname=\"capdiff.");
	cd_xml_add(out, c->suite);
	if (tag == NULL) {
		cd_str_add(out, "\"/>\n");
		return;
	}
	cd_str_addf(out, "\">\n      <%s type=\"", tag);
	cd_xml_add(out, c->type);
	cd_str_add(out, "\" message=\"");
	cd_xml_add(out, c->message);
	cd_str_add(out, "\">");
	cd_xml_add(out, c->detail);
	cd_str_addf(out, "</%s>\n    </testcase>\n", tag);
}

/* Warnings and notes: they decide nothing. */
static void add_remarks(struct cd_str *out, const struct cd_report *r,
			int64_t point)
{
	bool any = false;

	for (size_t i = 0; i < r->n_findings; i++) {
		const struct cd_finding *f = &r->findings[i];
		struct cd_str clean = {0};

		if (f->point != point || f->severity == CD_ERROR)
			continue;
		cd_clean_sentence(&clean, f->text, true);
		cd_str_addf(out, "%s%s: ", any ? "\n" : "    <system-out>",
			    cd_phrase_severity(f->severity));
		cd_xml_add(out, cd_str_text(&clean));
		any = true;
		out->bad = out->bad || clean.bad;
		cd_str_release(&clean);
	}
	cd_str_add(out, any ? "</system-out>\n" : "");
}

/* The cases of one capture; returns where the next ones begin. */
static size_t add_suite(struct cd_str *out, const struct cd_cases *cases,
			size_t first)
{
	const struct cd_case *c = &cases->list[first];
	size_t end = first;

	while (end < cases->n && cases->list[end].point == c->point &&
	       strcmp(cases->list[end].suite, c->suite) == 0)
		end++;
	cd_str_add(out, "  <testsuite name=\"");
	cd_xml_add(out, c->suite);
	cd_str_add(out, "\"");
	add_counts(out, cases, first, end);
	cd_str_add(out, ">\n");
	for (size_t i = first; i < end; i++)
		add_case(out, &cases->list[i]);
	add_remarks(out, c->report, c->point);
	cd_str_add(out, "  </testsuite>\n");
	return end;
}

static int render_junit(const struct cd_report *report,
			const struct cd_render_options *options,
			struct cd_str *out)
{
	struct cd_cases cases;

	cd_cases_take(&cases, report, options->status);
	cd_str_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
			"<testsuites name=\"capdiff\"");
	add_counts(out, &cases, 0, cases.n);
	cd_str_add(out, ">\n");
	for (size_t i = 0; i < cases.n;)
		i = add_suite(out, &cases, i);
	cd_str_add(out, "</testsuites>\n");
	out->bad = out->bad || cases.bad;
	cd_cases_release(&cases);
	return out->bad ? -1 : 0;
}

const struct cd_renderer cd_render_junit = {
    .name = "junit",
    .suffix = ".xml",
    .render = render_junit,
};
