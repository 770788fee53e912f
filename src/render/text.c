#include "render/text.h"

#include <string.h>

#include "render/intervals.h"
#include "render/phrase.h"
#include "render/renderers.h"
#include "render/text_baseline.h"
#include "render/text_sweep.h"
#include "report/reasons.h"
#include "report/text.h"

/* ---- findings ------------------------------------------------------------ */

static const enum cd_ink inks[] = {
    [CD_NOTE] = CD_INK_BOLD,
    [CD_WARNING] = CD_INK_DOUBT,
    [CD_ERROR] = CD_INK_BAD,
};

static void put_finding(struct cd_screen *screen, const struct cd_report *r,
			const struct cd_finding *f)
{
	const char *word = cd_phrase_severity(f->severity);
	struct cd_str raw = {0}, clean = {0};

	cd_str_add(&raw, ": ");
	cd_phrase_finding(r, f, &raw);
	cd_clean_sentence(&clean, cd_str_text(&raw), screen->utf8);
	cd_put_ink(screen, inks[f->severity]);
	cd_str_add(screen->out, word);
	cd_put_ink(screen, CD_INK_NONE);
	cd_put_wrapped(screen, cd_str_text(&clean), strlen(word), 2);
	screen->out->bad = screen->out->bad || raw.bad || clean.bad;
	cd_str_release(&raw);
	cd_str_release(&clean);
}

/* Warnings always, notes with -v. */
static void put_findings(struct cd_screen *screen, const struct cd_report *r,
			 bool notes)
{
	size_t shown = 0, left = 0;

	for (size_t i = 0; i < r->n_findings; i++) {
		if (r->findings[i].severity == CD_NOTE && !notes) {
			left++;
			continue;
		}
		if (shown++ == 0)
			cd_put_gap(screen);
		put_finding(screen, r, &r->findings[i]);
	}
	if (left == 0)
		return;
	if (shown == 0)
		cd_put_gap(screen);
	cd_str_addf(screen->out, "%zu note%s more with -v.\n", left,
		    left == 1 ? "" : "s");
}

/* ---- limits -------------------------------------------------------------- */

static void put_limit(struct cd_screen *screen,
		      const struct cd_limit_result *limit)
{
	const char *word = limit->passed ? "kept" : "BROKEN";
	struct cd_str raw = {0}, clean = {0};

	cd_str_addf(&raw, "%s: %s is %s",
		    limit->expression == NULL ? "" : limit->expression,
		    limit->key == NULL ? "" : limit->key,
		    limit->value == NULL ? "" : limit->value);
	cd_clean_sentence(&clean, cd_str_text(&raw), screen->utf8);
	cd_str_add(screen->out, "Limit ");
	cd_put_ink(screen, limit->passed ? CD_INK_GOOD : CD_INK_BAD);
	cd_str_add(screen->out, word);
	cd_put_ink(screen, CD_INK_NONE);
	cd_str_add(screen->out, " ");
	cd_put_wrapped(screen, cd_str_text(&clean), 7 + strlen(word), 2);
	screen->out->bad = screen->out->bad || raw.bad || clean.bad;
	cd_str_release(&raw);
	cd_str_release(&clean);
}

static void put_limits(struct cd_screen *screen, const struct cd_report *r,
		       bool all, bool gap)
{
	size_t kept = 0, shown = 0;

	for (size_t i = 0; i < r->n_limits; i++) {
		kept += r->limits[i].passed;
		if (r->limits[i].passed && !all)
			continue;
		if (shown++ == 0 && gap)
			cd_put_gap(screen);
		put_limit(screen, &r->limits[i]);
	}
	if (kept > 0 && kept == r->n_limits && gap && !all) {
		cd_put_gap(screen);
		cd_str_addf(screen->out, "%zu limit%s kept.\n", kept,
			    kept == 1 ? "" : "s");
	}
}

/* ---- verdicts ------------------------------------------------------------ */

/* Words of a headline that carry the judgement, in the order of search. */
static const struct {
	const char *word;
	enum cd_ink ink;
} judgements[] = {
    {"NOT COMPLETE", CD_INK_BAD},    {"NOT ACCURATE", CD_INK_BAD},
    {"completeness inconclusive", CD_INK_DOUBT},
    {"accuracy inconclusive", CD_INK_DOUBT},
    {"inconclusive", CD_INK_DOUBT},  {"complete", CD_INK_GOOD},
    {"accurate", CD_INK_GOOD},
};

static struct cd_screen plain_like(const struct cd_screen *screen,
					 struct cd_str *out)
{
	return (struct cd_screen){
	    .out = out, .width = screen->width, .utf8 = screen->utf8};
}

/* Copy wrapped lines, colouring the judgement in what follows the label. */
static void put_coloured(struct cd_screen *screen, const char *lines,
			 size_t label_bytes)
{
	const size_t n = sizeof(judgements) / sizeof(judgements[0]);

	for (size_t at = 0; lines[at] != '\0'; at++) {
		size_t i = n;

		if (at >= label_bytes && (at == 0 || lines[at - 1] == ' '))
			for (i = 0; i < n; i++)
				if (strncmp(lines + at, judgements[i].word,
					    strlen(judgements[i].word)) == 0)
					break;
		if (i == n) {
			cd_str_addn(screen->out, lines + at, 1);
			continue;
		}
		cd_put_ink(screen, judgements[i].ink);
		cd_str_add(screen->out, judgements[i].word);
		cd_put_ink(screen, CD_INK_NONE);
		at += strlen(judgements[i].word) - 1;
	}
}

