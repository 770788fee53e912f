/* Steps back: late packets and copies, or a generator that began again. */
#include "align/unwrap_private.h"


#define WITNESSES 2	       /* records that continue the old numbers */
#define WINDOW_LOOK (1u << 18) /* most records looked ahead */
#define RISE_LOOK 8	       /* records that show which way numbers go */

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

/*
 * The numbers of a generator that began again rise. In a file written backwards
 * they fall, packet by packet: each would begin an epoch of its own.
 */
static bool is_falling(const struct cd_unwrap *u)
{
	uint64_t raw = unwrap_peek(u, 0)->raw;
	unsigned rising = 0, falling = 0;

	for (size_t i = 1; i <= RISE_LOOK && i < u->n; i++) {
		int64_t d = unwrap_distance(u, unwrap_peek(u, i)->raw, raw);

		rising += d > 0;
		falling += d < 0 && d != CD_FAR;
	}
	return falling > rising;
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

/* ---- the pace of a step back ---- */

#define RUN_LEAST 1000 /* what a ring that is read twice may hold */
#define RESIDUE_LOOK 512 /* old numbers that queues may hold yet */

/* The records from the first pending one up to one that continues the old
 * numbers, if there is any. */
struct back_run {
	uint64_t n, repeats;
	int64_t end_ps; /* time of the record after it, or of its last */
	uint64_t ahead; /* how far that record continues them, 0: not */
	bool residue;	/* some came before, of queues written out late */
};

/* `residue`: old numbers among the first records do not end the run. */
static struct back_run find_run(const struct cd_unwrap *u, uint64_t w,
				bool residue)
{
	struct back_run run = {.end_ps = CD_TIME_NONE};
	size_t look = look_ahead(w);

	for (size_t i = 0; i <= look && i < u->n; i++) {
		const struct cd_unwrap_in *in = unwrap_peek(u, i);
		int64_t d = unwrap_distance(u, in->raw, u->max_raw), seq;

		if (in->time_ps != CD_TIME_NONE)
			run.end_ps = in->time_ps;
		if (d > 0 && (uint64_t)d <= w) {
			run.residue = residue && i < RESIDUE_LOOK;
			if (run.residue)
				continue;
			run.ahead = (uint64_t)d;
			return run;
		}
		run.n++;
		seq = (int64_t)(u->max + (uint64_t)d);
		run.repeats += d != CD_FAR && seq >= u->seen.from &&
			       cd_seen_has(&u->seen, seq);
	}
	return run;
}

static bool fits(uint64_t passed, const struct back_run *run)
{
	return passed / 2 <= run->n && run->n / 2 <= passed &&
	       run->ahead <= passed / 4 + 8;
}

#define DOUBT_LEAST 32 /* a run as short may be anything */

/*
 * Copies come beside the packets that the generator goes on to send, late ones
 * all at once. A long run of numbers that were there before, as long in time
 * as the generator takes to send it, and no new number before its end: the
 * generator sent it. A shorter one may be a block that was captured twice, and
 * is taken for one, but with a doubt.
 */
static bool is_sent_again(struct cd_unwrap *u, uint64_t w, bool residue)
{
	struct back_run run = find_run(u, w, residue);
	struct cd_pace_guess passed;

	if (run.n < DOUBT_LEAST || run.repeats < run.n / 2 ||
	    run.end_ps == CD_TIME_NONE)
		return false;
	passed = cd_pace_guess(&u->pace, cd_pace_gap(&u->pace, run.end_ps),
			       (int64_t)u->max);
	if (!fits(passed.by_all, &run) && !fits(passed.by_recent, &run))
		return false;
	if (run.n < RUN_LEAST && !u->has_tx && !residue)
		u->doubtful += run.n;
	return run.n >= RUN_LEAST;
}

/*
 * Do the old numbers that go on soon end for good, and the new ones not? Then
 * they are what a queue had held. Only of numbers too far back to be late.
 */
static bool do_old_ones_end(const struct cd_unwrap *u, uint64_t w)
{
	uint64_t raw = unwrap_peek(u, 0)->raw;
	size_t look = look_ahead(w), near = 0, n, i;

	n = u->n - 1 < look ? u->n - 1 : look;
	for (i = n; i > 0; i--) {
		uint64_t q = unwrap_peek(u, i)->raw;
		int64_t d = unwrap_distance(u, q, u->max_raw);

		if (d > 0 && (uint64_t)d <= w)
			break;
		d = unwrap_distance(u, q, raw);
		near += d != CD_FAR && cd_magnitude(d) <= w;
	}
	return i < n / 2 && near >= DOUBT_LEAST && near >= (n - i) / 2;
}

static enum unwrap_answer is_restart_among_old(struct cd_unwrap *u, bool flush)
{
	uint64_t w = unwrap_window(u);
	struct unwrap_judgement *j = &u->judgement;
	size_t look = look_ahead(w);

	if (u->index < j->open_until)
		return UNWRAP_NO;
	if (u->n <= look && !flush)
		return UNWRAP_WAIT;
	if (do_old_ones_end(u, w))
		return UNWRAP_YES;
	j->open_until = u->index + look / 4;
	return UNWRAP_NO;
}

/* May it begin an epoch, as far as the records tell that continue the old
 * numbers? */
static enum unwrap_answer do_old_ones_allow(struct cd_unwrap *u, bool within,
					    bool sure, bool flush)
{
	struct unwrap_judgement *j = &u->judgement;
	bool go_on = j->witnesses == WITNESSES;
	enum unwrap_answer answer = UNWRAP_NO;

	if (sure && !go_on)
		return UNWRAP_YES;
	if (!within)
		answer = is_restart_among_old(u, flush);
	if (answer == UNWRAP_NO && go_on)
		j->copies_until = j->witness;
	return answer;
}

enum unwrap_answer unwrap_is_restart(struct cd_unwrap *u, int64_t delta,
				     bool sure, bool flush)
{
	uint64_t w = unwrap_window(u);
	bool is_far = delta == CD_FAR;
	bool within = !is_far && cd_magnitude(delta) <= w;
	struct unwrap_judgement *j = &u->judgement;
	enum unwrap_answer allowed;
	struct evidence e;
	bool repeats, fills;

	if (is_falling(u))
		return UNWRAP_NO;
	if (!unwrap_scan(u, flush))
		return UNWRAP_WAIT;
	if (j->no_restart <= delta && !is_far)
		return UNWRAP_NO;
	if (sure && (is_sent_again(u, w, false) ||
		     (j->witnesses == WITNESSES && is_sent_again(u, w, true))))
		return UNWRAP_YES;
	allowed = do_old_ones_allow(u, within, sure, flush);
	if (allowed != UNWRAP_YES)
		return allowed;
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

/* ---- late ones of the epoch before ---- */

#define BEFORE_LOOK 1000 /* records that may go on in the new epoch */

/* Records that continue the new epoch below this jump. */
static unsigned count_returning(const struct cd_unwrap *u, int64_t delta)
{
	unsigned n = 0;

	for (size_t i = 1; i < u->n && i <= BEFORE_LOOK && n < WITNESSES; i++) {
		int64_t d = unwrap_distance(u, unwrap_peek(u, i)->raw,
					    u->max_raw);

		n += d > 0 && d <= BEFORE_LOOK && d < delta;
	}
	return n;
}

enum unwrap_answer unwrap_is_of_before(const struct cd_unwrap *u,
				       int64_t delta, bool flush)
{
	int64_t d;

	if (!u->before.open ||
	    u->max - u->before.first > unwrap_window(u))
		return UNWRAP_NO;
	d = unwrap_distance(u, unwrap_peek(u, 0)->raw, u->before.max_raw);
	if (d == CD_FAR || cd_magnitude(d) > BEFORE_LOOK ||
	    cd_magnitude(d) >= cd_magnitude(delta))
		return UNWRAP_NO;
	if (count_returning(u, delta) == WITNESSES)
		return UNWRAP_YES;
	return flush || u->n > BEFORE_LOOK ? UNWRAP_NO : UNWRAP_WAIT;
}

/* ---- transmit times ---- */

#define TX_LOOK 8  /* records after the one to be decided */
#define TX_LEAST 5 /* of them that must say the same */

/* Fields of 32 bits go round. */
static bool is_later(int64_t tx, int64_t than)
{
	bool narrow = (tx | than) >> 32 == 0;

	return tx > than && !(narrow && tx - than >= INT64_C(1) << 31);
}

/* Late packets and copies were sent before the numbers after theirs. The last
 * transmit time known may be that of a number some way back, which only those
 * below it can be held against. */
bool unwrap_is_sent_later(const struct cd_unwrap *u)
{
	unsigned later = 0, not_later = 0;

	if (!u->has_tx)
		return false;
	for (size_t i = 0; i <= TX_LOOK && i < u->n; i++) {
		const struct cd_unwrap_in *in = unwrap_peek(u, i);
		int64_t d = unwrap_distance(u, in->raw, u->max_raw);

		if (!in->has_tx || d > 0 ||
		    cd_magnitude(d) <
			cd_magnitude(unwrap_distance(
			    u, in->raw, unwrap_peek(u, 0)->raw)) ||
		    (d != CD_FAR && (int64_t)(u->max + (uint64_t)d) >=
					(int64_t)u->tx_number))
			continue;
		later += is_later(in->tx, u->tx);
		not_later += !is_later(in->tx, u->tx);
	}
	return later >= TX_LEAST && not_later == 0;
}

bool unwrap_is_known_late(const struct cd_unwrap *u, int64_t delta)
{
	const struct unwrap_judgement *j = &u->judgement;

	if (!j->valid || j->max != u->max || delta == CD_FAR || delta > 0)
		return false;
	if (j->floor <= delta)
		return true;
	return j->copies_until > u->index &&
	       cd_magnitude(delta) <= unwrap_window(u);
}
