#include "sim/onset.h"

#include "base/time.h"

#define LIMIT_PS (INT64_C(100) * 1000000) /* never more than 100 us */
#define PER_SPACING 10			  /* a tenth of it */
/* p99.9 - p0.1 of an exponential distribution with mean 1: ln 999, 10^-6 */
#define SPAN_OF_MEAN 6906755
/* Late packets tolerated by that span: 0.1 % */
#define TOLERATED 1000

static void lower(struct cd_onset *onset, uint64_t pps, const char *by)
{
	if (pps < onset->pps)
		*onset = (struct cd_onset){pps, by};
}

/* What comes in `length_ps` at this rate fills `slots`. */
static uint64_t filling_pps(uint64_t slots, int64_t length_ps)
{
	int64_t us = length_ps / 1000000;

	return us <= 0 ? CD_ONSET_NEVER : slots * 1000000 / (uint64_t)us;
}

static void lower_by_windows(struct cd_onset *onset,
			     const struct cd_windows *windows, uint64_t slots,
			     const char *by)
{
	if (slots == 0)
		return;
	for (size_t i = 0; i < windows->n; i++)
		lower(onset, filling_pps(slots, windows->items[i].length_ps),
		      by);
}

struct cd_onset cd_onset_of_loss(const struct cd_point_spec *point,
				 uint64_t packets)
{
	struct cd_onset onset = {CD_ONSET_NEVER, "nothing"};

	/* In the time of the run, packets/pps, the reader takes
	 * packets/pps * drain; what is left, packets - that, must fit. */
	if (point->drain_mpps > 0 && point->buffer > 0 &&
	    packets > point->buffer)
		lower(&onset,
		      point->drain_mpps / 1000 * packets /
			  (packets - point->buffer),
		      "drain");
	lower_by_windows(&onset, &point->pauses, point->buffer, "pause");
	lower_by_windows(&onset, &point->stalls, point->ring, "stall");
	return onset;
}

static int64_t span_of(const struct cd_point_spec *point)
{
	int64_t span = 0;

	for (size_t i = 0; i < point->noise.n; i++)
		if (point->noise.items[i].kind == CD_NOISE_EXPONENTIAL)
			span += point->noise.items[i].scale_ps / 1000 *
				SPAN_OF_MEAN / 1000;
	return span;
}

/* Packets that wait for the end of a stall are late by up to its length. */
static bool stalls_too_much(const struct cd_point_spec *point)
{
	for (size_t i = 0; i < point->stalls.n; i++) {
		const struct cd_window *w = &point->stalls.items[i];

		if (w->length_ps > LIMIT_PS && w->every_ps > 0 &&
		    w->length_ps > w->every_ps / TOLERATED)
			return true;
	}
	return false;
}

static uint64_t pps_of(int64_t spacing_ps)
{
	return spacing_ps <= 0 ? CD_ONSET_NEVER
			       : (uint64_t)(CD_PS_PER_S / spacing_ps);
}

struct cd_onset cd_onset_of_error(const struct cd_point_spec *point)
{
	struct cd_onset onset = {CD_ONSET_NEVER, "nothing"};
	int64_t span = span_of(point);

	if (stalls_too_much(point))
		return (struct cd_onset){0, "stall"};
	if (span > LIMIT_PS)
		return (struct cd_onset){0, "noise"};
	lower(&onset, pps_of(span * PER_SPACING), "noise");
	/* The timer that one packet starts takes the next along. */
	if (point->coalescing == CD_COALESCE_ONESHOT)
		lower(&onset, pps_of(point->period_ps), "coalescing");
	return onset;
}

/* ---- how much ------------------------------------------------------------ */

static int64_t drain_ps(const struct cd_point_spec *point)
{
	return (int64_t)(UINT64_C(1000) * (uint64_t)CD_PS_PER_S /
			 point->drain_mpps);
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* The part of the windows that lies before `until_ps`. */
static int64_t paused_ps(const struct cd_windows *windows, int64_t until_ps)
{
	int64_t sum = 0;

	for (size_t i = 0; i < windows->n; i++) {
		const struct cd_window *w = &windows->items[i];
		int64_t since = until_ps - w->at_ps;

		if (since <= 0)
			continue;
		if (w->every_ps > 0)
			sum += since / w->every_ps * w->length_ps +
			       least(since % w->every_ps, w->length_ps);
		else
			sum += least(since, w->length_ps);
	}
	return sum;
}

uint64_t cd_onset_captured(const struct cd_point_spec *point, uint64_t packets,
			   int64_t spacing_ps, int64_t until_ps)
{
	int64_t end = (int64_t)(packets - 1) * spacing_ps;
	uint64_t came, taken;

	until_ps = least(until_ps, end);
	came = (uint64_t)(until_ps / spacing_ps) + 1;
	if (point->buffer == 0 || point->drain_mpps == 0)
		return came;
	taken = point->buffer +
		(uint64_t)((until_ps - paused_ps(&point->pauses, until_ps)) /
			   drain_ps(point));
	return taken < came ? taken : came;
}

bool cd_onset_knows(const struct cd_point_spec *point, int64_t spacing_ps)
{
	return point->stalls.n == 0 &&
	       (point->pauses.n == 0 ||
		(point->drain_mpps > 0 && drain_ps(point) > spacing_ps));
}
