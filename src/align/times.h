/* Times of one capture as spans since its base, and what is wrong with them. */
#ifndef CAPDIFF_ALIGN_TIMES_H
#define CAPDIFF_ALIGN_TIMES_H

#include "align/point.h"
#include "capture/capture.h"

/*
 * Seconds before and after the base that count as times of the same capture:
 * 20 and 86 days. Any two such times, of one capture or of two, differ by a
 * span that fits; what lies outside is out of range.
 */
#define CD_TIMES_BEFORE INT64_C(1728000)
#define CD_TIMES_AFTER INT64_C(7430400)

struct cd_times {
	struct cd_point *point; /* base and counters go there */
	const struct cd_capture *capture;
	bool is_pcap;
	bool has_base;
	bool is_plain; /* has_base, and no --ts-unit */
	int64_t base_s; /* the point's */
};

void cd_times_init(struct cd_times *times, struct cd_point *point,
		   const struct cd_capture *capture);

/*
 * The base: the start of the earliest second within a day of the median one,
 * so that a few wild stamps at the start do not matter. Zeros count only if
 * there is nothing else. Without any it is left for the first valid time to
 * come. Sorts `seconds`.
 */
void cd_times_base(struct cd_times *times, int64_t *seconds, size_t n);

/* The record's instant with the point's --ts-unit applied; false if it has
 * none. Counts nothing. */
bool cd_times_instant(const struct cd_times *times,
		      const struct cd_record *record, struct cd_instant *out);

static inline bool cd_times_near(int64_t seconds)
{
	return (uint64_t)seconds + CD_TIMES_BEFORE <=
	       CD_TIMES_BEFORE + CD_TIMES_AFTER;
}

/* Everything that is not a plain good time. */
int64_t cd_times_slow(struct cd_times *times, const struct cd_record *record);

/* Span since the base, or CD_TIME_NONE; counts what is wrong. Never
 * INT64_MAX. */
static inline int64_t cd_times_span(struct cd_times *times,
				    const struct cd_record *record)
{
	int64_t s =
	    (int64_t)((uint64_t)record->time.s - (uint64_t)times->base_s);

	if (CD_UNLIKELY(record->flags != 0 || !times->is_plain ||
			record->time.s == 0 ||
			!cd_times_near(s)))
		return cd_times_slow(times, record);
	return s * CD_PS_PER_S + record->time.ps;
}

/* The point's first and last time take in this one, CD_TIME_NONE or not. */
static inline void cd_times_widen(struct cd_times *times, int64_t ps)
{
	struct cd_point *point = times->point;

	if (ps == CD_TIME_NONE)
		return;
	point->first_ps = ps < point->first_ps ? ps : point->first_ps;
	point->last_ps = ps > point->last_ps ? ps : point->last_ps;
}

/* A divisor of all times the interfaces so far can have; 1 if unknown. */
int64_t cd_times_unit(const struct cd_times *times);

#endif
