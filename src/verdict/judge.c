#include "verdict/facts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "report/codes.h"
#include "report/text.h"

#define FEW_PACKETS 1000      /* p99.9 needs as many (METRICS 0.5) */
#define WEAK_PACKETS 30000    /* 3 / 10^-4 (METRICS 1.3) */
#define MERGED_MOST 64	      /* segments that one merged frame may hold */
#define BUNCHED 0.3	      /* coalescing index (METRICS 3.5) */
#define STALLED 0.9	      /* late packets in runs (METRICS 9.2) */
#define UNSEEN 0.002	      /* packets that S leaves out at its ends */
#define MANY_ZEROS 0.01	      /* no wire makes deltas of zero */
#define HANDFUL 10	      /* packets that a sound reference may lack */

static const double second_ps = (double)CD_PS_PER_S;

/* ---- facts --------------------------------------------------------------- */

double cd_fact_of(const struct cd_report *report, uint32_t point,
		  uint32_t stream, const char *name)
{
	const struct cd_value *v =
	    cd_report_find_stream(report, point, stream, name);

	if (v != NULL && v->kind == CD_VALUE_REAL)
		return v->real;
	if (v != NULL && (v->kind == CD_VALUE_SPAN || v->kind == CD_VALUE_COUNT))
		return (double)v->integer;
	return NAN;
}

double cd_fact_span(const struct cd_report *report, uint32_t point,
		    const char *name)
{
	return cd_fact_of(report, point, CD_NO_STREAM, name);
}

double cd_fact_real(const struct cd_report *report, uint32_t point,
		    const char *name)
{
	return cd_fact_of(report, point, CD_NO_STREAM, name);
}

int64_t cd_fact_count(const struct cd_report *report, uint32_t point,
		      const char *name)
{
	const struct cd_value *v = cd_report_find(report, point, name);

	return v == NULL || v->kind != CD_VALUE_COUNT ? -1 : v->integer;
}

/* Stamps that scatter come close to each other, too, but in no batches: the
 * period is null then. */
bool cd_fact_bunched(const struct cd_report *report, uint32_t point)
{
	const struct cd_value *period =
	    cd_report_find(report, point, "burst.period_ns");

	return cd_fact_real(report, point, "burst.coalescing") >= BUNCHED &&
	       (period == NULL || period->kind != CD_VALUE_NULL);
}

bool cd_fact_code(const struct cd_report *report, const char *code,
		  uint32_t point)
{
	return cd_report_has_finding(report, code, (int)point) ||
	       cd_report_has_finding(report, code, (int)report->reference) ||
	       cd_report_has_finding(report, code, -1);
}

static int64_t at_least_zero(int64_t count)
{
	return count < 0 ? 0 : count;
}

static double or_else(double value, double otherwise)
{
	return isnan(value) ? otherwise : value;
}

/* ---- complete ------------------------------------------------------------ */

struct null_code {
	const char *code, *reason;
};

static const char *find_null_code(const struct cd_case *c)
{
	static const struct null_code codes[] = {
	    {CD_CODE_DIFFERENT_PACKETS, "DIFFERENT_PACKETS"},
	    {CD_CODE_NO_NUMBERS, "NO_NUMBERS"},
	    {CD_CODE_NO_COMMON, "NO_COMMON_INTERVAL"},
	    {CD_CODE_WRAP_AMBIGUOUS, "WRAP_AMBIGUOUS"},
	    {CD_CODE_AMBIGUOUS_NUMBERS, "AMBIGUOUS_NUMBERS"},
	};

	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		/* packets can be counted without numbers */
		if (c->options->has_expect &&
		    strcmp(codes[i].code, CD_CODE_NO_NUMBERS) == 0)
			continue;
		if (cd_fact_code(c->report, codes[i].code, c->point))
			return codes[i].reason;
	}
	return NULL;
}

/* Missing packets of the common interval, or of all that were sent where
 * --expect says so: the larger number is a loss for certain. */
static void count_missing(struct cd_case *c)
{
	int64_t whole = cd_fact_count(c->report, c->point, "loss.whole_missing");

	c->missing = cd_fact_count(c->report, c->point, "loss.missing");
	c->expected = cd_fact_count(c->report, c->point, "loss.expected");
	if (c->options->has_expect && whole >= 0 &&
	    (c->single || whole > c->missing)) {
		c->missing = whole;
		c->expected = cd_fact_count(c->report, c->point,
					    "loss.whole_expected");
	}
}

