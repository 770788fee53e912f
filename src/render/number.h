/* Numbers for machines: exact, without separators. Inside the room only. */
#ifndef CAPDIFF_RENDER_NUMBER_H
#define CAPDIFF_RENDER_NUMBER_H

#include "base/str.h"
#include "report/report.h"

/* Nanoseconds with up to 3 decimals, exact: "1.5" for 1500 ps. */
void cd_number_span(struct cd_str *out, int64_t ps);
/* The shortest decimals that read back as the same double; finite. */
void cd_number_real(struct cd_str *out, double real);
/* A value of kind COUNT, SPAN or REAL in its key's unit. */
void cd_number_value(struct cd_str *out, const struct cd_value *value);

#endif
