#include "render/json_sweep.h"

#include "render/phrase.h"
#include "report/sweep.h"

/* Zero stands for unknown in the model, never in JSON. */
static void add_known(struct cd_json *json, const char *name, double real)
{
	if (real > 0)
		cd_json_real(json, name, real);
	else
		cd_json_null(json, name);
}

static void add_size(struct cd_json *json, uint32_t size)
{
	if (size > 0)
		cd_json_count(json, "size", size);
	else
		cd_json_null(json, "size");
}

/* ---- runs ---------------------------------------------------------------- */

static void add_error(struct cd_json *json, const struct cd_sweep_run *run)
{
	if (run->error == NULL)
		return;
	cd_json_open_flat(json, "error", '{');
	cd_json_string(json, "file", run->error_file);
	cd_json_string(json, "what", run->error);
	cd_json_string(json, "hint", run->hint);
	cd_json_close(json, '}');
}

static void add_run(struct cd_json *json, const struct cd_sweep_run *run)
{
	cd_json_open(json, NULL, '{');
	cd_json_string(json, "run", run->name);
	add_size(json, run->size);
	add_known(json, "pps", run->pps);
	add_known(json, "l1_bps", run->l1_bps);
	add_known(json, "l2_bps", run->l2_bps);
	add_error(json, run);
	if (run->report != NULL)
		cd_json_add_report(json, run->report, run->status);
	else
		cd_json_count(json, "status", (uint64_t)run->status);
	cd_json_close(json, '}');
}

/* ---- cells --------------------------------------------------------------- */

static void add_trials(struct cd_json *json, const char *valid,
		       const char *failed, const struct cd_sweep_trials *t)
{
	cd_json_count(json, valid, t->valid);
	cd_json_count(json, failed, t->failed);
}

static void add_spread(struct cd_json *json, const char *name,
		       const struct cd_sweep_spread *spread)
{
	if (spread->n == 0) {
		cd_json_null(json, name);
		return;
	}
	cd_json_open(json, name, '{');
	cd_json_count(json, "trials", spread->n);
	cd_json_span(json, "median_ns", spread->median_ps);
	cd_json_span(json, "low_ns", spread->low_ps);
	cd_json_span(json, "high_ns", spread->high_ps);
	cd_json_close(json, '}');
}

static void add_runs_of(struct cd_json *json, const struct cd_sweep *sweep,
			const struct cd_sweep_cell *cell)
{
	cd_json_open(json, "runs", '[');
	for (size_t i = 0; i < cell->n_runs; i++)
		cd_json_string(json, NULL, sweep->runs[cell->runs[i]].name);
	cd_json_close(json, ']');
}

static void add_counts(struct cd_json *json, const struct cd_sweep_cell *cell)
{
	if (!cell->has_counts) {
		cd_json_null(json, "expected");
		cd_json_null(json, "missing");
		return;
	}
	cd_json_count(json, "expected", cell->expected);
	cd_json_count(json, "missing", cell->missing);
}

static void add_cell(struct cd_json *json, const struct cd_report *report,
		     const struct cd_sweep_cell *cell)
{
	cd_json_open_flat(json, NULL, '{');
	add_size(json, cell->size);
	add_known(json, "pps", cell->pps);
	add_known(json, "l1_bps", cell->l1_bps);
	add_known(json, "l2_bps", cell->l2_bps);
	add_known(json, "load", cell->load);
	cd_json_string(json, "capture", cd_phrase_label(report, cell->point));
	cd_json_judgement(json, "complete", cell->complete.judgement);
	cd_json_judgement(json, "accurate", cell->accurate.judgement);
	cd_json_string(json, "reason", cell->reason);
	add_trials(json, "complete_valid", "complete_failed", &cell->complete);
	add_trials(json, "accurate_valid", "accurate_failed", &cell->accurate);
	add_counts(json, cell);
	add_spread(json, "longest_delta", &cell->longest_delta);
	add_spread(json, "error_span", &cell->error);
	cd_json_bool(json, "overloaded", cell->overloaded);
	add_runs_of(json, report->sweep, cell);
	cd_json_close(json, '}');
}

/* ---- onsets -------------------------------------------------------------- */

static void add_named(struct cd_json *json, const char *what, const char *name,
		      double real)
{
	struct cd_str text = {0};

	cd_str_addf(&text, "%s_%s", what, name);
	add_known(json, cd_str_text(&text), real);
	json->out->bad = json->out->bad || text.bad;
	cd_str_release(&text);
}

