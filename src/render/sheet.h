/*
 * Tables of a sweep as clean text, before they are laid out. Inside the room
 * only.
 */
#ifndef CAPDIFF_RENDER_SHEET_H
#define CAPDIFF_RENDER_SHEET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "report/report.h"

#define CD_SHEET_COLUMNS 10

struct cd_sheet_column {
	const char *head; /* plain ASCII; NULL ends the list */
	bool number;	  /* to the right */
};

struct cd_sheet {
	const char *id, *title; /* "runs", "Runs"; plain ASCII */
	const char *caption;	/* what is counted */
	const struct cd_sheet_column *columns;
	size_t n_columns;
	char **cells; /* rows one after the other */
	size_t n_cells, capacity;
	bool bad; /* memory ran out */
};

/* Which of them: what each capture point can do at each size, every cell, and
 * the runs. */
enum cd_sheet_kind { CD_SHEET_ONSETS, CD_SHEET_CELLS, CD_SHEET_RUNS };
#define CD_SHEETS 3

/* Of a report with a sweep. Needs cd_sheet_release() in any case. */
void cd_sheet_take(struct cd_sheet *sheet, enum cd_sheet_kind kind,
		   const struct cd_report *report, bool utf8);
void cd_sheet_release(struct cd_sheet *sheet);

#endif
