/* Steps back: late packets and copies, or a generator that began again. */
#include "align/unwrap_private.h"

#define WITNESSES 2	       /* records that continue the old numbers */
#define WINDOW_LOOK (1u << 18) /* most records looked ahead */
#define WITNESSES 2	       /* records that continue the old numbers */

/* ---- steps back: late, copies, or a new epoch --------------------------------------- */

/* Records among those looked ahead that would be repeats of numbers seen, or
 * fill holes, if this is no new epoch. */
struct evidence {
	uint64_t repeats, fills;
	double expected_repeats, expected_fills; /* of a new epoch, by chance */
};

static struct evidence weigh(const struct cd_unwrap *u, size_t look)
{
	struct evidence e = {0};
	int64_t low = INT64_MAX, high = INT64_MIN;
	double span, missing, n;

	for (size_t i = 0; i <= look && i < u->n; i++) {
		int64_t d = unwrap_distance(u, unwrap_peek(u, i)->raw, u->max_raw);
		int64_t seq = (int64_t)(u->max + (uint64_t)d);

		if (d == CD_FAR || d > 0 || seq < u->seen.from)
			continue;
		if (cd_seen_has(&u->seen, seq))
			e.repeats++;
		else
			e.fills++;
		low = seq < low ? seq : low;
		high = seq > high ? seq : high;
	}
	n = (double)(e.repeats + e.fills);
	if (low > high)
		return e;
	span = (double)((uint64_t)high - (uint64_t)low) + 1;
	missing = (double)cd_seen_missing(&u->seen, low, high);
	e.expected_fills = n * missing / span;
	e.expected_repeats = n - e.expected_fills;
	return e;
}

/*
 * A block captured twice repeats all its numbers, a late queue fills only
 * holes; a generator that began again meets both, as often as chance has it.
 * Nothing tells them apart where no number is missing.
 */
static bool is_all_repeats(const struct evidence *e)
{
	return e->fills <= e->repeats / 64 &&
	       e->expected_fills > 8 + 4 * (double)e->fills;
}

static bool is_all_fills(const struct evidence *e)
{
	return e->repeats <= e->fills / 64 &&
	       e->expected_repeats > 8 + 4 * (double)e->repeats;
}

/* Inside the window only what meets both is new: a late queue repeats a few
 * numbers too where packets were copied. */
static bool is_mixed(const struct evidence *e)
{
	return e->repeats >= 16 && e->repeats >= e->fills / 3 &&
	       e->fills >= 4;
}

static size_t look_ahead(uint64_t w)
{
	return w < WINDOW_LOOK ? (size_t)w : WINDOW_LOOK;
}

bool unwrap_scan(struct cd_unwrap *u, bool flush)
{
	struct unwrap_judgement *j = &u->judgement;
	uint64_t w = unwrap_window(u);
	size_t look = look_ahead(w);

	if (!j->valid || j->max != u->max)
		*j = (struct unwrap_judgement){.max = u->max, .valid = true};
	if (j->witness <= u->index)
		j->witnesses = 0;
	for (size_t i = j->scanned > u->index ? j->scanned - u->index : 1;
	     i <= look && i < u->n && j->witnesses < WITNESSES; i++) {
		int64_t d = unwrap_distance(u, unwrap_peek(u, i)->raw,
					    u->max_raw);

		if (d > 0 && (uint64_t)d <= w) {
			j->witnesses++;
			j->witness = u->index + i;
		}
		j->scanned = u->index + i + 1;
	}
	return j->witnesses == WITNESSES || flush || u->n > look;
}

enum unwrap_answer unwrap_is_restart(struct cd_unwrap *u, int64_t delta,
				     bool flush)
{
	uint64_t w = unwrap_window(u);
	bool is_far = delta == CD_FAR;
	bool within = !is_far && cd_magnitude(delta) <= w;
	struct unwrap_judgement *j = &u->judgement;
	struct evidence e;
	bool repeats, fills;

	if (!unwrap_scan(u, flush))
		return UNWRAP_WAIT;
	if (j->witnesses == WITNESSES || (j->no_restart <= delta && !is_far))
		return UNWRAP_NO;
	e = weigh(u, look_ahead(w));
	repeats = is_all_repeats(&e);
	fills = is_all_fills(&e);
	if (!within && !repeats && !fills)
		return UNWRAP_YES;
	if (within && !repeats && !fills && is_mixed(&e))
		return UNWRAP_YES;
	if (!is_far) {
		j->floor = delta < -(int64_t)w ? delta : -(int64_t)w;
		/* a little deeper costs no second weighing, so that numbers
		 * that fall and fall do not cost the square of the window */
		j->no_restart = j->floor < INT64_MIN / 2
				    ? INT64_MIN + 1
				    : j->floor - (int64_t)(w / 8);
	}
	return UNWRAP_NO;
}

bool unwrap_is_known_late(const struct cd_unwrap *u, int64_t delta)
{
	const struct unwrap_judgement *j = &u->judgement;

	if (!j->valid || j->max != u->max || delta == CD_FAR || delta > 0)
		return false;
	if (j->floor <= delta)
		return true;
	return j->witnesses == WITNESSES && j->witness > u->index &&
	       cd_magnitude(delta) <= unwrap_window(u);
}

