/*
 * Sentences about time stamps. Causes are what it looks like, never what it
 * is.
 */
#include "verdict/facts.h"

#include <math.h>
#include <string.h>

#include "report/codes.h"
#include "report/text.h"

/* Above this, bursts come from a buffer that is emptied, not from a network
 * card that delays interrupts. */
#define COALESCING_MOST_PS (2.0 * (double)CD_PS_PER_MS)

/* A timer has no such ratio of long to short periods, even an adaptive one. */
#define IRREGULAR 3

/* What is this many times S is an event of its own. */
#define OUTSTANDING 10

static double span(const struct cd_case *c, const char *name)
{
	return cd_fact_span(c->report, c->point, name);
}

static void say_limit(const struct cd_case *c, struct cd_str *out)
{
	cd_say_span(out, c->lim_ps);
	if (c->lim_ps < c->abs_ps) {
		cd_str_add(out, " (");
		cd_str_addf(out, "%.3g %%", c->ratio * 100);
		cd_str_add(out, " of the median packet spacing)");
	}
}

/* The advice that a reader takes away. */
static void say_advice(const struct cd_case *c, struct cd_str *out,
		       double below_ps)
{
	double usable = span(c, "delta.usable_ns");

	/* of all streams together: the worst one alone may allow less */
	if (!isnan(usable) && (c->stream == CD_NO_STREAM || usable > below_ps))
		below_ps = usable;
	if (!(below_ps > 0))
		return;
	cd_str_add(out, " Do not interpret deltas below about ");
	cd_say_span(out, below_ps);
	cd_str_add(out, " in this file.");
}

static void say_bursts(const struct cd_case *c, struct cd_str *out)
{
	double period = span(c, "burst.period_ns");
	double low = span(c, "burst.period_p10_ns");
	double high = span(c, "burst.period_p90_ns");
	int64_t size = cd_fact_count(c->report, c->point, "burst.size_p50");

	cd_str_add(out, "\nTime stamps come in bursts");
	if (size > 1) {
		cd_str_add(out, " of about ");
		cd_say_count(out, size, "packet");
	}
	if (isnan(period)) {
		cd_str_add(out, ".");
		return;
	}
	cd_str_add(out, high - low <= 0.04 * period ? " every "
						     : " about every ");
	cd_say_span(out, period);
	cd_str_add(out, high > IRREGULAR * low
			    ? ", too irregularly for a timer: perhaps late "
			      "stamps hold back those after them"
		   : period <= COALESCING_MOST_PS
			    ? ", which looks like interrupt coalescing"
			    : ", which looks like a buffer that is handed "
			      "over when it is full or a timer ends");
	cd_str_add(out, c->single ? ", unless they were sent so." : ".");
}

static void say_bunching(const struct cd_case *c, struct cd_str *out)
{
	double period = span(c, "burst.period_ns");

	say_bursts(c, out);
	say_advice(c, out, period >= c->span_ps ? period : c->span_ps);
}

static void say_scatter(const struct cd_case *c, struct cd_str *out)
{
	cd_str_add(out, "\nTime stamps scatter: 99.8 % of them lie within ");
	cd_text_span(out, c->span_ps, false);
	cd_str_add(out, ", the limit is ");
	say_limit(c, out);
}

/* An error that S, which leaves out the largest, does not show. */
static void say_largest(const struct cd_case *c, struct cd_str *out)
{
	double worst = span(c, "time.late_max_ns");
	double at = span(c, "time.late_max_at_ns");
	int64_t id = cd_fact_count(c->report, c->point, "time.late_max_seq");

	if (!(worst > OUTSTANDING * c->span_ps))
		return;
	cd_str_add(out, " The worst is one stall of ");
	cd_text_span(out, worst, false);
	if (!isnan(at)) {
		cd_str_add(out, " at ");
		cd_text_span(out, at, false);
	}
	if (id >= 0) {
		cd_str_add(out, ", ID ");
		cd_text_count(out, id);
	}
	cd_str_add(out, ".");
}

/* Ticks that are too coarse, but not what is worst. */
static void say_scatter_and_tick(const struct cd_case *c, double tick,
				 struct cd_str *out)
{
	say_scatter(c, out);
	cd_str_add(out, "; the resolution of ");
	cd_text_span_short(out, tick, 4, false);
	cd_str_add(out, " alone exceeds it.");
	say_largest(c, out);
	say_advice(c, out, c->span_ps);
}

static void say_resolution(const struct cd_case *c, struct cd_str *out)
{
	double tick = span(c, "time.tick_ns");
	double stored = span(c, "time.resolution_ns");

	if (c->span_ps > 2 * tick) {
		say_scatter_and_tick(c, tick, out);
		return;
	}
	cd_str_add(out, "\nTime stamps have a resolution of ");
	cd_text_span_short(out, tick, 4, false);
	if (stored > 0 && stored < tick) {
		cd_str_add(out, " (though the file could hold ");
		cd_text_span_short(out, stored, 4, false);
		cd_str_add(out, ")");
	}
	cd_str_add(out, ", the limit is ");
	say_limit(c, out);
	cd_str_add(out, ".");
	say_advice(c, out, tick >= c->span_ps ? tick : c->span_ps);
}

