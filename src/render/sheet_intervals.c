/* The table of --interval, for documents. */
#include "render/intervals.h"
#include "render/sheet.h"
#include "report/text.h"

static const struct cd_sheet_column columns[] = {
    {"From, s", true},	 {"Packets", true},	{"Missing", true},
    {"Dropped", true},	 {"Packet rate", true}, {"L1", true},
    {"L2 with FCS", true}, {"Captured", true},	{"Mean frame", true},
    {"Load", true},
};

struct table {
	struct cd_sheet *sheet;
	const struct cd_series *series;
	bool utf8;
};

static const struct cd_cell *find(const struct table *t, size_t row,
				  const char *name)
{
	return cd_series_cell(t->series, row,
			      cd_series_column(t->series->kind, name));
}

static void add_count(struct table *t, const struct cd_cell *cell)
{
	struct cd_str text = {0};

	if (cell->defined)
		cd_text_count(&text, cell->integer);
	else
		cd_str_add(&text, "-");
	cd_sheet_add(t->sheet, &text, t->utf8);
}

static void add_rate(struct table *t, size_t row, const char *name,
		     const char *unit)
{
	const struct cd_cell *cell = find(t, row, name);
	struct cd_str text = {0};

	if (cell->defined)
		cd_text_rate(&text, cell->real, unit);
	else
		cd_str_add(&text, "-");
	cd_sheet_add(t->sheet, &text, t->utf8);
}

static void add_row(struct table *t, size_t row)
{
	const struct cd_cell *bytes = find(t, row, "frame_bytes_mean");
	const struct cd_cell *used = find(t, row, "utilisation");
	struct cd_str from = {0}, size = {0}, load = {0};

	cd_interval_seconds(&from, find(t, row, "from_ns"));
	cd_sheet_add(t->sheet, &from, t->utf8);
	add_count(t, find(t, row, "packets"));
	add_count(t, find(t, row, "missing"));
	add_count(t, find(t, row, "dropped"));
	add_rate(t, row, "pps", "pps");
	add_rate(t, row, "l1_bps", "bit/s");
	add_rate(t, row, "l2_bps", "bit/s");
	add_rate(t, row, "captured_bps", "bit/s");
	if (bytes->defined)
		cd_str_addf(&size, "%.0f B", bytes->real);
	cd_sheet_add(t->sheet, &size, t->utf8);
	if (used->defined)
		cd_text_ratio(&load, used->real);
	else
		cd_str_add(&load, "-");
	cd_sheet_add(t->sheet, &load, t->utf8);
}

static void add_total(struct table *t)
{
	static const char *const counts[] = {"packets", "missing", "dropped"};
	struct cd_str total = {0};

	cd_str_add(&total, "total");
	cd_sheet_add(t->sheet, &total, t->utf8);
	for (size_t i = 0; i < 3; i++) {
		struct cd_cell sum = cd_interval_sum(t->series, counts[i]);

		add_count(t, &sum);
	}
	while (t->sheet->n_cells % t->sheet->n_columns != 0 && !t->sheet->bad) {
		struct cd_str none = {0};

		cd_sheet_add(t->sheet, &none, t->utf8);
	}
}

void cd_sheet_intervals(struct cd_sheet *sheet, const struct cd_report *report,
			uint32_t point, size_t most, bool utf8)
{
	struct table t = {
	    .sheet = sheet,
	    .series = cd_report_find_series(report, point, "interval"),
	    .utf8 = utf8,
	};
	size_t n = t.series == NULL ? 0 : t.series->n_rows;

	*sheet = (struct cd_sheet){
	    .id = "intervals",
	    .title = "Intervals",
	    .caption = n <= most ? "Every packet, numbered or not"
				 : "Every packet, numbered or not; the first "
				   "intervals of many, all of them are in CSV "
				   "and JSON",
	    .columns = columns,
	    .n_columns = sizeof(columns) / sizeof(columns[0]),
	};
	if (n == 0)
		return;
	for (size_t row = 0; row < n && row < most; row++)
		add_row(&t, row);
	add_total(&t);
}
