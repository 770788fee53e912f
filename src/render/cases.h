/*
 * A report as test cases, for the formats that build servers read: what was
 * read, both verdicts and every limit, capture by capture. Inside the room
 * only.
 */
#ifndef CAPDIFF_RENDER_CASES_H
#define CAPDIFF_RENDER_CASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "report/report.h"

enum cd_outcome {
	CD_CASE_PASSED,
	CD_CASE_FAILED, /* out of limits, or undefined */
	CD_CASE_ERROR	/* it could not be looked at properly */
};

/* Texts are clean and UTF-8. */
struct cd_case {
	char *suite;   /* "laptop", of a sweep "64/100M laptop"; "capdiff" for
			  the whole run */
	const struct cd_report *report; /* of the run */
	int64_t point;			/* -1: the whole run */
	char *name;    /* "complete", "loss.missing<=0" */
	enum cd_outcome outcome;
	char *type;    /* "LOSS STALL", "limit", "inconclusive"; "" if passed */
	char *message; /* one line */
	char *detail;  /* lines, may be empty */
};

struct cd_cases {
	struct cd_case *list; /* of a suite one after the other: those of the
				 reference, of the others, of the run */
	size_t n, capacity;
	bool bad; /* memory ran out */
	/* what is being taken */
	const struct cd_report *report;
	const char *run; /* NULL: no sweep */
};

/* With an exit status other than 0 at least one case does not pass, with 2 one
 * is an error. Needs cd_cases_release() in any case. */
void cd_cases_take(struct cd_cases *cases, const struct cd_report *report,
		   int status);
void cd_cases_release(struct cd_cases *cases);

#endif
