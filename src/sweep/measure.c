#include "sweep/parts.h"

#include <math.h>
#include <string.h>

#define MIXED 0.01 /* mean size off the median: no single size */

int64_t cd_sweep_point_in(const struct cd_report *report, uint32_t point,
			  const struct cd_sweep_run *run)
{
	const struct cd_report *r = run->report;

	if (r == NULL)
		return -1;
	if (!report->sweep->has_reference)
		return run->setup == point && r->n_captures == 1 ? 0 : -1;
	for (size_t i = 0; i < r->n_captures && r->n_captures > 1; i++)
		if (strcmp(r->captures[i].label,
			   report->captures[point].label) == 0)
			return (int64_t)i;
	return -1;
}

double cd_sweep_number(const struct cd_report *run, uint32_t point,
		       const char *name)
{
	double number;

	return cd_value_number(cd_report_find(run, point, name), &number)
		   ? number
		   : NAN;
}

/* The reference's rate inside a common interval stands with the capture that
 * it was compared with; of several the one with the most packets. */
static uint32_t choose_point(const struct cd_report *r)
{
	uint32_t best = r->reference;
	double most = 0;

	for (uint32_t i = 0; i < r->n_captures; i++) {
		double expected = cd_sweep_number(r, i, "loss.expected");

		if (i == r->reference || r->n_captures == 1 ||
		    !(expected > most) ||
		    !(cd_sweep_number(r, i, "rate.pps") > 0))
			continue;
		most = expected;
		best = i;
	}
	return best;
}

/* What was offered to a capture that is alone: its own rate, as far as it got
 * the packets, and as far as the link goes: what is missing at its end made it
 * shorter. */
static double scale_alone(const struct cd_report *r, double l1)
{
	double expected = cd_sweep_number(r, 0, "loss.whole_expected");
	double missing = cd_sweep_number(r, 0, "loss.whole_missing");
	double link = cd_sweep_number(r, 0, "physics.link_bps"), scale;

	if (r->n_captures != 1 || !(expected > missing) || !(missing > 0))
		return 1;
	scale = expected / (expected - missing);
	return link > l1 && scale * l1 > link ? link / l1 : scale;
}

void cd_sweep_measure(struct cd_sweep_run *run)
{
	const struct cd_report *r = run->report;
	double pps, l1, l2, p50, mean, scale;
	uint32_t point;

	run->size = 0;
	run->pps = run->l1_bps = run->l2_bps = 0;
	if (r == NULL || r->n_captures == 0)
		return;
	point = choose_point(r);
	pps = cd_sweep_number(r, point, "rate.pps");
	l1 = cd_sweep_number(r, point, "rate.l1_bps");
	l2 = cd_sweep_number(r, point, "rate.l2_bps");
	p50 = cd_sweep_number(r, point, "rate.frame_bytes_p50");
	if (p50 > 0 && p50 < UINT32_MAX)
		run->size = (uint32_t)p50;
	if (!(pps > 0) || !(l1 > 0))
		return;
	scale = scale_alone(r, l1);
	run->pps = pps * scale;
	run->l1_bps = l1 * scale;
	run->l2_bps = l2 > 0 ? l2 * scale : 0;
	mean = l1 / 8 / pps - 20;
	if (fabs(mean - p50) > MIXED * p50)
		run->size = 0;
}
