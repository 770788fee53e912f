/*
 * Quantities to text for people: the one place that does it. Plain ASCII
 * unless `utf8`.
 */
#ifndef CAPDIFF_REPORT_TEXT_H
#define CAPDIFF_REPORT_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "report/report.h"

/* "1,488,095" */
void cd_text_count(struct cd_str *out, int64_t count);
/* The same of any 64 bits, such as counters of files: INT64_MAX at most. */
void cd_text_total(struct cd_str *out, uint64_t count);
/* 4 significant digits and a unit: "12.30 us", zero "0 ns", from 10,000 s
 * whole seconds. */
void cd_text_span(struct cd_str *out, double ps, bool utf8);
/* The same with a sign: "+1.314 ms". */
void cd_text_span_signed(struct cd_str *out, double ps, bool utf8);
/* `digits` (1..4) significant digits, no zeros at the end: "125 us". */
void cd_text_span_short(struct cd_str *out, double ps, int digits, bool utf8);
/* Truncated to 4 decimals: "99.7490 %"; "100 %" only if nothing is missing;
 * "n/a" if nothing was expected. */
void cd_text_percent_captured(struct cd_str *out, uint64_t have,
			      uint64_t expected);
/* A share, to 3 significant digits: "92.0 %", "0.251 %", below 0.001 %
 * "2.43 ppm"; "100 %" only if it is all. */
void cd_text_ratio(struct cd_str *out, double ratio);
/* Up to 4 significant digits with a decimal prefix: "100 kpkt/s" for "pps",
 * "98.4 Mb/s" for "bit/s". */
void cd_text_rate(struct cd_str *out, double per_second, const char *unit);
/* A drift as far as its interval carries it: "+12.03 ppm" where that is +-
 * 0.02; of kind REAL. */
void cd_text_drift(struct cd_str *out, const struct cd_value *drift);
/* A value as its kind and unit ask for; "n/a" for NULL. */
void cd_text_value(struct cd_str *out, const struct cd_value *value,
		   bool utf8);
/* A name from outside: what is not printable becomes "\xNN", a backslash
 * stays. Valid UTF-8 stays as it is. */
void cd_text_name(struct cd_str *out, const char *name);

/* The length of the valid UTF-8 sequence at `text` (1..4) and its code point,
 * or 0 if there is none (also for overlong ones and surrogates). */
unsigned cd_utf8_next(const char *text, uint32_t *code);

#endif
