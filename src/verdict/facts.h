/*
 * What a verdict needs of a report, and what it found: inside the room only.
 */
#ifndef CAPDIFF_VERDICT_FACTS_H
#define CAPDIFF_VERDICT_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "report/report.h"
#include "verdict/verdict.h"

/* Values by name: -1 or NAN where there is none or it is undefined. Spans in
 * ps. */
int64_t cd_fact_count(const struct cd_report *report, uint32_t point,
		      const char *name);
double cd_fact_span(const struct cd_report *report, uint32_t point,
		    const char *name);
double cd_fact_real(const struct cd_report *report, uint32_t point,
		    const char *name);
/* Of one stream, CD_NO_STREAM for the whole capture. */
double cd_fact_of(const struct cd_report *report, uint32_t point,
		  uint32_t stream, const char *name);

/* A finding about the capture, the reference or nobody in particular. */
bool cd_fact_code(const struct cd_report *report, const char *code,
		  uint32_t point);

/* Its stamps come in batches (METRICS 3.5). */
bool cd_fact_bunched(const struct cd_report *report, uint32_t point);

/* One capture that is judged. */
struct cd_case {
	const struct cd_report *report;
	const struct cd_verdict_options *options;
	uint32_t point;
	bool single; /* there is no reference */

	double ratio, abs_ps;	 /* rho and L_abs */
	double u_ref_ps;	 /* uncertainty of the reference */
	int64_t expected, missing; /* -1: not known */
	int64_t unsure;		 /* of the missing: may be no loss */

	enum cd_judgement complete, accurate;
	const char *complete_reason; /* NULL if true */
	const char *error_reason;    /* RESOLUTION .. JITTER, NULL */
	const char *null_reason;     /* why not accurate null, NULL */
	const char *doubt; /* what speaks against the reference, NULL */
	bool unit, rate, step, wander, strict; /* what else failed */
	int64_t invalid; /* packets without a usable time, if too many; or 0 */
	bool tolerated, outside_common, marginal;

	/* the scope (stream) that is worst */
	int rank; /* -1: none yet */
	uint32_t stream;
	double span_ps, lim_ps; /* S and Lim */
	double n;		/* packets behind S */
};

/* Sentences: headline, then paragraphs, "\n" between them, and what they are
 * about. */
void cd_say_verdict(const struct cd_case *c, struct cd_str *out,
		    struct cd_abouts *about);

/* Its parts; each paragraph begins with "\n". */
void cd_say_loss(const struct cd_case *c, struct cd_str *out);
void cd_say_time(const struct cd_case *c, struct cd_str *out);

/* "12 packets", "1 packet": a count and its noun, with "s" for many. */
void cd_say_count(struct cd_str *out, int64_t count, const char *noun);
/* "about" precision: 3 significant digits. */
void cd_say_span(struct cd_str *out, double ps);

#endif
