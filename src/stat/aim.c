#include "stat/aim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "stat/order.h"

#define ROOM ((size_t)1 << 20)
#define TABLE ((size_t)1 << CD_AIM_TABLE_LOG2)
#define TALLIES (TABLE / 4 * 3)

/* ---- ranges ---------------------------------------------------------------
 */

/* Ranks of the sample between which the stream's rank almost surely falls:
 * 3.3 standard errors to either side. */
static void widen(double share, size_t n, size_t *low, size_t *high)
{
	double rank = share * (double)n;
	double width = 3.3 * sqrt((double)n * share * (1 - share)) + 2;

	*low = rank < width ? SIZE_MAX : (size_t)(rank - width);
	*high = rank + width >= (double)n ? SIZE_MAX : (size_t)(rank + width);
}

static int compare(const void *a, const void *b)
{
	size_t x, y;

	memcpy(&x, a, sizeof(x));
	memcpy(&y, b, sizeof(y));
	return x < y ? -1 : x > y;
}

/* Bring the sample's values of some ranks to their places. */
static void place_ranks(int64_t *sample, size_t n, size_t *ranks,
			size_t n_ranks)
{
	size_t from = 0;

	qsort(ranks, n_ranks, sizeof(*ranks), compare);
	for (size_t i = 0; i < n_ranks && ranks[i] < n; i++) {
		if (ranks[i] < from)
			continue;
		cd_nth_i64(sample + from, n - from, ranks[i] - from);
		from = ranks[i] + 1;
	}
}

/* Insert by value; what overlaps becomes one. */
static void add_range(struct cd_aim *aim, int64_t low, int64_t high)
{
	struct cd_aim_range *r = aim->ranges;
	size_t at = 0, end;

	while (at < aim->n && r[at].high < low)
		at++;
	for (end = at; end < aim->n && r[end].low <= high; end++) {
		low = r[end].low < low ? r[end].low : low;
		high = r[end].high > high ? r[end].high : high;
	}
	memmove(&r[at + 1], &r[end], (aim->n - end) * sizeof(*r));
	aim->n += 1 - (end - at);
	r[at] = (struct cd_aim_range){.low = low, .high = high};
}

static void make_ranges(struct cd_aim *aim, int64_t *sample, size_t n,
			const double *shares, size_t n_wanted)
{
	size_t low[CD_AIM_MAX], high[CD_AIM_MAX], ranks[2 * CD_AIM_MAX];

	for (size_t i = 0; i < n_wanted; i++) {
		widen(shares[i], n, &low[i], &high[i]);
		ranks[2 * i] = low[i];
		ranks[2 * i + 1] = high[i];
	}
	place_ranks(sample, n, ranks, 2 * n_wanted);
	for (size_t i = 0; i < n_wanted; i++)
		add_range(aim, low[i] == SIZE_MAX ? INT64_MIN : sample[low[i]],
			  high[i] == SIZE_MAX ? INT64_MAX : sample[high[i]]);
}

struct cd_aim *cd_aim_new(int64_t *sample, size_t n, const double *shares,
			  size_t n_wanted, int64_t low, int64_t high)
{
	struct cd_aim *aim = calloc(1, sizeof(*aim));

	if (aim == NULL)
		return NULL;
	aim->room = ROOM;
	make_ranges(aim, sample, n, shares, n_wanted);
	if (low > INT64_MIN)
		add_range(aim, INT64_MIN, low - 1);
	if (high < INT64_MAX)
		add_range(aim, high + 1, INT64_MAX);
	for (size_t i = 0; i < aim->n; i++) {
		aim->ranges[i].tallies = calloc(TABLE, sizeof(struct cd_tally));
		if (aim->ranges[i].tallies == NULL) {
			cd_aim_free(aim);
			return NULL;
		}
	}
	return aim;
}

void cd_aim_free(struct cd_aim *aim)
{
	if (aim == NULL)
		return;
	for (size_t i = 0; i < aim->n; i++) {
		free(aim->ranges[i].tallies);
		free(aim->ranges[i].values);
	}
	free(aim);
}

/* ---- values ---------------------------------------------------------------
 */

uint64_t cd_aim_count(const struct cd_aim_range *range)
{
	uint64_t sum = 0;

	if (range->tallies == NULL)
		return range->full ? range->counted : range->n_values;
	for (size_t i = 0; i < TABLE; i++)
		sum += range->tallies[i].count;
	return sum;
}

/* From now on only counted; what came so far was `count` values. */
static void give_up(struct cd_aim_range *range, uint64_t count)
{
	free(range->tallies);
	free(range->values);
	range->tallies = NULL;
	range->values = NULL;
	range->full = true;
	range->counted = count;
}

static void keep(struct cd_aim *aim, struct cd_aim_range *range, int64_t v)
{
	if (aim->room == 0 ||
	    cd_grow(&range->values, &range->capacity, range->n_values + 1,
		    sizeof(*range->values)) < 0) {
		give_up(range, range->n_values + 1);
		return;
	}
	aim->room--;
	range->values[range->n_values++] = v;
}

/* Too many different values to count each: keep them all. */
static void spill(struct cd_aim *aim, struct cd_aim_range *range)
{
	struct cd_tally *tallies = range->tallies;
	uint64_t count = cd_aim_count(range);

	if (count > aim->room) {
		give_up(range, count);
		return;
	}
	range->tallies = NULL;
	for (size_t i = 0; i < TABLE; i++)
		for (uint64_t k = 0; k < tallies[i].count && !range->full; k++)
			keep(aim, range, tallies[i].value);
	free(tallies);
	if (range->full)
		range->counted = count;
}

static void count(struct cd_aim *aim, struct cd_aim_range *range, int64_t v)
{
	size_t at = cd_aim_place(v);
	struct cd_tally *t = range->tallies;

	while (t[at].count > 0 && t[at].value != v)
		at = (at + 1) % TABLE;
	if (t[at].count == 0) {
		if (range->n_tallies == TALLIES) {
			spill(aim, range);
			if (range->full)
				range->counted++;
			else
				keep(aim, range, v);
			return;
		}
		range->n_tallies++;
		t[at].value = v;
	}
	t[at].count++;
}

void cd_aim_take(struct cd_aim *aim, struct cd_aim_range *range, int64_t v)
{
	if (range->tallies != NULL)
		count(aim, range, v);
	else if (!range->full)
		keep(aim, range, v);
	else
		range->counted++;
}

static int compare_tallies(const void *a, const void *b)
{
	const struct cd_tally *x = a, *y = b;

	return x->value < y->value ? -1 : x->value > y->value;
}

int64_t cd_aim_pick(struct cd_aim_range *range, uint64_t rank)
{
	struct cd_tally *t = range->tallies;
	size_t i = 0;

	if (t == NULL)
		return cd_nth_i64(range->values, range->n_values, (size_t)rank);
	/* free places count nothing, wherever they sort to */
	qsort(t, TABLE, sizeof(*t), compare_tallies);
	while (t[i].count <= rank)
		rank -= t[i++].count;
	return t[i].value;
}
