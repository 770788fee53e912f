/* Offset between the clock of a capture and the reference's over time. */
#include <math.h>
#include <stdlib.h>

#include "render/chart_scale.h"
#include "render/chart_time.h"
#include "report/text.h"

enum { AT, LOW, MEDIAN, HIGH, FIT };
enum { STEP_AT, STEP_SIZE };

/* Steps whose size is said above the row. */
#define STEPS_SAID 3

/* Without packets for so many times the mean distance of the rows. */
#define GAP 5

struct unit {
	const char *name;
	int exponent; /* 10^it ps */
};

static struct unit choose_unit(const struct cd_panels *p)
{
	static const struct unit units[] = {
	    {"ns", 3},
	    {"us", 6},
	    {"ms", 9},
	    {"s", 12},
	};
	double most = 0;
	size_t i = 0;

	for (size_t k = 0; k < p->n; k++) {
		struct cd_scale r = cd_scale_of(p->panels[k].series, LOW, FIT);

		most = fmax(
		    most, fmax(fabs((double)r.from_ps), fabs((double)r.to_ps)));
	}
	while (i < 3 && most >= 2 * pow(10, units[i + 1].exponent))
		i++;
	return units[i];
}

static void put_range(struct cd_str *out, const struct cd_series *s, size_t i,
		      int exponent)
{
	struct cd_scale r = cd_scale_of(s, LOW, FIT);
	int64_t room = (r.to_ps - r.from_ps) / 20;

	if (room == 0)
		room = CD_PS_PER_NS;
	cd_str_addf(out, "ymin[%zu] = ", i);
	cd_plot_span(out, r.from_ps - room, exponent);
	cd_str_addf(out, "\nymax[%zu] = ", i);
	cd_plot_span(out, r.to_ps + room, exponent);
	cd_str_add(out, "\n");
}

/* What is not on the axis is said. */
static void add_outliers(struct cd_str *out, const struct cd_series *s)
{
	struct cd_scale r = cd_scale_of(s, LOW, FIT);

	if (r.least_ps < r.from_ps) {
		cd_str_add(out, "; not shown: down to ");
		cd_text_span_signed(out, (double)r.least_ps, false);
	}
	if (r.most_ps > r.to_ps) {
		cd_str_add(out, r.least_ps < r.from_ps ? ", up to "
						       : "; not shown: up to ");
		cd_text_span_signed(out, (double)r.most_ps, false);
	}
}

static void add_drift(struct cd_str *out, const struct cd_value *drift)
{
	if (drift == NULL || drift->kind != CD_VALUE_REAL) {
		cd_str_add(out, ", drift not known");
		return;
	}
	cd_str_add(out, ", drift ");
	cd_text_drift(out, drift);
	if (drift->has_interval)
		cd_str_addf(out, " (+- %.2g)", (drift->high - drift->low) / 2);
}

static void add_steps(struct cd_str *out, const struct cd_series *steps)
{
	if (steps == NULL || steps->n_rows == 0) {
		cd_str_add(out, ", no step");
		return;
	}
	cd_str_addf(out, ", %zu step%s:", steps->n_rows,
		    steps->n_rows == 1 ? "" : "s");
	for (size_t i = 0; i < steps->n_rows && i < STEPS_SAID; i++) {
		cd_str_add(out, i > 0 ? ", " : " ");
		cd_text_span_signed(
		    out, (double)cd_series_cell(steps, i, STEP_SIZE)->integer,
		    false);
	}
	if (steps->n_rows > STEPS_SAID)
		cd_str_add(out, " ..");
}

static const struct cd_series *steps_of(const struct cd_report *report,
					const struct cd_panel *panel)
{
	return cd_report_find_series(report, panel->point, "clock.step");
}

static void put_row(struct cd_str *out, const struct cd_report *report,
		    const struct cd_panel *panel, size_t i)
{
	const struct cd_value *offset =
	    cd_report_find(report, panel->point, "clock.offset_ns");
	struct cd_str title = {0};

	cd_plot_label(&title, report, panel->point);
	if (offset != NULL && offset->kind == CD_VALUE_SPAN) {
		cd_str_add(&title, ": ");
		cd_text_span_signed(&title, (double)offset->integer, false);
	}
	add_drift(&title,
		  cd_report_find(report, panel->point, "clock.drift_ppm"));
	add_steps(&title, steps_of(report, panel));
	add_outliers(&title, panel->series);
	cd_plot_item(out, "row", i, cd_str_text(&title));
	out->bad = out->bad || title.bad;
	cd_str_release(&title);
}

