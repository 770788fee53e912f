/*
 * Tables of sweeps, intervals and baselines as clean text, before they are laid out.
 * Inside the room only.
 */
#ifndef CAPDIFF_RENDER_SHEET_H
#define CAPDIFF_RENDER_SHEET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
/* The intervals of a capture, and their total; no cells if it has none. At
 * most `most` of them, which the caption then says. */
void cd_sheet_intervals(struct cd_sheet *sheet, const struct cd_report *report,
			uint32_t point, size_t most, bool utf8);
/* What is better or worse than in an earlier report; no cells without one. */
void cd_sheet_baseline(struct cd_sheet *sheet, const struct cd_report *report,
		       bool utf8);
/* One cell more; releases `raw`. */
void cd_sheet_add(struct cd_sheet *sheet, struct cd_str *raw, bool utf8);
void cd_sheet_release(struct cd_sheet *sheet);

#endif
