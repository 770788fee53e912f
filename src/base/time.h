/*
 * Time: an instant is a point on the UTC (or whatever the clock showed) line,
 * a span is a difference. Both are exact; a double never holds an instant.
 */
#ifndef CAPDIFF_BASE_TIME_H
#define CAPDIFF_BASE_TIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CD_PS_PER_S INT64_C(1000000000000)
#define CD_PS_PER_MS INT64_C(1000000000)
#define CD_PS_PER_US INT64_C(1000000)
#define CD_PS_PER_NS INT64_C(1000)

/* "no time here": never a valid span */
#define CD_TIME_NONE INT64_MIN

/* Seconds since 1970-01-01T00:00:00Z and 0 <= ps < 10^12. */
struct cd_instant {
	int64_t s;
	int64_t ps;
};

/* A difference of instants; +-106 days. */
struct cd_span {
	int64_t ps;
};

/* Ticks of a clock: base^exponent ticks a second, base 2 or 10 (pcapng
 * if_tsresol), exponent 0..127. */
struct cd_resolution {
	uint8_t base;
	uint8_t exponent;
};

/*
 * The instant of `ticks` ticks since the epoch plus `offset_s` seconds, exact,
 * rounded to the nearest ps (half up) where the tick is finer than that.
 * Returns false (and sets the nearest instant) if seconds overflow int64.
 */
bool cd_instant_from_ticks(uint64_t ticks, struct cd_resolution resolution,
			   int64_t offset_s, struct cd_instant *out);

/* One tick in ps, rounded to the nearest, at least 1 (0 < result). A tick of
 * more than 106 days gives INT64_MAX. */
int64_t cd_resolution_ps(struct cd_resolution resolution);

/* a - b. False (and `out` = CD_TIME_NONE) if it does not fit a span. */
bool cd_instant_diff(struct cd_instant a, struct cd_instant b,
		     struct cd_span *out);

/* a + span. */
struct cd_instant cd_instant_add(struct cd_instant a, struct cd_span span);

/* -1, 0, 1 */
int cd_instant_compare(struct cd_instant a, struct cd_instant b);

/*
 * ISO 8601 UTC with `digits` decimals (0..12, truncated) and a final Z, in the
 * proleptic Gregorian calendar. `size` of CD_ISO_SIZE always suffices.
 * Returns `text`.
 */
#define CD_ISO_SIZE 48
char *cd_instant_iso(struct cd_instant t, int digits, char *text, size_t size);

#endif
