/* Share of packets whose time stamp error is larger than x, all captures. */
#include <math.h>
#include <stdlib.h>

#include "render/chart_put.h"

enum { ERROR, SHARE };

/* Vertical lines: one packet gap, and the limits. */
#define GREY 0x777777
#define BLACK 0x222222

struct line {
	int64_t at_ps;
	uint32_t point;
	bool shared; /* not of one capture among several */
	bool gap;
};

struct lines {
	struct line *lines;
	size_t n;
};

struct axes {
	double least, most; /* ps */
	double share;	    /* smallest above zero */
};

/* Errors of nearly all packets are not worth decades of the axis. */
static void measure(struct axes *a, const struct cd_series *s)
{
	double least = 0;

	for (size_t row = 0; row < s->n_rows; row++) {
		double error = (double)cd_series_cell(s, row, ERROR)->integer;
		double share = cd_series_cell(s, row, SHARE)->real;

		if (share > 0 && share < a->share)
			a->share = share;
		if (error > 0 && (least == 0 || share > 0.98))
			least = error;
		a->most = fmax(a->most, error);
	}
	if (least > 0)
		a->least = fmin(a->least, least);
}

/* Captures with the same limit share its line. */
static void add_limit(struct lines *l, int64_t limit, uint32_t point,
		      bool alone)
{
	for (size_t i = 0; i < l->n; i++)
		if (!l->lines[i].gap && l->lines[i].at_ps == limit) {
			l->lines[i].shared = true;
			return;
		}
	l->lines[l->n++] = (struct line){limit, point, alone, false};
}

static struct lines find_lines(const struct cd_report *report,
			       const struct cd_panels *p, struct cd_str *out)
{
	struct lines l = {calloc(p->n + 1, sizeof(*l.lines)), 0};
	int64_t gap = cd_chart_span(report, report->reference, "delta.p50_ns");

	if (l.lines == NULL) {
		out->bad = true;
		return l;
	}
	if (gap > 0)
		l.lines[l.n++] =
		    (struct line){gap, report->reference, true, true};
	for (size_t i = 0; i < p->n; i++) {
		uint32_t point = p->panels[i].point;
		int64_t limit = cd_chart_span(report, point, "limit.lim_ns");

		if (limit > 0)
			add_limit(&l, limit, point, p->n == 1);
	}
	return l;
}

static void put_line_name(struct cd_str *out, const struct cd_report *report,
			  const struct line *line, size_t i)
{
	struct cd_str name = {0};

	cd_str_add(&name, line->gap ? "packet spacing " : "limit ");
	if (!line->shared) {
		cd_str_add(&name, "of ");
		cd_plot_label(&name, report, line->point);
		cd_str_add(&name, " ");
	}
	cd_plot_span_text(&name, line->at_ps);
	cd_plot_item(out, "line", i, cd_str_text(&name));
	out->bad = out->bad || name.bad;
	cd_str_release(&name);
}

static void put_lines(struct cd_str *out, const struct cd_report *report,
		      const struct lines *l)
{
	cd_plot_count(out, "lines", (int64_t)l->n);
	cd_plot_array(out, "line", l->n);
	cd_plot_array(out, "line_color", l->n);
	for (size_t i = 0; i < l->n; i++) {
		put_line_name(out, report, &l->lines[i], i + 1);
		cd_plot_item_count(out, "line_color", i + 1,
				   l->lines[i].gap ? GREY : BLACK);
	}
	cd_plot_open(out, "LINE");
	for (size_t i = 0; i < l->n; i++) {
		if (i > 0)
			cd_plot_next_set(out);
		cd_plot_span(out, l->lines[i].at_ps, 12);
		cd_str_add(out, " 1e-12\n");
		cd_plot_span(out, l->lines[i].at_ps, 12);
		cd_str_add(out, " 1\n");
	}
	cd_plot_close(out);
}

/* What is zero, an error or a share, is drawn at the edge of the axis. */
static void put_row(struct cd_str *out, const struct cd_series *s, size_t row,
		    int xmin, int ymin)
{
	int64_t error = cd_series_cell(s, row, ERROR)->integer;
	double share = cd_series_cell(s, row, SHARE)->real;

	if (error > 0)
		cd_plot_span(out, error, 12);
	else
		cd_str_addf(out, "1e%d", xmin);
	if (share > 0)
		cd_str_addf(out, " %.6g\n", share);
	else
		cd_str_addf(out, " 1e%d\n", ymin);
}

static void put_data(struct cd_str *out, const struct cd_report *report,
		     const struct cd_panels *p, int xmin, int ymin)
{
	cd_plot_array(out, "item", p->n);
	for (size_t i = 0; i < p->n; i++) {
		struct cd_str label = {0};

		cd_plot_label(&label, report, p->panels[i].point);
		cd_plot_item(out, "item", i + 1, cd_str_text(&label));
		out->bad = out->bad || label.bad;
		cd_str_release(&label);
	}
	cd_plot_colors(out, p);
	cd_plot_open(out, "ERROR");
	for (size_t i = 0; i < p->n; i++) {
		const struct cd_series *s = p->panels[i].series;

		if (i > 0)
			cd_plot_next_set(out);
		for (size_t row = 0; row < s->n_rows; row++)
			put_row(out, s, row, xmin, ymin);
	}
	cd_plot_close(out);
}

static void put_title(struct cd_str *out, const struct cd_report *report)
{
	struct cd_str title = {0};

	cd_str_add(&title, "Time stamp error");
	if (report->n_captures > 1) {
		cd_str_add(&title, " against ");
		cd_plot_label(&title, report, report->reference);
	}
	cd_plot_text(out, "title", cd_str_text(&title));
	out->bad = out->bad || title.bad;
	cd_str_release(&title);
}

static void put_chart(struct cd_str *out, const struct cd_report *report,
		      const struct cd_panels *p, const struct lines *l)
{
	struct axes a = {1e15, 0, 1e-3};
	int xmin, xmax, ymin;

	for (size_t i = 0; i < p->n; i++)
		measure(&a, p->panels[i].series);
	for (size_t i = 0; i < l->n; i++) {
		a.least = fmin(a.least, (double)l->lines[i].at_ps * 0.9);
		a.most = fmax(a.most, (double)l->lines[i].at_ps * 1.01);
	}
	xmin = cd_decade_below(a.least) - 12;
	xmax = cd_decade_above(fmax(a.most, a.least * 10)) - 12;
	/* the last step down is seen */
	ymin = cd_decade_below(a.share * 0.9);
	cd_plot_size(out, 800, 456 + 21 * (unsigned)(p->n + l->n));
	put_title(out, report);
	cd_str_addf(out, "xmin = 1e%d\nxmax = 1e%d\nymin = 1e%d\n", xmin, xmax,
		    ymin);
	cd_plot_count(out, "n", (int64_t)p->n);
	put_data(out, report, p, xmin, ymin);
	put_lines(out, report, l);
}

bool cd_chart_error(const struct cd_report *report, struct cd_str *out)
{
	struct cd_panels p =
	    cd_panels(report, "time.error.exceedance", NULL, out);
	struct lines l = {0};
	bool any = p.n > 0;

	if (any)
		l = find_lines(report, &p, out);
	if (l.lines != NULL)
		put_chart(out, report, &p, &l);
	free(l.lines);
	free(p.panels);
	return any;
}
