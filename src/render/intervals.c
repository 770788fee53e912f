/* The table of --interval: as text of 80 columns, and as CSV. */
#include "render/intervals.h"

#include "render/number.h"
#include "render/phrase.h"
#include "report/series.h"
#include "report/text.h"

#define NAME "interval"
#define SECONDS 14 /* columns */

static int column(const struct cd_series *s, const char *name)
{
	return cd_series_column(s->kind, name);
}

static const struct cd_cell *cell(const struct cd_series *s, size_t row,
				  const char *name)
{
	return cd_series_cell(s, row, column(s, name));
}

/* Right-aligned, behind a blank. */
static void put_right(struct cd_screen *screen, struct cd_str *text,
		      size_t columns)
{
	size_t n = cd_columns(cd_str_text(text));

	cd_str_pad(screen->out, ' ', 1 + (n < columns ? columns - n : 0));
	cd_str_add(screen->out, cd_str_text(text));
	screen->out->bad = screen->out->bad || text->bad;
	cd_str_release(text);
}

static void put_count(struct cd_screen *screen, const struct cd_cell *count,
		      size_t columns)
{
	struct cd_str text = {0};

	if (count->defined)
		cd_text_count(&text, count->integer);
	else
		cd_str_add(&text, "-");
	put_right(screen, &text, columns);
}

void cd_interval_seconds(struct cd_str *out, const struct cd_cell *at)
{
	int64_t ns = at->integer / 1000;

	if (!at->defined)
		cd_str_add(out, "-");
	else
		cd_str_addf(out, "%s%lld.%09lld", ns < 0 ? "-" : "",
			    (long long)(ns < 0 ? -ns : ns) / 1000000000,
			    (long long)(ns < 0 ? -ns : ns) % 1000000000);
}

static void put_seconds(struct cd_screen *screen, const struct cd_cell *at)
{
	struct cd_str text = {0};

	cd_interval_seconds(&text, at);
	put_right(screen, &text, SECONDS);
}

static void put_rate(struct cd_screen *screen, const struct cd_cell *rate,
		     const char *unit, size_t columns)
{
	struct cd_str text = {0};

	if (rate->defined)
		cd_text_rate(&text, rate->real, unit);
	else
		cd_str_add(&text, "-");
	put_right(screen, &text, columns);
}

static void put_row(struct cd_screen *screen, const struct cd_series *s,
		    size_t row)
{
	const struct cd_cell *bytes = cell(s, row, "frame_bytes_mean");
	const struct cd_cell *used = cell(s, row, "utilisation");
	struct cd_str text = {0};

	put_seconds(screen, cell(s, row, "from_ns"));
	put_count(screen, cell(s, row, "packets"), 10);
	put_count(screen, cell(s, row, "missing"), 8);
	put_count(screen, cell(s, row, "dropped"), 7);
	put_rate(screen, cell(s, row, "pps"), "pps", 12);
	put_rate(screen, cell(s, row, "l1_bps"), "bit/s", 10);
	if (bytes->defined)
		cd_str_addf(&text, "%.0f", bytes->real);
	put_right(screen, &text, 4);
	if (used->defined)
		cd_str_addf(&text, "%.1f%%", 100 * used->real);
	else
		cd_str_add(&text, "-");
	put_right(screen, &text, 6);
	cd_str_add(screen->out, "\n");
}

static void put_word(struct cd_screen *screen, const char *word,
		     size_t columns)
{
	struct cd_str text = {0};

	cd_str_add(&text, word);
	put_right(screen, &text, columns);
}

static void put_head(struct cd_screen *screen)
{
	put_word(screen, "from, s", SECONDS);
	put_word(screen, "packets", 10);
	put_word(screen, "missing", 8);
	put_word(screen, "dropped", 7);
	put_word(screen, "rate", 12);
	put_word(screen, "L1", 10);
	put_word(screen, "size", 4);
	put_word(screen, "load", 6);
	cd_str_add(screen->out, "\n");
}

struct cd_cell cd_interval_sum(const struct cd_series *s, const char *name)
{
	struct cd_cell sum = {.defined = true};

	for (size_t row = 0; row < s->n_rows; row++) {
		const struct cd_cell *part = cell(s, row, name);

		sum.defined = sum.defined && part->defined;
		sum.integer += part->integer;
	}
	return sum;
}

static void put_total(struct cd_screen *screen, const struct cd_series *s)
{
	struct cd_cell packets = cd_interval_sum(s, "packets");
	struct cd_cell missing = cd_interval_sum(s, "missing");
	struct cd_cell dropped = cd_interval_sum(s, "dropped");

	put_word(screen, "total", SECONDS);
	put_count(screen, &packets, 10);
	put_count(screen, &missing, 8);
	put_count(screen, &dropped, 7);
	cd_str_add(screen->out, "\n");
}

void cd_put_intervals(struct cd_screen *screen, const struct cd_report *report)
{
	for (uint32_t p = 0; p < report->n_captures; p++) {
		const struct cd_series *s =
		    cd_report_find_series(report, p, NAME);
		struct cd_str label = {0};

		if (s == NULL)
			continue;
		cd_put_gap(screen);
		cd_clean(&label, cd_phrase_label(report, p), screen->utf8);
		cd_str_addf(screen->out,
			    "%s: every packet, numbered or not\n",
			    cd_str_text(&label));
		cd_str_release(&label);
		put_head(screen);
		for (size_t row = 0; row < s->n_rows; row++)
			put_row(screen, s, row);
		put_total(screen, s);
	}
}

/* ---- CSV ------------------------------------------------------------------ */

bool cd_has_intervals(const struct cd_report *report)
{
	for (uint32_t p = 0; p < report->n_captures; p++)
		if (cd_report_find_series(report, p, NAME) != NULL)
			return true;
	return false;
}

void cd_csv_interval_head(struct cd_str *out)
{
	const struct cd_series_kind *kind = cd_series_kind_find(NAME);

	for (size_t i = 0; i < cd_series_columns(kind); i++)
		cd_str_addf(out, ",%s", kind->columns[i].name);
	cd_str_add(out, "\r\n");
}

void cd_csv_interval_row(struct cd_str *out, const struct cd_series *s,
			 size_t row)
{
	for (size_t i = 0; i < cd_series_columns(s->kind); i++) {
		const struct cd_cell *c = cd_series_cell(s, row, (int)i);

		cd_str_add(out, ",");
		if (!c->defined)
			continue;
		if (s->kind->columns[i].kind == CD_VALUE_SPAN)
			cd_number_span(out, c->integer);
		else if (s->kind->columns[i].kind == CD_VALUE_REAL)
			cd_number_real(out, c->real);
		else
			cd_str_addf(out, "%lld", (long long)c->integer);
	}
	cd_str_add(out, "\r\n");
}
