#include "align/unwrap.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "align/unwrap_private.h"
#include "base/array.h"
#include "base/bytes.h"
#include "base/time.h"

#define VOTES 8		    /* records that vote on a jump */
#define VOTES_FOR_RESTART 5
#define TINY 8		    /* a jump that needs no vote */
#define EARLY_MORE 64	    /* records later than its turn a packet may come */
#define WINDOW_MIN 1000	    /* W without a known rate */

/* W of METRICS 0.3. */
uint64_t unwrap_window(const struct cd_unwrap *u)
{
	uint64_t w = cd_pace_100ms(&u->pace), cap = cd_field_half(&u->field) / 4;

	if (w < WINDOW_MIN)
		w = WINDOW_MIN;
	if (w > cap)
		w = cap;
	return w < 1 ? 1 : w;
}

/* ---- pending records ----------------------------------------------------------- */

static int enqueue(struct cd_unwrap *u, const struct cd_unwrap_in *in)
{
	if (u->at + u->n == u->capacity && u->at > u->capacity / 2) {
		memmove(u->pending, u->pending + u->at,
			u->n * sizeof(*u->pending));
		u->at = 0;
	}
	if (cd_grow(&u->pending, &u->capacity, u->at + u->n + 1,
		    sizeof(*u->pending)) < 0)
		return -1;
	u->pending[u->at + u->n] = *in;
	u->pending[u->at + u->n].raw &= u->field.mask;
	u->n++;
	return 0;
}

static void dequeue(struct cd_unwrap *u)
{
	u->waiting = false;
	u->index++;
	u->at++;
	u->n--;
	if (u->n == 0)
		u->at = 0;
}

/* ---- what became of a record ----------------------------------------------------- */

static int emit(struct cd_unwrap *u, enum cd_unwrapped verdict, uint64_t seq)
{
	int status = u->out(u->context, verdict, (int64_t)seq, unwrap_peek(u, 0));

	dequeue(u);
	return status;
}

static void note_tx(struct cd_unwrap *u, const struct cd_unwrap_in *in)
{
	if (!in->has_tx)
		return;
	u->has_tx = true;
	u->tx = in->tx;
	u->tx_number = u->max;
}

static int take_next(struct cd_unwrap *u, uint64_t ahead)
{
	const struct cd_unwrap_in *in = unwrap_peek(u, 0);

	if (ahead > 1 && cd_seen_skip(&u->seen, (int64_t)(u->max + 1),
				      ahead - 1) < 0)
		return -1;
	u->max += ahead;
	u->max_raw = in->raw;
	u->next_raw = (in->raw + u->field.step) & u->field.mask;
	note_tx(u, in);
	cd_pace_note(&u->pace, in->time_ps, (int64_t)u->max);
	return emit(u, CD_UNWRAP_NEXT, u->max);
}

static int take_late(struct cd_unwrap *u, int64_t delta)
{
	uint64_t seq = u->max + (uint64_t)delta;

	if (cd_seen_fill(&u->seen, (int64_t)seq) < 0)
		return -1;
	u->has_late = true;
	u->late_raw = unwrap_peek(u, 0)->raw;
	cd_pace_note(&u->pace, unwrap_peek(u, 0)->time_ps, (int64_t)u->max);
	return emit(u, CD_UNWRAP_LATE, seq);
}

static int take_stray(struct cd_unwrap *u, int64_t delta)
{
	uint64_t seq = delta == CD_FAR ? u->max : u->max + (uint64_t)delta;

	return emit(u, CD_UNWRAP_STRAY, seq);
}

static int take_of_before(struct cd_unwrap *u)
{
	struct unwrap_before *b = &u->before;
	uint64_t raw = unwrap_peek(u, 0)->raw;
	int64_t d = unwrap_distance(u, raw, b->max_raw);
	uint64_t seq = b->max + (uint64_t)d;

	if (d > 1 && cd_seen_skip(&b->seen, (int64_t)(b->max + 1),
				  (uint64_t)d - 1) < 0)
		return -1;
	if (d > 0) {
		b->max = seq;
		b->max_raw = raw;
	} else if (cd_seen_fill(&b->seen, (int64_t)seq) < 0) {
		return -1;
	}
	return emit(u, CD_UNWRAP_BEFORE, seq);
}

