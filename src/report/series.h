/*
 * Rows of numbers beside the single values: what charts draw and tables list.
 * A closed table of kinds, as of keys; a series is one kind of one capture.
 * Long ones are reduced before they get here (CD_SERIES_MAX).
 */
#ifndef CAPDIFF_REPORT_SERIES_H
#define CAPDIFF_REPORT_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/report.h"

/* Rows of a series that charts draw; intervals may have more. */
#define CD_SERIES_MAX 2000
#define CD_SERIES_COLUMNS 16

/* COUNT: integer; SPAN: ps, shown in ns; REAL: double. */
struct cd_column {
	const char *name; /* "at_ns"; NULL ends the list */
	enum cd_value_kind kind;
	const char *label; /* "Missing", for tables that people read */
};

struct cd_series_kind {
	const char *name; /* "clock.offset", without the capture's label */
	const char *label;
	bool histogram; /* columns low_ns, high_ns, packets; bins rise and do
			   not overlap; low_ns null: everything up to high_ns */
	struct cd_column columns[CD_SERIES_COLUMNS];
};
/* One line per kind; the last has no name. */
extern const struct cd_series_kind cd_series_table[];
/* NULL if there is none. */
const struct cd_series_kind *cd_series_kind_find(const char *name);
size_t cd_series_columns(const struct cd_series_kind *kind);
/* -1: it has no such column. */
int cd_series_column(const struct cd_series_kind *kind, const char *name);

struct cd_cell {
	bool defined;	 /* else null */
	int64_t integer; /* COUNT, SPAN (ps) */
	double real;	 /* REAL */
};

struct cd_series {
	const struct cd_series_kind *kind;
	uint32_t point;
	struct cd_cell *cells; /* rows one after the other */
	size_t n_rows, capacity;
	uint64_t of; /* items the rows were made of, 0: as many as rows */
};

/* An empty series, replacing one of the same kind and capture. The name must
 * be in the table (asserted). Good until the next call; NULL without memory
 * (then report->bad is set). */
struct cd_series *cd_report_series(struct cd_report *report, uint32_t point,
				   const char *name);
/* Append a row whose cells are all null and fill them through these. False
 * without memory (then report->bad is set); a NULL series is refused. */
bool cd_series_add(struct cd_report *report, struct cd_series *series);
/* Set the cell of the last row; not finite stays null. */
void cd_series_count(struct cd_series *series, int column, uint64_t count);
void cd_series_span(struct cd_series *series, int column, int64_t ps);
void cd_series_real(struct cd_series *series, int column, double real);

/* NULL if it is not there. */
const struct cd_series *cd_report_find_series(const struct cd_report *report,
					      uint32_t point, const char *name);
const struct cd_cell *cd_series_cell(const struct cd_series *series, size_t row,
				     int column);
/* In the column's unit (spans: ns); NAN if null. */
double cd_series_number(const struct cd_series *series, size_t row, int column);

/* For cd_report_free(). */
void cd_series_release(struct cd_series *series, size_t n);

#endif
