/* Values as rows and headings look them up. */
#include "render/rows.h"
#include "report/text.h"

const struct cd_value *cd_view_value(const struct cd_view *view,
				     uint32_t point, const char *name)
{
	const struct cd_value *v = cd_report_find(view->report, point, name);

	return v == NULL || v->kind == CD_VALUE_NULL ? NULL : v;
}

int64_t cd_view_count(const struct cd_view *view, uint32_t point,
		      const char *name)
{
	const struct cd_value *v = cd_view_value(view, point, name);

	return v == NULL || v->kind != CD_VALUE_COUNT ? -1 : v->integer;
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
