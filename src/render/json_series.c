/* "series" and "histograms" of the JSON report. */
#include "render/json_series.h"

#include "report/series.h"

static void add_cell(struct cd_json *json, const struct cd_column *column,
		     const struct cd_cell *cell)
{
	if (!cell->defined)
		cd_json_null(json, NULL);
	else if (column->kind == CD_VALUE_SPAN)
		cd_json_span(json, NULL, cell->integer);
	else if (column->kind == CD_VALUE_REAL)
		cd_json_real(json, NULL, cell->real);
	else
		cd_json_count(json, NULL, (uint64_t)cell->integer);
}

static void add_rows(struct cd_json *json, const struct cd_series *s)
{
	int columns = (int)cd_series_columns(s->kind);

	cd_json_open(json, "rows", '[');
	for (size_t row = 0; row < s->n_rows; row++) {
		cd_json_open_flat(json, NULL, '[');
		for (int i = 0; i < columns; i++)
			add_cell(json, &s->kind->columns[i],
				 cd_series_cell(s, row, i));
		cd_json_close(json, ']');
	}
	cd_json_close(json, ']');
}

static void add_series(struct cd_json *json, const struct cd_report *r,
		       const struct cd_series *s)
{
	struct cd_str name = {0};

	cd_str_addf(&name, "%s.%s", r->captures[s->point].label,
		    s->kind->name);
	cd_json_open(json, cd_str_text(&name), '{');
	json->out->bad = json->out->bad || name.bad;
	cd_str_release(&name);
	cd_json_string(json, "label", s->kind->label);
	cd_json_count(json, "of", s->of != 0 ? s->of : s->n_rows);
	cd_json_open_flat(json, "columns", '[');
	for (size_t i = 0; i < cd_series_columns(s->kind); i++)
		cd_json_string(json, NULL, s->kind->columns[i].name);
	cd_json_close(json, ']');
	add_rows(json, s);
	cd_json_close(json, '}');
}

/* Captures in their order, kinds in that of the table. */
static void add_all(struct cd_json *json, const struct cd_report *r,
		    const char *name, bool histograms)
{
	cd_json_open(json, name, '{');
	for (uint32_t p = 0; p < r->n_captures; p++)
		for (const struct cd_series_kind *k = cd_series_table; k->name;
		     k++) {
			const struct cd_series *s =
			    cd_report_find_series(r, p, k->name);

			if (s != NULL && k->histogram == histograms)
				add_series(json, r, s);
		}
	cd_json_close(json, '}');
}

void cd_json_add_series(struct cd_json *json, const struct cd_report *report)
{
	add_all(json, report, "series", false);
	add_all(json, report, "histograms", true);
}