/* Keep what is needed of the epoch that ends at a packet numbered `first`. */
static void leave_epoch(struct cd_unwrap *u, uint64_t first)
{
	struct cd_seen seen = u->before.seen;

	u->before = (struct unwrap_before){.open = true,
					   .max = u->max,
					   .max_raw = u->max_raw,
					   .first = first,
					   .seen = u->seen};
	u->seen = seen;
}

static int take_first(struct cd_unwrap *u, enum cd_unwrapped verdict)
{
	const struct cd_unwrap_in *in = unwrap_peek(u, 0);

	if (u->started)
		leave_epoch(u, cd_field_first(&u->field, in->raw));
	u->started = true;
	u->max = cd_field_first(&u->field, in->raw);
	u->max_raw = u->first_raw = in->raw;
	u->next_raw = (in->raw + u->field.step) & u->field.mask;
	u->has_late = u->has_tx = false;
	note_tx(u, in);
	cd_seen_start(&u->seen, (int64_t)u->max);
	cd_pace_restart(&u->pace);
	cd_pace_turn(&u->pace, in->time_ps, (int64_t)u->max);
	u->judgement.valid = false;
	return emit(u, verdict, u->max);
}

/* ---- votes ------------------------------------------------------------------------ */

struct votes {
	unsigned candidate, old;
};

/*
 * Do the records that follow belong to this one's number or to max? To the
 * former only inside the window: several damaged numbers in a row are nearer to
 * each other than to max as often as not, and would confirm each other.
 */
static struct votes count_votes(const struct cd_unwrap *u)
{
	uint64_t raw = unwrap_peek(u, 0)->raw, w = unwrap_window(u);
	struct votes v = {0};

	for (size_t i = 1; i <= VOTES && i < u->n; i++) {
		uint64_t q = unwrap_peek(u, i)->raw;
		uint64_t near = cd_magnitude(unwrap_distance(u, q, raw));
		uint64_t old = cd_magnitude(unwrap_distance(u, q, u->max_raw));

		v.candidate += near < old && near <= w;
		v.old += near > old;
	}
	return v;
}

/* Far back, but near the last late one: numbers that fall all the way, as in a
 * file written backwards. */
static bool is_on_the_way_down(const struct cd_unwrap *u, uint64_t w)
{
	int64_t d;

	if (!u->has_late)
		return false;
	d = unwrap_distance(u, unwrap_peek(u, 0)->raw, u->late_raw);
	return d != CD_FAR && cd_magnitude(d) <= w;
}

/*
 * Is it the first packet of a new epoch? Where one has a transmit time, neither
 * the votes nor an earlier look ahead are the last word: queues may hold as
 * many old packets as new ones.
 */
static enum unwrap_answer begins_epoch(struct cd_unwrap *u, int64_t delta,
				       bool flush)
{
	struct votes v = count_votes(u);
	bool sure = v.candidate > v.old && v.candidate >= VOTES_FOR_RESTART;
	bool far = delta == CD_FAR || cd_magnitude(delta) > unwrap_window(u);

	if (unwrap_is_sent_later(u))
		return UNWRAP_YES;
	if (unwrap_is_known_late(u, delta))
		return UNWRAP_NO;
	return sure || far ? unwrap_is_restart(u, delta, sure, flush)
			   : UNWRAP_NO;
}

static int take_back(struct cd_unwrap *u, int64_t delta, bool flush)
{
	uint64_t w = unwrap_window(u);

	switch (begins_epoch(u, delta, flush)) {
	case UNWRAP_WAIT:
		u->waiting = true;
		return 0;
	case UNWRAP_YES:
		return take_first(u, CD_UNWRAP_RESTART);
	case UNWRAP_NO:
		break;
	}
	if (delta != CD_FAR &&
	    (cd_magnitude(delta) <= w || unwrap_is_known_late(u, delta) ||
	     is_on_the_way_down(u, w)))
		return take_late(u, delta);
	return take_stray(u, delta);
}

/* ---- jumps ahead ---------------------------------------------------------------------- */

/* The last record of a file, which nothing confirms: could the stream have
 * come so far in the time since? */
static bool is_plausible(const struct cd_unwrap *u, uint64_t ahead)
{
	int64_t time = unwrap_peek(u, 0)->time_ps;
	struct cd_pace_guess g;

	if (time == CD_TIME_NONE || ahead <= unwrap_window(u))
		return true;
	g = cd_pace_guess(&u->pace, cd_pace_gap(&u->pace, time),
			  (int64_t)u->max);
	if (g.by_all == 0 && g.by_recent == 0)
		return true;
	return ahead / 4 <= (g.by_all > g.by_recent ? g.by_all : g.by_recent);
}

