/* Gaps over time, and duplicates. */
#include <stdlib.h>

#include "render/chart_time.h"
#include "report/text.h"

enum { AT, PACKETS };

static const struct cd_series *copies_of(const struct cd_report *report,
					 const struct cd_panel *panel)
{
	return cd_report_find_series(report, panel->point, "duplicate.copy");
}

static int64_t longest_gap(const struct cd_panels *p)
{
	int64_t longest = 0;

	for (size_t i = 0; i < p->n; i++) {
		const struct cd_series *s = p->panels[i].series;

		for (size_t row = 0; s != NULL && row < s->n_rows; row++) {
			int64_t n = cd_series_cell(s, row, PACKETS)->integer;

			if (n > longest)
				longest = n;
		}
	}
	return longest;
}

static void add_missing(struct cd_str *out, const struct cd_report *report,
			uint32_t point)
{
	int64_t missing = cd_chart_count(report, point, "loss.missing");
	int64_t expected = cd_chart_count(report, point, "loss.expected");
	int64_t runs = cd_chart_count(report, point, "loss.runs");
	int64_t longest = cd_chart_count(report, point, "loss.longest_run");

	if (missing < 0)
		return;
	cd_str_add(out, ": ");
	cd_text_count(out, missing);
	cd_str_add(out, " of ");
	cd_text_count(out, expected);
	cd_str_add(out, " missing");
	if (missing == 0 || runs <= 0 || longest <= 0)
		return;
	cd_str_add(out, ", ");
	cd_text_count(out, runs);
	cd_str_add(out, runs == 1 ? " gap of " : " gaps, longest ");
	cd_text_count(out, longest);
}

static void put_row(struct cd_str *out, const struct cd_report *report,
		    const struct cd_panel *panel, size_t i)
{
	int64_t copies =
	    cd_chart_count(report, panel->point, "duplicate.copies");
	int64_t outage =
	    cd_chart_span(report, panel->point, "loss.longest_outage_ns");
	struct cd_str title = {0};

	cd_plot_label(&title, report, panel->point);
	add_missing(&title, report, panel->point);
	if (outage > 0) {
		cd_str_add(&title, " (");
		cd_plot_span_text(&title, outage);
		cd_str_add(&title, ")");
	}
	if (copies > 0) {
		cd_str_add(&title, "; ");
		cd_text_count(&title, copies);
		cd_str_add(&title, copies == 1 ? " duplicate" : " duplicates");
	}
	cd_plot_item(out, "row", i, cd_str_text(&title));
	out->bad = out->bad || title.bad;
	cd_str_release(&title);
}

static void put_rows(struct cd_str *out, const struct cd_report *report,
		     const struct cd_panels *p)
{
	cd_plot_array(out, "row", p->n);
	cd_plot_array(out, "gaps", p->n);
	cd_plot_array(out, "copies", p->n);
	for (size_t i = 0; i < p->n; i++) {
		const struct cd_series *copies =
		    copies_of(report, &p->panels[i]);

		put_row(out, report, &p->panels[i], i + 1);
		cd_plot_item_count(out, "gaps", i + 1,
				   p->panels[i].series != NULL);
		cd_plot_item_count(out, "copies", i + 1,
				   copies != NULL && copies->n_rows > 0);
	}
	cd_plot_colors(out, p);
}

static void put_gaps(struct cd_str *out, const struct cd_series *s)
{
	for (size_t row = 0; s != NULL && row < s->n_rows; row++) {
		cd_plot_span(out, cd_series_cell(s, row, AT)->integer, 12);
		cd_str_addf(
		    out, " %lld\n",
		    (long long)cd_series_cell(s, row, PACKETS)->integer);
	}
	if (s == NULL)
		cd_str_add(out, "0 0\n");
}

static void put_copies(struct cd_str *out, const struct cd_series *s)
{
	for (size_t row = 0; s != NULL && row < s->n_rows; row++) {
		cd_plot_span(out, cd_series_cell(s, row, AT)->integer, 12);
		cd_str_add(out, "\n");
	}
	if (s == NULL || s->n_rows == 0)
		cd_str_add(out, "0\n");
}

static void put_data(struct cd_str *out, const struct cd_report *report,
		     const struct cd_panels *p)
{
	cd_plot_open(out, "GAP");
	for (size_t i = 0; i < p->n; i++) {
		if (i > 0)
			cd_plot_next_set(out);
		put_gaps(out, p->panels[i].series);
	}
	cd_plot_close(out);
	cd_plot_open(out, "COPY");
	for (size_t i = 0; i < p->n; i++) {
		if (i > 0)
			cd_plot_next_set(out);
		put_copies(out, copies_of(report, &p->panels[i]));
	}
	cd_plot_close(out);
}

/* The whole time of the reference, so that a gap is where it was. */
static struct cd_extent extent_of(const struct cd_report *report,
				  const struct cd_panels *p)
{
	struct cd_extent extent = {
	    0,
	    cd_chart_span(report, report->reference, "file.duration_ns"),
	};

	for (size_t i = 0; i < p->n; i++) {
		cd_extent_add(&extent, p->panels[i].series);
		cd_extent_add(&extent, copies_of(report, &p->panels[i]));
	}
	return extent;
}

static void put_legend(struct cd_str *out, const struct cd_report *report,
		       const struct cd_panels *p)
{
	bool any = false;

	for (size_t i = 0; i < p->n; i++) {
		const struct cd_series *s = copies_of(report, &p->panels[i]);

		any = any || (s != NULL && s->n_rows > 0);
	}
	cd_plot_text(out, "legend",
		     any ? "time (s); ticks at the bottom: duplicates"
			 : "time (s)");
}

static void put_chart(struct cd_str *out, const struct cd_report *report,
		      const struct cd_panels *p)
{
	struct cd_extent extent = extent_of(report, p);
	int64_t longest = longest_gap(p);

	cd_plot_size(out, 800, 142 + 180 * (unsigned)p->n);
	cd_plot_count(out, "n", (int64_t)p->n);
	cd_plot_text(out, "title", "Missing packets over time");
	put_legend(out, report, p);
	cd_extent_put(out, &extent);
	cd_plot_count(out, "ymax", longest > 5 ? 2 * longest : 10);
	put_rows(out, report, p);
	put_data(out, report, p);
}

bool cd_chart_loss(const struct cd_report *report, struct cd_str *out)
{
	struct cd_panels p =
	    cd_panels(report, "loss.gap", "duplicate.copy", out);
	bool any = p.n > 0;

	if (any)
		put_chart(out, report, &p);
	free(p.panels);
	return any;
}
