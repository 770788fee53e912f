#include "stamp/choice.h"

#include <string.h>

void cd_readings_add(struct cd_readings *readings, struct cd_reading *reading)
{
	size_t i = readings->n;

	if (i == CD_READINGS_MAX) {
		if (readings->all[--i].hits >= reading->hits) {
			cd_reading_release(reading);
			return;
		}
		cd_reading_release(&readings->all[i]);
	}
	readings->n = i + 1;
	for (; i > 0 && readings->all[i - 1].hits < reading->hits; i--)
		readings->all[i] = readings->all[i - 1];
	readings->all[i] = *reading;
}

void cd_readings_release(struct cd_readings *readings)
{
	while (readings->n > 0)
		cd_reading_release(&readings->all[--readings->n]);
}

/* Keep those that are not to be dropped, in order. */
static void drop(struct cd_readings *readings, const bool *dropped)
{
	size_t kept = 0;

	for (size_t i = 0; i < readings->n; i++) {
		if (dropped[i])
			cd_reading_release(&readings->all[i]);
		else
			readings->all[kept++] = readings->all[i];
	}
	readings->n = kept;
}

/* ---- byte order
 * --------------------------------------------------------------- */

static bool have_one_spot(const struct cd_reading *a,
			  const struct cd_reading *b)
{
	return a->spot.at == b->spot.at &&
	       a->spot.from_end == b->spot.from_end &&
	       a->spot.shared == b->spot.shared;
}

/* The same byte in the other order, and as little proved. */
static const struct cd_reading *find_twin(const struct cd_readings *readings,
					  const struct cd_reading *reading)
{
	for (size_t i = 0; i < readings->n; i++) {
		const struct cd_reading *r = &readings->all[i];

		if (r != reading && !r->carried && have_one_spot(r, reading))
			return r;
	}
	return NULL;
}

/* Fields begin at even addresses, as a rule. */
static bool is_even(const struct cd_reading *r)
{
	bool odd_end = (r->spot.at + r->spot.from_end) % 2 == 1;

	return odd_end != r->little;
}

/*
 * A byte that counts up, of which no carry was seen. If the samples are all
 * there is, either byte order gives the same numbers, and the likely one is
 * taken; else only if the next byte is 0 on one side of it alone.
 */
static bool is_unlikely(const struct cd_readings *readings,
			const struct cd_reading *r)
{
	const struct cd_reading *twin = find_twin(readings, r);

	if (twin == NULL)
		return !r->next_zero && !readings->whole;
	if (r->next_zero != twin->next_zero)
		return !r->next_zero;
	if (readings->whole)
		return !is_even(r);
	return !r->next_zero;
}

static void settle_order(struct cd_readings *readings)
{
	bool dropped[CD_READINGS_MAX] = {false};

	for (size_t i = 0; i < readings->n; i++)
		dropped[i] = !readings->all[i].carried &&
			     is_unlikely(readings, &readings->all[i]);
	drop(readings, dropped);
}

/* ---- one against the other
 * ------------------------------------------------------ */

/* Counters go by one, up or down; other steps may be a clock's; and when a
 * counter goes up, check sums go down. */
static int rank_of(const struct cd_reading *r)
{
	if (r->step == 1)
		return 0;
	if (r->step == -1)
		return 1;
	return r->step > 0 ? 2 : 3;
}

/* Offsets of first and last byte, from the same end. */
static void find_extent(const struct cd_reading *r, uint32_t *first,
			uint32_t *last)
{
	bool up = r->little != r->spot.from_end; /* from the lowest byte */

	*first = up ? r->spot.at : r->spot.at - (r->width - 1u);
	*last = *first + r->width - 1;
}

static bool overlap(const struct cd_reading *a, const struct cd_reading *b)
{
	uint32_t a_first, a_last, b_first, b_last;

	find_extent(a, &a_first, &a_last);
	find_extent(b, &b_first, &b_last);
	return a->spot.from_end == b->spot.from_end && a_first <= b_last &&
	       b_first <= a_last;
}

/* Packets that go on by one step in both, or in one of them only. */
struct shares {
	size_t both, a, b;
};

static struct shares compare(const struct cd_reading *a,
			     const struct cd_reading *b, size_t n)
{
	struct shares s = {0};

	if (memcmp(a->marks, b->marks, n) == 0) {
		s.both = a->hits;
		return s;
	}
	for (size_t i = 0; i < n; i++) {
		bool in_a = (a->marks[i] & CD_MARK_NEXT) != 0;
		bool in_b = (b->marks[i] & CD_MARK_NEXT) != 0;

		s.both += in_a && in_b;
		s.a += in_a && !in_b;
		s.b += !in_a && in_b;
	}
	return s;
}

/* Does a count whatever b counts, and more? Then b only goes along: another
 * byte of a, a check sum, a clock. One of better rank only if it misses a lot.
 */
static bool explains(const struct cd_reading *a, const struct cd_reading *b,
		     size_t n)
{
	struct shares s = compare(a, b, n);

	if (s.both * 2 < b->hits || s.a < 2 || s.b * 10 > s.a)
		return false;
	return overlap(a, b) || rank_of(a) <= rank_of(b) || s.a * 50 >= a->hits;
}

static void drop_explained(struct cd_readings *readings, size_t n_bodies)
{
	bool dropped[CD_READINGS_MAX] = {false};

	for (size_t i = 0; i < readings->n; i++)
		for (size_t j = 0; j < readings->n; j++)
			dropped[i] |=
			    i != j && explains(&readings->all[j],
					       &readings->all[i], n_bodies);
	drop(readings, dropped);
}

static bool is_preferred(const struct cd_reading *a, const struct cd_reading *b)
{
	if (rank_of(a) != rank_of(b))
		return rank_of(a) < rank_of(b);
	if (a->spot.shared != b->spot.shared)
		return b->spot.shared;
	if (a->hits != b->hits)
		return a->hits > b->hits;
	if (a->spot.from_end != b->spot.from_end)
		return b->spot.from_end;
	if (a->width != b->width)
		return a->width > b->width;
	return a->spot.at < b->spot.at;
}

/* Nine in ten of the hits of the best one are enough. */
static size_t find_preferred(const struct cd_readings *readings)
{
	size_t best = 0;

	for (size_t i = 1; i < readings->n; i++)
		if (readings->all[i].hits * 10 >= readings->all[0].hits * 9 &&
		    is_preferred(&readings->all[i], &readings->all[best]))
			best = i;
	return best;
}

/* Counts r what the choice counts, but otherwise? Fields in lockstep give the
 * same numbers. */
static bool is_rival(const struct cd_reading *choice,
		     const struct cd_reading *r, size_t n)
{
	struct shares s = compare(choice, r, n);

	if (have_one_spot(choice, r))
		return !choice->carried && !r->carried;
	if (overlap(choice, r) || s.both * 2 < choice->hits || s.b == 0)
		return false;
	return rank_of(choice) == rank_of(r) &&
	       choice->spot.shared == r->spot.shared;
}

bool cd_readings_choose(struct cd_readings *readings, size_t n_bodies)
{
	bool dropped[CD_READINGS_MAX] = {false};
	struct cd_reading choice;
	size_t best;

	settle_order(readings);
	drop_explained(readings, n_bodies);
	if (readings->n == 0)
		return false;
	best = find_preferred(readings);
	choice = readings->all[best];
	readings->all[best] = readings->all[0];
	readings->all[0] = choice;
	for (size_t i = 1; i < readings->n; i++)
		dropped[i] = !is_rival(&choice, &readings->all[i], n_bodies);
	drop(readings, dropped);
	return readings->n > 1;
}
