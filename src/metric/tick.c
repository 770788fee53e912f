/*
 * The effective tick of every capture's clock (METRICS 3.6), and what stamps
 * say that carry less than their digits promise.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/time.h"
#include "metric/lattice.h"
#include "metric/metric.h"
#include "metric/put.h"
#include "metric/sample.h"
#include "report/codes.h"
#include "report/text.h"
#include "stat/tick.h"

#define LEAST_SAMPLE 1000 /* stamps that a lattice can be judged by */

struct found {
	int64_t tick_ps; /* the unit where it is not known */
	const char *how;
	struct cd_tick alias; /* the packets lie on it; num 0: none known */
	bool through_double;
	bool pile; /* us in a ns file */
};

static struct cd_lattice view(const struct cd_point *point,
			      const struct cd_sample_times *times)
{
	return (struct cd_lattice){
	    .times = times,
	    .sample =
		{
		    .base = point->base,
		    .ps = times->ps,
		    .n = times->n,
		    .unit_ps = point->unit_ps,
		},
	};
}

/* ---- search ---------------------------------------------------------------
 */

static bool is_double_tick(struct cd_tick q)
{
	/* 2^-22 s: the spacing of doubles at today's epoch seconds */
	return fabs(cd_tick_ps(q) - 0x1p-22 * (double)CD_PS_PER_S) < 1;
}

static void take(struct found *found, struct cd_tick q, const char *how)
{
	found->tick_ps = (int64_t)llround(cd_tick_ps(q));
	found->how = how;
	found->through_double = is_double_tick(q);
}

static uint64_t gcd_of(const struct cd_tick_sample *sample)
{
	struct cd_tick_gcd gcd;

	cd_tick_gcd_init(&gcd, sample->unit_ps);
	cd_tick_gcd_add(&gcd, sample->ps, sample->n);
	return gcd.gcd_ps;
}

#define INCONCLUSIVE "inconclusive: the packets themselves lie on a lattice"

/* Packets on a lattice of q lie on all that q is a multiple of, too: whether
 * the clock does cannot be seen. */
static bool is_explained(const struct found *found, struct cd_tick q)
{
	__int128 of = (__int128)found->alias.num * q.den;
	__int128 by = (__int128)q.num * found->alias.den;

	return found->alias.num > 0 && of % by == 0;
}

static bool try_lattice(struct found *found, const struct cd_lattice *mine,
			const struct cd_lattice *other, struct cd_tick q,
			const char *how)
{
	if (is_explained(found, q))
		return false;
	if (cd_lattice_is_packets(mine, other, q)) {
		found->how = INCONCLUSIVE;
		if (found->alias.num == 0)
			found->alias = q;
		return false;
	}
	take(found, q, how);
	return true;
}

/* A lattice all stamps lie on. */
static void try_gcd(struct found *found, const struct cd_lattice *mine,
		    const struct cd_lattice *other)
{
	uint64_t gcd = gcd_of(&mine->sample);
	struct cd_tick q = {.num = (int64_t)gcd, .den = 1};

	if (gcd > (uint64_t)mine->sample.unit_ps && gcd <= INT64_MAX)
		try_lattice(found, mine, other, q, "all stamps are multiples");
}

/* A coarser one that nearly all lie on: the rest was edited, or lifted. */
static void try_candidates(struct found *found, const struct cd_lattice *mine,
			   const struct cd_lattice *other)
{
	struct cd_tick_fit fits[CD_TICK_CANDIDATES];
	size_t n = cd_tick_candidates(&mine->sample, fits);

	for (size_t i = 0; i < n; i++)
		if (cd_tick_ps(fits[i].q) <= (double)found->tick_ps ||
		    try_lattice(found, mine, other, fits[i].q,
				"nearly all stamps lie on a lattice"))
			return;
}

static struct found find_tick(const struct cd_lattice *mine,
			      const struct cd_lattice *other)
{
	int64_t unit_ps = mine->sample.unit_ps;
	struct found found = {.tick_ps = unit_ps, .how = "what the file says"};
	struct cd_tick_pileup pile;

	if (mine->sample.n < LEAST_SAMPLE)
		return found;
	try_gcd(&found, mine, other);
	try_candidates(&found, mine, other);
	pile = cd_tick_pileup(&mine->sample);
	found.pile = unit_ps == CD_PS_PER_NS && found.tick_ps >= CD_PS_PER_US &&
		     pile.z > 10;
	return found;
}

/* ---- report ---------------------------------------------------------------
 */

static bool is_flat(const struct cd_point *point)
{
	uint64_t rows = 0;

	for (size_t i = 0; i < point->n_streams; i++) {
		rows += point->streams[i].packets;
		if (point->streams[i].first_ps != point->streams[i].last_ps)
			return false;
	}
	return rows > 1;
}