static void add_list(struct cd_json *json, const char *what, const char *name,
		     const double *rates, size_t n)
{
	struct cd_str text = {0};

	cd_str_addf(&text, "%s_%s", what, name);
	cd_json_open(json, cd_str_text(&text), '[');
	for (size_t i = 0; i < n; i++)
		cd_json_real(json, NULL, rates[i]);
	cd_json_close(json, ']');
	json->out->bad = json->out->bad || text.bad;
	cd_str_release(&text);
}

/* L1 rates; null: below the lowest or not below the highest tested. */
static void add_bracket(struct cd_json *json, const char *what,
			const struct cd_sweep_bracket *b)
{
	struct cd_str text = {0};

	cd_str_addf(&text, "%s_tested", what);
	cd_json_count(json, cd_str_text(&text), b->tested);
	json->out->bad = json->out->bad || text.bad;
	cd_str_release(&text);
	add_named(json, what, "up_to_bps", b->up_to_bps);
	add_named(json, what, "up_to_pps", b->up_to_pps);
	add_named(json, what, "fails_at_bps", b->fails_at_bps);
	add_named(json, what, "fails_at_pps", b->fails_at_pps);
	add_named(json, what, "next_bps", b->next_bps);
	add_named(json, what, "next_pps", b->next_pps);
	add_list(json, what, "inverted_bps", b->inverted_bps, b->n_inverted);
	add_list(json, what, "undecided_bps", b->undecided_bps,
		 b->n_undecided);
}

static void add_onset(struct cd_json *json, const struct cd_report *report,
		      const struct cd_sweep_onset *onset)
{
	cd_json_open(json, NULL, '{');
	add_size(json, onset->size);
	cd_json_string(json, "capture", cd_phrase_label(report, onset->point));
	add_bracket(json, "complete", &onset->complete);
	add_bracket(json, "accurate", &onset->accurate);
	add_known(json, "accurate_estimate_bps", onset->accurate.estimate_bps);
	cd_json_close(json, '}');
}

static void add_bottleneck(struct cd_json *json, const char *name,
			   enum cd_sweep_bottleneck bottleneck)
{
	static const char *const words[] = {
	    [CD_LIMITED_UNKNOWN] = NULL,
	    [CD_LIMITED_PER_PACKET] = "per packet",
	    [CD_LIMITED_BY_BYTES] = "bytes",
	};

	cd_json_string(json, name, words[bottleneck]);
}

static void add_limiter(struct cd_json *json, const struct cd_report *report,
			const struct cd_sweep_limiter *l)
{
	cd_json_open_flat(json, NULL, '{');
	cd_json_string(json, "capture", cd_phrase_label(report, l->point));
	add_bottleneck(json, "complete", l->complete);
	add_known(json, "complete_ln_pps", l->complete_ln_pps);
	add_known(json, "complete_ln_bps", l->complete_ln_bps);
	add_bottleneck(json, "accurate", l->accurate);
	add_known(json, "accurate_ln_pps", l->accurate_ln_pps);
	add_known(json, "accurate_ln_bps", l->accurate_ln_bps);
	cd_json_close(json, '}');
}

void cd_json_add_sweep(struct cd_json *json, const struct cd_report *report)
{
	const struct cd_sweep *sweep = report->sweep;

	cd_json_open(json, "sweep", '{');
	cd_json_string(json, "folder", sweep->folder);
	cd_json_bool(json, "has_reference", sweep->has_reference);
	add_known(json, "link_bps", sweep->link_bps);
	cd_json_close(json, '}');
	cd_json_open(json, "runs", '[');
	for (size_t i = 0; i < sweep->n_runs; i++)
		add_run(json, &sweep->runs[i]);
	cd_json_close(json, ']');
	cd_json_open(json, "cells", '[');
	for (size_t i = 0; i < sweep->n_cells; i++)
		add_cell(json, report, &sweep->cells[i]);
	cd_json_close(json, ']');
	cd_json_open(json, "onsets", '[');
	for (size_t i = 0; i < sweep->n_onsets; i++)
		add_onset(json, report, &sweep->onsets[i]);
	cd_json_close(json, ']');
	cd_json_open(json, "limiters", '[');
	for (size_t i = 0; i < sweep->n_limiters; i++)
		add_limiter(json, report, &sweep->limiters[i]);
	cd_json_close(json, ']');
}
