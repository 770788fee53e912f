#include "cli/units.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/time.h"

struct unit {
	const char *name;
	double factor;
};

/* The factor of the unit that is all of `text`, blanks before it allowed. */
static bool find_unit(const char *text, const struct unit *units, size_t n,
		      double *factor)
{
	while (*text == ' ')
		text++;
	for (size_t i = 0; i < n; i++)
		if (strcmp(text, units[i].name) == 0) {
			*factor = units[i].factor;
			return true;
		}
	return false;
}

/* strtod takes hexadecimal, "inf" and "nan", which nobody means here. */
static bool parse_number(const char *text, double *value, const char **rest)
{
	char *end;
	size_t digits = strspn(text, "0123456789.eE+-");

	if (digits == 0 || text[digits] == 'x' || text[digits] == 'X')
		return false;
	*value = strtod(text, &end);
	if (end == text || !isfinite(*value) || *value < 0)
		return false;
	*rest = end;
	return true;
}

bool cd_parse_duration(const char *text, int64_t *ps)
{
	static const struct unit units[] = {
	    {"ps", 1},		    {"ns", CD_PS_PER_NS}, {"us", CD_PS_PER_US},
	    {"\302\265s", CD_PS_PER_US}, {"ms", CD_PS_PER_MS},
	    {"s", CD_PS_PER_S},	    {"min", 60.0 * CD_PS_PER_S},
	};
	double value, factor;
	const char *rest;

	if (!parse_number(text, &value, &rest))
		return false;
	if (*rest == '\0' && value == 0)
		factor = 1;
	else if (!find_unit(rest, units, sizeof(units) / sizeof(units[0]),
			    &factor))
		return false;
	if (value * factor > 9e18)
		return false;
	*ps = (int64_t)llrint(value * factor);
	return true;
}

bool cd_parse_rate(const char *text, double *bps)
{
	static const struct unit units[] = {
	    {"", 1},	   {"k", 1e3},	    {"M", 1e6},	     {"G", 1e9},
	    {"kb/s", 1e3}, {"Mb/s", 1e6},   {"Gb/s", 1e9},   {"b/s", 1},
	    {"bit/s", 1},  {"kbit/s", 1e3}, {"Mbit/s", 1e6}, {"Gbit/s", 1e9},
	    {"T", 1e12},   {"Tb/s", 1e12},
	};
	double value, factor;
	const char *rest;

	if (!parse_number(text, &value, &rest) ||
	    !find_unit(rest, units, sizeof(units) / sizeof(units[0]),
		       &factor) ||
	    value <= 0)
		return false;
	*bps = value * factor;
	return true;
}

bool cd_parse_ratio(const char *text, double *ratio)
{
	static const struct unit units[] = {
	    {"", 1}, {"%", 1e-2}, {"ppm", 1e-6}, {"ppb", 1e-9}};
	double value, factor;
	const char *rest;

	if (!parse_number(text, &value, &rest) ||
	    !find_unit(rest, units, sizeof(units) / sizeof(units[0]),
		       &factor) ||
	    value * factor > 1)
		return false;
	*ratio = value * factor;
	return true;
}

bool cd_parse_count(const char *text, uint64_t *count)
{
	uint64_t n = 0;

	if (*text < '0' || *text > '9')
		return false;
	for (; *text != '\0'; text++) {
		unsigned digit = (unsigned)(*text - '0');

		if ((*text == ',' || *text == '_') && text[1] >= '0' &&
		    text[1] <= '9')
			continue;
		if (digit > 9 || n > (UINT64_MAX - digit) / 10)
			return false;
		n = n * 10 + digit;
	}
	*count = n;
	return true;
}