/* Packets whose number was cut off may be the missing ones. */
static int64_t count_cut(const struct cd_case *c)
{
	int64_t cut = cd_fact_count(c->report, c->point, "loss.cut");

	if (cut < 0 && cd_fact_code(c->report, CD_CODE_NUMBERS_CUT, c->point))
		cut = cd_fact_count(c->report, c->point, "stream.cut");
	return at_least_zero(cut);
}

static int64_t count_merged(const struct cd_case *c)
{
	int64_t frames = cd_fact_count(c->report, c->point, "stream.offload");

	if (!cd_fact_code(c->report, CD_CODE_OFFLOAD_MERGE, c->point))
		return 0;
	return frames < 0 || frames > INT64_MAX / MERGED_MOST
		   ? INT64_MAX
		   : frames * MERGED_MOST;
}

/* METRICS 9.2: a known loss is always NOT COMPLETE, null only where the
 * evidence cannot decide. */
static void judge_complete(struct cd_case *c)
{
	int64_t cut = count_cut(c), merged = count_merged(c);
	double tolerated;

	count_missing(c);
	c->complete = CD_INCONCLUSIVE;
	c->complete_reason = find_null_code(c);
	if (c->complete_reason != NULL)
		return;
	if (c->single && !c->options->has_expect) {
		c->complete_reason = "NO_REFERENCE";
		return;
	}
	if (c->missing < 0 || c->expected <= 0) {
		c->complete_reason = "NO_COMMON_INTERVAL";
		return;
	}
	tolerated = c->options->loss_ratio * (double)c->expected;
	c->unsure = merged > INT64_MAX - cut ? INT64_MAX : cut + merged;
	if ((double)c->missing - (double)c->unsure > tolerated) {
		c->complete = CD_FALSE;
		c->complete_reason = "LOSS";
	} else if (cut > 0) {
		c->complete_reason = "NUMBERS_CUT";
	} else if ((double)c->missing > tolerated) {
		c->complete_reason = "OFFLOAD_MERGE";
	} else if (c->options->has_expect &&
		   cd_fact_code(c->report, CD_CODE_MORE_THAN_SENT, c->point)) {
		c->complete_reason = "MORE_THAN_SENT";
	} else {
		c->complete = CD_TRUE;
		c->tolerated = c->missing > 0;
	}
}

/* ---- accurate ------------------------------------------------------------ */

/* S against Lim and I against rho / 2 of one stream, or of all together. */
struct scope {
	uint32_t stream;
	double span, low, high, lim, false_share, max, n;
	bool failed_span, failed_share, failed_strict;
	const char *unsure; /* reason, or NULL */
};

static void read_scope(const struct cd_case *c, uint32_t stream,
		       struct scope *s)
{
	const struct cd_report *r = c->report;
	const struct cd_value *span =
	    cd_report_find_stream(r, c->point, stream, "time.error.span_ns");

	*s = (struct scope){.stream = stream, .low = NAN, .high = NAN};
	s->span = cd_fact_of(r, c->point, stream, "time.error.span_ns");
	s->max = cd_fact_of(r, c->point, stream, "time.error.max_ns");
	s->false_share =
	    cd_fact_of(r, c->point, stream, "delta_error.false_share");
	s->lim = or_else(cd_fact_of(r, c->point, stream, "limit.lim_ns"),
			 cd_fact_span(r, c->point, "limit.lim_ns"));
	s->n = cd_fact_of(r, c->point, stream, "match.matched");
	if (span != NULL && span->has_n)
		s->n = (double)span->n;
	if (span != NULL && span->has_interval) {
		s->low = span->low * (double)CD_PS_PER_NS;
		s->high = span->high * (double)CD_PS_PER_NS;
	}
}

static void judge_scope(const struct cd_case *c, struct scope *s)
{
	bool known = !isnan(s->span) && s->lim > 0;

	s->failed_span = known && s->span - c->u_ref_ps > s->lim;
	s->failed_share = s->false_share > c->ratio / 2;
	s->failed_strict = c->options->strict && s->lim > 0 &&
			   s->max - c->u_ref_ps > 10 * s->lim;
	if (isnan(s->n) || s->n < FEW_PACKETS)
		s->unsure = "FEW_PACKETS";
	else if (!known)
		s->unsure = "UNDEFINED";
	else if (s->span + c->u_ref_ps > s->lim)
		s->unsure = "REFERENCE_COARSE";
}

