#include "render/chart_put.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "render/screen.h"
#include "report/text.h"

#define LABEL_COLUMNS 20
#define PALETTE 6

/* A quote is doubled. gnuplot 5.4 misreads that right behind another quote, be
 * it the one that opens the string, and takes the rest for commands: so there
 * is a space between. */
static void add_quoted(struct cd_str *out, const char *text)
{
	struct cd_str clean = {0};
	char before = '\'';

	cd_clean(&clean, text, true);
	cd_str_add(out, "'");
	for (const char *p = cd_str_text(&clean); *p != '\0'; p++) {
		if (*p == '\'')
			cd_str_add(out, before == '\'' ? " '" : "'");
		cd_str_addn(out, p, 1);
		before = *p;
	}
	cd_str_add(out, "'");
	out->bad = out->bad || clean.bad;
	cd_str_release(&clean);
}

void cd_plot_text(struct cd_str *out, const char *name, const char *text)
{
	cd_str_addf(out, "%s = ", name);
	add_quoted(out, text);
	cd_str_add(out, "\n");
}

void cd_plot_count(struct cd_str *out, const char *name, int64_t count)
{
	cd_str_addf(out, "%s = %lld\n", name, (long long)count);
}

void cd_plot_size(struct cd_str *out, unsigned width, unsigned height)
{
	cd_str_addf(out, "width = %u\nheight = %u\n", width, height);
}

void cd_plot_array(struct cd_str *out, const char *name, size_t n)
{
	cd_str_addf(out, "array %s[%zu]\n", name, n > 0 ? n : 1);
}

void cd_plot_item(struct cd_str *out, const char *name, size_t i,
		  const char *text)
{
	cd_str_addf(out, "%s[%zu] = ", name, i);
	add_quoted(out, text);
	cd_str_add(out, "\n");
}

void cd_plot_tic(struct cd_str *out, const char *name, size_t i,
		 const char *text)
{
	struct cd_str format = {0};

	for (; *text != '\0'; text++)
		cd_str_addn(&format, *text == '%' ? "%%" : text,
			    *text == '%' ? 2 : 1);
	cd_plot_item(out, name, i, cd_str_text(&format));
	out->bad = out->bad || format.bad;
	cd_str_release(&format);
}

void cd_plot_item_count(struct cd_str *out, const char *name, size_t i,
			int64_t count)
{
	cd_str_addf(out, "%s[%zu] = %lld\n", name, i, (long long)count);
}

void cd_plot_span(struct cd_str *out, int64_t ps, int exponent)
{
	if (ps == 0)
		cd_str_add(out, "0");
	else
		cd_str_addf(out, "%llde-%d", (long long)ps, exponent);
}

void cd_plot_span_is(struct cd_str *out, const char *name, int64_t ps)
{
	cd_str_addf(out, "%s = ", name);
	cd_plot_span(out, ps, 12);
	cd_str_add(out, "\n");
}

void cd_plot_open(struct cd_str *out, const char *name)
{
	cd_str_addf(out, "$%s << EOD\n", name);
}

void cd_plot_next_set(struct cd_str *out)
{
	cd_str_add(out, "\n\n");
}

void cd_plot_close(struct cd_str *out)
{
	cd_str_add(out, "EOD\n");
}

void cd_plot_label(struct cd_str *out, const struct cd_report *report,
		   uint32_t point)
{
	struct cd_str clean = {0};
	const char *text;
	size_t used;

	cd_clean(&clean, report->captures[point].label, true);
	text = cd_str_text(&clean);
	if (cd_columns(text) <= LABEL_COLUMNS) {
		cd_str_add(out, text);
	} else {
		cd_str_addn(out, text, cd_fit(text, LABEL_COLUMNS - 2, &used));
		cd_str_add(out, "..");
	}
	out->bad = out->bad || clean.bad;
	cd_str_release(&clean);
}

void cd_plot_span_text(struct cd_str *out, int64_t ps)
{
	cd_text_span(out, (double)ps, false);
}

static const struct cd_series *rows_of(const struct cd_report *report,
				       uint32_t point, const char *kind)
{
	const struct cd_series *series =
	    kind == NULL ? NULL : cd_report_find_series(report, point, kind);

	return series != NULL && series->n_rows > 0 ? series : NULL;
}

struct cd_panels cd_panels(const struct cd_report *report, const char *kind,
			   const char *other, struct cd_str *out)
{
	struct cd_panels p = {0};

	p.panels = calloc(report->n_captures, sizeof(*p.panels));
	if (p.panels == NULL) {
		out->bad = true;
		return p;
	}
	for (uint32_t i = 0; i < report->n_captures; i++) {
		const struct cd_series *series = rows_of(report, i, kind);

		if (series == NULL && rows_of(report, i, other) == NULL)
			continue;
		p.panels[p.n++] = (struct cd_panel){i, series};
	}
	return p;
}

void cd_plot_colors(struct cd_str *out, const struct cd_panels *panels)
{
	cd_plot_array(out, "color", panels->n);
	for (size_t i = 0; i < panels->n; i++)
		cd_plot_item_count(out, "color", i + 1,
				   panels->panels[i].point % PALETTE + 1);
}

int64_t cd_chart_span(const struct cd_report *report, uint32_t point,
		      const char *key)
{
	const struct cd_value *v = cd_report_find(report, point, key);

	return v != NULL && v->kind == CD_VALUE_SPAN ? v->integer : 0;
}

int64_t cd_chart_count(const struct cd_report *report, uint32_t point,
		       const char *key)
{
	const struct cd_value *v = cd_report_find(report, point, key);

	return v != NULL && v->kind == CD_VALUE_COUNT ? v->integer : -1;
}

int cd_decade_below(double x)
{
	return (int)floor(log10(x) + 1e-9);
}

int cd_decade_above(double x)
{
	return (int)ceil(log10(x) - 1e-9);
}
