/* Conservative brackets (METRICS 9.4). */
#include "sweep/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NARROW 1.1 /* RFC 2544 section 26.3 */

/* First failure from below, n: none. */
static size_t find_fail(const struct cd_rung *rungs, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (rungs[i].judgement == CD_FALSE)
			return i;
	return n;
}

/* Last pass below `end`, SIZE_MAX: none. */
static size_t find_pass(const struct cd_rung *rungs, size_t end)
{
	for (size_t i = end; i-- > 0;)
		if (rungs[i].judgement == CD_TRUE)
			return i;
	return SIZE_MAX;
}

/* Rates of the rungs in [from, to) that were so judged. 0 or -1. */
static int list_rates(const struct cd_rung *rungs, size_t from, size_t to,
		      enum cd_judgement judgement, double **list, size_t *n)
{
	*n = 0;
	*list = from < to ? calloc(to - from, sizeof(**list)) : NULL;
	if (from < to && *list == NULL)
		return -1;
	for (size_t i = from; i < to; i++)
		if (rungs[i].judgement == judgement)
			(*list)[(*n)++] = rungs[i].bps;
	return 0;
}

/* Where S / Lim crosses 1 between two rungs, on logarithmic axes. */
static double interpolate(const struct cd_rung *lo, const struct cd_rung *hi)
{
	double share;

	if (!(lo->g > 0) || !(hi->g > lo->g) || lo->g > 1 || hi->g < 1)
		return 0;
	share = -log(lo->g) / (log(hi->g) - log(lo->g));
	return exp(log(lo->bps) + share * (log(hi->bps) - log(lo->bps)));
}

static void set_ends(const struct cd_rung *rungs, size_t lo, size_t hi,
		     size_t n, struct cd_sweep_bracket *out)
{
	out->has_up_to = lo != SIZE_MAX;
	out->has_fails_at = hi < n;
	if (out->has_up_to) {
		out->up_to_pps = rungs[lo].pps;
		out->up_to_bps = rungs[lo].bps;
	}
	if (out->has_fails_at) {
		out->fails_at_pps = rungs[hi].pps;
		out->fails_at_bps = rungs[hi].bps;
	}
	if (!out->has_up_to || !out->has_fails_at)
		return;
	out->estimate_bps = interpolate(&rungs[lo], &rungs[hi]);
	if (out->fails_at_pps > NARROW * out->up_to_pps) {
		out->next_pps = sqrt(out->up_to_pps * out->fails_at_pps);
		out->next_bps = sqrt(out->up_to_bps * out->fails_at_bps);
	}
}

int cd_sweep_bracket(const struct cd_rung *rungs, size_t n,
		     struct cd_sweep_bracket *out)
{
	size_t hi = find_fail(rungs, n), lo = find_pass(rungs, hi);

	*out = (struct cd_sweep_bracket){0};
	for (size_t i = 0; i < n; i++)
		out->tested += rungs[i].judgement != CD_INCONCLUSIVE;
	set_ends(rungs, lo, hi, n, out);
	if (list_rates(rungs, hi, n, CD_TRUE, &out->inverted_bps,
		       &out->n_inverted))
		return -1;
	return list_rates(rungs, lo == SIZE_MAX ? 0 : lo, hi, CD_INCONCLUSIVE,
			  &out->undecided_bps, &out->n_undecided);
}
