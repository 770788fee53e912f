#include "metric/lattice.h"

#include <math.h>
#include <stdlib.h>

#include "base/time.h"
#include "metric/numbers.h"
#include "metric/walk.h"
#include "stat/order.h"

#define LEAST_SAMPLE 1000 /* stamps that a lattice can be judged by */

/* ---- a cadence ------------------------------------------------------------
 */

/* Nearly every delta is the same multiple of the tick: a cadence, but for what
 * a stall may have moved. */
static bool is_cadence(const struct cd_sample_times *times, double tick_ps)
{
	int64_t *deltas = malloc((times->n + 1) * sizeof(*deltas));
	size_t n = 0, same = 0;
	int64_t median;

	if (deltas == NULL)
		return true;
	for (size_t i = 1; i < times->n; i++)
		if (cd_follows(times->seq[i - 1], times->seq[i]))
			deltas[n++] =
			    cd_wrap_minus(times->ps[i], times->ps[i - 1]);
	if (n == 0) {
		free(deltas);
		return false;
	}
	median = cd_median_i64(deltas, n);
	for (size_t i = 0; i < n; i++)
		same += fabs((double)deltas[i] - (double)median) < tick_ps / 4;
	free(deltas);
	return median != 0 && same >= n - n / 20;
}

/* ---- the same packets on two clocks ---------------------------------------
 */

/* Packets that both samples have. */
struct common {
	int64_t *mine, *other;
	size_t n;
};

static void find_common(const struct cd_sample_times *mine,
			const struct cd_sample_times *other, struct common *c)
{
	size_t i = 0, k = 0;

	c->n = 0;
	while (i < mine->n && k < other->n) {
		if (mine->seq[i] == other->seq[k]) {
			c->mine[c->n] = mine->ps[i++];
			c->other[c->n++] = other->ps[k++];
		} else if (mine->seq[i] < other->seq[k]) {
			i++;
		} else {
			k++;
		}
	}
}

#define ENDS 256 /* packets at either end that a rate is taken from */

/* Median of other - mine over packets from..to-1, from an origin. */
static double median_offset(const struct common *c, size_t from, size_t to)
{
	double offsets[ENDS];

	for (size_t i = from; i < to; i++)
		offsets[i - from] =
		    (double)cd_wrap_minus(c->other[i], c->other[0]) -
		    (double)cd_wrap_minus(c->mine[i], c->mine[0]);
	return cd_median_f64(offsets, to - from);
}

/* How much faster the other clock runs. */
static double relative_rate(const struct common *c)
{
	size_t k = c->n / 4 < ENDS ? c->n / 4 : ENDS;
	double span = (double)cd_wrap_minus(c->mine[c->n - 1 - k / 2],
					    c->mine[k / 2]);

	if (k == 0 || !(span > 0))
		return 0;
	return (median_offset(c, c->n - k, c->n) - median_offset(c, 0, k)) /
	       span;
}

/* Is other - mine the same nearly all along, but for less than half a tick? It
 * may have moved in a stall. Uses c up. */
static bool is_constant(struct common *c, double tick_ps)
{
	int64_t *d = c->mine, middle;
	size_t same = 0;

	for (size_t i = 0; i < c->n; i++)
		d[i] = cd_wrap_minus(c->other[i], c->mine[i]);
	middle = cd_median_i64(d, c->n);
	for (size_t i = 0; i < c->n; i++)
		same += fabs((double)cd_wrap_minus(d[i], middle)) < tick_ps / 2;
	return same >= c->n - c->n / 10;
}

/* The coherence of the other's stamps, at the rate of mine. */
static double coherence_at(const struct cd_lattice *other, double rate,
			   struct cd_tick q)
{
	struct cd_tick_sample sample = other->sample;
	int64_t *ps = malloc(sample.n * sizeof(*ps));
	double coherence = 0;

	if (ps == NULL)
		return 0;
	for (size_t i = 0; i < sample.n; i++)
		ps[i] = sample.ps[i] -
			cd_round_ps(rate * (double)cd_wrap_minus(
						   sample.ps[i], sample.ps[0]));
	sample.ps = ps;
	coherence = cd_tick_fit(&sample, q).coherence;
	free(ps);
	return coherence;
}

/*
 * Both lie on the lattice. If it is the clocks', packets fall to either side of
 * a tick, now of the one, now of the other, unless the two are one capture.
 */
static bool alike(struct common *c, bool cadence, double tick_ps)
{
	bool same = true;

	for (size_t i = 0; i < c->n && same; i++)
		same = c->mine[i] == c->other[i];
	if (c->n < LEAST_SAMPLE || same)
		return cadence;
	return cadence || is_constant(c, tick_ps);
}

#define CHANCE 0.1 /* far above 1/sqrt(1000) */

static bool other_shows(const struct cd_lattice *mine,
			const struct cd_lattice *other, struct cd_tick q,
			struct common *c)
{
	double tick_ps = cd_tick_ps(q);
	bool cadence = is_cadence(mine->times, tick_ps);
	double rate = 0;

	find_common(mine->times, other->times, c);
	if (cd_tick_fit(&other->sample, q).coherence >= 1 - 1e-9)
		return alike(c, cadence, tick_ps);
	if (c->n >= LEAST_SAMPLE)
		rate = relative_rate(c);
	if (coherence_at(other, rate, q) >= CHANCE)
		return true;
	/* it bunches, say, and tells nothing; or it drifts across the ticks */
	return cadence && !is_cadence(other->times, tick_ps);
}

bool cd_lattice_is_packets(const struct cd_lattice *mine,
			   const struct cd_lattice *other, struct cd_tick q)
{
	double tick_ps = cd_tick_ps(q);
	struct common c;
	size_t most;
	bool result;

	if (other->sample.n < LEAST_SAMPLE ||
	    tick_ps <= (double)other->sample.unit_ps)
		return is_cadence(mine->times, tick_ps);
	most = mine->times->n < other->times->n ? mine->times->n
						: other->times->n;
	c.mine = malloc((most + 1) * sizeof(*c.mine));
	c.other = malloc((most + 1) * sizeof(*c.other));
	result = c.mine == NULL || c.other == NULL ||
		 other_shows(mine, other, q, &c);
	free(c.mine);
	free(c.other);
	return result;
}
