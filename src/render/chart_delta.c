/* Histogram of the times between packets, a row per capture. */
#include <math.h>
#include <stdlib.h>

#include "render/chart_put.h"
#include "report/text.h"

enum { LOW, HIGH, PACKETS };

/* All rows share the axes. */
struct axes {
	int64_t least_ps, most_ps; /* of what is above zero; 0: nothing */
	int64_t packets;	   /* in the fullest bin */
};

static bool is_positive(const struct cd_series *s, size_t row)
{
	return cd_series_cell(s, row, LOW)->defined &&
	       cd_series_cell(s, row, HIGH)->integer > 0 &&
	       cd_series_cell(s, row, PACKETS)->integer > 0;
}

/* A bin that begins at zero has no place on a log axis. */
static int64_t low_of(const struct cd_series *s, size_t row)
{
	int64_t low = cd_series_cell(s, row, LOW)->integer;
	int64_t high = cd_series_cell(s, row, HIGH)->integer;

	return low > 0 ? low : high / 2 + 1;
}

static struct axes measure(const struct cd_panels *p)
{
	struct axes a = {0};

	for (size_t i = 0; i < p->n; i++)
		for (size_t row = 0; row < p->panels[i].series->n_rows; row++) {
			const struct cd_series *s = p->panels[i].series;
			int64_t low = low_of(s, row);
			int64_t high = cd_series_cell(s, row, HIGH)->integer;
			int64_t n = cd_series_cell(s, row, PACKETS)->integer;

			if (!is_positive(s, row))
				continue;
			if (a.least_ps == 0 || low < a.least_ps)
				a.least_ps = low;
			if (high > a.most_ps)
				a.most_ps = high;
			if (n > a.packets)
				a.packets = n;
		}
	return a;
}

/* Room at both ends, and two decades at least, so that one bar is seen as one
 * and tics are there to read it by. */
static void put_axes(struct cd_str *out, const struct axes *a)
{
	double low = (double)a->least_ps / 1.5, high = (double)a->most_ps * 1.5;

	if (high < low * 200) {
		double middle = sqrt(low * high), half = sqrt(200);

		low = middle / half;
		high = middle * half;
	}
	cd_plot_span_is(out, "xmin", low < 1 ? 1 : (int64_t)low);
	cd_plot_span_is(out, "xmax", (int64_t)fmin(high, 9e18));
	cd_plot_count(out, "ymax", 2 * a->packets);
}

static void put_row_title(struct cd_str *out, const struct cd_report *report,
			  const struct cd_panel *panel, size_t i)
{
	const struct cd_series *s = panel->series;
	int64_t all = 0, not_positive = 0;
	struct cd_str title = {0};

	for (size_t row = 0; row < s->n_rows; row++) {
		int64_t n = cd_series_cell(s, row, PACKETS)->integer;

		all += n;
		if (!is_positive(s, row))
			not_positive += n;
	}
	cd_plot_label(&title, report, panel->point);
	cd_str_add(&title, ": ");
	cd_text_count(&title, all);
	cd_str_add(&title, " deltas between consecutive IDs, ");
	if (not_positive == 0) {
		cd_str_add(&title, "none of them zero or less");
	} else {
		cd_text_count(&title, not_positive);
		cd_str_add(&title, " of them zero or less (");
		cd_text_ratio(&title, (double)not_positive / (double)all);
		cd_str_add(&title, ")");
	}
	cd_plot_item(out, "row", i, cd_str_text(&title));
	out->bad = out->bad || title.bad;
	cd_str_release(&title);
}

static size_t put_bins(struct cd_str *out, const struct cd_series *s)
{
	size_t n = 0;

	for (size_t row = 0; row < s->n_rows; row++) {
		if (!is_positive(s, row))
			continue;
		cd_plot_span(out, low_of(s, row), 12);
		cd_str_add(out, " ");
		cd_plot_span(out, cd_series_cell(s, row, HIGH)->integer, 12);
		cd_str_addf(
		    out, " %lld\n",
		    (long long)cd_series_cell(s, row, PACKETS)->integer);
		n++;
	}
	if (n == 0)
		cd_str_add(out, "0 0 0\n");
	return n;
}

static void put_median(struct cd_str *out, const struct cd_report *report)
{
	int64_t median =
	    cd_chart_span(report, report->reference, "delta.p50_ns");
	struct cd_str legend = {0};

	cd_str_add(&legend, "time since the packet before");
	if (median > 0) {
		cd_str_add(&legend, "; dashed: median of ");
		cd_plot_label(&legend, report, report->reference);
		cd_str_add(&legend, ", ");
		cd_plot_span_text(&legend, median);
	}
	cd_plot_text(out, "legend", cd_str_text(&legend));
	out->bad = out->bad || legend.bad;
	cd_str_release(&legend);
	cd_plot_span_is(out, "median", median > 0 ? median : 0);
}

static void put_rows(struct cd_str *out, const struct cd_report *report,
		     const struct cd_panels *p)
{
	cd_plot_array(out, "row", p->n);
	cd_plot_array(out, "have", p->n);
	for (size_t i = 0; i < p->n; i++)
		put_row_title(out, report, &p->panels[i], i + 1);
	cd_plot_colors(out, p);
}

bool cd_chart_delta(const struct cd_report *report, struct cd_str *out)
{
	struct cd_panels p = cd_panels(report, "delta.histogram", NULL, out);
	struct axes axes = measure(&p);
	struct cd_str have = {0};

	if (axes.packets == 0) {
		free(p.panels);
		return false;
	}
	cd_plot_size(out, 800, 142 + 160 * (unsigned)p.n);
	cd_plot_count(out, "n", (int64_t)p.n);
	cd_plot_text(out, "title", "Time between packets");
	put_median(out, report);
	put_axes(out, &axes);
	put_rows(out, report, &p);
	cd_plot_open(out, "DELTA");
	for (size_t i = 0; i < p.n; i++) {
		if (i > 0)
			cd_plot_next_set(out);
		cd_plot_item_count(&have, "have", i + 1,
				   put_bins(out, p.panels[i].series) > 0);
	}
	cd_plot_close(out);
	cd_str_add(out, cd_str_text(&have));
	out->bad = out->bad || have.bad;
	cd_str_release(&have);
	free(p.panels);
	return true;
}
