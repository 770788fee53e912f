/*
 * The rows of cd_rows[] that a report has anything to show in, as clean text:
 * a table before it is laid out. Inside the room only.
 */
#ifndef CAPDIFF_RENDER_GRID_H
#define CAPDIFF_RENDER_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "render/rows.h"

struct cd_grid_line {
	const char *label;
	bool gap;     /* a new group begins */
	char **cells; /* one per point, clean */
	char *remark; /* clean, may be NULL */
};

struct cd_grid {
	/* set by the caller */
	const struct cd_view *view;
	const uint32_t *points; /* captures, one per column */
	size_t n_points;
	bool remarks; /* else rows of their own (CD_ROW_BARE) */
	uint32_t remarked; /* capture whose remarks are shown */
	/* filled */
	struct cd_grid_line *lines;
	size_t n_lines, capacity;
	bool bad; /* memory ran out */
};

/* All captures, the reference first, as the caller's own; NULL without
 * memory. */
uint32_t *cd_grid_points(const struct cd_report *report);

/* Needs cd_grid_release() in any case. */
void cd_grid_fill(struct cd_grid *grid);
void cd_grid_release(struct cd_grid *grid);

/* The text of `raw`, clean, as the caller's own; releases `raw`. NULL without
 * memory. */
char *cd_grid_clean(struct cd_grid *grid, struct cd_str *raw);

/*
 * What a row is called where there are no blanks to show what belongs
 * together: "Delta, longest", "Missing, longest gap".
 */
void cd_grid_title(const struct cd_grid *grid, size_t line,
		   struct cd_str *out);

#endif
