/* Offset between the clock of a capture and the reference's over time. */
#include <math.h>
#include <stdlib.h>

#include "render/chart_time.h"
#include "report/text.h"

enum { AT, LOW, MEDIAN, HIGH, FIT };
enum { STEP_AT, STEP_SIZE };

/* Steps whose size is said above the row. */
#define STEPS_SAID 3

struct unit {
	const char *name;
	int exponent; /* 10^it ps */
};

struct range {
	int64_t least, most;
};

static void take(struct range *r, const struct cd_cell *cell)
{
	if (!cell->defined)
		return;
	if (cell->integer < r->least)
		r->least = cell->integer;
	if (cell->integer > r->most)
		r->most = cell->integer;
}

static struct range measure(const struct cd_series *s)
{
	struct range r = {INT64_MAX, INT64_MIN};

	for (size_t row = 0; row < s->n_rows; row++)
		for (int column = LOW; column <= FIT; column++)
			take(&r, cd_series_cell(s, row, column));
	if (r.least > r.most)
		r = (struct range){0, 0};
	return r;
}

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
		struct range r = measure(p->panels[k].series);

		most = fmax(most,
			    fmax(fabs((double)r.least), fabs((double)r.most)));
	}
	while (i < 3 && most >= 2 * pow(10, units[i + 1].exponent))
		i++;
	return units[i];
}

static void put_range(struct cd_str *out, const struct cd_series *s, size_t i,
		      int exponent)
{
	struct range r = measure(s);
	int64_t room = (r.most - r.least) / 20;

	if (room == 0)
		room = CD_PS_PER_NS;
	cd_str_addf(out, "ymin[%zu] = ", i);
	cd_plot_span(out, r.least - room, exponent);
	cd_str_addf(out, "\nymax[%zu] = ", i);
	cd_plot_span(out, r.most + room, exponent);
	cd_str_add(out, "\n");
}

static void add_drift(struct cd_str *out, const struct cd_value *drift)
{
	if (drift == NULL || drift->kind != CD_VALUE_REAL) {
		cd_str_add(out, ", drift not known");
		return;
	}
	cd_str_addf(out,
		    fabs(drift->real) < 1 ? ", drift %+.4f ppm"
					  : ", drift %+.4g ppm",
		    drift->real);
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

/* NaN breaks the line. */
static void put_data(struct cd_str *out, const struct cd_series *s,
		     int exponent)
{
	for (size_t row = 0; row < s->n_rows; row++)
		for (int column = AT; column <= FIT; column++) {
			const struct cd_cell *cell =
			    cd_series_cell(s, row, column);

			if (cell->defined)
				cd_plot_span(out, cell->integer,
					     column == AT ? 12 : exponent);
			else
				cd_str_add(out, "NaN");
			cd_str_add(out, column == FIT ? "\n" : " ");
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

	cd_plot_size(out, 800, 126 + 230 * (unsigned)p->n);
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
