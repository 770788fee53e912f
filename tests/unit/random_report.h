/* Reports of random values and unpleasant names. */
#ifndef CAPDIFF_TESTS_RANDOM_REPORT_H
#define CAPDIFF_TESTS_RANDOM_REPORT_H

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "report/report.h"
#include "sample_report.h"
#include "verdict/verdict.h"

static inline void random_judge(struct cd_report *r)
{
	struct cd_verdict_options options = {0};

	cr_assert_eq(cd_judge(r, &options, NULL), 0);
}

struct random_source {
	uint64_t state;
};

static inline uint64_t random_draw(struct random_source *random, uint64_t below)
{
	random->state = random->state * UINT64_C(6364136223846793005) +
			UINT64_C(1442695040888963407);
	return (random->state >> 33) % below;
}

static const char *const random_names[] = {
    "hw",
    "a\nb\r\tc",
    "\x1b[31mred\x1b[0m",
    "\xff\xfe\xc3",
    "=cmd|' /C calc'!A0",
    "\"quoted\", comma; back\\slash",
    "\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e\xe3\x82\xad\xe3\x83\xa3\xe3\x83\x97",
    "a_label_much_longer_than_any_column_could_be_without_a_single_blank_"
    "so_that_it_must_be_broken_somewhere",
    "",
    "two words and more of them so that the label wraps over several lines "
    "of the report",
    "-1+1",
    "\xe2\x80\xae" "ltr",
    "dots.in.it",
    "NOT COMPLETE",
    "<script>alert('x')</script>",
    "`touch here`|$(touch here)",
    "]]>&amp;--><!-- \" onload=\"x()\"",
    "ok # TODO never",
    "[a](http://b/) **bold** www.c.d *e*",
};

static inline char *random_name(struct random_source *random)
{
	size_t n = sizeof(random_names) / sizeof(random_names[0]);

	return cd_strdup(random_names[random_draw(random, n)]);
}

static inline int64_t random_integer(struct random_source *random)
{
	uint64_t bits = random_draw(random, UINT32_MAX) << 32 |
			random_draw(random, UINT32_MAX);
	int64_t x = (int64_t)(bits >> random_draw(random, 64));

	return random_draw(random, 4) == 0 ? -x : x;
}

static inline void random_value(struct random_source *random, struct cd_report *r)
{
	const struct cd_key *key = &cd_key_table[random_draw(random, cd_key_count)];
	uint32_t p = (uint32_t)random_draw(random, r->n_captures);
	struct cd_value *v;

	if (random_draw(random, 8) == 0)
		v = cd_report_null(r, p, key->name, "reason of a null");
	else if (key->kind == CD_VALUE_COUNT)
		v = cd_report_number(r, p, key->name, random_integer(random));
	else if (key->kind == CD_VALUE_SPAN)
		v = cd_report_span(r, p, key->name, random_integer(random));
	else if (key->kind == CD_VALUE_REAL)
		v = cd_report_real(r, p, key->name,
				   ldexp((double)random_integer(random),
					 (int)random_draw(random, 120) - 60));
	else
		v = cd_report_text(r, p, key->name,
				   random_names[random_draw(random, 12)]);
	if (random_draw(random, 5) == 0) {
		v->has_interval = v->has_n = true;
		v->low = -1.0 / 3;
		v->high = 1e300;
		v->n = random_draw(random, UINT32_MAX);
	}
	if (random_draw(random, 10) == 0)
		cd_value_of_stream(r, v, (uint32_t)random_draw(random, 3));
}

/* Labels are made different, as the program makes them. */
static inline void random_capture(struct random_source *random, struct cd_report *r, size_t i)
{
	struct cd_report_capture *c = &r->captures[i];
	char *name = random_name(random);

	free(c->label);
	c->label = cd_strf("%s%zu", name, i);
	free(name);
	free(c->path);
	c->path = random_name(random);
	free(c->application);
	c->application = random_name(random);
	c->comment = random_name(random);
	c->ifaces[0].description = random_name(random);
	c->ifaces[0].dropped = random_draw(random, 2) ? UINT64_MAX - 1 : 5;
	c->cut_short = random_draw(random, 3) == 0;
}

static inline struct cd_report *random_report(struct random_source *random)
{
	struct cd_report *r = sample_captures(1 + random_draw(random, 6));
	static const enum cd_severity severities[] = {CD_NOTE, CD_WARNING,
						      CD_ERROR};

	r->reference = (uint32_t)random_draw(random, r->n_captures);
	for (size_t i = 0; i < r->n_captures; i++)
		random_capture(random, r, i);
	for (uint64_t n = random_draw(random, 300); n > 0; n--)
		random_value(random, r);
	for (uint64_t n = random_draw(random, 4); n > 0; n--)
		cd_report_finding(r, severities[random_draw(random, 3)], "some_code",
				  (int)random_draw(random, r->n_captures + 1) - 1,
				  "%s is 5 us late, %s.",
				  random_names[random_draw(random, 14)],
				  random_names[random_draw(random, 14)]);
	free(r->streams[0].what);
	r->streams[0].what = random_name(random);
	random_judge(r);
	cd_limit_apply(r, "loss.missing<=0", NULL);
	cr_assert_not(r->bad);
	return r;
}

#endif
