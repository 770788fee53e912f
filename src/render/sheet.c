#include "render/sheet.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "render/phrase.h"
#include "render/screen.h"
#include "report/sweep.h"
#include "report/text.h"

struct writer {
	struct cd_sheet *sheet;
	const struct cd_report *report;
	bool utf8;
};

void cd_sheet_add(struct cd_sheet *sheet, struct cd_str *raw, bool utf8)
{
	struct cd_str clean = {0};

	cd_str_add(&clean, "");
	cd_clean_sentence(&clean, cd_str_text(raw), utf8);
	if (clean.text == NULL)
		clean.text = cd_strdup("");
	sheet->bad =
	    sheet->bad || raw->bad || clean.bad || clean.text == NULL;
	cd_str_release(raw);
	if (cd_grow(&sheet->cells, &sheet->capacity, sheet->n_cells + 1,
		    sizeof(*sheet->cells))) {
		sheet->bad = true;
		free(clean.text);
		return;
	}
	sheet->cells[sheet->n_cells++] = clean.text;
}

static void add_cell(struct writer *w, struct cd_str *raw)
{
	cd_sheet_add(w->sheet, raw, w->utf8);
}

static void add_words(struct writer *w, const char *words)
{
	struct cd_str text = {0};

	cd_str_add(&text, words);
	add_cell(w, &text);
}

static void add_size(struct writer *w, uint32_t size)
{
	struct cd_str text = {0};

	if (size > 0)
		cd_text_count(&text, size);
	else
		cd_str_add(&text, "mixed");
	add_cell(w, &text);
}

/* Bits per second on the wire or, where they are not known, packets. */
static void put_rate(struct cd_str *out, double bps, double pps)
{
	if (bps > 0)
		cd_text_rate(out, bps, "bit/s");
	else if (pps > 0)
		cd_text_rate(out, pps, "pps");
	else
		cd_str_add(out, "?");
}

/* ---- onsets -------------------------------------------------------------- */

static const struct cd_sheet_column onset_columns[] = {
    {"Frame bytes", true},	{"Capture", false},
    {"Complete up to", false},	{"Accurate up to", false},
    {"Worth testing", false},	{NULL, false},
};

static void put_list(struct cd_str *out, const char *before,
		     const double *rates, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		cd_str_add(out, i == 0 ? before : ", ");
		cd_text_rate(out, rates[i], "bit/s");
	}
}

/* "100 Mb/s (fails 250 Mb/s)" */
static void add_bracket(struct writer *w, const struct cd_sweep_bracket *b)
{
	struct cd_str text = {0};

	if (b->tested == 0) {
		cd_str_add(&text, "not known");
	} else if (!b->has_fails_at) {
		cd_str_add(&text, w->utf8 ? "\xe2\x89\xa5 " : ">= ");
		put_rate(&text, b->up_to_bps, b->up_to_pps);
	} else if (!b->has_up_to) {
		cd_str_add(&text, "less than ");
		put_rate(&text, b->fails_at_bps, b->fails_at_pps);
	} else {
		put_rate(&text, b->up_to_bps, b->up_to_pps);
		cd_str_add(&text, " (fails ");
		put_rate(&text, b->fails_at_bps, b->fails_at_pps);
		cd_str_add(&text, ")");
	}
	put_list(&text, "; passes again at ", b->inverted_bps, b->n_inverted);
	put_list(&text, "; undecided at ", b->undecided_bps, b->n_undecided);
	add_cell(w, &text);
}

static void add_next(struct writer *w, const struct cd_sweep_onset *o)
{
	const struct cd_sweep_bracket *both[] = {&o->complete, &o->accurate};
	struct cd_str text = {0};

	for (size_t i = 0; i < 2; i++) {
		if (!(both[i]->next_bps > 0) && !(both[i]->next_pps > 0))
			continue;
		cd_str_add(&text, text.length > 0 ? ", " : "");
		put_rate(&text, both[i]->next_bps, both[i]->next_pps);
	}
	add_cell(w, &text);
}

static void take_onsets(struct writer *w)
{
	const struct cd_sweep *sweep = w->report->sweep;

	for (size_t i = 0; i < sweep->n_onsets; i++) {
		const struct cd_sweep_onset *o = &sweep->onsets[i];

		add_size(w, o->size);
		add_words(w, cd_phrase_label(w->report, o->point));
		add_bracket(w, &o->complete);
		add_bracket(w, &o->accurate);
		add_next(w, o);
	}
}

/* ---- cells --------------------------------------------------------------- */

static const struct cd_sheet_column cell_columns[] = {
    {"Frame bytes", true},
    {"On the wire (load)", true},
    {"Packet rate", true},
    {"Capture", false},
    {"Packets", true},
    {"Captured", true},
    {"Longest delta", true},
    {"Time stamp error 99.8 %", true},
    {"Verdict", false},
    {NULL, false},
};

static void add_load(struct writer *w, const struct cd_sweep_cell *c)
{
	struct cd_str text = {0};

	if (c->l1_bps > 0)
		cd_text_rate(&text, c->l1_bps, "bit/s");
	if (c->load > 0) {
		cd_str_add(&text, text.length > 0 ? " (" : "(");
		cd_text_ratio(&text, c->load);
		cd_str_add(&text, ")");
	}
	add_cell(w, &text);
}

static void add_rate(struct writer *w, double rate, const char *unit)
{
	struct cd_str text = {0};

	if (rate > 0)
		cd_text_rate(&text, rate, unit);
	add_cell(w, &text);
}