/*
 * A packet that came early, from a receive queue that was written out sooner:
 * those that follow are near the old number and no evidence against it. But
 * where the packet comes to which the number belongs, it is a damaged one.
 */
static enum unwrap_answer is_early(const struct cd_unwrap *u, uint64_t ahead,
				   bool flush)
{
	uint64_t raw = unwrap_peek(u, 0)->raw;
	size_t look = (size_t)ahead + EARLY_MORE;

	if (ahead <= TINY)
		return UNWRAP_YES;
	if (ahead > WINDOW_MIN || ahead > unwrap_window(u))
		return UNWRAP_NO;
	for (size_t i = 1; i <= look && i < u->n; i++)
		if (unwrap_peek(u, i)->raw == raw)
			return UNWRAP_NO;
	return flush || u->n > look ? UNWRAP_YES : UNWRAP_WAIT;
}

static int take_ahead(struct cd_unwrap *u, int64_t delta, bool flush)
{
	struct votes v = count_votes(u);
	enum unwrap_answer early, before = unwrap_is_of_before(u, delta, flush);

	if (before == UNWRAP_YES)
		return take_of_before(u);
	if (before == UNWRAP_NO && v.candidate >= v.old &&
	    (u->n > 1 || is_plausible(u, (uint64_t)delta)))
		return take_next(u, (uint64_t)delta);
	early = is_early(u, (uint64_t)delta, flush);
	if (before == UNWRAP_WAIT || early == UNWRAP_WAIT) {
		u->waiting = true;
		return 0;
	}
	return early == UNWRAP_YES ? take_next(u, (uint64_t)delta)
				   : take_stray(u, delta);
}

/* ---- gaps in time ----------------------------------------------------------------------- */

/* Time that passed before this record; of those that follow, the smallest
 * counts, as a single stamp may be wild. */
static int64_t gap_before(const struct cd_unwrap *u)
{
	int64_t gap = INT64_MAX;

	for (size_t i = 0; i <= VOTES && i < u->n; i++) {
		int64_t time = unwrap_peek(u, i)->time_ps, g;

		if (time == CD_TIME_NONE)
			continue;
		g = cd_pace_gap(&u->pace, time);
		gap = g < gap ? g : gap;
	}
	return gap == INT64_MAX ? 0 : gap;
}

/* delta + c M with the c that comes nearest to the guess. */
static int64_t nearest(uint64_t guess, int64_t delta, uint64_t cycle)
{
	__int128 rest = (__int128)guess - delta, c;

	c = (rest + (rest < 0 ? -(__int128)(cycle / 2) : cycle / 2)) /
	    (__int128)cycle;
	c = delta + c * (__int128)cycle;
	return c > INT64_MAX || c < INT64_MIN ? delta : (int64_t)c;
}

/*
 * The ambiguity limit of METRICS 0.3: after a gap in time in which more than a
 * quarter of the cycle should have passed, the time says how many cycles did;
 * where two rates disagree, or the nearest number is not near, nothing does.
 * A stream that goes on where it stopped, or begins again, was not lost.
 */
static int64_t count_cycles(struct cd_unwrap *u, int64_t delta)
{
	uint64_t quarter = cd_field_half(&u->field) / 2, raw = unwrap_peek(u, 0)->raw;
	int64_t gap, by_recent, by_all;
	struct cd_pace_guess g;

	if (delta == CD_FAR || cd_field_number_bits(&u->field) > 48 ||
	    cd_magnitude(unwrap_distance(u, raw, u->first_raw)) <= TINY ||
	    cd_magnitude(unwrap_distance(u, raw, 0)) <= TINY)
		return delta;
	gap = gap_before(u);
	if (!cd_pace_exceeds(&u->pace, gap, (int64_t)u->max, quarter))
		return delta;
	g = cd_pace_guess(&u->pace, gap, (int64_t)u->max);
	by_recent = nearest(g.by_recent, delta, 4 * quarter);
	by_all = nearest(g.by_all, delta, 4 * quarter);
	if (by_recent <= 0)
		return delta;
	if (by_recent != by_all ||
	    cd_magnitude(by_recent - (int64_t)g.by_recent) > quarter ||
	    cd_magnitude(by_all - (int64_t)g.by_all) > quarter)
		u->ambiguous = true;
	return by_recent;
}

