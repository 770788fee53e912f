#include "render/number.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void cd_number_span(struct cd_str *out, int64_t ps)
{
	uint64_t magnitude = ps < 0 ? -(uint64_t)ps : (uint64_t)ps;
	unsigned rest = (unsigned)(magnitude % 1000);
	int decimals = 3;

	cd_str_addf(out, "%s%llu", ps < 0 ? "-" : "",
		    (unsigned long long)(magnitude / 1000));
	if (rest == 0)
		return;
	for (; rest % 10 == 0; rest /= 10)
		decimals--;
	cd_str_addf(out, ".%0*u", decimals, rest);
}

void cd_number_real(struct cd_str *out, double real)
{
	char text[40];

	assert(isfinite(real));
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, real);
		if (strtod(text, NULL) == real)
			break;
	}
	cd_str_add(out, real == 0 ? "0" : text);
}

void cd_number_value(struct cd_str *out, const struct cd_value *value)
{
	if (value->kind == CD_VALUE_COUNT)
		cd_str_addf(out, "%lld", (long long)value->integer);
	else if (value->kind == CD_VALUE_SPAN)
		cd_number_span(out, value->integer);
	else
		cd_number_real(out, value->real);
}
