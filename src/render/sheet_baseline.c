/* What changed against an earlier report, for documents. */
#include "render/sheet.h"
#include "report/baseline.h"
#include "report/text.h"

static const struct cd_sheet_column columns[] = {
    {"Change", false}, {"Key", false},	{"What", false},
    {"Before", true},  {"Now", true},	{NULL, false},
};

static void add_words(struct cd_sheet *sheet, const char *words, bool utf8)
{
	struct cd_str text = {0};

	cd_str_add(&text, words);
	cd_sheet_add(sheet, &text, utf8);
}

static void add_value(struct cd_sheet *sheet, const struct cd_value *value,
		      bool utf8)
{
	struct cd_str text = {0};

	cd_text_value(&text, value, utf8);
	cd_sheet_add(sheet, &text, utf8);
}

static void add_row(struct cd_sheet *sheet, const struct cd_baseline_row *row,
		    bool utf8)
{
	add_words(sheet, cd_change_name(row->change), utf8);
	add_words(sheet, row->key, utf8);
	add_words(sheet, row->now.key->label, utf8);
	add_value(sheet, &row->before, utf8);
	add_value(sheet, &row->now, utf8);
}

void cd_sheet_baseline(struct cd_sheet *sheet, const struct cd_report *report,
		       bool utf8)
{
	static const enum cd_change shown[] = {CD_CHANGE_WORSE,
					       CD_CHANGE_BETTER};
	const struct cd_baseline *b = report->baseline;

	*sheet = (struct cd_sheet){
	    .id = "baseline",
	    .title = "Against an earlier report",
	    .caption = "What is worse or better than it was",
	    .columns = columns,
	};
	while (columns[sheet->n_columns].head != NULL)
		sheet->n_columns++;
	for (size_t i = 0; i < 2; i++)
		for (size_t k = 0; b != NULL && k < b->n_rows; k++)
			if (b->rows[k].change == shown[i])
				add_row(sheet, &b->rows[k], utf8);
}
