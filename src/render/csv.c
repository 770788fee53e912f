/* One row per run and capture, every key a column (RFC 4180). */
#include <string.h>

#include "render/intervals.h"
#include "render/number.h"
#include "render/phrase.h"
#include "render/renderers.h"
#include "report/sweep.h"
#include "report/text.h"

/* Before the keys. */
static const char *const columns_before[] = {
    "run",   "capture",	 "role",     "path",	"format",
    "first", "complete", "accurate", "reasons", "qualifiers",
};

/* Always quoted. A spreadsheet runs what begins with = + - @ or a tab as a
 * formula; an apostrophe before it makes it text. */
static void add_text(struct cd_str *out, const char *text)
{
	struct cd_str safe = {0};

	if (text == NULL)
		return;
	cd_text_name(&safe, text);
	cd_str_add(out, "\"");
	if (strchr("=+-@", *text) != NULL && *text != '\0')
		cd_str_add(out, "'");
	for (const char *p = cd_str_text(&safe); *p != '\0'; p++) {
		if (*p == '"')
			cd_str_add(out, "\"");
		cd_str_addn(out, p, 1);
	}
	cd_str_add(out, "\"");
	out->bad = out->bad || safe.bad;
	cd_str_release(&safe);
}

static const char *name_judgement(enum cd_judgement judgement)
{
	return judgement == CD_INCONCLUSIVE ? "null"
	       : judgement == CD_TRUE	    ? "true"
					    : "false";
}

static void add_words(struct cd_str *out, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		cd_str_addf(out, "%s%s", i > 0 ? ";" : "", words[i]);
}

static void add_verdict(struct cd_str *out, const struct cd_report_verdict *v)
{
	if (v == NULL) {
		cd_str_add(out, ",,,,");
		return;
	}
	cd_str_addf(out, ",%s,%s,", name_judgement(v->complete),
		    name_judgement(v->accurate));
	add_words(out, v->reasons, v->n_reasons);
	cd_str_add(out, ",");
	add_words(out, v->qualifiers, v->n_qualifiers);
}

static void add_value(struct cd_str *out, const struct cd_value *v)
{
	cd_str_add(out, ",");
	if (v == NULL || v->kind == CD_VALUE_NULL)
		return;
	if (v->kind == CD_VALUE_TEXT)
		add_text(out, v->text);
	else
		cd_number_value(out, v);
}

/* `run` NULL: there is only one. */
static void add_row(struct cd_str *out, const struct cd_report *r, uint32_t i,
		    const char *run)
{
	const struct cd_report_capture *c = &r->captures[i];
	char first[CD_ISO_SIZE];

	add_text(out, run);
	cd_str_add(out, ",");
	add_text(out, c->label);
	cd_str_addf(out, ",%s,", cd_phrase_role(r, i));
	add_text(out, c->path);
	cd_str_add(out, ",");
	add_text(out, c->format);
	cd_str_addf(out, ",%s",
		    c->has_times ? cd_instant_iso(c->first, c->time_digits,
						  first, sizeof(first))
				 : "");
	add_verdict(out, cd_report_verdict(r, i));
	for (size_t k = 0; k < cd_key_count; k++)
		add_value(out, cd_report_find(r, i, cd_key_table[k].name));
	cd_str_add(out, "\r\n");
}

static void add_rows(struct cd_str *out, const struct cd_report *r,
		     const char *run)
{
	for (uint32_t i = 0; i < r->n_captures; i++)
		add_row(out, r, i, run);
}

/* Of a run about which nothing can be said, its name. */
static void add_run(struct cd_str *out, const struct cd_sweep_run *run)
{
	const size_t columns = sizeof(columns_before) /
				   sizeof(columns_before[0]) + cd_key_count;

	if (run->report != NULL) {
		add_rows(out, run->report, run->name);
		return;
	}
	add_text(out, run->name);
	cd_str_pad(out, ',', columns - 1);
	cd_str_add(out, "\r\n");
}

/* With --interval its table instead: a row per run, capture and interval. */
static void add_intervals(struct cd_str *out, const struct cd_report *r,
			  const char *run)
{
	for (uint32_t p = 0; p < r->n_captures; p++) {
		const struct cd_series *s =
		    cd_report_find_series(r, p, "interval");

		for (size_t row = 0; s != NULL && row < s->n_rows; row++) {
			add_text(out, run);
			cd_str_add(out, ",");
			add_text(out, r->captures[p].label);
			cd_csv_interval_row(out, s, row);
		}
	}
}

static int render_intervals(const struct cd_report *report, struct cd_str *out)
{
	cd_str_add(out, "run,capture");
	cd_csv_interval_head(out);
	add_intervals(out, report, NULL);
	return out->bad ? -1 : 0;
}

static int render_csv(const struct cd_report *report,
		      const struct cd_render_options *options,
		      struct cd_str *out)
{
	const struct cd_sweep *sweep = report->sweep;

	(void)options;
	if (cd_has_intervals(report))
		return render_intervals(report, out);
	for (size_t i = 0;
	     i < sizeof(columns_before) / sizeof(columns_before[0]); i++)
		cd_str_addf(out, "%s%s", i > 0 ? "," : "", columns_before[i]);
	for (size_t k = 0; k < cd_key_count; k++)
		cd_str_addf(out, ",%s", cd_key_table[k].name);
	cd_str_add(out, "\r\n");
	if (sweep == NULL)
		add_rows(out, report, NULL);
	for (size_t i = 0; sweep != NULL && i < sweep->n_runs; i++)
		add_run(out, &sweep->runs[i]);
	return out->bad ? -1 : 0;
}

const struct cd_renderer cd_render_csv = {
    .name = "csv",
    .suffix = ".csv",
    .render = render_csv,
};