static void add_counts(struct writer *w, const struct cd_sweep_cell *c)
{
	struct cd_str packets = {0}, captured = {0};

	if (c->has_counts) {
		uint64_t have =
		    c->missing < c->expected ? c->expected - c->missing : 0;

		cd_text_total(&packets, have);
		cd_text_percent_captured(&captured, have, c->expected);
	}
	add_cell(w, &packets);
	add_cell(w, &captured);
}

/* The median; of several trials also where they lie. */
static void add_spread(struct writer *w, const struct cd_sweep_spread *s)
{
	struct cd_str text = {0};

	if (s->n > 0)
		cd_text_span(&text, (double)s->median_ps, w->utf8);
	if (s->n > 1) {
		cd_str_add(&text, " (");
		cd_text_span(&text, (double)s->low_ps, w->utf8);
		cd_str_add(&text, " to ");
		cd_text_span(&text, (double)s->high_ps, w->utf8);
		cd_str_add(&text, ")");
	}
	add_cell(w, &text);
}

static const char *name_verdict(const struct cd_sweep_cell *c)
{
	if (c->complete.judgement == CD_FALSE)
		return "LOSSY";
	if (c->accurate.judgement == CD_FALSE)
		return "inaccurate";
	if (c->complete.judgement == CD_TRUE &&
	    c->accurate.judgement == CD_TRUE)
		return "ok";
	return c->complete.judgement == CD_TRUE ? "complete" : "undecided";
}

static void add_verdict(struct writer *w, const struct cd_sweep_cell *c)
{
	struct cd_str text = {0};

	cd_str_add(&text, name_verdict(c));
	if (c->overloaded)
		cd_str_add(&text, ", overloaded");
	if (c->reason != NULL && strcmp(c->reason, "LOSS") != 0)
		cd_str_addf(&text, " (%s)", c->reason);
	add_cell(w, &text);
}

static void take_cells(struct writer *w)
{
	const struct cd_report *r = w->report;

	for (size_t i = 0; i < r->sweep->n_cells; i++) {
		const struct cd_sweep_cell *c = &r->sweep->cells[i];

		if (r->sweep->has_reference && c->point == r->reference)
			continue;
		add_size(w, c->size);
		add_load(w, c);
		add_rate(w, c->pps, "pps");
		add_words(w, cd_phrase_label(r, c->point));
		add_counts(w, c);
		add_spread(w, &c->longest_delta);
		add_spread(w, &c->error);
		add_verdict(w, c);
	}
}

/* ---- runs ---------------------------------------------------------------- */

static const struct cd_sheet_column run_columns[] = {
    {"Run", false},	   {"Frame bytes", true}, {"Rate on the wire", true},
    {"Packet rate", true}, {"Status", false}, {"Trouble", false},
    {NULL, false},
};

static void take_runs(struct writer *w)
{
	static const char *const outcomes[] = {
	    "0 inside the limits", "1 not inside", "2 not done properly"};
	const struct cd_sweep *sweep = w->report->sweep;

	for (size_t i = 0; i < sweep->n_runs; i++) {
		const struct cd_sweep_run *run = &sweep->runs[i];
		struct cd_str trouble = {0};

		add_words(w, run->name == NULL ? "" : run->name);
		if (run->report != NULL)
			add_size(w, run->size);
		else
			add_words(w, "");
		add_rate(w, run->l1_bps, "bit/s");
		add_rate(w, run->pps, "pps");
		add_words(w, run->status >= 0 && run->status <= 2
				 ? outcomes[run->status]
				 : "");
		if (run->error != NULL)
			cd_str_addf(&trouble, "%s%s%s",
				    run->error_file == NULL ? ""
							    : run->error_file,
				    run->error_file == NULL ? "" : ": ",
				    run->error);
		add_cell(w, &trouble);
	}
}

/* -------------------------------------------------------------------------- */

static const struct {
	const char *id, *title, *caption;
	const struct cd_sheet_column *columns;
	void (*take)(struct writer *w);
} kinds[CD_SHEETS] = {
    [CD_SHEET_ONSETS] = {"onsets", "What each capture point can do",
			 "Frame sizes include the FCS, rates are on the wire "
			 "(L1)",
			 onset_columns, take_onsets},
    [CD_SHEET_CELLS] = {"cells", "By size and rate",
			"Median over the trials, and in brackets where they "
			"lie",
			cell_columns, take_cells},
    [CD_SHEET_RUNS] = {"runs", "Runs", "Every run by itself", run_columns,
		       take_runs},
};

void cd_sheet_take(struct cd_sheet *sheet, enum cd_sheet_kind kind,
		   const struct cd_report *report, bool utf8)
{
	struct writer w = {.sheet = sheet, .report = report, .utf8 = utf8};

	*sheet = (struct cd_sheet){
	    .id = kinds[kind].id,
	    .title = kinds[kind].title,
	    .caption = kinds[kind].caption,
	    .columns = kinds[kind].columns,
	};
	while (sheet->n_columns < CD_SHEET_COLUMNS &&
	       sheet->columns[sheet->n_columns].head != NULL)
		sheet->n_columns++;
	kinds[kind].take(&w);
}

void cd_sheet_release(struct cd_sheet *sheet)
{
	for (size_t i = 0; i < sheet->n_cells; i++)
		free(sheet->cells[i]);
	free(sheet->cells);
}
