/* The table of --interval. Inside the room only. */
#ifndef CAPDIFF_RENDER_INTERVALS_H
#define CAPDIFF_RENDER_INTERVALS_H

#include <stdbool.h>
#include <stddef.h>

#include "render/screen.h"
#include "report/report.h"
#include "report/series.h"

bool cd_has_intervals(const struct cd_report *report);

/* One table per capture, each with its total; nothing without intervals. */
void cd_put_intervals(struct cd_screen *screen, const struct cd_report *report);

/* "12.345678901", seconds to the nanosecond. */
void cd_interval_seconds(struct cd_str *out, const struct cd_cell *at);
/* Of a column of counts; undefined if any cell is. */
struct cd_cell cd_interval_sum(const struct cd_series *series,
			       const char *name);

/* Columns and cells for CSV, each with a comma before it; ends the line. */
void cd_csv_interval_head(struct cd_str *out);
void cd_csv_interval_row(struct cd_str *out, const struct cd_series *series,
			 size_t row);

#endif