/* Which of the reasons of METRICS 9.2 fits first. */
static const char *name_error(const struct cd_case *c, const struct scope *s)
{
	const struct cd_report *r = c->report;

	if (cd_fact_span(r, c->point, "time.tick_ns") > s->lim)
		return "RESOLUTION";
	if (cd_fact_bunched(r, c->point))
		return "BUNCHING";
	if (!s->failed_span ||
	    cd_fact_of(r, c->point, s->stream, "time.late_in_runs_ratio") >=
		STALLED)
		return "STALL";
	return "JITTER";
}

/* 2: failed for certain, 1: cannot be known, 0: inside the limits. */
static int rank_scope(const struct scope *s)
{
	if (s->failed_span || s->failed_share || s->failed_strict)
		return 2;
	return s->unsure != NULL;
}

/* Judge a stream and keep it if it is the worst so far. */
static void judge_in_scope(struct cd_case *c, uint32_t stream)
{
	struct scope s;
	int rank;

	read_scope(c, stream, &s);
	judge_scope(c, &s);
	rank = rank_scope(&s);
	if (s.low <= s.lim && s.lim <= s.high)
		c->marginal = true;
	if (rank < c->rank ||
	    (rank == c->rank && !(s.span / s.lim > c->span_ps / c->lim_ps)))
		return;
	c->rank = rank;
	c->stream = stream;
	c->span_ps = s.span;
	c->lim_ps = s.lim;
	c->n = s.n;
	c->error_reason = rank == 2 ? name_error(c, &s) : NULL;
	c->null_reason = rank == 1 ? s.unsure : NULL;
	c->strict = s.failed_strict && !s.failed_span && !s.failed_share;
}

/* Streams apart where the report has them: the capture is as good as its
 * worst. All of it together only if some stream is not in the report. */
static void judge_streams(struct cd_case *c)
{
	const struct cd_report *r = c->report;
	size_t apart = 0;

	for (size_t i = 0; i < r->n_streams; i++) {
		uint32_t id = r->streams[i].id;

		if (cd_report_find_stream(r, c->point, id,
					  "time.error.span_ns") == NULL)
			continue;
		judge_in_scope(c, id);
		apart++;
	}
	if (apart == 0 || apart < r->n_streams)
		judge_in_scope(c, CD_NO_STREAM);
}

static void judge_clock(struct cd_case *c)
{
	double wander =
	    cd_fact_span(c->report, c->point, "clock.wander_ns");

	c->step = cd_fact_count(c->report, c->point, "clock.steps") > 0;
	/* the floors of a few packets scatter as their stamps do */
	if (isnan(cd_fact_span(c->report, c->point, "time.error.span_ns")))
		return;
	c->wander = wander - c->u_ref_ps > c->abs_ps;
	if (!c->wander && wander + c->u_ref_ps > c->abs_ps &&
	    c->null_reason == NULL)
		c->null_reason = "REFERENCE_COARSE";
}

/* That 99.8 % of the packets are stamped inside some limit is wrong where more
 * than the rest have no usable stamp. */
static void judge_invalid(struct cd_case *c)
{
	int64_t invalid = cd_fact_count(c->report, c->point, "time.invalid");
	int64_t all = cd_fact_count(c->report, c->point, "stream.packets");

	if (all > 0 && (double)invalid > UNSEEN * (double)all)
		c->invalid = invalid;
}

/* Where nothing about times can be true or false. */
static const char *find_no_times(const struct cd_case *c)
{
	const struct cd_report *r = c->report;

	if (cd_fact_code(r, CD_CODE_DIFFERENT_PACKETS, c->point))
		return "DIFFERENT_PACKETS";
	if (cd_fact_code(r, CD_CODE_NO_TIME_INFORMATION, c->point))
		return "NO_TIME_INFORMATION";
	if (c->unit)
		return NULL;
	if (c->single)
		return "NO_REFERENCE";
	if (cd_fact_code(r, CD_CODE_TIME_UNIT, c->point))
		return "TIME_UNIT";
	if (cd_fact_code(r, CD_CODE_NO_COMMON, c->point))
		return "NO_COMMON_INTERVAL";
	if (cd_fact_code(r, CD_CODE_NO_NUMBERS, c->point))
		return "NO_NUMBERS";
	return NULL;
}

