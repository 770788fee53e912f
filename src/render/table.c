#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "render/text.h"

#define LABEL_COLUMNS 23
#define GAP 2
#define WIDEST_TEXT 18	  /* names are clipped to it, numbers never */
#define LEAST_TEXT 12	  /* of a name, however little room there is */
#define MOST_COLUMNS 4	  /* captures side by side */
#define LEAST_REMARK 18
#define GOOD_REMARK 22	  /* room that names leave to remarks */
#define REMARK_BELOW 4	  /* indent where it does not fit beside */

/* A table laid out: one line per row that is shown. */
struct line {
	const char *label;
	bool gap;	 /* an empty line before it */
	char *cells[MOST_COLUMNS]; /* clean */
	char *remark;	 /* clean, may be NULL */
};

struct table {
	const struct cd_view *view;
	uint32_t points[MOST_COLUMNS];
	size_t n_points;
	uint32_t remarked; /* capture whose remarks are shown */
	bool remarks, gaps;
	struct line *lines;
	size_t n_lines, capacity;
	size_t columns[MOST_COLUMNS]; /* widths */
	bool bad;
};

static void release_table(struct table *t)
{
	for (size_t i = 0; i < t->n_lines; i++) {
		for (size_t j = 0; j < t->n_points; j++)
			free(t->lines[i].cells[j]);
		free(t->lines[i].remark);
	}
	free(t->lines);
}

/* The text of `raw`, clean, as the caller's own; releases `raw`. */
static char *take_clean(struct table *t, struct cd_str *raw)
{
	struct cd_str clean = {0};

	cd_clean(&clean, cd_str_text(raw), t->view->utf8);
	if (clean.text == NULL)
		clean.text = cd_strdup("");
	t->bad = t->bad || raw->bad || clean.bad || clean.text == NULL;
	cd_str_release(raw);
	return clean.text;
}

static bool row_belongs(const struct table *t, const struct cd_row *row)
{
	switch (row->place) {
	case CD_ROW_ALWAYS:
		return true;
	case CD_ROW_SINGLE:
		return t->view->single;
	case CD_ROW_COMPARED:
		return !t->view->single;
	case CD_ROW_BARE:
		return !t->view->single && !t->remarks;
	}
	return false;
}

/* The row's own remark, or why its value is undefined. */
static void add_remark(struct table *t, const struct cd_row *row,
		       struct line *line)
{
	const struct cd_value *value =
	    row->key == NULL ? NULL
			     : cd_report_find(t->view->report, t->remarked,
					      row->key);
	struct cd_str own = {0}, cell = {0};

	if (!t->remarks || !cd_row_applies(t->view, row, t->remarked))
		return;
	if (value != NULL && value->kind == CD_VALUE_NULL)
		cd_view_add_reason(value->reason, &own);
	else if (row->remark != NULL &&
		 cd_row_cell(t->view, row, t->remarked, &cell))
		row->remark(t->view, t->remarked, &own);
	if (own.length > 0)
		line->remark = take_clean(t, &own);
	cd_str_release(&cell);
	cd_str_release(&own);
}

/* A row is shown if some capture has a value for it. */
static void add_row(struct table *t, const struct cd_row *row, bool gap)
{
	struct line line = {.label = row->label, .gap = gap};
	bool any = false;

	if (cd_grow(&t->lines, &t->capacity, t->n_lines + 1,
		    sizeof(*t->lines))) {
		t->bad = true;
		return;
	}
	for (size_t i = 0; i < t->n_points; i++) {
		struct cd_str cell = {0};

		if (cd_row_cell(t->view, row, t->points[i], &cell))
			any = true;
		line.cells[i] = take_clean(t, &cell);
	}
	if (any)
		add_remark(t, row, &line);
	t->lines[t->n_lines++] = line;
	if (any)
		return;
	for (size_t i = 0; i < t->n_points; i++)
		free(line.cells[i]);
	t->n_lines--;
}

