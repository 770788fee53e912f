/* Heat map of a sweep: frame size by rate, a panel per capture point. */
#include <stdlib.h>

#include "base/array.h"
#include "render/chart_put.h"
#include "report/sweep.h"
#include "report/text.h"

/* As the template numbers its colours. */
enum { ACCURATE, INACCURATE, LOSSY, UNDECIDED };

/* Rates within so much are one column: each run has its own measured rate. */
#define SAME_RATE 1.03

/* A cell and its place, from 1. */
struct place {
	const struct cd_sweep_cell *cell;
	size_t column, row;
};

struct map {
	const struct cd_report *report;
	const struct cd_sweep *sweep;
	struct place *places;
	size_t n;
	double *rates;	 /* where columns begin; bit/s or packets/s */
	double *tops;	 /* and end */
	uint32_t *sizes; /* of the rows */
	size_t n_columns, n_rows;
	bool by_packets; /* rates in packets per second */
	bool by_point;	 /* one panel whose columns are capture points */
};

static bool is_shown(const struct map *m, const struct cd_sweep_cell *cell)
{
	return (!m->sweep->has_reference ||
		cell->point != m->report->reference) &&
	       (m->by_point || cell->l1_bps > 0 || cell->pps > 0);
}

static double rate_of(const struct map *m, const struct cd_sweep_cell *cell)
{
	return m->by_packets ? cell->pps : cell->l1_bps;
}

/* Without a reference, and with one rate for each size, set-ups are compared.
 */
static bool compares_points(const struct map *m)
{
	if (m->sweep->has_reference)
		return false;
	for (size_t i = 1; i < m->sweep->n_cells; i++)
		for (size_t k = 0; k < i; k++)
			if (m->sweep->cells[i].size ==
				m->sweep->cells[k].size &&
			    m->sweep->cells[i].point ==
				m->sweep->cells[k].point)
				return false;
	return true;
}

static int compare_sizes(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static int compare_doubles(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void find_sizes(struct map *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->n; i++)
		m->sizes[i] = m->places[i].cell->size;
	qsort(m->sizes, m->n, sizeof(*m->sizes), compare_sizes);
	for (size_t i = 0; i < m->n; i++)
		if (n == 0 || m->sizes[i] != m->sizes[n - 1])
			m->sizes[n++] = m->sizes[i];
	m->n_rows = n;
}

/* The column of a rate is the last that begins at or below it. */
static void find_rates(struct map *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->n; i++)
		m->rates[i] = rate_of(m, m->places[i].cell);
	qsort(m->rates, m->n, sizeof(*m->rates), compare_doubles);
	for (size_t i = 0; i < m->n; i++) {
		if (n == 0 || m->rates[i] > m->rates[n - 1] * SAME_RATE)
			m->rates[n++] = m->rates[i];
		m->tops[n - 1] = m->rates[i];
	}
	m->n_columns = n;
}

static void set_places(struct map *m)
{
	for (size_t i = 0; i < m->n; i++) {
		struct place *p = &m->places[i];
		double rate = rate_of(m, p->cell);

		p->row = p->column = 1;
		while (p->row < m->n_rows &&
		       m->sizes[p->row - 1] != p->cell->size)
			p->row++;
		while (p->column < m->n_columns && rate >= m->rates[p->column])
			p->column++;
		if (m->by_point)
			p->column = p->cell->point + 1;
	}
}

static bool map_init(struct map *m, const struct cd_report *report,
		     struct cd_str *out)
{
	const struct cd_sweep *s = report->sweep;

	*m = (struct map){.report = report, .sweep = s};
	if (s == NULL || s->n_cells == 0)
		return false;
	m->by_point = compares_points(m);
	m->places = calloc(s->n_cells, sizeof(*m->places));
	m->rates = calloc(s->n_cells, sizeof(*m->rates));
	m->tops = calloc(s->n_cells, sizeof(*m->tops));
	m->sizes = calloc(s->n_cells, sizeof(*m->sizes));
	if (m->places == NULL || m->rates == NULL || m->tops == NULL ||
	    m->sizes == NULL) {
		out->bad = true;
		return false;
	}
	for (size_t i = 0; i < s->n_cells; i++) {
		if (!is_shown(m, &s->cells[i]))
			continue;
		m->places[m->n++].cell = &s->cells[i];
		if (s->cells[i].l1_bps <= 0)
			m->by_packets = true;
	}
	find_sizes(m);
	find_rates(m);
	if (m->by_point)
		m->n_columns = report->n_captures;
	set_places(m);
	return m->n > 0;
}

static void map_release(struct map *m)
{
	free(m->places);
	free(m->rates);
	free(m->tops);
	free(m->sizes);
}

static int class_of(const struct cd_sweep_cell *cell)
{
	if (cell->complete.judgement == CD_FALSE)
		return LOSSY;
	if (cell->complete.judgement != CD_TRUE ||
	    cell->accurate.judgement == CD_INCONCLUSIVE)
		return UNDECIDED;
	return cell->accurate.judgement == CD_TRUE ? ACCURATE : INACCURATE;
}

