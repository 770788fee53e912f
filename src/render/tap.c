/* The Test Anything Protocol, version 13. */
#include "render/cases.h"
#include "render/renderers.h"

/* A number sign would begin a directive; a word of digits at the beginning
 * would be taken for the number of the test, but it follows " - ". */
static void add_description(struct cd_str *out, const char *clean)
{
	for (; *clean != '\0'; clean++) {
		if (*clean == '#' || *clean == '\\')
			cd_str_add(out, "\\");
		cd_str_addn(out, *clean == '\n' ? " " : clean, 1);
	}
}

/* Double quoted as YAML has it: clean text needs no more than this. */
static void add_quoted(struct cd_str *out, const char *clean)
{
	cd_str_add(out, "\"");
	for (; *clean != '\0'; clean++) {
		if (*clean == '"' || *clean == '\\')
			cd_str_add(out, "\\");
		if (*clean == '\n')
			cd_str_add(out, "\\n");
		else
			cd_str_addn(out, clean, 1);
	}
	cd_str_add(out, "\"\n");
}

static void add_entry(struct cd_str *out, const char *name, const char *clean)
{
	if (*clean == '\0')
		return;
	cd_str_addf(out, "  %s: ", name);
	add_quoted(out, clean);
}

static void add_case(struct cd_str *out, const struct cd_case *c,
		     size_t number)
{
	cd_str_addf(out, "%s %zu - ",
		    c->outcome == CD_CASE_PASSED ? "ok" : "not ok", number);
	add_description(out, c->suite);
	cd_str_add(out, ": ");
	add_description(out, c->name);
	cd_str_add(out, "\n");
	if (c->outcome == CD_CASE_PASSED)
		return;
	cd_str_add(out, "  ---\n");
	add_entry(out, "message", c->message);
	cd_str_addf(out, "  severity: %s\n",
		    c->outcome == CD_CASE_ERROR ? "error" : "fail");
	add_entry(out, "reasons", c->type);
	add_entry(out, "text", c->detail);
	cd_str_add(out, "  ...\n");
}

static int render_tap(const struct cd_report *report,
		      const struct cd_render_options *options,
		      struct cd_str *out)
{
	struct cd_cases cases;

	cd_cases_take(&cases, report, options->status);
	cd_str_addf(out, "TAP version 13\n1..%zu\n", cases.n);
	for (size_t i = 0; i < cases.n; i++)
		add_case(out, &cases.list[i], i + 1);
	out->bad = out->bad || cases.bad;
	cd_cases_release(&cases);
	return out->bad ? -1 : 0;
}

const struct cd_renderer cd_render_tap = {
    .name = "tap",
    .suffix = ".tap",
    .render = render_tap,
};
