#include "render/grid.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "render/screen.h"

static void release_line(struct cd_grid_line *line, size_t n)
{
	for (size_t i = 0; i < n && line->cells != NULL; i++)
		free(line->cells[i]);
	free(line->cells);
	free(line->remark);
}

void cd_grid_release(struct cd_grid *grid)
{
	for (size_t i = 0; i < grid->n_lines; i++)
		release_line(&grid->lines[i], grid->n_points);
	free(grid->lines);
}

char *cd_grid_clean(struct cd_grid *grid, struct cd_str *raw)
{
	struct cd_str clean = {0};

	cd_clean(&clean, cd_str_text(raw), grid->view->utf8);
	if (clean.text == NULL)
		clean.text = cd_strdup("");
	grid->bad = grid->bad || raw->bad || clean.bad || clean.text == NULL;
	cd_str_release(raw);
	return clean.text;
}

static bool row_belongs(const struct cd_grid *grid, const struct cd_row *row)
{
	switch (row->place) {
	case CD_ROW_ALWAYS:
		return true;
	case CD_ROW_SINGLE:
		return grid->view->single;
	case CD_ROW_COMPARED:
		return !grid->view->single;
	case CD_ROW_BARE:
		return !grid->view->single && !grid->remarks;
	}
	return false;
}

/* The row's own remark, or why its value is undefined. */
static void add_remark(struct cd_grid *grid, const struct cd_row *row,
		       struct cd_grid_line *line)
{
	const struct cd_value *value =
	    row->key == NULL ? NULL
			     : cd_report_find(grid->view->report,
					      grid->remarked, row->key);
	struct cd_str own = {0}, cell = {0};

	if (!grid->remarks || !cd_row_applies(grid->view, row, grid->remarked))
		return;
	if (value != NULL && value->kind == CD_VALUE_NULL)
		cd_view_add_reason(value->reason, &own);
	else if (row->remark != NULL &&
		 cd_row_cell(grid->view, row, grid->remarked, &cell))
		row->remark(grid->view, grid->remarked, &own);
	if (own.length > 0)
		line->remark = cd_grid_clean(grid, &own);
	cd_str_release(&cell);
	cd_str_release(&own);
}

/* Returns whether any capture has a value. */
static bool fill_cells(struct cd_grid *grid, const struct cd_row *row,
		       struct cd_grid_line *line)
{
	bool any = false;

	for (size_t i = 0; i < grid->n_points; i++) {
		struct cd_str cell = {0};

		if (cd_row_cell(grid->view, row, grid->points[i], &cell))
			any = true;
		line->cells[i] = cd_grid_clean(grid, &cell);
	}
	return any;
}

/* A row is shown if some capture has a value for it. */
static void add_row(struct cd_grid *grid, const struct cd_row *row, bool gap)
{
	struct cd_grid_line line = {.label = row->label, .gap = gap};

	line.cells = calloc(grid->n_points, sizeof(*line.cells));
	if (line.cells == NULL ||
	    cd_grow(&grid->lines, &grid->capacity, grid->n_lines + 1,
		    sizeof(*grid->lines))) {
		grid->bad = true;
		free(line.cells);
		return;
	}
	if (!fill_cells(grid, row, &line)) {
		release_line(&line, grid->n_points);
		return;
	}
	add_remark(grid, row, &line);
	grid->lines[grid->n_lines++] = line;
}

void cd_grid_fill(struct cd_grid *grid)
{
	bool gap = false;

	for (size_t i = 0; i < cd_row_count; i++) {
		const struct cd_row *row = &cd_rows[i];
		size_t before = grid->n_lines;

		if (*row->label == '\0')
			gap = grid->n_lines > 0;
		else if (row_belongs(grid, row))
			add_row(grid, row, gap);
		if (grid->n_lines > before)
			gap = false;
	}
}

uint32_t *cd_grid_points(const struct cd_report *report)
{
	uint32_t *points = calloc(report->n_captures + 1, sizeof(*points));
	size_t n = 0;

	if (points == NULL)
		return NULL;
	if (report->reference < report->n_captures)
		points[n++] = report->reference;
	for (uint32_t i = 0; i < report->n_captures; i++)
		if (i != report->reference)
			points[n++] = i;
	return points;
}

/* The row of the table that a label belongs to: the last before it that
 * begins at the edge. Rows that are not shown count as well. */
static const char *find_head(const char *label)
{
	const char *head = label;

	for (size_t i = 0; i < cd_row_count; i++) {
		if (cd_rows[i].label[0] != ' ' && cd_rows[i].label[0] != '\0')
			head = cd_rows[i].label;
		if (cd_rows[i].label == label)
			break;
	}
	return head;
}

void cd_grid_title(const struct cd_grid *grid, size_t line,
		   struct cd_str *out)
{
	const char *label = grid->lines[line].label;
	const char *head = find_head(label), *wide = strstr(head, "  ");
	size_t n = wide == NULL ? strcspn(head, "0123456789")
				: (size_t)(wide - head);

	if (label == head && wide == NULL) {
		cd_str_add(out, label);
		return;
	}
	if (label == head)
		label = wide;
	/* "Time stamp error 99.8 %": not of all that belongs to it */
	while (n > 0 && head[n - 1] == ' ')
		n--;
	cd_str_addn(out, head, n);
	cd_str_addf(out, ", %s", label + strspn(label, " "));
}