/* Truncated to the decimals that there is room for: 100 only if nothing is
 * missing. */
static void put_captured(struct cd_str *out, const struct cd_sweep_cell *cell,
			 size_t columns)
{
	unsigned decimals = columns <= 8 ? 4 : columns <= 12 ? 2 : 1;
	uint64_t scale = decimals == 4 ? 10000 : decimals == 2 ? 100 : 10;
	uint64_t have, parts;

	if (!cell->has_counts || cell->expected == 0) {
		cd_str_add(out, "-");
		return;
	}
	have =
	    cell->missing < cell->expected ? cell->expected - cell->missing : 0;
	parts =
	    (uint64_t)((unsigned __int128)have * 100 * scale / cell->expected);
	if (have == cell->expected || have == 0)
		cd_str_addf(out, "%d%%", have == 0 ? 0 : 100);
	else
		cd_str_addf(out, "%llu.%0*llu%%",
			    (unsigned long long)(parts / scale), (int)decimals,
			    (unsigned long long)(parts % scale));
}

static size_t put_panel(struct cd_str *out, const struct map *m, uint32_t point)
{
	size_t n = 0;

	for (size_t i = 0; i < m->n; i++) {
		const struct place *p = &m->places[i];

		if (!m->by_point && p->cell->point != point)
			continue;
		cd_str_addf(out, "%zu %zu %d ", p->column, p->row,
			    class_of(p->cell));
		put_captured(out, p->cell, m->n_columns);
		cd_str_add(out, "\n");
		n++;
	}
	return n;
}

/* Each panel is a set of the data block. */
static size_t put_panels(struct cd_str *out, struct cd_str *titles,
			 const struct map *m)
{
	uint32_t panels = m->by_point ? 1 : (uint32_t)m->report->n_captures;
	size_t n = 0;

	for (uint32_t point = 0; point < panels; point++) {
		struct cd_str rows = {0}, title = {0};

		if (put_panel(&rows, m, point) > 0) {
			if (n > 0)
				cd_plot_next_set(out);
			cd_str_add(out, cd_str_text(&rows));
			if (!m->by_point)
				cd_plot_label(&title, m->report, point);
			cd_plot_item(titles, "row", ++n, cd_str_text(&title));
		}
		out->bad = out->bad || rows.bad || title.bad;
		cd_str_release(&rows);
		cd_str_release(&title);
	}
	return n;
}

static void put_rate(struct cd_str *out, double rate)
{
	cd_str_addf(out, rate < 999.5 ? "%.3g" : "%.0f", rate);
}

static void put_tics(struct cd_str *out, const struct map *m)
{
	cd_plot_array(out, "load", m->n_columns);
	for (size_t i = 0; i < m->n_columns; i++) {
		struct cd_str text = {0};

		if (m->by_point)
			cd_plot_label(&text, m->report, (uint32_t)i);
		else
			put_rate(&text,
				 m->tops[i] / (m->by_packets ? 1e3 : 1e6));
		cd_plot_tic(out, "load", i + 1, cd_str_text(&text));
		out->bad = out->bad || text.bad;
		cd_str_release(&text);
	}
	cd_plot_array(out, "size", m->n_rows);
	for (size_t i = 0; i < m->n_rows; i++) {
		struct cd_str text = {0};

		if (m->sizes[i] == 0)
			cd_str_add(&text, "mixed");
		else
			cd_str_addf(&text, "%lu", (unsigned long)m->sizes[i]);
		cd_plot_tic(out, "size", i + 1, cd_str_text(&text));
		out->bad = out->bad || text.bad;
		cd_str_release(&text);
	}
}

static void put_map(struct cd_str *out, const struct map *m)
{
	struct cd_str titles = {0}, data = {0};
	size_t n = put_panels(&data, &titles, m);

	cd_plot_size(out, 800,
		     168 + (unsigned)n * (40 + 40 * (unsigned)m->n_rows));
	cd_plot_count(out, "n", (int64_t)n);
	cd_plot_text(out, "title", "Packets captured, by frame size and load");
	cd_plot_text(out, "legend",
		     m->by_point     ? "capture"
		     : m->by_packets ? "rate (1,000 packets/s)"
				     : "load on the wire, with preamble and "
				       "gap (Mb/s)");
	cd_plot_count(out, "columns", (int64_t)m->n_columns);
	cd_plot_count(out, "rows", (int64_t)m->n_rows);
	put_tics(out, m);
	cd_plot_array(out, "row", n);
	cd_str_add(out, cd_str_text(&titles));
	cd_plot_open(out, "CELL");
	cd_str_add(out, cd_str_text(&data));
	cd_plot_close(out);
	out->bad = out->bad || titles.bad || data.bad;
	cd_str_release(&titles);
	cd_str_release(&data);
}

bool cd_chart_sweep(const struct cd_report *report, struct cd_str *out)
{
	struct map map;
	bool any = map_init(&map, report, out);

	if (any)
		put_map(out, &map);
	map_release(&map);
	return any;
}
