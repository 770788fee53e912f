#include "align/seen.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define HOLES_MAX 1024

void cd_seen_release(struct cd_seen *seen)
{
	free(seen->holes);
	*seen = (struct cd_seen){0};
}

void cd_seen_start(struct cd_seen *seen, int64_t first)
{
	seen->from = first;
	seen->n = 0;
}

/* Drop filled holes, and the older half if that does not help. */
static void tidy(struct cd_seen *seen)
{
	size_t n = 0;

	for (size_t i = 0; i < seen->n; i++)
		if (seen->holes[i].n > 0)
			seen->holes[n++] = seen->holes[i];
	if (n > HOLES_MAX / 2) {
		size_t old = n - HOLES_MAX / 2;
		const struct cd_hole *last = &seen->holes[old - 1];

		seen->from = (int64_t)((uint64_t)last->first + last->n);
		n -= old;
		memmove(seen->holes, seen->holes + old,
			n * sizeof(*seen->holes));
	}
	seen->n = n;
}

static int make_room(struct cd_seen *seen)
{
	if (seen->n == HOLES_MAX)
		tidy(seen);
	return cd_grow(&seen->holes, &seen->capacity, seen->n + 1,
		       sizeof(*seen->holes));
}

int cd_seen_skip(struct cd_seen *seen, int64_t first, uint64_t n)
{
	if (make_room(seen) < 0)
		return -1;
	seen->holes[seen->n++] = (struct cd_hole){.first = first, .n = n};
	return 0;
}

/* Holes that begin at or before seq. */
static size_t holes_up_to(const struct cd_seen *seen, int64_t seq)
{
	size_t low = 0, high = seen->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (seen->holes[mid].first <= seq)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

bool cd_seen_has(const struct cd_seen *seen, int64_t seq)
{
	size_t i = holes_up_to(seen, seq);
	const struct cd_hole *hole;

	if (i == 0)
		return true;
	hole = &seen->holes[i - 1];
	return (uint64_t)seq - (uint64_t)hole->first >= hole->n;
}

int cd_seen_fill(struct cd_seen *seen, int64_t seq)
{
	size_t i;
	struct cd_hole *hole, after;
	uint64_t before;

	if (cd_seen_has(seen, seq))
		return 0;
	if (make_room(seen) < 0)
		return -1;
	i = holes_up_to(seen, seq); /* make_room() may have dropped some */
	if (i == 0)
		return 0;
	hole = &seen->holes[i - 1];
	before = (uint64_t)seq - (uint64_t)hole->first;
	after = (struct cd_hole){.first = (int64_t)((uint64_t)seq + 1),
				 .n = hole->n - before - 1};
	if (before == 0) {
		*hole = after;
		return 0;
	}
	hole->n = before;
	if (after.n == 0)
		return 0;
	memmove(hole + 2, hole + 1, (seen->n - i) * sizeof(*hole));
	hole[1] = after;
	seen->n++;
	return 0;
}

uint64_t cd_seen_missing(const struct cd_seen *seen, int64_t first,
			 int64_t last)
{
	uint64_t n = 0;

	for (size_t i = holes_up_to(seen, last); i > 0; i--) {
		const struct cd_hole *hole = &seen->holes[i - 1];
		uint64_t end = (uint64_t)hole->first + hole->n;
		uint64_t from = (uint64_t)hole->first;

		if ((int64_t)end <= first)
			break;
		if (hole->first < first)
			from = (uint64_t)first;
		if ((int64_t)end > last)
			end = (uint64_t)last + 1;
		n += end - from;
	}
	return n;
}
