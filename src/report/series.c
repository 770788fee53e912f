#include "report/series.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define COUNT(name, label) { name, CD_VALUE_COUNT, label }
#define SPAN(name, label) { name, CD_VALUE_SPAN, label }
#define REAL(name, label) { name, CD_VALUE_REAL, label }

/*
 * at_ns is time since the first packet of the reference (of the capture, if it
 * is alone), by the reference's clock.
 */
const struct cd_series_kind cd_series_table[] = {
	/* sequence deltas, inside the common interval; raw ones where there
	 * are no numbers */
	{ "delta.histogram", "Time between packets", true,
	  { SPAN("low_ns", "From"), SPAN("high_ns", "Below"),
	    COUNT("packets", "Packets") } },
	/* share of the packets whose |fast error| is above error_ns; at its
	 * p50, 90, 99, 99.9 and 99.99 of those beyond their rank */
	{ "time.error.exceedance", "Time stamp error", false,
	  { SPAN("error_ns", "Error above"), REAL("share", "Share") } },
	/* offset against the reference, less clock.offset_ns; buckets of time:
	 * least, median and largest of the packets in it, and the fitted line */
	{ "clock.offset", "Offset over time", false,
	  { SPAN("at_ns", "At"), SPAN("low_ns", "Least"),
	    SPAN("median_ns", "Median"), SPAN("high_ns", "Most"),
	    SPAN("fit_ns", "Line") } },
	/* with --clock: worst error of intervals up to tau, time deviation */
	{ "clock.mtie", "Worst interval error", false,
	  { SPAN("tau_ns", "Within"), SPAN("mtie_ns", "MTIE") } },
	{ "clock.tdev", "Time deviation", false,
	  { SPAN("tau_ns", "Over"), SPAN("tdev_ns", "TDEV") } },
	{ "clock.step", "Clock steps", false,
	  { SPAN("at_ns", "At"), SPAN("size_ns", "Size"),
	    COUNT("seq", "First number after it") } },
	/* gaps; of several in one bucket of time the longest, and how many
	 * there are and what they miss in all */
	{ "loss.gap", "Gaps", false,
	  { SPAN("at_ns", "At"), COUNT("packets", "Packets"),
	    SPAN("outage_ns", "Outage"), COUNT("first_seq", "First number"),
	    COUNT("last_seq", "Last number"), COUNT("gaps", "Gaps"),
	    COUNT("missing", "Missing") } },
	{ "duplicate.copy", "Duplicates", false,
	  { SPAN("at_ns", "At"), COUNT("copies", "Copies") } },
	/* --interval: every packet of the capture, numbered or not; from_ns
	 * since its own first packet */
	{ "interval", "Intervals", false,
	  { SPAN("from_ns", "From"), COUNT("frame", "First frame"),
	    COUNT("packets", "Packets"), COUNT("missing", "Missing"),
	    COUNT("dropped", "Dropped"), SPAN("duration_ns", "Duration"),
	    REAL("pps", "pkt/s"), REAL("l1_bps", "bit/s L1"),
	    REAL("l2_bps", "bit/s L2"), REAL("captured_bps", "bit/s captured"),
	    REAL("frame_bytes_mean", "Bytes a frame"),
	    REAL("utilisation", "Of the link"), COUNT("l2_bytes", "Bytes L2"),
	    COUNT("captured_bytes", "Bytes captured") } },
	{ 0 },
};

const struct cd_series_kind *cd_series_kind_find(const char *name)
{
	for (const struct cd_series_kind *k = cd_series_table; k->name; k++)
		if (strcmp(k->name, name) == 0)
			return k;
	return NULL;
}

size_t cd_series_columns(const struct cd_series_kind *kind)
{
	size_t n = 0;

	while (n < CD_SERIES_COLUMNS && kind->columns[n].name != NULL)
		n++;
	return n;
}

int cd_series_column(const struct cd_series_kind *kind, const char *name)
{
	size_t n = cd_series_columns(kind);

	for (size_t i = 0; i < n; i++)
		if (strcmp(kind->columns[i].name, name) == 0)
			return (int)i;
	return -1;
}

static struct cd_series *find(const struct cd_report *report, uint32_t point,
			      const char *name)
{
	for (size_t i = 0; i < report->n_series; i++)
		if (report->series[i].point == point &&
		    strcmp(report->series[i].kind->name, name) == 0)
			return &report->series[i];
	return NULL;
}

struct cd_series *cd_report_series(struct cd_report *report, uint32_t point,
				   const char *name)
{
	const struct cd_series_kind *kind = cd_series_kind_find(name);
	struct cd_series *series = find(report, point, name);

	assert(kind != NULL);
	if (series != NULL) {
		series->n_rows = 0;
		series->of = 0;
		return series;
	}
	if (cd_grow((void **)&report->series, &report->series_capacity,
		    report->n_series + 1, sizeof(*report->series))) {
		report->bad = true;
		return NULL;
	}
	series = &report->series[report->n_series++];
	*series = (struct cd_series){ .kind = kind, .point = point };
	return series;
}

bool cd_series_add(struct cd_report *report, struct cd_series *series)
{
	size_t columns, used;

	if (series == NULL)
		return false;
	columns = cd_series_columns(series->kind);
	used = series->n_rows * columns;
	if (cd_grow((void **)&series->cells, &series->capacity, used + columns,
		    sizeof(*series->cells))) {
		report->bad = true;
		return false;
	}
	memset(series->cells + used, 0, columns * sizeof(*series->cells));
	series->n_rows++;
	return true;
}

static struct cd_cell *last_cell(struct cd_series *series, int column,
				 enum cd_value_kind kind)
{
	size_t columns = cd_series_columns(series->kind);

	assert(series->n_rows > 0 && column >= 0 && (size_t)column < columns);
	assert(series->kind->columns[column].kind == kind);
	(void)kind;
	return &series->cells[(series->n_rows - 1) * columns + (size_t)column];
}

void cd_series_count(struct cd_series *series, int column, uint64_t count)
{
	struct cd_cell *cell = last_cell(series, column, CD_VALUE_COUNT);

	cell->defined = true;
	cell->integer = (int64_t)count;
}

void cd_series_span(struct cd_series *series, int column, int64_t ps)
{
	struct cd_cell *cell = last_cell(series, column, CD_VALUE_SPAN);

	cell->defined = ps != CD_TIME_NONE;
	cell->integer = ps;
}

void cd_series_real(struct cd_series *series, int column, double real)
{
	struct cd_cell *cell = last_cell(series, column, CD_VALUE_REAL);

	cell->defined = isfinite(real);
	cell->real = real;
}

const struct cd_series *cd_report_find_series(const struct cd_report *report,
					      uint32_t point, const char *name)
{
	return find(report, point, name);
}

const struct cd_cell *cd_series_cell(const struct cd_series *series, size_t row,
				     int column)
{
	return &series->cells[row * cd_series_columns(series->kind) +
			      (size_t)column];
}

double cd_series_number(const struct cd_series *series, size_t row, int column)
{
	const struct cd_cell *cell = cd_series_cell(series, row, column);

	if (!cell->defined)
		return NAN;
	switch (series->kind->columns[column].kind) {
	case CD_VALUE_SPAN:
		return (double)cell->integer / 1000;
	case CD_VALUE_REAL:
		return cell->real;
	default:
		return (double)cell->integer;
	}
}

void cd_series_release(struct cd_series *series, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(series[i].cells);
	free(series);
}
