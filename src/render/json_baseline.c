#include "render/json_baseline.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "render/json_read_parts.h"
#include "render/number.h"
#include "report/baseline.h"

/* ---- writing ------------------------------------------------------------- */

static void add_value(struct cd_json *json, const char *name,
		      const struct cd_value *value)
{
	if (value->kind == CD_VALUE_NULL) {
		cd_json_null(json, name);
	} else if (value->kind == CD_VALUE_TEXT) {
		cd_json_string(json, name, value->text);
	} else {
		cd_json_name(json, name);
		cd_number_value(json->out, value);
	}
}

static void add_row(struct cd_json *json, const struct cd_baseline_row *row)
{
	cd_json_open_flat(json, NULL, '{');
	cd_json_string(json, "key", row->key);
	add_value(json, "before", &row->before);
	add_value(json, "now", &row->now);
	cd_json_string(json, "unit", row->now.key->unit);
	cd_json_string(json, "change", cd_change_name(row->change));
	cd_json_close(json, '}');
}

void cd_json_add_baseline(struct cd_json *json, const struct cd_report *report)
{
	const struct cd_baseline *b = report->baseline;

	if (b == NULL)
		return;
	cd_json_open(json, "baseline", '{');
	cd_json_string(json, "path", b->path);
	cd_json_count(json, "same", b->same);
	cd_json_open(json, "verdicts", '[');
	for (size_t i = 0; i < b->n_verdicts; i++) {
		cd_json_open_flat(json, NULL, '{');
		cd_json_string(json, "key", b->verdicts[i].key);
		cd_json_judgement(json, "before", b->verdicts[i].before);
		cd_json_judgement(json, "now", b->verdicts[i].now);
		cd_json_close(json, '}');
	}
	cd_json_close(json, ']');
	cd_json_open(json, "changes", '[');
	for (size_t i = 0; i < b->n_rows; i++)
		add_row(json, &b->rows[i]);
	cd_json_close(json, ']');
	cd_json_close(json, '}');
}

/* ---- reading ------------------------------------------------------------- */

/* The key behind any label. */
static const struct cd_key *find_key(const char *text)
{
	for (const char *at = text; at != NULL; at = strchr(at, '.')) {
		const struct cd_key *key;

		at += *at == '.';
		key = cd_key_find(at);
		if (key != NULL)
			return key;
	}
	return NULL;
}

static void read_value(struct cd_pick *pick, const json_t *from,
		       const char *name, const struct cd_key *key,
		       struct cd_value *out)
{
	const json_t *member = cd_pick_member(from, name);

	*out = (struct cd_value){
	    .key = key,
	    .stream = CD_NO_STREAM,
	    .kind = member == NULL ? CD_VALUE_NULL : key->kind,
	    .reason = "",
	};
	if (out->kind == CD_VALUE_TEXT)
		out->text = cd_pick_copy(pick, from, name);
	else if (out->kind == CD_VALUE_SPAN)
		out->integer = cd_take_span(pick, member);
	else if (out->kind == CD_VALUE_COUNT)
		out->integer = cd_take_integer(pick, member);
	else if (out->kind == CD_VALUE_REAL)
		out->real = cd_take_real(pick, member);
}

static enum cd_change read_change(struct cd_pick *pick, const json_t *from)
{
	const char *name = cd_pick_text(pick, from, "change");

	for (int i = CD_CHANGE_WORSE; name != NULL && i <= CD_CHANGE_OTHER; i++)
		if (strcmp(cd_change_name((enum cd_change)i), name) == 0)
			return (enum cd_change)i;
	cd_pick_fail(pick, "\"change\" is no worse, better or changed");
	return CD_CHANGE_OTHER;
}

/* Rows of keys that this version does not know are passed over. */
static void read_rows(struct cd_pick *pick, const json_t *list,
		      struct cd_baseline *b)
{
	size_t n = json_array_size(list);

	b->rows = cd_read_room(pick, n, sizeof(*b->rows));
	for (size_t i = 0; i < n && b->rows != NULL && !pick->bad; i++) {
		const json_t *from = json_array_get(list, i);
		struct cd_baseline_row *row = &b->rows[b->n_rows];
		const char *name = cd_pick_text(pick, from, "key");
		const struct cd_key *key = name == NULL ? NULL : find_key(name);

		if (key == NULL)
			continue;
		b->n_rows++;
		row->key = cd_pick_copy(pick, from, "key");
		read_value(pick, from, "before", key, &row->before);
		read_value(pick, from, "now", key, &row->now);
		row->change = read_change(pick, from);
	}
}

static void read_verdicts(struct cd_pick *pick, const json_t *list,
			  struct cd_baseline *b)
{
	size_t n = json_array_size(list);

	b->verdicts = cd_read_room(pick, n, sizeof(*b->verdicts));
	b->n_verdicts = b->verdicts == NULL ? 0 : n;
	for (size_t i = 0; i < b->n_verdicts; i++) {
		const json_t *from = json_array_get(list, i);

		b->verdicts[i].key = cd_pick_copy(pick, from, "key");
		if (b->verdicts[i].key == NULL)
			cd_pick_fail(pick, "a verdict has no key");
		b->verdicts[i].before = cd_read_judgement(pick, from, "before");
		b->verdicts[i].now = cd_read_judgement(pick, from, "now");
	}
}

void cd_json_read_baseline(struct cd_pick *pick, const json_t *root,
			   struct cd_report *report)
{
	const json_t *from;

	if (cd_pick_member(root, "baseline") == NULL || pick->bad)
		return;
	cd_pick_at(pick, "baseline");
	from = cd_pick_object(pick, root, "baseline");
	report->baseline = cd_read_room(pick, 1, sizeof(*report->baseline));
	if (report->baseline == NULL)
		return;
	report->baseline->path = cd_pick_copy(pick, from, "path");
	report->baseline->same = cd_pick_count(pick, from, "same", 0);
	read_verdicts(pick, cd_pick_list(pick, from, "verdicts"),
		      report->baseline);
	read_rows(pick, cd_pick_list(pick, from, "changes"), report->baseline);
	if (report->baseline->path == NULL)
		cd_pick_fail(pick, "it has no path");
	cd_pick_at(pick, "%s", "");
}
