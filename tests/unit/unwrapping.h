/* Streams of numbers with known truth, and what unwrapping makes of them. */
#ifndef CAPDIFF_TESTS_UNIT_UNWRAPPING_H
#define CAPDIFF_TESTS_UNIT_UNWRAPPING_H

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include "align/seen.h"
#include "align/unwrap.h"
#include "base/array.h"
#include "base/time.h"

/* xorshift64*: the same numbers everywhere. */
static inline uint64_t next_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * UINT64_C(2685821657736338717);
}

struct record {
	int64_t seq;
	unsigned epoch;
	bool corrupt;
	uint64_t raw;
	int64_t time_ps;
	int64_t sent; /* transmit time, 0: none */
};

struct stream {
	unsigned bits;
	int64_t step;
	int64_t spacing_ps;	/* 0: no times */
	int64_t now_ps;
	uint64_t state;		/* of the random numbers */
	struct record *records;
	size_t n, capacity;

	/* results */
	size_t out;
	unsigned epoch;
	bool quiet;
	size_t strays, corrupt_taken, wrong, restarts, late;
	bool ambiguous;
	uint64_t doubtful;
};

static inline struct stream stream_new(unsigned bits, int64_t step)
{
	return (struct stream){.bits = bits, .step = step,
			       .spacing_ps = 10 * CD_PS_PER_US, .state = 1};
}

static inline uint64_t mask_of(const struct stream *s)
{
	return ~UINT64_C(0) >> (64 - s->bits);
}

static inline void put(struct stream *s, unsigned epoch, int64_t seq)
{
	cr_assert_eq(cd_grow(&s->records, &s->capacity, s->n + 1,
			     sizeof(*s->records)), 0);
	s->records[s->n++] = (struct record){
	    .seq = seq,
	    .epoch = epoch,
	    .raw = (uint64_t)seq * (uint64_t)s->step & mask_of(s),
	    .time_ps = s->spacing_ps == 0 ? CD_TIME_NONE : s->now_ps,
	};
	s->now_ps += s->spacing_ps;
}

/* Numbers first..last, the lost ones' time passing too. */
static inline void put_run(struct stream *s, unsigned epoch, int64_t first,
		    int64_t last, unsigned lost_of_1000)
{
	for (int64_t seq = first; seq <= last; seq++) {
		if (next_random(&s->state) % 1000 < lost_of_1000)
			s->now_ps += s->spacing_ps;
		else
			put(s, epoch, seq);
	}
}

static inline int receive(void *context, enum cd_unwrapped verdict, int64_t seq,
		   const struct cd_unwrap_in *in)
{
	struct stream *s = context;
	const struct record *r = &s->records[s->out];

	cr_assert_eq(in->number, s->out + 1, "out of order");
	cr_assert_eq(in->raw, r->raw);
	cr_assert_eq(in->tx, r->sent);
	s->out++;
	if (verdict == CD_UNWRAP_RESTART) {
		s->restarts++;
		s->epoch++;
	}
	s->late += verdict == CD_UNWRAP_LATE;
	if (verdict == CD_UNWRAP_STRAY) {
		s->strays++;
		s->wrong += !r->corrupt;
	} else if (r->corrupt) {
		s->corrupt_taken++;
	} else if (seq != r->seq || s->epoch != r->epoch) {
		if (s->wrong++ == 0 && !s->quiet)
			cr_log_error("record %zu: %u/%lld, not %u/%lld",
				     s->out - 1, s->epoch, (long long)seq,
				     r->epoch, (long long)r->seq);
	}
	return 0;
}

static inline void run(struct stream *s)
{
	struct cd_unwrap *u = cd_unwrap_new(s->bits, s->step, receive, s);

	for (size_t i = 0; i < s->n; i++) {
		struct cd_unwrap_in in = {.raw = s->records[i].raw,
					  .time_ps = s->records[i].time_ps,
					  .number = i + 1,
					  .has_tx = s->records[i].sent != 0,
					  .tx = s->records[i].sent};

		cr_assert_eq(cd_unwrap_push(u, &in), 0);
	}
	cr_assert_eq(cd_unwrap_flush(u), 0);
	cr_assert_eq(s->out, s->n);
	s->ambiguous = cd_unwrap_ambiguous(u);
	s->doubtful = cd_unwrap_doubtful(u);
	cd_unwrap_free(u);
	free(s->records);
	s->records = NULL;
}

/* All right, no stray, so many new epochs. */
static inline void expect_right(struct stream *s, size_t restarts)
{
	run(s);
	cr_expect_eq(s->wrong, 0, "w=%u step=%lld: %zu wrong", s->bits,
		     (long long)s->step, s->wrong);
	cr_expect_eq(s->strays, 0);
	cr_expect_eq(s->restarts, restarts, "%zu restarts", s->restarts);
	cr_expect_not(s->ambiguous);
}

static const unsigned widths[] = {16, 24, 32, 64};

#endif
