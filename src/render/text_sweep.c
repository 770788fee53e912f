/* Sweeps as text: the table that studies publish, then what ends where. */
#include "render/text_sweep.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "render/phrase.h"
#include "report/sweep.h"
#include "report/text.h"

#define COLUMNS 9
#define LABEL_LEAST 6 /* columns of a clipped label */

/* Columns of the table of cells. */
enum { SIZE, LOAD, PPS, POINT, PACKETS, CAPTURED, LONGEST, ERROR, VERDICT };

/* Rows of texts of the same number of columns, the first two the head. */
struct table {
	char **texts;
	size_t n, capacity;
	size_t columns;
	size_t widths[COLUMNS];
	bool left[COLUMNS], hidden[COLUMNS];
	bool bad;
};

static void table_release(struct table *table)
{
	for (size_t i = 0; i < table->n; i++)
		free(table->texts[i]);
	free(table->texts);
}

/* Takes over the text, which becomes clean. */
static void add_cell(struct table *t, const struct cd_screen *screen,
		     struct cd_str *raw)
{
	struct cd_str clean = {0};
	size_t column = t->n % t->columns, width;

	cd_clean_sentence(&clean, cd_str_text(raw), screen->utf8);
	if (clean.text == NULL)
		clean.text = cd_strdup("");
	t->bad = t->bad || raw->bad || clean.bad || clean.text == NULL;
	cd_str_release(raw);
	if (t->bad || cd_grow(&t->texts, &t->capacity, t->n + 1,
			      sizeof(*t->texts))) {
		t->bad = true;
		free(clean.text);
		return;
	}
	width = cd_columns(clean.text);
	if (width > t->widths[column])
		t->widths[column] = width;
	t->texts[t->n++] = clean.text;
}

static void add_words(struct table *t, const struct cd_screen *screen,
		      const char *words)
{
	struct cd_str text = {0};

	cd_str_add(&text, words);
	add_cell(t, screen, &text);
}

static size_t total_width(const struct table *t, size_t gap)
{
	size_t sum = 0;

	for (size_t i = 0; i < t->columns; i++)
		if (!t->hidden[i])
			sum += t->widths[i] + (sum > 0 ? gap : 0);
	return sum;
}

static void put_row(struct cd_screen *screen, const struct table *t,
		    size_t row, size_t gap)
{
	struct cd_str line = {0};
	size_t length;

	for (size_t i = 0; i < t->columns; i++) {
		const char *text = t->texts[row * t->columns + i];
		size_t used = cd_columns(text), width = t->widths[i];

		if (t->hidden[i])
			continue;
		cd_str_pad(&line, ' ', line.length > 0 ? gap : 0);
		if (!t->left[i] && used < width)
			cd_str_pad(&line, ' ', width - used);
		if (used > width) {
			struct cd_screen part = *screen;

			part.out = &line;
			cd_put_cell(&part, text, width);
			continue;
		}
		cd_str_add(&line, text);
		if (t->left[i])
			cd_str_pad(&line, ' ', width - used);
	}
	length = line.length;
	while (length > 0 && line.text[length - 1] == ' ')
		length--;
	cd_str_addn(screen->out, cd_str_text(&line), length);
	cd_str_add(screen->out, "\n");
	screen->out->bad = screen->out->bad || line.bad;
	cd_str_release(&line);
}

static void put_table(struct cd_screen *screen, const struct table *t,
		      size_t gap)
{
	screen->out->bad = screen->out->bad || t->bad;
	for (size_t row = 0; !t->bad && (row + 1) * t->columns <= t->n; row++)
		put_row(screen, t, row, gap);
}

/* ---- the heading --------------------------------------------------------- */

static void put_heading(struct cd_screen *screen, const struct cd_report *r)
{
	struct cd_str raw = {0}, clean = {0};

	cd_phrase_sweep(r, &raw);
	cd_clean_sentence(&clean, cd_str_text(&raw), screen->utf8);
	cd_put_wrapped(screen, cd_str_text(&clean), 0, 2);
	cd_str_add(screen->out, "Frame sizes include the 4-byte FCS; load is "
				"on the wire (L1).\n");
	screen->out->bad = screen->out->bad || raw.bad || clean.bad;
	cd_str_release(&raw);
	cd_str_release(&clean);
}

