#include "render/json_read_parts.h"

#include <stdlib.h>
#include <string.h>

#include "report/series.h"

/* Where a value belongs. */
struct place {
	uint32_t point, stream;
	const struct cd_key *key;
};

/* What follows the label of the capture and a dot, or NULL. */
static const char *skip_label(const struct cd_report *r, uint32_t point,
			      const char *text)
{
	size_t n = strlen(r->captures[point].label);

	return strncmp(text, r->captures[point].label, n) == 0 &&
		       text[n] == '.'
		   ? text + n + 1
		   : NULL;
}

/* Labels may hold dots: the longest one that leaves a key is meant. */
static bool find_place(const struct cd_report *r, const char *text,
		       struct place *place)
{
	const char *least = NULL;

	for (uint32_t i = 0; i < r->n_captures; i++) {
		const char *name = skip_label(r, i, text);
		const struct cd_key *key;
		uint32_t stream;

		if (name == NULL || (least != NULL && name < least))
			continue;
		key = cd_key_find(cd_key_skip_stream(name, &stream));
		if (key == NULL)
			continue;
		least = name;
		*place = (struct place){i, stream, key};
	}
	return least != NULL;
}

static struct cd_value *put_number(struct cd_pick *pick, const json_t *number,
				   struct cd_report *r,
				   const struct place *place)
{
	const char *name = place->key->name;

	switch (place->key->kind) {
	case CD_VALUE_COUNT:
		return cd_report_number(r, place->point, name,
					cd_take_integer(pick, number));
	case CD_VALUE_SPAN:
		return cd_report_span(r, place->point, name,
				      cd_take_span(pick, number));
	case CD_VALUE_REAL:
		return cd_report_real(r, place->point, name,
				      cd_take_real(pick, number));
	case CD_VALUE_TEXT:
		if (cd_is_text(number))
			return cd_report_text(r, place->point, name,
					      json_string_value(number));
		break;
	case CD_VALUE_NULL:
		break;
	}
	cd_pick_fail(pick, "a text is wanted");
	return cd_report_null(r, place->point, name, "");
}

static void read_value(struct cd_pick *pick, const json_t *from,
		       struct cd_report *r, const struct place *place)
{
	const json_t *number = cd_pick_member(from, "value");
	const char *reason = cd_pick_text(pick, from, "reason");
	struct cd_value *value;

	if (!json_is_object(from))
		cd_pick_fail(pick, "it is no object");
	if (number != NULL)
		value = put_number(pick, number, r, place);
	else
		value = cd_report_null(
		    r, place->point, place->key->name,
		    cd_report_keep(r, reason == NULL ? "undefined" : reason));
	if (place->stream != CD_NO_STREAM)
		value = cd_value_of_stream(r, value, place->stream);
	value->has_interval = cd_pick_member(from, "low") != NULL &&
			      cd_pick_member(from, "high") != NULL;
	if (value->has_interval) {
		value->low = cd_pick_real(pick, from, "low");
		value->high = cd_pick_real(pick, from, "high");
	}
	value->has_n = cd_pick_member(from, "n") != NULL;
	if (value->has_n)
		value->n = cd_pick_count(pick, from, "n", 0);
}

/* ---- series -------------------------------------------------------------- */

static void read_cell(struct cd_pick *pick, const json_t *from,
		      struct cd_series *series, int column)
{
	if (from == NULL || json_is_null(from))
		return;
	switch (series->kind->columns[column].kind) {
	case CD_VALUE_SPAN:
		cd_series_span(series, column, cd_take_span(pick, from));
		break;
	case CD_VALUE_REAL:
		cd_series_real(series, column, cd_take_real(pick, from));
		break;
	default:
		cd_series_count(series, column,
				(uint64_t)cd_take_integer(pick, from));
		break;
	}
}

/* Columns of the file in those of the kind; columns may have been added. */
static void map_columns(const json_t *columns, const struct cd_series *series,
			size_t *at)
{
	size_t n = cd_series_columns(series->kind);

	for (size_t i = 0; i < n; i++) {
		at[i] = SIZE_MAX;
		for (size_t j = 0; j < json_array_size(columns); j++) {
			const char *name =
			    json_string_value(json_array_get(columns, j));

			if (name != NULL &&
			    strcmp(name, series->kind->columns[i].name) == 0)
				at[i] = j;
		}
	}
}

static void read_rows(struct cd_pick *pick, const json_t *from,
		      struct cd_report *r, struct cd_series *series)
{
	const json_t *rows = cd_pick_list(pick, from, "rows");
	size_t n = json_array_size(rows);
	size_t columns = cd_series_columns(series->kind);
	size_t at[CD_SERIES_COLUMNS];

	map_columns(cd_pick_list(pick, from, "columns"), series, at);
	for (size_t row = 0; row < n && !pick->bad; row++) {
		const json_t *cells = json_array_get(rows, row);

		if (!json_is_array(cells))
			cd_pick_fail(pick, "row %zu is no list", row);
		if (!cd_series_add(r, series))
			return;
		for (size_t i = 0; i < columns; i++)
			if (at[i] != SIZE_MAX)
				read_cell(pick, json_array_get(cells, at[i]),
					  series, (int)i);
	}
	series->of = cd_pick_count(pick, from, "of", n);
	if (series->of == n)
		series->of = 0;
}

static void read_series(struct cd_pick *pick, const json_t *from,
			struct cd_report *r, const char *name)
{
	for (uint32_t i = 0; i < r->n_captures; i++) {
		const char *rest = skip_label(r, i, name);

		if (rest == NULL || cd_series_kind_find(rest) == NULL)
			continue;
		if (cd_report_find_series(r, i, rest) == NULL) {
			struct cd_series *s = cd_report_series(r, i, rest);

			if (s != NULL)
				read_rows(pick, from, r, s);
		}
		return;
	}
}

static void read_all_series(struct cd_pick *pick, const json_t *root,
			    const char *member, struct cd_report *r)
{
	const json_t *all = cd_pick_object(pick, root, member);
	const char *name;
	json_t *from;

	json_object_foreach((json_t *)(uintptr_t)all, name, from)
	{
		cd_pick_at(pick, "%s.%s", member, name);
		read_series(pick, from, r, name);
		if (pick->bad)
			return;
	}
	cd_pick_at(pick, "%s", "");
}

void cd_read_values(struct cd_pick *pick, const json_t *root,
		    struct cd_report *report)
{
	const json_t *all = cd_pick_object(pick, root, "values");
	struct place place = {0};
	const char *name;
	json_t *from;

	json_object_foreach((json_t *)(uintptr_t)all, name, from)
	{
		if (!find_place(report, name, &place))
			continue;
		cd_pick_at(pick, "values.%s", name);
		read_value(pick, from, report, &place);
		if (pick->bad)
			return;
	}
	cd_pick_at(pick, "%s", "");
	read_all_series(pick, root, "series", report);
	read_all_series(pick, root, "histograms", report);
}
