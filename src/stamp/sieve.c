#include "stamp/sieve.h"

#include <stdlib.h>
#include <string.h>

/* Neighbours are looked at in runs, so that what repeats is seen to. */
enum { RUN = 16, PACKETS_MAX = 1024, REPEATS_MIN = 8, SHARE = 25 };

struct column {
	uint32_t repeats, pairs;
};

static void compare(struct column *restrict columns, uint8_t *restrict before,
		    const uint8_t *x, const uint8_t *y, size_t from, size_t n)
{
	for (size_t k = from; k < n; k++) {
		uint8_t d = (uint8_t)(y[k] - x[k]);

		columns[k].repeats += d == before[k] && d != 0;
		columns[k].pairs++;
		before[k] = d;
	}
}

static void compare_ends(struct column *restrict columns,
			 uint8_t *restrict before, const uint8_t *x,
			 const uint8_t *y, size_t n)
{
	for (size_t k = 0; k < n; k++) {
		uint8_t d = (uint8_t)(*--y - *--x);

		columns[k].repeats += d == before[k] && d != 0;
		columns[k].pairs++;
		before[k] = d;
	}
}

static void look(const struct cd_bodies *bodies, bool from_end, bool shared,
		 struct column *columns, uint8_t *before)
{
	size_t most = PACKETS_MAX * bodies->n_captures;
	size_t stride = bodies->n > most ? bodies->n / most * RUN : RUN;

	for (size_t i = 1; i < bodies->n; i++) {
		uint32_t x = cd_bodies_at(bodies, shared, i - 1);
		uint32_t y = cd_bodies_at(bodies, shared, i);
		const struct cd_body *a = &bodies->all[x];
		const struct cd_body *b = &bodies->all[y];
		uint32_t n = a->n < b->n ? a->n : b->n;

		if (i % stride >= RUN ||
		    !cd_bodies_joined(bodies, shared, x, y))
			continue;
		if (!from_end)
			compare(columns, before, a->p, b->p, bodies->skip, n);
		else if (a->ended && b->ended && n > bodies->skip)
			compare_ends(columns, before, a->p + a->n, b->p + b->n,
				     n - bodies->skip);
	}
}

/* In order of repeats; the first of equals first. */
static void keep(struct cd_spot *spots, size_t *n, struct cd_spot spot)
{
	size_t i = *n;

	if (*n == CD_SPOTS_MAX && spots[--i].repeats >= spot.repeats)
		return;
	*n = i + 1;
	while (i > 0 && spots[i - 1].repeats < spot.repeats) {
		spots[i] = spots[i - 1];
		i--;
	}
	spots[i] = spot;
}

int cd_sieve(const struct cd_bodies *bodies, bool from_end, bool shared,
	     struct cd_spot spots[CD_SPOTS_MAX], size_t *n)
{
	size_t longest = bodies->longest;
	struct column *columns = calloc(longest + 1, sizeof(*columns));
	uint8_t *before = calloc(longest + 1, 1);
	int result = -1;

	*n = 0;
	if (columns == NULL || before == NULL)
		goto out;
	look(bodies, from_end, shared, columns, before);
	for (size_t k = 0; k < longest; k++)
		if (columns[k].repeats >= REPEATS_MIN &&
		    columns[k].repeats >= columns[k].pairs / SHARE)
			keep(spots, n,
			     (struct cd_spot){.at = (uint32_t)k,
					      .from_end = from_end,
					      .shared = shared,
					      .repeats = columns[k].repeats});
	result = 0;
out:
	free(columns);
	free(before);
	return result;
}
