/* What names the bottleneck across sizes (METRICS 9.4). */
#include "sweep/parts.h"

#include <math.h>
#include <stdlib.h>

#define TIE 0.9 /* the smaller spread must be clearly the smaller one */

struct extent {
	double low, high;
	size_t n;
};

static void extend(struct extent *e, double x)
{
	e->low = e->n == 0 || x < e->low ? x : e->low;
	e->high = e->n == 0 || x > e->high ? x : e->high;
	e->n++;
}

/* Onsets with both ends: the middle of the bracket stands for each. */
static enum cd_sweep_bottleneck compare(const struct cd_sweep *sweep,
					uint32_t point, bool accuracy,
					double *ln_pps, double *ln_bps)
{
	struct extent pps = {0}, bps = {0};

	*ln_pps = *ln_bps = 0;
	for (size_t i = 0; i < sweep->n_onsets; i++) {
		const struct cd_sweep_onset *o = &sweep->onsets[i];
		const struct cd_sweep_bracket *b =
		    accuracy ? &o->accurate : &o->complete;

		if (o->point != point || !b->has_up_to || !b->has_fails_at)
			continue;
		extend(&pps, (log(b->up_to_pps) + log(b->fails_at_pps)) / 2);
		extend(&bps, (log(b->up_to_bps) + log(b->fails_at_bps)) / 2);
	}
	if (pps.n < 2)
		return CD_LIMITED_UNKNOWN;
	*ln_pps = pps.high - pps.low;
	*ln_bps = bps.high - bps.low;
	if (*ln_pps < TIE * *ln_bps)
		return CD_LIMITED_PER_PACKET;
	return *ln_bps < TIE * *ln_pps ? CD_LIMITED_BY_BYTES
				       : CD_LIMITED_UNKNOWN;
}

int cd_sweep_limiters(struct cd_report *report)
{
	struct cd_sweep *sweep = report->sweep;

	sweep->limiters =
	    calloc(report->n_captures + 1, sizeof(*sweep->limiters));
	if (sweep->limiters == NULL)
		return -1;
	for (uint32_t i = 0; i < report->n_captures; i++) {
		struct cd_sweep_limiter *l =
		    &sweep->limiters[sweep->n_limiters];

		if (report->captures[i].reference)
			continue;
		sweep->n_limiters++;
		l->point = i;
		l->complete = compare(sweep, i, false, &l->complete_ln_pps,
				      &l->complete_ln_bps);
		l->accurate = compare(sweep, i, true, &l->accurate_ln_pps,
				      &l->accurate_ln_bps);
	}
	return 0;
}