static void say_flat(struct cd_report *report, uint32_t k)
{
	cd_report_finding(report, CD_WARNING, CD_CODE_NO_TIME_INFORMATION,
			  (int)k,
			  "every packet has the same time: loss can be "
			  "checked, accuracy cannot");
}

static void say_coarse(struct cd_report *report, uint32_t k,
		       const struct found *found, int64_t unit_ps)
{
	struct cd_str text = {0};

	if (found->through_double)
		cd_str_add(&text, "time stamps went through a double of epoch "
				  "seconds (a script?): they lie ");
	else if (found->pile)
		cd_str_add(&text, "microseconds in a file of nanoseconds: time "
				  "stamps lie ");
	else
		cd_str_add(&text, "time stamps lie ");
	cd_text_span_short(&text, (double)found->tick_ps, 4, false);
	cd_str_add(&text, " apart or a multiple of it, though the file counts "
			  "in steps of ");
	cd_text_span_short(&text, (double)unit_ps, 4, false);
	cd_report_finding(report, CD_NOTE,
			  found->through_double ? "tick_double" : "tick_coarse",
			  (int)k, "%s", cd_str_text(&text));
	cd_str_release(&text);
}

static void put_tick(const struct cd_analysis *analysis, uint32_t k,
		     const struct found *found)
{
	const struct cd_point *point = &analysis->points[k];
	struct cd_place place = {analysis->report, k, CD_NO_STREAM};

	cd_put_span(&place, "time.resolution_ns", point->unit_ps);
	if (is_flat(point)) {
		cd_put_null(&place, "time.tick_ns", "all times are equal");
		if (!cd_report_has_finding(analysis->report,
					   CD_CODE_NO_TIME_INFORMATION, (int)k))
			say_flat(analysis->report, k);
		return;
	}
	cd_report_text(analysis->report, k, "time.tick_how", found->how);
	if (found->alias.num > 0 && found->tick_ps == point->unit_ps) {
		cd_put_null(&place, "time.tick_ns", found->how);
		return;
	}
	cd_put_span(&place, "time.tick_ns", found->tick_ps);
	if (found->tick_ps > point->unit_ps)
		say_coarse(analysis->report, k, found, point->unit_ps);
}

/* What the reference cannot be trusted below (METRICS 9.2). */
static void put_u_ref(const struct cd_analysis *analysis,
		      const struct cd_pair *pair)
{
	const struct cd_metric_options *options = analysis->options;
	struct cd_place place = {analysis->report, pair->dut, CD_NO_STREAM};

	cd_put_span(&place, "time.u_ref_ns",
		    options->has_ref_accuracy ? options->ref_accuracy_ps
					      : pair->ref_tick_ps);
}

static void keep_ticks(struct cd_analysis *analysis, const struct found *found)
{
	for (size_t i = 0; i < analysis->n_pairs; i++) {
		struct cd_pair *pair = &analysis->pairs[i];

		pair->ref_tick_ps = found[pair->ref].tick_ps;
		pair->tick_ps = found[pair->dut].tick_ps;
		if (!pair->alone)
			put_u_ref(analysis, pair);
	}
}

/* Whose packets to hold against k's: the reference's, or for the reference the
 * first other capture's. */
static uint32_t other_of(const struct cd_analysis *analysis, uint32_t k)
{
	if (k != analysis->reference)
		return analysis->reference;
	return analysis->pairs[0].dut;
}

static void find_all(const struct cd_analysis *analysis,
		     const struct cd_sample_times *times, struct found *found)
{
	for (uint32_t k = 0; k < analysis->n_points; k++) {
		uint32_t j = other_of(analysis, k);
		const struct cd_point *points = analysis->points;
		struct cd_lattice mine = view(&points[k], &times[k]);
		struct cd_lattice other = view(&points[j], &times[j]);

		if (j == k)
			other.sample.n = 0;
		found[k] = find_tick(&mine, &other);
		put_tick(analysis, k, &found[k]);
	}
}

static int run(struct cd_analysis *analysis, struct cd_error *error)
{
	size_t n = analysis->n_points;
	struct cd_sample_times *times = calloc(n, sizeof(*times));
	struct found *found = calloc(n, sizeof(*found));
	int result = -1;

	if (times == NULL || found == NULL)
		goto out;
	for (size_t k = 0; k < n; k++)
		if (cd_sample_take(&times[k], &analysis->points[k]) < 0)
			goto out;
	find_all(analysis, times, found);
	keep_ticks(analysis, found);
	result = 0;
out:
	for (size_t k = 0; k < n && times != NULL; k++)
		cd_sample_release(&times[k]);
	free(times);
	free(found);
	return result < 0 ? cd_error_memory(error) : 0;
}

const struct cd_metric cd_metric_tick = {"tick", run};
