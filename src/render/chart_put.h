/*
 * What the charts write in: gnuplot variables, arrays and data blocks. Text is
 * in single quotes, where gnuplot expands nothing. Inside the room only.
 */
#ifndef CAPDIFF_RENDER_CHART_PUT_H
#define CAPDIFF_RENDER_CHART_PUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "report/report.h"
#include "report/series.h"

/* name = 'text'; whatever the text holds, it stays text. */
void cd_plot_text(struct cd_str *out, const char *name, const char *text);
void cd_plot_count(struct cd_str *out, const char *name, int64_t count);
void cd_plot_size(struct cd_str *out, unsigned width, unsigned height);
/* An array of `n` items, at least one; items count from 1. */
void cd_plot_array(struct cd_str *out, const char *name, size_t n);
void cd_plot_item(struct cd_str *out, const char *name, size_t i,
		  const char *text);
/* The same for the label of a tic, which gnuplot takes for a format. */
void cd_plot_tic(struct cd_str *out, const char *name, size_t i,
		 const char *text);
void cd_plot_item_count(struct cd_str *out, const char *name, size_t i,
			int64_t count);
/* A time in units of 10^exponent ps, exact: "9990e-12" s (exponent 12). */
void cd_plot_span(struct cd_str *out, int64_t ps, int exponent);
void cd_plot_span_is(struct cd_str *out, const char *name, int64_t ps);

/* A data block; its sets are counted from 0 and must not be empty. */
void cd_plot_open(struct cd_str *out, const char *name);
void cd_plot_next_set(struct cd_str *out);
void cd_plot_close(struct cd_str *out);

/* The label of a capture, clipped. */
void cd_plot_label(struct cd_str *out, const struct cd_report *report,
		   uint32_t point);
/* A span as people read it, its unit in ASCII. */
void cd_plot_span_text(struct cd_str *out, int64_t ps);

/* The captures that have rows of this kind. */
struct cd_panel {
	uint32_t point;
	const struct cd_series *series;
};
struct cd_panels {
	struct cd_panel *panels;
	size_t n;
};
/* Also of a second kind (NULL: none), whose series are not in the panels. None
 * without memory, then out->bad is set. Needs free(panels.panels). */
struct cd_panels cd_panels(const struct cd_report *report, const char *kind,
			   const char *other, struct cd_str *out);
/* color[], a linetype for each panel: that of its capture in all charts. */
void cd_plot_colors(struct cd_str *out, const struct cd_panels *panels);

/* Span in ps, or 0 where the value is not there. */
int64_t cd_chart_span(const struct cd_report *report, uint32_t point,
		      const char *key);
/* Count, or -1. */
int64_t cd_chart_count(const struct cd_report *report, uint32_t point,
		       const char *key);
/* The decade at or below x > 0: 10^it; and at or above. */
int cd_decade_below(double x);
int cd_decade_above(double x);

/* Functions of cd_charts[]. */
bool cd_chart_delta(const struct cd_report *report, struct cd_str *out);
bool cd_chart_error(const struct cd_report *report, struct cd_str *out);
bool cd_chart_loss(const struct cd_report *report, struct cd_str *out);
bool cd_chart_offset(const struct cd_report *report, struct cd_str *out);
bool cd_chart_sweep(const struct cd_report *report, struct cd_str *out);

#endif
