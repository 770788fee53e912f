/* Unwrapping from the inside: for unwrap.c, restart.c, and the short cut of
 * flows.c. */
#ifndef CAPDIFF_ALIGN_UNWRAP_PRIVATE_H
#define CAPDIFF_ALIGN_UNWRAP_PRIVATE_H

#include "align/field.h"
#include "align/pace.h"
#include "align/seen.h"
#include "align/unwrap.h"

/* What is known of a step back while `max` stays the same. */
struct unwrap_judgement {
	uint64_t max;
	bool valid;
	uint64_t scanned;   /* records with a smaller index were looked at */
	unsigned witnesses; /* of which so many continue after max */
	uint64_t witness;   /* index of the last of them */
	uint64_t copies_until; /* records before this index begin no epoch */
	uint64_t open_until;   /* the same: old numbers go on and on */
	int64_t floor;	    /* steps back down to here are late or copies, */
	int64_t no_restart; /* and down to here at least no restart */
};

/* The epoch before this one, while packets of it may still come: receive
 * queues are written out one after the other. */
struct unwrap_before {
	bool open;
	uint64_t max, max_raw;
	uint64_t first; /* of the new one */
	struct cd_seen seen;
};

struct cd_unwrap {
	struct cd_field field;
	cd_unwrap_out *out;
	void *context;

	bool started, ambiguous;
	uint64_t doubtful; /* records that are copies or a new epoch */
	bool waiting; /* pending[at] needs more look-ahead than votes */
	uint64_t max; /* largest accepted number, modulo 2^64 */
	uint64_t max_raw, next_raw, first_raw;
	bool has_late; /* of the numbers below max, the last one taken: */
	uint64_t late_raw;
	struct cd_pace pace;
	struct cd_seen seen;
	struct unwrap_judgement judgement;
	struct unwrap_before before;
	/* the last number that had a transmit time */
	bool has_tx;
	uint64_t tx_number;
	int64_t tx;

	struct cd_unwrap_in *pending;
	size_t at, n, capacity; /* n records from pending[at] on */
	uint64_t index;		/* of pending[at], counted in pending ones */
};


/* The i-th pending record; the first one is to be decided. */
static inline const struct cd_unwrap_in *unwrap_peek(const struct cd_unwrap *u,
						     size_t i)
{
	return &u->pending[u->at + i];
}

/* The usual packet: its number follows the last one's and nothing is pending.
 * Then it is accepted as CD_UNWRAP_NEXT, with number u->max. */
static inline bool unwrap_try_next(struct cd_unwrap *u, uint64_t raw,
				   int64_t time_ps)
{
	if (u->n != 0 || (raw & u->field.mask) != u->next_raw || !u->started)
		return false;
	u->max++;
	u->max_raw = u->next_raw;
	u->next_raw = (u->next_raw + u->field.step) & u->field.mask;
	cd_pace_note(&u->pace, time_ps, (int64_t)u->max);
	return true;
}

static inline int64_t unwrap_distance(const struct cd_unwrap *u, uint64_t to,
				      uint64_t from)
{
	return cd_field_distance(&u->field, to, from);
}

/* W of METRICS 0.3, at least 1. */
uint64_t unwrap_window(const struct cd_unwrap *u);

enum unwrap_answer { UNWRAP_NO, UNWRAP_YES, UNWRAP_WAIT };

/* Look on for records that continue the old numbers. False: more must come
 * before it is known whether any does. `flush`: no more will. */
bool unwrap_scan(struct cd_unwrap *u, bool flush);
/* Is the first pending record, a step back of `delta`, the first packet of a
 * new epoch? Not `sure`: the next few do not say so, as old packets may be among
 * them; only for steps beyond the window. */
enum unwrap_answer unwrap_is_restart(struct cd_unwrap *u, int64_t delta,
				     bool sure, bool flush);
/* Were the pending records sent after numbers that they would be below? Then
 * the generator has begun again, whatever the numbers say. */
bool unwrap_is_sent_later(const struct cd_unwrap *u);
/* Is it a late one of the epoch before, a jump ahead of `delta` here? */
enum unwrap_answer unwrap_is_of_before(const struct cd_unwrap *u,
				       int64_t delta, bool flush);
/* Is it late or a copy, as an earlier look ahead has shown? */
bool unwrap_is_known_late(const struct cd_unwrap *u, int64_t delta);

#endif