static void put_steps(struct cd_str *out, const struct cd_report *report,
		      const struct cd_panels *p)
{
	struct cd_str items = {0};
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++) {
		const struct cd_series *s = steps_of(report, &p->panels[i]);

		for (size_t row = 0; s != NULL && row < s->n_rows; row++) {
			n++;
			cd_plot_item_count(&items, "step_row", n,
					   (int64_t)i + 1);
			cd_str_addf(&items, "step_at[%zu] = ", n);
			cd_plot_span(&items,
				     cd_series_cell(s, row, STEP_AT)->integer,
				     12);
			cd_str_add(&items, "\n");
		}
	}
	cd_plot_count(out, "steps", (int64_t)n);
	cd_plot_array(out, "step_row", n);
	cd_plot_array(out, "step_at", n);
	cd_str_add(out, cd_str_text(&items));
	out->bad = out->bad || items.bad;
	cd_str_release(&items);
}

/* Where no packet was for long, the lines are broken: by an empty line. */
static bool is_after_gap(const struct cd_series *s, size_t row)
{
	int64_t first = cd_series_cell(s, 0, AT)->integer;
	int64_t last = cd_series_cell(s, s->n_rows - 1, AT)->integer;
	int64_t mean = (last - first) / (int64_t)s->n_rows;

	return row > 0 && cd_series_cell(s, row, AT)->integer -
				  cd_series_cell(s, row - 1, AT)->integer >
			      GAP * mean + 1;
}

/* NaN is not drawn. */
static void put_row_data(struct cd_str *out, const struct cd_series *s,
			 size_t row, int exponent)
{
	for (int column = AT; column <= FIT; column++) {
		const struct cd_cell *cell = cd_series_cell(s, row, column);

		if (cell->defined)
			cd_plot_span(out, cell->integer,
				     column == AT ? 12 : exponent);
		else
			cd_str_add(out, "NaN");
		cd_str_add(out, column == FIT ? "\n" : " ");
	}
}

static void put_data(struct cd_str *out, const struct cd_series *s,
		     int exponent)
{
	for (size_t row = 0; row < s->n_rows; row++) {
		if (is_after_gap(s, row))
			cd_str_add(out, "\n");
		put_row_data(out, s, row, exponent);
	}
}

static void put_title(struct cd_str *out, const struct cd_report *report)
{
	struct cd_str title = {0};

	cd_str_add(&title, "Clock offset against ");
	cd_plot_label(&title, report, report->reference);
	cd_plot_text(out, "title", cd_str_text(&title));
	out->bad = out->bad || title.bad;
	cd_str_release(&title);
}

static void put_chart(struct cd_str *out, const struct cd_report *report,
		      const struct cd_panels *p)
{
	struct unit unit = choose_unit(p);
	struct cd_extent extent = {0};

	cd_plot_size(out, 800, 142 + 230 * (unsigned)p->n);
	cd_plot_count(out, "n", (int64_t)p->n);
	put_title(out, report);
	cd_plot_text(out, "unit", unit.name);
	for (size_t i = 0; i < p->n; i++)
		cd_extent_add(&extent, p->panels[i].series);
	cd_extent_put(out, &extent);
	cd_plot_array(out, "row", p->n);
	cd_plot_array(out, "ymin", p->n);
	cd_plot_array(out, "ymax", p->n);
	for (size_t i = 0; i < p->n; i++) {
		put_row(out, report, &p->panels[i], i + 1);
		put_range(out, p->panels[i].series, i + 1, unit.exponent);
	}
	cd_plot_colors(out, p);
	put_steps(out, report, p);
	cd_plot_open(out, "OFFSET");
	for (size_t i = 0; i < p->n; i++) {
		if (i > 0)
			cd_plot_next_set(out);
		put_data(out, p->panels[i].series, unit.exponent);
	}
	cd_plot_close(out);
}

bool cd_chart_offset(const struct cd_report *report, struct cd_str *out)
{
	struct cd_panels p = cd_panels(report, "clock.offset", NULL, out);
	bool any = p.n > 0;

	if (any)
		put_chart(out, report, &p);
	free(p.panels);
	return any;
}