static void fill_table(struct table *t)
{
	bool gap = false;

	for (size_t i = 0; i < cd_row_count; i++) {
		const struct cd_row *row = &cd_rows[i];
		size_t before = t->n_lines;

		if (*row->label == '\0')
			gap = t->gaps && t->n_lines > 0;
		else if (row_belongs(t, row))
			add_row(t, row, gap);
		if (t->n_lines > before)
			gap = false;
	}
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* The first row holds names, the others numbers. */
static bool is_text_line(const struct line *line)
{
	return line->label == cd_rows[0].label;
}

static size_t cell_columns(const struct line *line, size_t i)
{
	return line->cells[i] == NULL ? 0 : cd_columns(line->cells[i]);
}

static void measure_columns(struct table *t)
{
	for (size_t i = 0; i < t->n_lines; i++)
		for (size_t j = 0; j < t->n_points; j++) {
			size_t n = cell_columns(&t->lines[i], j);

			if (is_text_line(&t->lines[i]))
				n = least(n, LEAST_TEXT);
			if (n > t->columns[j])
				t->columns[j] = n;
		}
}

static size_t table_columns(const struct table *t)
{
	size_t n = LABEL_COLUMNS;

	for (size_t i = 0; i < t->n_points; i++)
		n += GAP + t->columns[i];
	return n;
}

/* Names get what numbers, labels and remarks leave, in turn. */
static void widen_for_names(struct table *t, size_t width)
{
	size_t taken = table_columns(t) + (t->remarks ? GAP + GOOD_REMARK : 0);
	size_t spare = width > taken ? width - taken : 0;
	bool widened = true;

	if (t->n_lines == 0 || !is_text_line(&t->lines[0]))
		return;
	while (widened && spare > 0) {
		widened = false;
		for (size_t i = 0; i < t->n_points && spare > 0; i++) {
			size_t n = cell_columns(&t->lines[0], i);

			if (t->columns[i] >= least(n, WIDEST_TEXT))
				continue;
			t->columns[i]++;
			spare--;
			widened = true;
		}
	}
}

/* At `column`, or below the row (`column` 0). */
static void put_remark(struct cd_screen *screen, const char *remark,
		       size_t column)
{
	if (column == 0) {
		cd_str_add(screen->out, "\n");
		column = REMARK_BELOW;
		cd_str_pad(screen->out, ' ', REMARK_BELOW);
	} else {
		cd_str_pad(screen->out, ' ', GAP);
	}
	cd_put_wrapped(screen, remark, column, column);
}

static void put_line(struct cd_screen *screen, const struct table *t,
		     const struct line *line)
{
	size_t column = table_columns(t) + GAP;
	bool beside = line->remark != NULL &&
		      screen->width >= column + LEAST_REMARK;

	if (line->gap)
		cd_put_gap(screen);
	cd_put_cell(screen, line->label, LABEL_COLUMNS);
	for (size_t i = 0; i < t->n_points; i++) {
		bool last = i + 1 == t->n_points;
		size_t columns = t->columns[i];

		/* no blanks at the end of a line */
		if (last && !beside)
			columns = least(columns, cd_columns(line->cells[i]));
		cd_str_pad(screen->out, ' ', GAP);
		cd_put_cell(screen, line->cells[i], columns);
	}
	if (line->remark == NULL)
		cd_put_gap(screen);
	else
		put_remark(screen, line->remark, beside ? column : 0);
}

static void put_lines(struct cd_screen *screen, const struct table *t)
{
	for (size_t i = 0; i < t->n_lines; i++)
		put_line(screen, t, &t->lines[i]);
}

/* ---- captures side by side ----------------------------------------------- */

static char *head_text(struct table *t, uint32_t point)
{
	const struct cd_report_capture *c = &t->view->report->captures[point];
	struct cd_str raw = {0};

	cd_str_add(&raw, c->label == NULL ? "capture" : c->label);
	return take_clean(t, &raw);
}

static size_t head_columns(struct table *t, uint32_t point)
{
	char *label = head_text(t, point);
	size_t n = label == NULL ? 0 : cd_columns(label);

	free(label);
	return n;
}

static bool is_marked(const struct table *t, size_t i)
{
	return !t->view->single &&
	       t->points[i] == t->view->report->reference;
}

static const char mark[] = "(reference)";

/* Labels above the columns; "(reference)" beside or below its label. */
static void put_head(struct cd_screen *screen, struct table *t, bool below)
{
	for (size_t line = 0; line < (below ? 2u : 1u); line++) {
		size_t owed = LABEL_COLUMNS; /* blanks, if more follows */

		for (size_t i = 0; i < t->n_points; i++) {
			char *label = head_text(t, t->points[i]);
			struct cd_str cell = {0};

			if (line == 0)
				cd_str_add(&cell, label == NULL ? "" : label);
			if (is_marked(t, i) && below == (line == 1))
				cd_str_addf(&cell, "%s%s", below ? "" : " ",
					    mark);
			owed += GAP;
			if (cell.length > 0) {
				size_t n = least(
				    t->columns[i],
				    cd_columns(cd_str_text(&cell)));

				cd_str_pad(screen->out, ' ', owed);
				cd_put_cell(screen, cd_str_text(&cell), n);
				owed = t->columns[i] - n;
			} else {
				owed += t->columns[i];
			}
			free(label);
			t->bad = t->bad || cell.bad;
			cd_str_release(&cell);
		}
		cd_str_add(screen->out, "\n");
	}
}

/* Room for labels: beside the mark if that is no wider than names may be. */
static bool widen_for_head(struct table *t, size_t widest_text)
{
	bool below = false;

	for (size_t i = 0; i < t->n_points; i++) {
		size_t n = head_columns(t, t->points[i]);

		if (is_marked(t, i) && n + sizeof(mark) > widest_text)
			below = true;
	}
	for (size_t i = 0; i < t->n_points; i++) {
		size_t n = least(head_columns(t, t->points[i]), widest_text);

		if (is_marked(t, i))
			n = below ? (n > sizeof(mark) - 1 ? n
							  : sizeof(mark) - 1)
				  : n + sizeof(mark);
		if (n > t->columns[i])
			t->columns[i] = n;
	}
	return below;
}

/* False, with nothing put, if it does not fit the width. */
static bool put_side_by_side(struct cd_screen *screen,
			     const struct cd_view *view)
{
	const struct cd_report *r = view->report;
	struct table t = {.view = view, .gaps = true};
	size_t room = screen->width - LABEL_COLUMNS;
	size_t widest;
	bool below, fits;

	if (r->n_captures > MOST_COLUMNS)
		return false;
	t.n_points = r->n_captures;
	t.remarks = r->n_captures <= 2;
	t.remarked = view->single || r->reference != 0 ? 0 : 1;
	/* the reference first */
	t.points[0] = r->reference;
	for (uint32_t i = 0, n = 1; i < r->n_captures; i++)
		if (i != r->reference)
			t.points[n++] = i;
	fill_table(&t);
	widest = least(WIDEST_TEXT, room / t.n_points - GAP);
	measure_columns(&t);
	below = widen_for_head(&t, widest);
	widen_for_names(&t, screen->width);
	fits = table_columns(&t) <= screen->width;
	if (fits && !t.bad) {
		put_head(screen, &t, below);
		put_lines(screen, &t);
	}
	screen->out->bad = screen->out->bad || t.bad;
	release_table(&t);
	return fits;
}

/* ---- one block per capture ----------------------------------------------- */

static void put_block(struct cd_screen *screen, const struct cd_view *view,
		      uint32_t point)
{
	struct table t = {
	    .view = view,
	    .points = {point},
	    .n_points = 1,
	    .remarked = point,
	    .remarks = true,
	};
	struct cd_str head = {0};
	char *label = head_text(&t, point);

	cd_str_addf(&head, "%s%s%s", label == NULL ? "" : label,
		    is_marked(&t, 0) ? " " : "", is_marked(&t, 0) ? mark : "");
	free(label);
	cd_put_wrapped(screen, cd_str_text(&head), 0, 2);
	fill_table(&t);
	measure_columns(&t);
	widen_for_names(&t, screen->width);
	if (!t.bad)
		put_lines(screen, &t);
	screen->out->bad = screen->out->bad || t.bad || head.bad;
	cd_str_release(&head);
	release_table(&t);
}

void cd_put_table(struct cd_screen *screen, const struct cd_view *view)
{
	const struct cd_report *r = view->report;

	if (r->n_captures == 0 || put_side_by_side(screen, view))
		return;
	put_block(screen, view, r->reference);
	for (uint32_t i = 0; i < r->n_captures; i++) {
		if (i == r->reference)
			continue;
		cd_put_gap(screen);
		put_block(screen, view, i);
	}
}