static void judge_accurate(struct cd_case *c)
{
	c->unit = cd_report_has_finding(c->report, CD_CODE_TIME_UNIT,
					(int)c->point);
	c->rate = cd_report_has_finding(c->report, CD_CODE_TIME_RATE,
					(int)c->point);
	c->accurate = CD_INCONCLUSIVE;
	c->null_reason = find_no_times(c);
	if (c->null_reason != NULL)
		return;
	if (!c->single) {
		judge_streams(c);
		judge_clock(c);
		judge_invalid(c);
	}
	if (c->unit || c->rate || c->step || c->wander || c->invalid > 0 ||
	    c->error_reason != NULL) {
		c->accurate = CD_FALSE;
		c->null_reason = NULL;
	} else if (c->null_reason == NULL) {
		c->accurate = CD_TRUE;
	}
}

/* ---- the reference ------------------------------------------------------- */

static bool has_zero_deltas(const struct cd_report *r, uint32_t point)
{
	return cd_fact_real(r, point, "delta.zero_ratio") > MANY_ZEROS;
}

/* What the reference shows that the capture judged by it does not: reasons to
 * doubt that the errors are the capture's. It decides words, no judgement. */
static const char *doubt_reference(const struct cd_case *c)
{
	const struct cd_report *r = c->report;
	uint32_t ref = r->reference;
	int64_t lacks = cd_fact_count(r, c->point, "loss.ref_miss");
	double tick = cd_fact_span(r, ref, "time.tick_ns");

	if (c->single || cd_fact_bunched(r, c->point) ||
	    has_zero_deltas(r, c->point))
		return NULL;
	if (cd_fact_bunched(r, ref))
		return "whose time stamps come in bursts";
	if (has_zero_deltas(r, ref))
		return "many of whose time stamps are equal";
	if (lacks > HANDFUL && lacks > at_least_zero(c->missing))
		return "which lacks more packets";
	if (tick > cd_fact_span(r, c->point, "time.tick_ns") &&
	    tick > c->lim_ps && c->span_ps < 10 * tick)
		return "whose time stamps are coarser";
	return NULL;
}

/* ---- the verdict --------------------------------------------------------- */

static void add_reason(struct cd_report_verdict *v, const char *reason,
		       enum cd_about about)
{
	const size_t most = sizeof(v->reasons) / sizeof(v->reasons[0]);
	struct cd_abouts *abouts = &v->reasons_about;

	if (reason == NULL || v->n_reasons == most)
		return;
	for (size_t i = 0; i < v->n_reasons; i++)
		if (strcmp(v->reasons[i], reason) == 0) {
			if (abouts->list[i] != about)
				abouts->list[i] = CD_ABOUT_BOTH;
			return;
		}
	v->reasons[v->n_reasons++] = reason;
	abouts->list[abouts->n++] = about;
}

static void qualify(struct cd_report_verdict *v, bool applies,
		    const char *qualifier)
{
	if (applies)
		v->qualifiers[v->n_qualifiers++] = qualifier;
}

static bool is_outside_common(const struct cd_case *c)
{
	const struct cd_report *r = c->report;
	double excluded = (double)at_least_zero(
			      cd_fact_count(r, c->point, "loss.head_excluded")) +
			  (double)at_least_zero(
			      cd_fact_count(r, c->point, "loss.tail_excluded"));

	if (c->single || c->expected <= 0)
		return false;
	return excluded > 0.01 * (double)c->expected ||
	       (excluded > 0 && cd_fact_span(r, c->point, "loss.excluded_ns") >
				    second_ps);
}

static double run_ps(const struct cd_case *c)
{
	double span = cd_fact_span(c->report, c->point, "clock.span_ns");

	return or_else(span, cd_fact_span(c->report,
					  c->single ? c->point
						    : c->report->reference,
					  "file.duration_ns"));
}

static void add_qualifiers(const struct cd_case *c,
			   struct cd_report_verdict *v)
{
	const struct cd_report *r = c->report;
	const struct cd_report_capture *capture = &r->captures[c->point];

