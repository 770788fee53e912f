#include "stat/steps.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "stat/order.h"

#define WINDOW 8  /* blocks of a level, and reach of an extremum */
#define LEAST 4	  /* blocks of a level at the ends of the series */
#define NEEDED (2 * LEAST + 1)

/* Median of v[from..to-1], 1..WINDOW of them. */
static double level(const double *v, size_t from, size_t to)
{
	double window[WINDOW];

	memcpy(window, v + from, (to - from) * sizeof(*v));
	return cd_median_f64(window, to - from);
}

static double level_before(const double *v, size_t first)
{
	return level(v, first > WINDOW ? first - WINDOW : 0, first);
}

static double level_after(const double *v, size_t n, size_t last)
{
	size_t to = n - last - 1 > WINDOW ? last + 1 + WINDOW : n;

	return level(v, last + 1, to);
}

/* How much higher v is after than before the blocks first..last, by the levels
 * of up to WINDOW blocks at either side, of which there is at least one. */
static double jump(const double *v, size_t n, size_t first, size_t last)
{
	return level_after(v, n, last) - level_before(v, first);
}

static int floor_noise(const struct cd_steps_input *in, double *noise)
{
	double *change = malloc((in->n - 1) * sizeof(*change));

	if (change == NULL)
		return -1;
	for (size_t b = 0; b + 1 < in->n; b++)
		change[b] = in->floors[b + 1] - in->floors[b];
	*noise = 1.4826 * cd_mad_f64(change, in->n - 1) / sqrt(2);
	free(change);
	return 0;
}

/* |jumps[s]| is the largest within WINDOW blocks; of equal ones the first. */
static bool is_extremum(const double *jumps, size_t n, size_t s)
{
	size_t from = s > LEAST + WINDOW ? s - WINDOW : LEAST;
	size_t to = s + WINDOW < n - LEAST ? s + WINDOW + 1 : n - LEAST;

	for (size_t i = from; i < to; i++) {
		double other = fabs(jumps[i]), own = fabs(jumps[s]);

		if (other > own || (i < s && other == own))
			return false;
	}
	return true;
}

/*
 * The medians of 8 hardly move while fewer than 4 of their blocks are of the
 * other side, so the extremum alone leaves the place open by some blocks. The
 * boundary is where two constant levels fit with the least absolute error.
 */
static size_t locate(const double *v, size_t n, size_t s)
{
	size_t from = s > WINDOW ? s - WINDOW : 0;
	size_t to = n - s - 1 > WINDOW ? s + 1 + WINDOW : n;
	double before = level(v, from, s);
	double after = before + jump(v, n, s, s);
	double cost = 0, least = 0;
	size_t best = from;

	for (size_t b = from; b < to; b++) {
		cost += fabs(v[b] - before) - fabs(v[b] - after);
		if (b == from || cost < least) {
			least = cost;
			best = b + 1;
		}
	}
	return best < n ? best : n - 1;
}

/* At least half of the step happens from b-1 to b, or across one of them. */
static bool is_sudden(const double *v, size_t n, size_t b, double size)
{
	double sign = size < 0 ? -1 : 1;
	double most = sign * (v[b] - v[b - 1]);

	if (b + 1 < n)
		most = fmax(most, sign * (v[b + 1] - v[b - 1]));
	if (b >= 2)
		most = fmax(most, sign * (v[b] - v[b - 2]));
	return most >= 0.5 * fabs(size);
}

static void judge(const struct cd_steps_input *in, const double *jumps,
		  size_t s, double threshold, struct cd_steps *out)
{
	double size = jumps[s], low;
	size_t b, first = s, last = s;

	if (fabs(size) < threshold || !is_extremum(jumps, in->n, s))
		return;
	if (fabs(jump(in->medians, in->n, s, s) - size) > 0.5 * fabs(size))
		return;
	b = locate(in->floors, in->n, s);
	if (!is_sudden(in->floors, in->n, b, size) || out->n == CD_STEPS_MAX)
		return;
	if (out->n > 0 && out->found[out->n - 1].block >= b)
		return;
	/* now that b is known, without the two blocks it may lie in */
	if (b >= 2 && b + 1 < in->n) {
		first = b - 1;
		last = b;
	}
	low = level_before(in->floors, first);
	size = level_after(in->floors, in->n, last) - low;
	if (fabs(size) < threshold)
		return;
	out->found[out->n++] =
	    (struct cd_step_found){b, size, low + size / 2};
}

int cd_steps_find(const struct cd_steps_input *in, struct cd_steps *out)
{
	double threshold, *jumps;

	out->n = 0;
	out->noise = 0;
	if (in->n < NEEDED)
		return 0;
	if (floor_noise(in, &out->noise) != 0)
		return -1;
	jumps = calloc(in->n, sizeof(*jumps));
	if (jumps == NULL)
		return -1;
	for (size_t s = LEAST; s + LEAST < in->n; s++)
		jumps[s] = jump(in->floors, in->n, s, s);
	threshold = fmax(fmax(8 * out->noise, in->median_delta),
			 fmax(2 * in->tick, in->least));
	for (size_t s = LEAST; s + LEAST < in->n; s++)
		judge(in, jumps, s, threshold, out);
	free(jumps);
	return 0;
}
