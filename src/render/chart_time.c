#include "render/chart_time.h"

void cd_extent_add(struct cd_extent *extent, const struct cd_series *series)
{
	if (series == NULL)
		return;
	for (size_t row = 0; row < series->n_rows; row++) {
		const struct cd_cell *at = cd_series_cell(series, row, 0);

		if (!at->defined)
			continue;
		if (at->integer < extent->from_ps)
			extent->from_ps = at->integer;
		if (at->integer > extent->to_ps)
			extent->to_ps = at->integer;
	}
}

void cd_extent_put(struct cd_str *out, const struct cd_extent *extent)
{
	int64_t from = extent->from_ps, to = extent->to_ps;
	int64_t room = to / 100 - from / 100;

	if (to == from)
		room = CD_PS_PER_MS;
	if (to > INT64_MAX - room || from < INT64_MIN + room)
		room = 0;
	cd_plot_span_is(out, "xmin", from - room);
	cd_plot_span_is(out, "xmax", to + room);
}