static void say_worst_late(const struct cd_case *c, struct cd_str *out)
{
	double worst = span(c, "time.late_max_ns");
	double at = span(c, "time.late_max_at_ns");

	if (isnan(worst))
		return;
	cd_str_add(out, ", at worst ");
	cd_text_span(out, worst, false);
	cd_str_add(out, " late");
	if (isnan(at))
		return;
	cd_str_add(out, " at ");
	cd_text_span(out, at, false);
}

static void say_stall(const struct cd_case *c, struct cd_str *out)
{
	int64_t events =
	    cd_fact_count(c->report, c->point, "time.late_events");
	double worst = span(c, "time.late_max_ns");

	cd_str_add(out, "\nTime stamps are late in ");
	if (events > 0)
		cd_say_count(out, events, "event");
	else
		cd_str_add(out, "some places");
	say_worst_late(c, out);
	cd_str_add(out, ", which looks like a capturing computer that was "
			"held up.");
	if (worst > 0) {
		cd_str_add(out, " Any delta in this file can be wrong by as "
				"much as ");
		cd_say_span(out, worst);
		cd_str_add(out, ".");
	}
}

static void say_jitter(const struct cd_case *c, struct cd_str *out)
{
	say_scatter(c, out);
	cd_str_add(out, ".");
	say_largest(c, out);
	say_advice(c, out, c->span_ps);
}

static void say_strict(const struct cd_case *c, struct cd_str *out)
{
	cd_str_add(out, "\nThe largest time stamp error, ");
	cd_text_span(out, span(c, "time.error.max_ns"), false);
	cd_str_add(out, ", is more than ten times the limit of ");
	say_limit(c, out);
	cd_str_add(out, " (--strict).");
}

static const char *find_stream(const struct cd_report *report, uint32_t id)
{
	for (size_t i = 0; i < report->n_streams; i++)
		if (report->streams[i].id == id)
			return report->streams[i].what;
	return NULL;
}

/* Which stream the figures are of, where the table shows others. */
static void say_stream(const struct cd_case *c, struct cd_str *out)
{
	const char *what = find_stream(c->report, c->stream);

	if (c->stream == CD_NO_STREAM || c->report->n_streams < 2)
		return;
	cd_str_add(out, " This is of the worst stream");
	if (what != NULL) {
		cd_str_add(out, ", ");
		cd_text_name(out, what);
	}
	cd_str_addf(out, "; the table takes %s together.",
		    c->report->n_streams == 2 ? "both streams"
					      : "all streams");
}

static void say_error(const struct cd_case *c, struct cd_str *out)
{
	const char *why = c->error_reason;

	if (c->strict)
		say_strict(c, out);
	else if (strcmp(why, "RESOLUTION") == 0)
		say_resolution(c, out);
	else if (strcmp(why, "BUNCHING") == 0)
		say_bunching(c, out);
	else if (strcmp(why, "STALL") == 0)
		say_stall(c, out);
	else
		say_jitter(c, out);
	say_stream(c, out);
}

/* The reference's stamps may be what is off: name no cause then. */
static void say_unattributed(const struct cd_case *c, struct cd_str *out)
{
	cd_str_add(out, "\nThe time stamps differ from the reference's");
	if (!isnan(c->span_ps)) {
		cd_str_add(out, ": 99.8 % of them lie within ");
		cd_text_span(out, c->span_ps, false);
	}
	cd_str_addf(out, ". Which of the two is wrong cannot be told, and the "
			 "reference, %s, looks like the worse capture. Were "
			 "the roles swapped (-r)?",
		    c->doubt);
	say_stream(c, out);
}

static void say_step(const struct cd_case *c, struct cd_str *out)
{
	int64_t steps = cd_fact_count(c->report, c->point, "clock.steps");
	double size = span(c, "clock.step_max_ns");
	double at = span(c, "clock.step_max_at_ns");

	cd_str_add(out, "\nThe clock was stepped ");
	if (steps == 1)
		cd_str_add(out, "once");
	else
		cd_say_count(out, steps, "time");
	if (!isnan(size)) {
		cd_str_add(out, steps == 1 ? ", by " : ", the most by ");
		cd_text_span_signed(out, size, false);
	}
	if (!isnan(at)) {
		cd_str_add(out, " at ");
		cd_text_span(out, at, false);
	}
	cd_str_add(out, ". Do not compare times before a step with times "
			"after it.");
}

static void say_wander(const struct cd_case *c, struct cd_str *out)
{
	cd_str_add(out, "\nThe clock wanders by ");
	cd_text_span(out, span(c, "clock.wander_ns"), false);
	cd_str_add(out, " around its drift, the limit is ");
	cd_say_span(out, c->abs_ps);
	cd_str_add(out, "; this looks like a clock that is being adjusted, or "
			"warms up.");
}