/* "laptop: NOT COMPLETE but accurate", with -q the reasons behind it. */
static void put_headline(struct cd_screen *screen, const struct cd_report *r,
			 const struct cd_report_verdict *v, size_t bytes,
			 bool reasons)
{
	struct cd_str raw = {0}, clean = {0}, lines = {0};
	struct cd_screen plain = plain_like(screen, &lines);
	size_t label_bytes;

	cd_clean(&clean, cd_phrase_label(r, v->point), screen->utf8);
	label_bytes = clean.length;
	cd_str_add(&raw, ": ");
	cd_str_addn(&raw, v->text, bytes);
	for (size_t i = 0; reasons && i < v->n_reasons; i++)
		cd_str_addf(&raw, "%s%s%s", i == 0 ? " (" : ", ",
			    v->reasons[i],
			    i + 1 == v->n_reasons ? ")" : "");
	cd_clean_sentence(&clean, cd_str_text(&raw), screen->utf8);
	cd_put_wrapped(&plain, cd_str_text(&clean), 0, 2);
	put_coloured(screen, cd_str_text(&lines), label_bytes);
	screen->out->bad =
	    screen->out->bad || raw.bad || clean.bad || lines.bad;
	cd_str_release(&raw);
	cd_str_release(&clean);
	cd_str_release(&lines);
}

static void put_paragraph(struct cd_screen *screen, const char *text,
			  size_t bytes)
{
	struct cd_str raw = {0}, clean = {0};

	cd_str_addn(&raw, text, bytes);
	cd_clean_sentence(&clean, cd_str_text(&raw), screen->utf8);
	cd_str_pad(screen->out, ' ', 2);
	cd_put_wrapped(screen, cd_str_text(&clean), 2, 2);
	screen->out->bad = screen->out->bad || raw.bad || clean.bad;
	cd_str_release(&raw);
	cd_str_release(&clean);
}

static void put_verdict(struct cd_screen *screen, const struct cd_report *r,
			const struct cd_report_verdict *v, bool brief)
{
	const char *text = v->text == NULL ? "" : v->text;
	size_t bytes = strcspn(text, "\n");

	put_headline(screen, r, v, bytes, brief);
	while (!brief && text[bytes] != '\0') {
		text += bytes + 1;
		bytes = strcspn(text, "\n");
		put_paragraph(screen, text, bytes);
	}
}

static void put_verdicts(struct cd_screen *screen, const struct cd_report *r,
			 bool brief)
{
	for (size_t i = 0; i < r->n_verdicts; i++) {
		if (!brief)
			cd_put_gap(screen);
		put_verdict(screen, r, &r->verdicts[i], brief);
	}
}

/* What the reasons in the last lines mean, each once. */
static void put_meanings(struct cd_screen *screen, const struct cd_report *r)
{
	for (const struct cd_reason *each = cd_reasons; each->code; each++) {
		bool named = false;

		for (size_t i = 0; i < r->n_verdicts && !named; i++)
			for (size_t k = 0; k < r->verdicts[i].n_reasons; k++)
				named |= strcmp(r->verdicts[i].reasons[k],
						each->code) == 0;
		if (named) {
			struct cd_str line = {0};

			cd_str_addf(&line, "%s: %s", each->code, each->means);
			put_paragraph(screen, cd_str_text(&line), line.length);
			screen->out->bad = screen->out->bad || line.bad;
			cd_str_release(&line);
		}
	}
}

/* ---- the whole ----------------------------------------------------------- */

static int render_text(const struct cd_report *report,
		       const struct cd_render_options *options,
		       struct cd_str *out)
{
	struct cd_screen screen = cd_screen(options, out);
	struct cd_view view = {
	    .report = report,
	    .utf8 = options->utf8,
	    .single = report->n_captures == 1,
	    .all = options->verbosity > 0,
	};
	bool brief = options->verbosity < 0, all = options->verbosity > 0;

	if (report->sweep != NULL) {
		cd_put_sweep(&screen, report, options->verbosity);
		if (!brief)
			put_findings(&screen, report, all);
		return out->bad ? -1 : 0;
	}
	if (!brief) {
		cd_put_heading(&screen, &view);
		cd_put_gap(&screen);
		cd_put_table(&screen, &view);
		cd_put_intervals(&screen, report);
		put_findings(&screen, report, all);
		cd_put_baseline(&screen, report, all);
	}
	put_limits(&screen, report, all, !brief);
	put_verdicts(&screen, report, brief);
	if (all) {
		cd_put_details(&screen, &view);
		cd_put_gap(&screen);
		put_verdicts(&screen, report, true);
		put_meanings(&screen, report);
	}
	return out->bad ? -1 : 0;
}

const struct cd_renderer cd_render_text = {
    .name = "text",
    .suffix = ".txt",
    .render = render_text,
};