/* ---- the interface ------------------------------------------------------------------------ */

/*
 * A first packet whose number is far from all that follow, which agree with
 * each other, is a stray: not an epoch of one packet. A moderate jump ahead is
 * loss, though.
 */
static bool is_stray_first(const struct cd_unwrap *u)
{
	uint64_t first = unwrap_peek(u, 0)->raw, w = unwrap_window(u);
	int64_t ahead = (int64_t)(cd_field_half(&u->field) / 2);
	size_t n = u->n - 1 < VOTES ? u->n - 1 : VOTES;

	if (n < VOTES_FOR_RESTART)
		return false;
	for (size_t i = 1; i <= n; i++) {
		int64_t d = unwrap_distance(u, unwrap_peek(u, i)->raw, first);

		if (d != CD_FAR && d >= -(int64_t)w && d <= ahead)
			return false;
		d = unwrap_distance(u, unwrap_peek(u, i)->raw, unwrap_peek(u, 1)->raw);
		if (d == CD_FAR || cd_magnitude(d) > w)
			return false;
	}
	return true;
}

static int begin(struct cd_unwrap *u)
{
	u->max = cd_field_first(&u->field, unwrap_peek(u, 0)->raw);
	if (is_stray_first(u))
		return take_stray(u, 0);
	return take_first(u, CD_UNWRAP_NEXT);
}

/* A jump that no vote would change. */
static int take_near(struct cd_unwrap *u, int64_t delta)
{
	if (delta > 0)
		return take_next(u, (uint64_t)delta);
	if (cd_magnitude(delta) <= unwrap_window(u))
		return take_late(u, delta);
	return take_stray(u, delta);
}

/* Decide on the first pending record, if enough follow it. */
static int decide(struct cd_unwrap *u, bool flush)
{
	int64_t delta = 0;

	if (u->waiting && !unwrap_scan(u, flush))
		return 0;
	if (u->started) {
		if (unwrap_peek(u, 0)->raw == u->next_raw)
			return take_next(u, 1);
		delta = unwrap_distance(u, unwrap_peek(u, 0)->raw, u->max_raw);
		if (cd_magnitude(delta) <= TINY)
			return take_near(u, delta);
		if (!u->has_tx && unwrap_is_known_late(u, delta))
			return take_late(u, delta);
	}
	if (u->n <= VOTES && !flush)
		return 0;
	if (!u->started)
		return begin(u);
	delta = count_cycles(u, delta);
	return delta > 0 ? take_ahead(u, delta, flush)
			 : take_back(u, delta, flush);
}

static int drain(struct cd_unwrap *u, bool flush)
{
	while (u->n > 0) {
		uint64_t index = u->index;

		if (decide(u, flush) < 0)
			return -1;
		if (u->index == index)
			return 0; /* it waits */
	}
	return 0;
}

struct cd_unwrap *cd_unwrap_new(unsigned bits, int64_t step, cd_unwrap_out *out,
				void *context)
{
	struct cd_unwrap *u = calloc(1, sizeof(*u));

	assert(bits >= 1 && bits <= 64 && step != 0);
	if (u == NULL)
		return NULL;
	u->field = cd_field(bits, step);
	u->out = out;
	u->context = context;
	return u;
}

void cd_unwrap_free(struct cd_unwrap *unwrap)
{
	if (unwrap == NULL)
		return;
	cd_seen_release(&unwrap->seen);
	cd_seen_release(&unwrap->before.seen);
	free(unwrap->pending);
	free(unwrap);
}

int cd_unwrap_push(struct cd_unwrap *unwrap, const struct cd_unwrap_in *in)
{
	struct cd_unwrap *u = unwrap;

	if (CD_LIKELY(unwrap_try_next(u, in->raw, in->time_ps)))
		return u->out(u->context, CD_UNWRAP_NEXT, (int64_t)u->max, in);
	if (enqueue(u, in) < 0)
		return -1;
	return drain(u, false);
}

int cd_unwrap_flush(struct cd_unwrap *unwrap)
{
	return drain(unwrap, true);
}

bool cd_unwrap_ambiguous(const struct cd_unwrap *unwrap)
{
	return unwrap->ambiguous;
}

uint64_t cd_unwrap_doubtful(const struct cd_unwrap *unwrap)
{
	return unwrap->doubtful;
}