static void say_rate(const struct cd_case *c, struct cd_str *out)
{
	double rate =
	    1 + cd_fact_real(c->report, c->point, "clock.drift_ppm") / 1e6;

	if (rate < 0)
		cd_str_add(out, "\nThe time stamps run backwards against the "
				"reference's.");
	else if (rate > 0)
		cd_str_addf(out,
			    "\nThe time stamps run %.3g times as fast as the "
			    "reference's: no clock is that far off.",
			    rate);
}

static void say_invalid(const struct cd_case *c, struct cd_str *out)
{
	cd_str_add(out, "\n");
	cd_say_count(out, c->invalid, "packet");
	cd_str_add(out, c->invalid == 1 ? " has" : " have");
	cd_str_add(out, " no usable time stamp.");
}

static void say_failures(const struct cd_case *c, struct cd_str *out)
{
	if (c->error_reason != NULL && c->doubt != NULL)
		say_unattributed(c, out);
	else if (c->error_reason != NULL)
		say_error(c, out);
	if (c->step)
		say_step(c, out);
	if (c->wander)
		say_wander(c, out);
	if (c->unit)
		cd_str_add(out, "\nThe time stamps look as if they were in "
				"another unit than the file says; --ts-unit "
				"corrects that.");
	if (c->rate)
		say_rate(c, out);
	if (c->invalid > 0)
		say_invalid(c, out);
}

static void say_coarse(const struct cd_case *c, struct cd_str *out)
{
	cd_str_add(out, "\nThe reference is uncertain by ");
	cd_say_span(out, c->u_ref_ps);
	cd_str_add(out, ", too much to tell whether a ");
	if (c->rank > 0) {
		cd_str_add(out, "time stamp error of ");
		cd_text_span(out, c->span_ps, false);
		cd_str_add(out, " is inside the limit of ");
		say_limit(c, out);
	} else {
		cd_str_add(out, "clock wander of ");
		cd_text_span(out, span(c, "clock.wander_ns"), false);
		cd_str_add(out, " is inside the limit of ");
		cd_say_span(out, c->abs_ps);
	}
	cd_str_add(out, ".");
}

static void say_few(const struct cd_case *c, struct cd_str *out)
{
	if (isnan(c->n)) {
		cd_str_add(out, "\nToo few packets could be compared to judge "
				"the time stamps.");
		return;
	}
	cd_str_add(out, "\nOnly ");
	cd_say_count(out, (int64_t)c->n, "packet");
	cd_str_add(out, " could be compared; time stamps are judged from "
			"1,000 on.");
}

/* What a capture alone shows: bursts, wire physics, an even cadence. */
static void say_alone(const struct cd_case *c, struct cd_str *out)
{
	double share = span(c, "delta.impossible_ratio");
	double link = cd_fact_real(c->report, c->point, "physics.link_bps");
	double cadence = span(c, "cadence.span_ns");

	if (cd_fact_bunched(c->report, c->point)) {
		say_bursts(c, out);
		say_advice(c, out, span(c, "burst.period_ns"));
	}
	if (share > 0) {
		cd_str_add(out, "\n");
		cd_text_ratio(out, share);
		cd_str_add(out, " of the deltas are impossible");
		if (link > 0) {
			cd_str_add(out, " on a wire of ");
			cd_text_rate(out, link, "bit/s");
		}
		cd_str_add(out, ": the time stamps are not those of the "
				"wire.");
	}
	if (cadence > 0) {
		cd_str_add(out, "\nAgainst an ideal cadence 99.8 % of the time "
				"stamps lie within ");
		cd_text_span(out, cadence, false);
		cd_str_add(out, ", the sender's own unevenness included.");
	}
}

static void say_null(const struct cd_case *c, struct cd_str *out)
{
	const char *why = c->null_reason;

	if (strcmp(why, "DIFFERENT_PACKETS") == 0)
		cd_str_add(out, "\nThe numbers agree but the packets differ: "
				"these look like captures of two different "
				"runs.");
	else if (strcmp(why, "NO_TIME_INFORMATION") == 0)
		cd_str_add(out, "\nThe time stamps carry no information, so "
				"their accuracy cannot be judged.");
	else if (strcmp(why, "TIME_UNIT") == 0)
		cd_str_add(out, "\nThe reference's time stamps look as if they "
				"were in another unit than its file says; "
				"--ts-unit corrects that.");
	else if (strcmp(why, "REFERENCE_COARSE") == 0)
		say_coarse(c, out);
	else if (strcmp(why, "FEW_PACKETS") == 0)
		say_few(c, out);
	else if (strcmp(why, "UNDEFINED") == 0)
		cd_str_add(out, "\nThe time stamp error could not be "
				"determined.");
	else if (strcmp(why, "NO_REFERENCE") == 0)
		say_alone(c, out);
}

void cd_say_time(const struct cd_case *c, struct cd_str *out)
{
	if (c->accurate == CD_FALSE)
		say_failures(c, out);
	else if (c->accurate == CD_INCONCLUSIVE)
		say_null(c, out);
}
