#include "metric/suspect.h"

#include <inttypes.h>
#include <math.h>

#include "base/time.h"
#include "metric/clock.h"
#include "metric/put.h"
#include "report/codes.h"
#include "report/text.h"

/* The coarser of two ticks: nothing below it means anything. */
static double coarse_tick(const struct cd_pair *pair)
{
	return (double)(pair->tick_ps > pair->ref_tick_ps ? pair->tick_ps
							  : pair->ref_tick_ps);
}

/* ---- early stamps ---------------------------------------------------------
 */

static void list_early(const struct cd_measured *m, struct cd_str *text)
{
	size_t n = m->early < CD_EARLIEST ? (size_t)m->early : CD_EARLIEST;

	for (size_t i = 0; i < n; i++) {
		cd_str_add(text, i == 0 ? ": IDs " : ", ");
		cd_text_count(text, m->earliest[i].seq);
		cd_str_add(text, " (");
		cd_text_span_signed(text, (double)m->earliest[i].value_ps,
				    false);
		cd_str_add(text, ")");
	}
	if (m->early > CD_EARLIEST)
		cd_str_add(text, " ...");
}

/*
 * The floor's own noise explains nothing beyond early_ps; symmetric noise has
 * an early tail too, but none that is long against the way from the median to
 * the first percentile.
 */
static bool is_early(const struct cd_measured *m)
{
	const struct cd_distribution *r = &m->residual;

	return m->early > 0 && -(double)r->min > 3 * (double)(r->p50 - r->p1);
}

/* A lower hull that differs hangs on a few early stamps. */
static bool hull_differs(const struct cd_pair *pair)
{
	const struct cd_clock *clock = &pair->clock;
	double ci = (clock->y_high - clock->y_low) / 2;
	double least = coarse_tick(pair) / (double)clock->x_span_ps;

	return !isnan(clock->y_hull) && !isnan(ci) &&
	       fabs(clock->y_hull - clock->y) > 5 * fmax(ci, least);
}

static void say_early(const struct cd_analysis *analysis,
		      const struct cd_pair *pair, const struct cd_measured *m)
{
	struct cd_place place = {analysis->report, pair->dut, CD_NO_STREAM};
	bool early = is_early(m);
	struct cd_str text = {0};

	cd_put_count(&place, "clock.early_outliers", early ? m->early : 0);
	if (!early)
		return;
	cd_str_addf(&text,
		    "%" PRIu64 " packets are stamped earlier than the "
		    "clocks allow",
		    m->early);
	if (hull_differs(pair))
		cd_str_addf(&text, " (they would make the drift %+.3f ppm)",
			    pair->clock.y_hull * 1e6);
	list_early(m, &text);
	cd_report_finding(analysis->report, CD_WARNING, "early_outliers",
			  (int)pair->dut, "%s", cd_str_text(&text));
	cd_str_release(&text);
}

/* ---- latency that follows the load ----------------------------------------
 */

static void say_load(const struct cd_analysis *analysis,
		     const struct cd_pair *pair, const struct cd_measured *m)
{
	const struct cd_clock *clock = &pair->clock;
	double apart = fabs(clock->y_ols - clock->y) * (double)clock->x_span_ps;

	if (m->fast.n < 1000 || isnan(apart) ||
	    !(apart > fmax((double)m->span_ps, 2 * coarse_tick(pair))))
		return;
	cd_report_finding(analysis->report, CD_WARNING, "load_drift",
			  (int)pair->dut,
			  "least squares see a drift of %+.3f ppm, the "
			  "earliest packets %+.3f ppm: the delay of the stamps "
			  "changed during the run",
			  clock->y_ols * 1e6, clock->y * 1e6);
}

/* ---- sides ----------------------------------------------------------------
 */

static void say_noisy_reference(const struct cd_analysis *analysis,
				const struct cd_pair *pair,
				const struct cd_measured *m)
{
	const struct cd_distribution *r = &m->residual;
	double early = (double)(r->p50 - r->p1);
	double late = (double)(r->p99 - r->p50);

	if (r->n < 1000 || early <= 2 * coarse_tick(pair) || late >= early / 3)
		return;
	cd_report_finding(analysis->report, CD_WARNING, CD_CODE_NOISY_REFERENCE,
			  (int)pair->dut,
			  "its stamps are early against the reference far more "
			  "than late: the reference looks noisier; are the "
			  "roles swapped?");
}

void cd_suspect(const struct cd_analysis *analysis, const struct cd_pair *pair,
		const struct cd_measured *measured)
{
	if (pair->different_packets)
		return; /* the clocks of two runs have nothing to say */
	if (measured->negative_deltas)
		cd_report_finding(
		    analysis->report, CD_NOTE, "negative_deltas",
		    (int)pair->dut,
		    "time goes backwards between some neighbours; "
		    "the share of invented time counts their "
		    "deltas without sign");
	if (!pair->clock.has_drift) {
		cd_report_finding(analysis->report, CD_NOTE, "skew_uncorrected",
				  (int)pair->dut,
				  "too few packets to know the drift: the "
				  "errors of deltas contain it");
		return;
	}
	say_early(analysis, pair, measured);
	say_load(analysis, pair, measured);
	say_noisy_reference(analysis, pair, measured);
}