	qualify(v, c->expected >= 0 && c->expected < WEAK_PACKETS, "weak");
	qualify(v, run_ps(c) < 60 * second_ps, "short");
	qualify(v, cd_fact_count(r, c->point, "loss.ref_miss") > 0,
		"ref incomplete");
	qualify(v, c->outside_common, "inside the common interval");
	qualify(v, c->tolerated, "within the loss tolerance");
	qualify(v, c->marginal && c->accurate != CD_INCONCLUSIVE, "marginal");
	qualify(v, cd_fact_code(r, CD_CODE_UNVERIFIABLE, c->point),
		"identity not verifiable");
	qualify(v, cd_fact_code(r, CD_CODE_NOISY_REFERENCE, c->point),
		"noisy reference");
	qualify(v, capture->cut_short || capture->damaged, "file incomplete");
}

static void add_reasons(const struct cd_case *c, struct cd_report_verdict *v)
{
	const char *const accurate[] = {c->error_reason,
					c->step ? "STEP" : NULL,
					c->wander ? "WANDER" : NULL,
					c->unit ? "UNIT" : NULL,
					c->rate ? "RATE" : NULL,
					c->invalid > 0 ? "INVALID_TIMES" : NULL,
					c->null_reason};

	add_reason(v, c->complete_reason, CD_ABOUT_COMPLETE);
	for (size_t i = 0; i < sizeof(accurate) / sizeof(accurate[0]); i++)
		add_reason(v, accurate[i], CD_ABOUT_ACCURATE);
}

static int judge_one(struct cd_report *report,
		     const struct cd_verdict_options *options, uint32_t point,
		     struct cd_report_verdict *v)
{
	const struct cd_profile *profile = options->profile;
	struct cd_case c = {
	    .report = report,
	    .options = options,
	    .point = point,
	    .single = report->n_captures == 1,
	    .stream = CD_NO_STREAM,
	    .rank = -1,
	};
	struct cd_str text = {0};

	if (profile == NULL)
		profile = cd_profile_find(NULL);
	c.ratio = or_else(cd_fact_real(report, point, "limit.ratio"),
			  profile->ratio);
	c.abs_ps = or_else(cd_fact_span(report, point, "limit.abs_ns"),
			   (double)profile->abs_ps);
	c.u_ref_ps = or_else(
	    cd_fact_span(report, point, "time.u_ref_ns"),
	    or_else(cd_fact_span(report, report->reference, "time.tick_ns"),
		    0));
	judge_complete(&c);
	judge_accurate(&c);
	c.doubt = doubt_reference(&c);
	c.outside_common = is_outside_common(&c);
	*v = (struct cd_report_verdict){
	    .point = point,
	    .complete = c.complete,
	    .accurate = c.accurate,
	};
	add_reasons(&c, v);
	add_qualifiers(&c, v);
	cd_say_verdict(&c, &text, &v->paragraphs_about);
	v->text = text.text;
	if (!text.bad && text.text != NULL)
		return 0;
	free(text.text);
	v->text = NULL;
	return -1;
}

static void forget_verdicts(struct cd_report *report)
{
	for (size_t i = 0; i < report->n_verdicts; i++)
		free(report->verdicts[i].text);
	free(report->verdicts);
	report->verdicts = NULL;
	report->n_verdicts = 0;
}

int cd_judge(struct cd_report *report, const struct cd_verdict_options *options,
	     struct cd_error *error)
{
	const struct cd_profile *profile = options->profile;

	forget_verdicts(report);
	report->verdicts = calloc(report->n_captures + 1,
				  sizeof(*report->verdicts));
	if (report->verdicts == NULL)
		return cd_error_memory(error);
	if (report->profile == NULL) {
		if (profile == NULL)
			profile = cd_profile_find(NULL);
		report->profile = cd_strdup(profile->name);
		if (report->profile == NULL)
			return cd_error_memory(error);
	}
	for (uint32_t i = 0; i < report->n_captures; i++) {
		if (report->n_captures > 1 && i == report->reference)
			continue;
		if (judge_one(report, options, i,
			      &report->verdicts[report->n_verdicts]))
			return cd_error_memory(error);
		report->n_verdicts++;
	}
	return 0;
}
