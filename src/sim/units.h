/*
 * Quantities as people write them in scenarios, to integers: exact decimals,
 * never a double. All return 0, or -1 with CD_E_USAGE.
 */
#ifndef CAPDIFF_SIM_UNITS_H
#define CAPDIFF_SIM_UNITS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/time.h"

#define CD_SHARE_ONE UINT64_C(1000000000000) /* shares and ppm: 10^-12 */

/* "125us", "-5 ms", "1.5s", "30d", "0"; ps ns us ms s min h d. */
int cd_units_span(const char *text, int64_t *ps, struct cd_error *error);

/* "100kpps", "1.488Mpps", "25pps": packets in 1000 seconds. */
int cd_units_rate(const char *text, uint64_t *mpps, struct cd_error *error);

/* "1Gb/s", "2.5Gb/s": bits a second. */
int cd_units_bits(const char *text, uint64_t *bps, struct cd_error *error);

/* "1%", "0.1%", "20ppm", "0.25": in 10^-12, 0 .. 10^12. */
int cd_units_share(const char *text, uint64_t *share, struct cd_error *error);

/* "12", "-43.21": parts per million, in 10^-12. */
int cd_units_ppm(const char *text, int64_t *ppm, struct cd_error *error);

/* "200", "200k", "1.5M": a whole number. "0x..." too. */
int cd_units_count(const char *text, uint64_t *n, struct cd_error *error);

/* "1.5" as 1,500,000. */
int cd_units_millionths(const char *text, uint64_t *n,
			struct cd_error *error);

/* "us", "ns", "ps", "10^-7", "2^-32": a time stamp resolution. */
int cd_units_resolution(const char *text, struct cd_resolution *resolution,
			struct cd_error *error);

/* "1767225600" or "2026-01-01T00:00:00Z": seconds since 1970. */
int cd_units_epoch(const char *text, int64_t *s, struct cd_error *error);

#endif
