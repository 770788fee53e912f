#include <stdlib.h>
#include <string.h>

#include "render/grid.h"
#include "render/text.h"

#define LABEL_COLUMNS 23
#define GAP 2
#define WIDEST_TEXT 18	  /* names are clipped to it, numbers never */
#define LEAST_TEXT 12	  /* of a name, however little room there is */
#define MOST_COLUMNS 4	  /* captures side by side */
#define LEAST_REMARK 18
#define GOOD_REMARK 22	  /* room that names leave to remarks */
#define REMARK_BELOW 4	  /* indent where it does not fit beside */

/* The rows that are shown, and the columns they are laid out in. */
struct table {
	struct cd_grid grid;
	uint32_t points[MOST_COLUMNS];
	bool gaps;
	size_t columns[MOST_COLUMNS]; /* widths */
};

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* The first row holds names, the others numbers. */
static bool is_text_line(const struct cd_grid_line *line)
{
	return line->label == cd_rows[0].label;
}

static size_t cell_columns(const struct cd_grid_line *line, size_t i)
{
	return line->cells[i] == NULL ? 0 : cd_columns(line->cells[i]);
}

static void measure_columns(struct table *t)
{
	for (size_t i = 0; i < t->grid.n_lines; i++)
		for (size_t j = 0; j < t->grid.n_points; j++) {
			size_t n = cell_columns(&t->grid.lines[i], j);

			if (is_text_line(&t->grid.lines[i]))
				n = least(n, LEAST_TEXT);
			if (n > t->columns[j])
				t->columns[j] = n;
		}
}

static size_t table_columns(const struct table *t)
{
	size_t n = LABEL_COLUMNS;

	for (size_t i = 0; i < t->grid.n_points; i++)
		n += GAP + t->columns[i];
	return n;
}

/* Names get what numbers, labels and remarks leave, in turn. */
static void widen_for_names(struct table *t, size_t width)
{
	size_t taken = table_columns(t) + (t->grid.remarks ? GAP + GOOD_REMARK : 0);
	size_t spare = width > taken ? width - taken : 0;
	bool widened = true;

	if (t->grid.n_lines == 0 || !is_text_line(&t->grid.lines[0]))
		return;
	while (widened && spare > 0) {
		widened = false;
		for (size_t i = 0; i < t->grid.n_points && spare > 0; i++) {
			size_t n = cell_columns(&t->grid.lines[0], i);

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
		     const struct cd_grid_line *line)
{
	size_t column = table_columns(t) + GAP;
	bool beside = line->remark != NULL &&
		      screen->width >= column + LEAST_REMARK;

	if (line->gap && t->gaps)
		cd_put_gap(screen);
	cd_put_cell(screen, line->label, LABEL_COLUMNS);
	for (size_t i = 0; i < t->grid.n_points; i++) {
		bool last = i + 1 == t->grid.n_points;
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
	for (size_t i = 0; i < t->grid.n_lines; i++)
		put_line(screen, t, &t->grid.lines[i]);
}

/* ---- captures side by side ----------------------------------------------- */

static char *head_text(struct table *t, uint32_t point)
{
	const struct cd_report_capture *c = &t->grid.view->report->captures[point];
	struct cd_str raw = {0};

	cd_str_add(&raw, c->label == NULL ? "capture" : c->label);
	return cd_grid_clean(&t->grid, &raw);
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
	return !t->grid.view->single &&
	       t->points[i] == t->grid.view->report->reference;
}

static const char mark[] = "(reference)";

/* Labels above the columns; "(reference)" beside or below its label. */
static void put_head(struct cd_screen *screen, struct table *t, bool below)
{
	for (size_t line = 0; line < (below ? 2u : 1u); line++) {
		size_t owed = LABEL_COLUMNS; /* blanks, if more follows */

		for (size_t i = 0; i < t->grid.n_points; i++) {
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
			t->grid.bad = t->grid.bad || cell.bad;
			cd_str_release(&cell);
		}
		cd_str_add(screen->out, "\n");
	}
}

/* Room for labels: beside the mark if that is no wider than names may be. */
static bool widen_for_head(struct table *t, size_t widest_text)
{
	bool below = false;

	for (size_t i = 0; i < t->grid.n_points; i++) {
		size_t n = head_columns(t, t->points[i]);

		if (is_marked(t, i) && n + sizeof(mark) > widest_text)
			below = true;
	}
	for (size_t i = 0; i < t->grid.n_points; i++) {
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
	struct table t = {.grid = {.view = view}, .gaps = true};
	size_t room = screen->width - LABEL_COLUMNS;
	size_t widest;
	bool below, fits;

	if (r->n_captures > MOST_COLUMNS)
		return false;
	t.grid.points = t.points;
	t.grid.n_points = r->n_captures;
	t.grid.remarks = r->n_captures <= 2;
	t.grid.remarked = view->single || r->reference != 0 ? 0 : 1;
	/* the reference first */
	t.points[0] = r->reference;
	for (uint32_t i = 0, n = 1; i < r->n_captures; i++)
		if (i != r->reference)
			t.points[n++] = i;
	cd_grid_fill(&t.grid);
	widest = least(WIDEST_TEXT, room / t.grid.n_points - GAP);
	measure_columns(&t);
	below = widen_for_head(&t, widest);
	widen_for_names(&t, screen->width);
	fits = table_columns(&t) <= screen->width;
	if (fits && !t.grid.bad) {
		put_head(screen, &t, below);
		put_lines(screen, &t);
	}
	screen->out->bad = screen->out->bad || t.grid.bad;
	cd_grid_release(&t.grid);
	return fits;
}

/* ---- one block per capture ----------------------------------------------- */

static void put_block(struct cd_screen *screen, const struct cd_view *view,
		      uint32_t point)
{
	struct table t = {
	    .grid = {.view = view,
		     .points = &point,
		     .n_points = 1,
		     .remarked = point,
		     .remarks = true},
	    .points = {point},
	};
	struct cd_str head = {0};
	char *label = head_text(&t, point);

	cd_str_addf(&head, "%s%s%s", label == NULL ? "" : label,
		    is_marked(&t, 0) ? " " : "", is_marked(&t, 0) ? mark : "");
	free(label);
	cd_put_wrapped(screen, cd_str_text(&head), 0, 2);
	cd_grid_fill(&t.grid);
	measure_columns(&t);
	widen_for_names(&t, screen->width);
	if (!t.grid.bad)
		put_lines(screen, &t);
	screen->out->bad = screen->out->bad || t.grid.bad || head.bad;
	cd_str_release(&head);
	cd_grid_release(&t.grid);
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
