#include "render/text_baseline.h"

#include "render/phrase.h"
#include "report/baseline.h"
#include "report/text.h"

static const enum cd_ink inks[] = {
    [CD_CHANGE_WORSE] = CD_INK_BAD,
    [CD_CHANGE_BETTER] = CD_INK_GOOD,
    [CD_CHANGE_OTHER] = CD_INK_NONE,
};

static void put_clean(struct cd_screen *screen, struct cd_str *raw, size_t at)
{
	struct cd_str clean = {0};

	cd_clean_sentence(&clean, cd_str_text(raw), screen->utf8);
	cd_put_wrapped(screen, cd_str_text(&clean), at, 2);
	screen->out->bad = screen->out->bad || raw->bad || clean.bad;
	cd_str_release(raw);
	cd_str_release(&clean);
}

/* "  worse    laptop.loss.missing: 0, now 502" */
static void put_row(struct cd_screen *screen,
		    const struct cd_baseline_row *row)
{
	struct cd_str text = {0};

	cd_str_add(screen->out, "  ");
	if (inks[row->change] != CD_INK_NONE)
		cd_put_ink(screen, inks[row->change]);
	cd_str_addf(screen->out, "%-8s", cd_change_name(row->change));
	if (inks[row->change] != CD_INK_NONE)
		cd_put_ink(screen, CD_INK_NONE);
	cd_str_addf(&text, "%s: ", row->key);
	cd_text_value(&text, &row->before, screen->utf8);
	cd_str_add(&text, ", now ");
	cd_text_value(&text, &row->now, screen->utf8);
	put_clean(screen, &text, 10);
}

void cd_put_baseline(struct cd_screen *screen, const struct cd_report *report,
		     bool all)
{
	const struct cd_baseline *b = report->baseline;
	struct cd_str head = {0};

	if (b == NULL)
		return;
	cd_put_gap(screen);
	cd_phrase_baseline(report, &head);
	put_clean(screen, &head, 0);
	for (int change = CD_CHANGE_WORSE; change <= CD_CHANGE_OTHER; change++)
		for (size_t i = 0; i < b->n_rows; i++)
			if ((int)b->rows[i].change == change &&
			    (all || change != CD_CHANGE_OTHER))
				put_row(screen, &b->rows[i]);
}