/* ---- cells --------------------------------------------------------------- */

static void add_size(struct table *t, const struct cd_screen *screen,
		     uint32_t size)
{
	struct cd_str text = {0};

	if (size > 0)
		cd_str_addf(&text, "%lu", (unsigned long)size);
	else
		cd_str_add(&text, "mixed");
	add_cell(t, screen, &text);
}

static void add_load(struct table *t, const struct cd_screen *screen,
		     const struct cd_sweep_cell *cell)
{
	struct cd_str text = {0};

	if (cell->load > 0)
		cd_text_ratio(&text, cell->load);
	else if (cell->l1_bps > 0)
		cd_text_rate(&text, cell->l1_bps, "bit/s");
	else
		cd_str_add(&text, "-");
	add_cell(t, screen, &text);
}

static void add_pps(struct table *t, const struct cd_screen *screen,
		    const struct cd_sweep_cell *cell)
{
	struct cd_str text = {0};

	if (cell->pps > 0)
		cd_text_count(&text, (int64_t)(cell->pps + 0.5));
	else
		cd_str_add(&text, "-");
	add_cell(t, screen, &text);
}

static uint64_t captured(const struct cd_sweep_cell *cell)
{
	return cell->missing < cell->expected ? cell->expected - cell->missing
					      : 0;
}

static void add_counts(struct table *t, const struct cd_screen *screen,
		       const struct cd_sweep_cell *cell)
{
	struct cd_str packets = {0}, share = {0};

	cd_str_add(&packets, cell->has_counts ? "" : "-");
	cd_str_add(&share, cell->has_counts ? "" : "-");
	if (cell->has_counts) {
		cd_text_count(&packets, (int64_t)captured(cell));
		cd_text_percent_captured(&share, captured(cell),
					 cell->expected);
	}
	add_cell(t, screen, &packets);
	add_cell(t, screen, &share);
}

static void add_span(struct table *t, const struct cd_screen *screen,
		     const struct cd_sweep_spread *spread)
{
	struct cd_str text = {0};

	if (spread->n > 0)
		cd_text_span(&text, (double)spread->median_ps, screen->utf8);
	else
		cd_str_add(&text, "-");
	add_cell(t, screen, &text);
}

/* Trials beside it where there are several: "LOSSY 1/3". */
static void add_verdict(struct table *t, const struct cd_screen *screen,
			const struct cd_sweep_cell *c)
{
	const struct cd_sweep_trials *trials = &c->complete;
	struct cd_str text = {0};
	const char *word = "undecided";

	if (c->complete.judgement == CD_FALSE) {
		word = "LOSSY";
	} else if (c->accurate.judgement == CD_FALSE) {
		word = "inaccurate";
		trials = &c->accurate;
	} else if (c->complete.judgement == CD_TRUE) {
		word = c->accurate.judgement == CD_TRUE ? "ok" : "complete";
	}
	cd_str_add(&text, word);
	if (c->n_runs > 1)
		cd_str_addf(&text, " %zu/%zu", trials->failed, trials->valid);
	add_cell(t, screen, &text);
}

static void add_row(struct table *t, const struct cd_screen *screen,
		    const struct cd_report *r, const struct cd_sweep_cell *c)
{
	add_size(t, screen, c->size);
	add_load(t, screen, c);
	add_pps(t, screen, c);
	add_words(t, screen, cd_phrase_label(r, c->point));
	add_counts(t, screen, c);
	add_span(t, screen, &c->longest_delta);
	add_span(t, screen, &c->error);
	add_verdict(t, screen, c);
}

/* Two blanks between columns, or one; then the label and at last the packet
 * rate give way. */
static size_t fit_table(struct table *t, size_t width)
{
	size_t gap = total_width(t, 2) <= width ? 2 : 1;

	while (total_width(t, gap) > width && t->widths[POINT] > LABEL_LEAST)
		t->widths[POINT]--;
	t->hidden[PPS] = total_width(t, gap) > width;
	return gap;
}

