/* Values as rows and headings look them up. */
#include "render/rows.h"

#include <stdlib.h>
#include <string.h>

#include "report/codes.h"
#include "report/text.h"

const struct cd_value *cd_view_value(const struct cd_view *view,
				     uint32_t point, const char *name)
{
	const struct cd_value *v = cd_report_find(view->report, point, name);

	return v == NULL || v->kind == CD_VALUE_NULL ? NULL : v;
}

static bool is_undefined(const struct cd_report *r, uint32_t point,
			 const char *name)
{
	const struct cd_value *v = cd_report_find(r, point, name);

	return v != NULL && v->kind == CD_VALUE_NULL;
}

/* Nothing in common, or other packets under the same numbers. */
static bool is_incomparable(const struct cd_report *r, uint32_t point)
{
	for (size_t i = 0; i < r->n_findings; i++)
		if (r->findings[i].point == (int)point &&
		    r->findings[i].code != NULL &&
		    strcmp(r->findings[i].code, CD_CODE_DIFFERENT_PACKETS) ==
			0)
			return true;
	return is_undefined(r, point, "loss.expected") &&
	       is_undefined(r, point, "clock.offset_ns") &&
	       is_undefined(r, point, "time.error.span_ns");
}

bool cd_view_compared(const struct cd_view *view, uint32_t point)
{
	const struct cd_report *r = view->report;

	if (view->single)
		return false;
	if (point != r->reference)
		return !is_incomparable(r, point);
	for (uint32_t i = 0; i < r->n_captures; i++)
		if (i != point && !is_incomparable(r, i))
			return true;
	return false;
}

int64_t cd_view_count(const struct cd_view *view, uint32_t point,
		      const char *name)
{
	const struct cd_value *v = cd_view_value(view, point, name);

	return v == NULL || v->kind != CD_VALUE_COUNT ? -1 : v->integer;
}

/* Reasons are tokens for programs where that is shorter: "n<1000". */
void cd_view_add_reason(const char *reason, struct cd_str *out)
{
	if (reason == NULL)
		return;
	if (strcmp(reason, "not_cbr") == 0) {
		cd_str_add(out, "not a constant rate");
	} else if (strncmp(reason, "n<", 2) == 0) {
		cd_str_add(out, "fewer than ");
		cd_text_count(out, strtol(reason + 2, NULL, 10));
		cd_str_add(out, " samples");
	} else {
		cd_str_add(out, reason);
	}
}

void cd_view_add_frame(const struct cd_view *view, uint32_t point,
		       const char *name, struct cd_str *out)
{
	const struct cd_report_capture *c = &view->report->captures[point];
	int64_t frame = cd_view_count(view, point, name);

	if (frame <= 0)
		return;
	for (size_t i = c->n_files; i-- > 0;) {
		if ((uint64_t)frame < c->files[i].first)
			continue;
		cd_str_addf(out, ", file %zu", i + 1);
		frame -= (int64_t)c->files[i].first - 1;
		break;
	}
	cd_str_add(out, ", frame ");
	cd_text_count(out, frame);
}

void cd_view_add_program(const struct cd_report_capture *c,
			 struct cd_str *out)
{
	const char *text = c->hardware != NULL ? c->hardware : c->application;
	size_t depth = 0;

	if (text == NULL)
		return;
	for (; *text != '\0'; text++) {
		size_t end = out->length;

		if (*text == '(')
			depth++;
		else if (*text == ')' && depth > 0)
			depth--;
		else if (depth == 0 &&
			 !(*text == ' ' && (end == 0 || text[1] == '(' ||
					    text[1] == '\0')))
			cd_str_addn(out, text, 1);
	}
}

/* What the reference lacks is known against each of the others. */
int64_t cd_view_reference_lacks(const struct cd_view *view)
{
	int64_t most = -1;

	for (uint32_t i = 0; i < view->report->n_captures; i++) {
		int64_t n = cd_view_count(view, i, "loss.ref_miss");

		if (n > most)
			most = n;
	}
	return most;
}
