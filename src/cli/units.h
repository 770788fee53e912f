/* Numbers with units, as people type them. */
#ifndef CAPDIFF_CLI_UNITS_H
#define CAPDIFF_CLI_UNITS_H

#include <stdbool.h>
#include <stdint.h>

/* Each returns false (and leaves `out`) unless all of `text` is understood. */

/* "5us", "1.5ms", "20 s"; units ps ns us ms s min; exact, not negative. */
bool cd_parse_duration(const char *text, int64_t *ps);
/* "1G", "100M", "2.5Gb/s", "10Gbit/s": bits a second, > 0. */
bool cd_parse_rate(const char *text, double *bps);
/* "0.01", "1%", "50ppm": 0..1. */
bool cd_parse_ratio(const char *text, double *ratio);
/* Decimal integer with optional underscores or commas between digits. */
bool cd_parse_count(const char *text, uint64_t *count);

#endif