static void put_cells(struct cd_screen *screen, const struct cd_report *r)
{
	static const char *const head[2 * COLUMNS] = {
	    "",	    "",	    "",	     "",      "",	 "",	     "longest", "error",
	    "",	    "size", "load",  "pkt/s", "point",   "packets",  "captured",
	    "delta", "99.8 %", ""};
	struct table t = {.columns = COLUMNS};

	t.left[POINT] = t.left[VERDICT] = true;
	for (size_t i = 0; i < 2 * COLUMNS; i++)
		add_words(&t, screen, head[i]);
	for (size_t i = 0; i < r->sweep->n_cells; i++)
		add_row(&t, screen, r, &r->sweep->cells[i]);
	cd_put_gap(screen);
	put_table(screen, &t, fit_table(&t, screen->width));
	table_release(&t);
}

/* ---- set-ups side by side ------------------------------------------------ */

/* Cells of a size follow each other; a set-up that comes again begins the
 * next row (another rate). */
static size_t add_setup_row(struct table *t, const struct cd_screen *screen,
			    const struct cd_report *r, size_t from)
{
	const struct cd_sweep_cell *cells = r->sweep->cells;
	size_t to = from;

	add_size(t, screen, cells[from].size);
	for (uint32_t p = 0; p < r->n_captures; p++) {
		struct cd_str text = {0};

		if (to < r->sweep->n_cells && cells[to].point == p &&
		    cells[to].size == cells[from].size) {
			const struct cd_sweep_cell *c = &cells[to++];

			if (c->has_counts) {
				cd_text_count(&text, (int64_t)captured(c));
				cd_str_add(&text, "  ");
				cd_text_percent_captured(&text, captured(c),
							 c->expected);
			}
		}
		if (text.length == 0)
			cd_str_add(&text, "-");
		add_cell(t, screen, &text);
	}
	return to > from ? to : from + 1;
}

/* False if it would be too wide. */
static bool put_setups(struct cd_screen *screen, const struct cd_report *r)
{
	struct table t = {.columns = r->n_captures + 1};
	bool fits;

	if (r->sweep->has_reference || t.columns > COLUMNS)
		return false;
	add_words(&t, screen, "size");
	for (size_t i = 0; i < r->n_captures; i++)
		add_words(&t, screen, cd_phrase_label(r, (int64_t)i));
	for (size_t i = 0; i < r->sweep->n_cells;)
		i = add_setup_row(&t, screen, r, i);
	fits = total_width(&t, 2) <= screen->width;
	if (fits) {
		cd_put_gap(screen);
		cd_str_add(screen->out, "Packets captured, by frame size and "
					"set-up\n");
		put_table(screen, &t, 2);
	}
	table_release(&t);
	return fits;
}

/* ---- onsets -------------------------------------------------------------- */

static void add_bracket(struct table *t, const struct cd_screen *screen,
			const struct cd_sweep_bracket *b)
{
	struct cd_str text = {0};

	if (b->tested == 0) {
		cd_str_add(&text, "not known");
	} else if (!b->has_up_to) {
		cd_str_add(&text, "less than ");
		cd_text_rate(&text, b->fails_at_bps, "bit/s");
	} else {
		if (!b->has_fails_at)
			cd_str_add(&text,
				   screen->utf8 ? "\xe2\x89\xa5 " : ">= ");
		cd_text_rate(&text, b->up_to_bps, "bit/s");
	}
	if (b->has_up_to && b->has_fails_at) {
		cd_str_add(&text, " (fails ");
		cd_text_rate(&text, b->fails_at_bps, "bit/s");
		cd_str_add(&text, ")");
	}
	add_cell(t, screen, &text);
}

static void put_onsets(struct cd_screen *screen, const struct cd_report *r)
{
	const struct cd_sweep *sweep = r->sweep;
	struct table t = {.columns = 4};

	t.left[1] = t.left[2] = t.left[3] = true;
	add_words(&t, screen, "size");
	add_words(&t, screen, "point");
	add_words(&t, screen, "complete up to");
	add_words(&t, screen, "accurate up to");
	for (size_t i = 0; i < sweep->n_onsets; i++) {
		add_size(&t, screen, sweep->onsets[i].size);
		add_words(&t, screen,
			  cd_phrase_label(r, sweep->onsets[i].point));
		add_bracket(&t, screen, &sweep->onsets[i].complete);
		add_bracket(&t, screen, &sweep->onsets[i].accurate);
	}
	while (total_width(&t, 2) > screen->width &&
	       t.widths[1] > LABEL_LEAST)
		t.widths[1]--;
	if (t.n > t.columns) {
		cd_put_gap(screen);
		put_table(screen, &t, 2);
	}
	table_release(&t);
}

