#include "verdict/facts.h"

#include <math.h>
#include <string.h>

#include "report/text.h"

void cd_say_count(struct cd_str *out, int64_t count, const char *noun)
{
	cd_text_count(out, count);
	cd_str_addf(out, " %s%s", noun, count == 1 ? "" : "s");
}

void cd_say_span(struct cd_str *out, double ps)
{
	cd_text_span_short(out, ps, 3, false);
}

/* "complete (inside the common interval, within the tolerance)" */
static void say_complete(const struct cd_case *c, struct cd_str *out)
{
	cd_str_add(out, "complete");
	if (c->outside_common || c->tolerated)
		cd_str_addf(out, " (%s%s%s)",
			    c->outside_common ? "inside the common interval"
					      : "",
			    c->outside_common && c->tolerated ? ", " : "",
			    c->tolerated ? "within the tolerance" : "");
}

static const char *name_accurate(const struct cd_case *c)
{
	if (c->accurate == CD_TRUE)
		return c->marginal ? "accurate (marginal)" : "accurate";
	return c->marginal ? "NOT ACCURATE (marginal)" : "NOT ACCURATE";
}

static void say_headline(const struct cd_case *c, struct cd_str *out)
{
	const char *lack = c->single && c->null_reason != NULL &&
				   strcmp(c->null_reason, "NO_REFERENCE") == 0
			       ? " without a reference"
			       : "";

	if (c->complete == CD_INCONCLUSIVE && c->accurate == CD_INCONCLUSIVE) {
		cd_str_addf(out, "inconclusive%s", lack);
		return;
	}
	if (c->complete == CD_INCONCLUSIVE) {
		cd_str_addf(out, "%s, completeness inconclusive%s",
			    name_accurate(c), c->single ? lack : "");
		return;
	}
	if (c->complete == CD_TRUE)
		say_complete(c, out);
	else
		cd_str_add(out, "NOT COMPLETE");
	if (c->accurate == CD_INCONCLUSIVE)
		cd_str_addf(out, ", accuracy inconclusive%s", lack);
	else
		cd_str_addf(out, " %s %s",
			    c->complete == c->accurate ? "and" : "but",
			    name_accurate(c));
}

/* How far a clean result carries (METRICS 1.3, RFC 2544 section 24). */
static void say_weight(const struct cd_case *c, const struct cd_report *r,
		       struct cd_str *out)
{
	double run = cd_fact_span(r, c->point, "clock.span_ns");
	bool weak = c->expected > 0 && c->expected < 30000;
	bool is_short = run < 60 * (double)CD_PS_PER_S;

	if (c->complete != CD_TRUE || c->accurate != CD_TRUE ||
	    !(weak || is_short))
		return;
	cd_str_add(out, "\nThe evidence is ");
	if (weak) {
		cd_str_add(out, "weak (");
		cd_say_count(out, c->expected, "packet");
		cd_str_add(out, " cannot exclude a loss below ");
		cd_text_ratio(out, cd_fact_real(r, c->point,
						"loss.ratio_upper_95"));
		cd_str_addf(out, ")%s", is_short ? " and " : "");
	}
	if (is_short) {
		cd_str_add(out, "short (");
		cd_say_span(out, run);
		cd_str_add(out, "; 60 s or more are usual)");
	}
	cd_str_add(out, ".");
}

static void say_incomplete(const struct cd_case *c, struct cd_str *out)
{
	const struct cd_report_capture *capture = &c->report->captures[c->point];

	if (capture->cut_short || capture->damaged)
		cd_str_addf(out, "\nThe file is %s: only what could be read of "
				 "it is judged.",
			    capture->damaged ? "damaged" : "cut short");
}

/* One sentence says why both are not known; about a capture alone there is
 * more to say. */
static bool share_reason(const struct cd_case *c)
{
	return c->complete_reason != NULL && c->null_reason != NULL &&
	       strcmp(c->complete_reason, c->null_reason) == 0 &&
	       strcmp(c->null_reason, "NO_REFERENCE") != 0;
}

/* The paragraphs of `out` that are not in the list yet. */
static void mark(const struct cd_case *c, const struct cd_str *out,
		 enum cd_about what, struct cd_abouts *about)
{
	size_t n = 0;

	for (const char *p = cd_str_text(out); *p != '\0'; p++)
		n += *p == '\n';
	while (about->n < n &&
	       about->n < sizeof(about->list) / sizeof(about->list[0]))
		about->list[about->n++] = share_reason(c) ? CD_ABOUT_BOTH
							  : what;
}

void cd_say_verdict(const struct cd_case *c, struct cd_str *out,
		    struct cd_abouts *about)
{
	say_headline(c, out);
	say_incomplete(c, out);
	mark(c, out, CD_ABOUT_BOTH, about);
	cd_say_loss(c, out);
	mark(c, out, CD_ABOUT_COMPLETE, about);
	cd_say_time(c, out);
	mark(c, out, CD_ABOUT_ACCURATE, about);
	say_weight(c, c->report, out);
	mark(c, out, CD_ABOUT_BOTH, about);
}
