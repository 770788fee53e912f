/* Every value, behind a click. */
#include "render/html.h"
#include "render/phrase.h"

/* What the sentence about tables left out takes at most. */
#define RESERVE 400

static void add_value(struct cd_str *out, const struct cd_value *v)
{
	struct cd_str text = {0};

	cd_str_addf(out, "<tr><th scope=\"row\"><code>%s</code></th><td>",
		    v->key->name);
	cd_html_text(out, v->key->label);
	cd_str_add(out, "</td><td>");
	cd_phrase_value(v, true, &text);
	cd_html_take(out, &text);
	cd_str_add(out, "</td></tr>\n");
}

static void open_table(struct cd_str *out, const struct cd_report *r,
		       uint32_t point, uint32_t stream)
{
	cd_str_add(out, "<details>\n<summary>");
	cd_html_text(out, cd_phrase_label(r, point));
	if (stream != CD_NO_STREAM)
		cd_str_addf(out, ", stream %lu", (unsigned long)stream);
	cd_str_add(out, "</summary>\n");
	cd_html_table(out, "all",
		      stream == CD_NO_STREAM ? "All values of the capture"
					     : "All values of the stream");
	cd_str_add(out, "<thead>\n<tr><th scope=\"col\">Key</th>"
			"<th scope=\"col\">What</th><th scope=\"col\">Value"
			"</th></tr>\n</thead>\n<tbody>\n");
}

static void close_table(struct cd_str *out)
{
	cd_str_add(out, "</tbody>\n");
	cd_html_table_end(out);
	cd_str_add(out, "</details>\n");
}

/* Appends a whole table or, if that would be more than `room`, nothing. */
static bool move_if_fits(struct cd_str *out, struct cd_str *table, size_t room)
{
	bool fits = out->length + table->length + RESERVE <= room;

	if (fits)
		cd_str_addn(out, cd_str_text(table), table->length);
	out->bad = out->bad || table->bad;
	cd_str_release(table);
	return fits;
}

static bool add_capture(struct cd_str *out, const struct cd_report *r,
			uint32_t point, size_t room)
{
	struct cd_str table = {0};
	bool any = false;

	for (size_t k = 0; k < cd_key_count; k++) {
		const struct cd_value *v =
		    cd_report_find(r, point, cd_key_table[k].name);

		if (v == NULL)
			continue;
		if (!any)
			open_table(&table, r, point, CD_NO_STREAM);
		add_value(&table, v);
		any = true;
	}
	if (!any)
		return true;
	close_table(&table);
	return move_if_fits(out, &table, room);
}

/* Values of a stream of a capture stand together: one table for each run of
 * them. Returns how many tables did not fit. */
static size_t add_streams(struct cd_str *out, const struct cd_report *r,
			  uint32_t point, size_t room)
{
	struct cd_str table = {0};
	uint32_t stream = CD_NO_STREAM; /* of the table that is open */
	size_t left_out = 0;

	for (size_t i = 0; i < r->n_values; i++) {
		const struct cd_value *v = &r->values[i];

		if (v->stream == CD_NO_STREAM || v->point != point)
			continue;
		if (v->stream != stream) {
			if (stream != CD_NO_STREAM) {
				close_table(&table);
				left_out += !move_if_fits(out, &table, room);
			}
			table = (struct cd_str){0};
			stream = v->stream;
			open_table(&table, r, point, stream);
		}
		add_value(&table, v);
	}
	if (stream == CD_NO_STREAM)
		return 0;
	close_table(&table);
	return left_out + !move_if_fits(out, &table, room);
}

void cd_html_values(struct cd_str *out, const struct cd_report *report,
		    size_t room)
{
	size_t left_out = 0;

	if (report->n_values == 0 || room < 2 * RESERVE)
		return;
	cd_html_section(out, "values", "All values");
	cd_str_add(out, "<p class=\"soft\">The keys are those of the JSON "
			"report and of limits; capdiff-keys(7) explains "
			"them.</p>\n");
	for (uint32_t i = 0; i < report->n_captures; i++)
		left_out += !add_capture(out, report, i, room);
	for (uint32_t i = 0; i < report->n_captures; i++)
		left_out += add_streams(out, report, i, room);
	if (left_out > 0)
		cd_str_addf(out, "<p>%zu more tables would make this page too "
				 "large; they are in the JSON report.</p>\n",
			    left_out);
	cd_str_add(out, "</section>\n");
}
