/* Rows about clocks and time stamp errors. */
#include "render/cells.h"

#include "report/series.h"

void cd_cell_offset(const struct cd_view *view, uint32_t point,
		    struct cd_str *out)
{
	double days = real_of(view, point, "clock.offset_days");
	double offset = span_of(view, point, "clock.offset_ns");

	if (!isnan(days))
		cd_str_addf(out, fabs(days) < 1e7 ? "%+.1f days"
						  : "%+.3g days", days);
	else if (!isnan(offset))
		cd_text_span_signed(out, offset, view->utf8);
	else
		add_key(view, point, "clock.offset_ns", out);
}

void cd_remark_offset(const struct cd_view *view, uint32_t point,
		      struct cd_str *out)
{
	const char *label =
	    view->report->captures[view->report->reference].label;

	(void)point;
	cd_str_addf(out, "against %s",
		    label == NULL ? "the reference" : label);
}

void cd_cell_drift(const struct cd_view *view, uint32_t point,
		   struct cd_str *out)
{
	const struct cd_value *drift =
	    cd_view_value(view, point, "clock.drift_ppm");

	if (drift == NULL || drift->kind != CD_VALUE_REAL)
		add_key(view, point, "clock.drift_ppm", out);
	else
		cd_text_drift(out, drift);
}

void cd_remark_drift(const struct cd_view *view, uint32_t point,
		     struct cd_str *out)
{
	const struct cd_value *v =
	    cd_view_value(view, point, "clock.drift_ppm");

	double half = v == NULL ? 0 : (v->high - v->low) / 2;

	if (v != NULL && v->has_interval)
		cd_str_addf(out, half < 99.5 ? "%s %.2g (95 %%)"
					     : "%s %.0f (95 %%)",
			    view->utf8 ? "\xc2\xb1" : "+-", half);
}

void cd_remark_steps(const struct cd_view *view, uint32_t point,
		     struct cd_str *out)
{
	double size = span_of(view, point, "clock.step_max_ns");
	double at = span_of(view, point, "clock.step_max_at_ns");

	if (cd_view_count(view, point, "clock.steps") == 0 &&
	    cd_view_value(view, point, "clock.step_least_ns") != NULL) {
		cd_str_add(out, "seen from ");
		cd_text_span_short(
		    out, span_of(view, point, "clock.step_least_ns"), 3,
		    view->utf8);
		cd_str_add(out, " on");
	}
	if (isnan(size) || cd_view_count(view, point, "clock.steps") <= 0)
		return;
	cd_text_span_signed(out, size, view->utf8);
	if (isnan(at))
		return;
	cd_str_add(out, " at ");
	cd_text_span(out, at, view->utf8);
}

void cd_cell_limit(const struct cd_view *view, uint32_t point,
		   struct cd_str *out)
{
	double lim = span_of(view, point, "limit.lim_ns");

	if (lim > 0)
		cd_text_span_short(out, lim, 4, view->utf8);
}

void cd_remark_limit(const struct cd_view *view, uint32_t point,
		     struct cd_str *out)
{
	double lim = span_of(view, point, "limit.lim_ns");
	double spacing =
	    span_of(view, view->report->reference, "delta.p50_ns");

	if (lim > 0) {
		cd_str_add(out, "limit ");
		cd_text_span_short(out, lim, 4, view->utf8);
	}
	if (spacing > 0) {
		cd_str_add(out, lim > 0 ? ", " : "");
		cd_str_add(out, "median spacing ");
		cd_text_span_short(out, spacing, 4, view->utf8);
	}
}

void cd_remark_largest(const struct cd_view *view, uint32_t point,
		       struct cd_str *out)
{
	if (cd_view_value(view, point, "time.error.max_seq") == NULL)
		return;
	cd_str_add(out, "ID ");
	add_key(view, point, "time.error.max_seq", out);
	cd_view_add_frame(view, point, "time.error.max_frame", out);
}

void cd_remark_late(const struct cd_view *view, uint32_t point,
		    struct cd_str *out)
{
	double at = span_of(view, point, "time.late_max_at_ns");
	double worst = span_of(view, point, "time.late_max_ns");

	if (isnan(worst) || cd_view_count(view, point, "time.late_events") <= 0)
		return;
	cd_text_span(out, worst, view->utf8);
	if (isnan(at))
		return;
	cd_str_add(out, " at ");
	cd_text_span(out, at, view->utf8);
}

void cd_remark_bursts(const struct cd_view *view, uint32_t point,
		      struct cd_str *out)
{
	int64_t size = cd_view_count(view, point, "burst.size_p50");

	if (size <= 0 || cd_view_value(view, point, "burst.period_ns") == NULL)
		return;
	cd_str_add(out, "about ");
	cd_text_count(out, size);
	cd_str_add(out, size == 1 ? " packet" : " packets");
}

/* Windows longer than half of the run say nothing. */
#define MTIE_CELL(window)                                                      \
	void cd_cell_mtie_##window(const struct cd_view *view,             \
				       uint32_t point, struct cd_str *out)     \
	{                                                                      \
		if (!isnan(span_of(view, point,                                \
				   "clock.mtie_" #window "_ns")))              \
			add_key(view, point, "clock.mtie_" #window "_ns",      \
				out);                                          \
	}
MTIE_CELL(100us)
MTIE_CELL(1ms)
MTIE_CELL(10ms)
MTIE_CELL(100ms)
MTIE_CELL(1s)
MTIE_CELL(10s)
MTIE_CELL(100s)

static void add_cell(const struct cd_view *view,
		     const struct cd_series *series, size_t row, int column,
		     struct cd_str *out)
{
	cd_text_span(out, 1e3 * cd_series_number(series, row, column),
		     view->utf8);
}

/* Over the shortest time; the remark has the longest. */
void cd_cell_tdev(const struct cd_view *view, uint32_t point,
		  struct cd_str *out)
{
	const struct cd_series *series =
	    cd_report_find_series(view->report, point, "clock.tdev");

	if (series != NULL && series->n_rows > 0)
		add_cell(view, series, 0, 1, out);
}

void cd_remark_tdev(const struct cd_view *view, uint32_t point,
		    struct cd_str *out)
{
	const struct cd_series *series =
	    cd_report_find_series(view->report, point, "clock.tdev");

	if (series == NULL || series->n_rows == 0)
		return;
	cd_str_add(out, "over ");
	add_cell(view, series, 0, 0, out);
	if (series->n_rows == 1)
		return;
	cd_str_add(out, "; ");
	add_cell(view, series, series->n_rows - 1, 1, out);
	cd_str_add(out, " over ");
	add_cell(view, series, series->n_rows - 1, 0, out);
}
