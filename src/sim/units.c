#include "sim/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef __int128 i128;

/* One unit: its name and what 1 of it is in the smallest unit. */
struct unit {
	const char *name;
	int64_t factor;
};

/* A decimal number: digits / 10^places. */
struct decimal {
	i128 digits;
	int places;
};

static int refuse(const char *text, const char *wanted, struct cd_error *error)
{
	return cd_error_set(error, CD_E_USAGE, "'%s' is not %s", text, wanted);
}

/* The number at the start of `text`, its end in *rest; -1 if there is none or
 * it has more than 30 digits. */
static int read_decimal(const char *text, const char **rest,
			struct decimal *out)
{
	bool negative = *text == '-', point = false;
	int n = 0;

	*out = (struct decimal){0};
	if (*text == '-' || *text == '+')
		text++;
	for (; (*text >= '0' && *text <= '9') || (*text == '.' && !point);
	     text++) {
		if (*text == '.') {
			point = true;
			continue;
		}
		out->digits = out->digits * 10 + (*text - '0');
		out->places += point;
		if (++n > 30)
			return -1;
	}
	if (negative)
		out->digits = -out->digits;
	*rest = text;
	return n == 0 ? -1 : 0;
}

static i128 power_of_ten(int n)
{
	i128 p = 1;

	while (n-- > 0)
		p *= 10;
	return p;
}

/* d * factor; false if that is no integer or does not fit. */
static bool scale(struct decimal d, int64_t factor, int64_t *out)
{
	i128 divisor = power_of_ten(d.places);
	i128 limit = (((i128)1) << 126) / factor;
	i128 v;

	if (d.digits > limit || d.digits < -limit)
		return false;
	v = d.digits * factor;
	*out = (int64_t)(v / divisor);
	return v % divisor == 0 && v / divisor <= INT64_MAX &&
	       v / divisor >= -INT64_MAX;
}

static int read_quantity(const char *text, const struct unit *units,
			 const char *wanted, int64_t *out,
			 struct cd_error *error)
{
	const char *rest;
	struct decimal d;

	if (read_decimal(text, &rest, &d))
		return refuse(text, wanted, error);
	while (*rest == ' ')
		rest++;
	for (; units->name != NULL; units++)
		if (strcmp(units->name, rest) == 0 ||
		    (*rest == '\0' && d.digits == 0))
			return scale(d, units->factor, out)
				   ? 0 : refuse(text, wanted, error);
	return refuse(text, wanted, error);
}

static int read_unsigned(const char *text, const struct unit *units,
			 const char *wanted, uint64_t *out,
			 struct cd_error *error)
{
	int64_t v;

	if (read_quantity(text, units, wanted, &v, error))
		return -1;
	if (v < 0)
		return refuse(text, wanted, error);
	*out = (uint64_t)v;
	return 0;
}

int cd_units_span(const char *text, int64_t *ps, struct cd_error *error)
{
	static const struct unit units[] = {
	    {"ps", 1},
	    {"ns", CD_PS_PER_NS},
	    {"us", CD_PS_PER_US},
	    {"ms", CD_PS_PER_MS},
	    {"s", CD_PS_PER_S},
	    {"min", 60 * CD_PS_PER_S},
	    {"h", 3600 * CD_PS_PER_S},
	    {"d", 86400 * CD_PS_PER_S},
	    {NULL, 0}};

	return read_quantity(text, units, "a duration such as 125us", ps,
			     error);
}

int cd_units_rate(const char *text, uint64_t *mpps, struct cd_error *error)
{
	static const struct unit units[] = {{"pps", 1000},
					    {"kpps", 1000000},
					    {"Mpps", 1000000000},
					    {NULL, 0}};

	return read_unsigned(text, units, "a packet rate such as 100kpps",
			     mpps, error);
}

int cd_units_bits(const char *text, uint64_t *bps, struct cd_error *error)
{
	static const struct unit units[] = {{"b/s", 1},
					    {"kb/s", 1000},
					    {"Mb/s", 1000000},
					    {"Gb/s", 1000000000},
					    {NULL, 0}};

	return read_unsigned(text, units, "a bit rate such as 1Gb/s", bps,
			     error);
}