/* ---- sentences ----------------------------------------------------------- */

static void put_sentence(struct cd_screen *screen, struct cd_str *raw)
{
	struct cd_str clean = {0};

	cd_clean_sentence(&clean, cd_str_text(raw), screen->utf8);
	cd_put_wrapped(screen, cd_str_text(&clean), 0, 2);
	screen->out->bad = screen->out->bad || raw->bad || clean.bad;
	cd_str_release(raw);
	cd_str_release(&clean);
}

static void put_limiter(struct cd_screen *screen, const struct cd_report *r,
			const struct cd_sweep_limiter *l, bool accuracy)
{
	enum cd_sweep_bottleneck which = accuracy ? l->accurate : l->complete;
	struct cd_str text = {0};

	if (which == CD_LIMITED_UNKNOWN)
		return;
	cd_str_addf(&text, "%s: %s seems limited %s: across the sizes it "
		    "ends at about the same %s a second.",
		    cd_phrase_label(r, l->point),
		    accuracy ? "accuracy" : "completeness",
		    which == CD_LIMITED_PER_PACKET ? "per packet" : "by bytes",
		    which == CD_LIMITED_PER_PACKET ? "packets" : "bits");
	put_sentence(screen, &text);
}

static void add_next(struct cd_str *text, const struct cd_sweep_bracket *b,
		     uint32_t size)
{
	if (!(b->next_bps > 0))
		return;
	cd_str_addf(text, "%s %lu bytes at ", text->length > 0 ? "," : "",
		    (unsigned long)size);
	cd_text_rate(text, b->next_bps, "bit/s");
}

static void put_next(struct cd_screen *screen, const struct cd_report *r,
		     uint32_t point)
{
	struct cd_str rates = {0}, text = {0};

	for (size_t i = 0; i < r->sweep->n_onsets; i++) {
		const struct cd_sweep_onset *o = &r->sweep->onsets[i];

		if (o->point != point)
			continue;
		add_next(&rates, &o->complete, o->size);
		add_next(&rates, &o->accurate, o->size);
	}
	cd_str_addf(&text, "%s: worth testing next:%s.",
		    cd_phrase_label(r, point), cd_str_text(&rates));
	if (rates.length > 0)
		put_sentence(screen, &text);
	cd_str_release(&rates);
	cd_str_release(&text);
}

static void put_words_about(struct cd_screen *screen,
			    const struct cd_report *r)
{
	struct cd_str *out = screen->out;
	size_t before = out->length;

	cd_put_gap(screen);
	for (size_t i = 0; i < r->sweep->n_limiters; i++) {
		const struct cd_sweep_limiter *l = &r->sweep->limiters[i];

		put_limiter(screen, r, l, false);
		put_limiter(screen, r, l, true);
		put_next(screen, r, l->point);
	}
	/* no gap around nothing */
	if (!out->bad && out->length == before + 1)
		out->text[out->length = before] = '\0';
}

/* ---- runs (-v) ----------------------------------------------------------- */

static void put_runs(struct cd_screen *screen, const struct cd_report *r)
{
	cd_put_gap(screen);
	for (size_t i = 0; i < r->sweep->n_runs; i++) {
		const struct cd_sweep_run *run = &r->sweep->runs[i];
		struct cd_str text = {0};

		cd_str_addf(&text, "%s: status %d", run->name, run->status);
		if (run->size > 0)
			cd_str_addf(&text, ", %lu bytes",
				    (unsigned long)run->size);
		if (run->pps > 0) {
			cd_str_add(&text, ", ");
			cd_text_rate(&text, run->pps, "pps");
		}
		put_sentence(screen, &text);
	}
}

void cd_put_sweep(struct cd_screen *screen, const struct cd_report *report,
		  int verbosity)
{
	if (verbosity >= 0) {
		put_heading(screen, report);
		if (!put_setups(screen, report) && report->sweep->n_cells > 0)
			put_cells(screen, report);
	}
	put_onsets(screen, report);
	if (verbosity >= 0)
		put_words_about(screen, report);
	if (verbosity > 0)
		put_runs(screen, report);
}
