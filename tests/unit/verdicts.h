/* Reports to judge. */
#ifndef CAPDIFF_TESTS_UNIT_VERDICTS_H
#define CAPDIFF_TESTS_UNIT_VERDICTS_H

#include <criterion/criterion.h>
#include <string.h>
#include "report/codes.h"
#include "sample_report.h"
#include "verdict/verdict.h"

static const struct cd_verdict_options defaults = {0};

/* hw and laptop, the laptop clean. */
static inline struct cd_report *clean_pair(void)
{
	struct cd_report *r = sample_captures(2);

	sample_own(r, 0);
	sample_clean(r, 1);
	return r;
}

static inline bool has_reason(const struct cd_report_verdict *v, const char *reason)
{
	for (size_t i = 0; i < v->n_reasons; i++)
		if (strcmp(v->reasons[i], reason) == 0)
			return true;
	return false;
}

static inline bool has_qualifier(const struct cd_report_verdict *v, const char *what)
{
	for (size_t i = 0; i < v->n_qualifiers; i++)
		if (strcmp(v->qualifiers[i], what) == 0)
			return true;
	return false;
}

#define SAYS(v, words)                                                        \
	cr_assert_not_null(strstr((v)->text, words), "%s\nlacks: %s",         \
			   (v)->text, words)
#define STARTS(v, words)                                                      \
	cr_assert_eq(strncmp((v)->text, words "\n", sizeof(words)), 0,        \
		     "%s", (v)->text)
#define JUDGED(v, complete_, accurate_)                                       \
	do {                                                                  \
		cr_assert_eq((v)->complete, complete_, "%s", (v)->text);      \
		cr_assert_eq((v)->accurate, accurate_, "%s", (v)->text);      \
	} while (0)

static inline const struct cd_report_verdict *
judge(struct cd_report *r, const struct cd_verdict_options *options)
{
	cr_assert_eq(cd_judge(r, options, NULL), 0);
	cr_assert_eq(r->n_verdicts, 1);
	return &r->verdicts[0];
}

#endif