int cd_units_share(const char *text, uint64_t *share, struct cd_error *error)
{
	static const struct unit units[] = {
	    {"", (int64_t)CD_SHARE_ONE},
	    {"%", (int64_t)CD_SHARE_ONE / 100},
	    {"ppm", (int64_t)CD_SHARE_ONE / 1000000},
	    {NULL, 0}};
	const char *wanted = "a share such as 1%, 20ppm or 0.01";

	if (read_unsigned(text, units, wanted, share, error))
		return -1;
	return *share > CD_SHARE_ONE ? refuse(text, wanted, error) : 0;
}

int cd_units_ppm(const char *text, int64_t *ppm, struct cd_error *error)
{
	static const struct unit units[] = {
	    {"", 1000000}, {"ppm", 1000000}, {NULL, 0}};

	return read_quantity(text, units, "a number of ppm such as -12.5", ppm,
			     error);
}

int cd_units_count(const char *text, uint64_t *n, struct cd_error *error)
{
	static const struct unit units[] = {
	    {"", 1}, {"k", 1000}, {"M", 1000000}, {NULL, 0}};
	const char *wanted = "a number";
	char *end;

	if (strncmp(text, "0x", 2) == 0) {
		*n = strtoull(text, &end, 16);
		return *end == '\0' && end != text + 2
			   ? 0 : refuse(text, wanted, error);
	}
	return read_unsigned(text, units, wanted, n, error);
}

int cd_units_millionths(const char *text, uint64_t *n, struct cd_error *error)
{
	static const struct unit units[] = {{"", 1000000}, {NULL, 0}};

	return read_unsigned(text, units, "a number such as 1.5", n, error);
}

int cd_units_resolution(const char *text, struct cd_resolution *resolution,
			struct cd_error *error)
{
	static const char *const names[] = {"s", NULL, NULL, "ms", NULL, NULL,
					    "us", NULL, NULL, "ns", NULL,
					    NULL, "ps"};
	unsigned base, exponent;
	char tail;

	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i] != NULL && strcmp(names[i], text) == 0) {
			*resolution = (struct cd_resolution){10, (uint8_t)i};
			return 0;
		}
	if (sscanf(text, "%2u^-%3u%c", &base, &exponent, &tail) != 2 ||
	    (base != 2 && base != 10) || exponent > 127)
		return refuse(text, "a resolution such as ns, 10^-7 or 2^-32",
			      error);
	*resolution = (struct cd_resolution){(uint8_t)base, (uint8_t)exponent};
	return 0;
}

/* Days from 1970-01-01 to the first of a month (Gregorian). */
static int64_t days_to_month(int64_t year, int month)
{
	static const int before[] = {0,	  31,  59,  90,	 120, 151,
				     181, 212, 243, 273, 304, 334};
	int64_t y = year - (month <= 2);

	return 365 * (year - 1970) + (y / 4 - y / 100 + y / 400) -
	       (1969 / 4 - 1969 / 100 + 1969 / 400) + before[month - 1];
}

int cd_units_epoch(const char *text, int64_t *s, struct cd_error *error)
{
	static const struct unit units[] = {{"", 1}, {NULL, 0}};
	const char *wanted = "a time such as 2026-01-01T00:00:00Z";
	int year, month, day, h, m, sec;
	char z, tail;

	if (strchr(text, 'T') == NULL)
		return read_quantity(text, units, wanted, s, error);
	if (sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2d%c%c", &year, &month, &day,
		   &h, &m, &sec, &z, &tail) != 7 ||
	    z != 'Z' || year < 1970 || month < 1 || month > 12 || day < 1 ||
	    day > 31 || h < 0 || h > 23 || m < 0 || m > 59 || sec < 0 ||
	    sec > 59)
		return refuse(text, wanted, error);
	*s = (days_to_month(year, month) + day - 1) * 86400 + h * 3600 +
	     m * 60 + sec;
	return 0;
}
