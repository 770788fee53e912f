#include "base/time.h"

#include <stdio.h>

typedef unsigned __int128 u128;

/* 10^exponent or 2^exponent ticks a second as far as they fit 128 bits; 64-bit
 * tick counts never need more than 2^127. */
static u128 ticks_per_second(struct cd_resolution resolution)
{
	u128 n = 1;

	for (unsigned i = 0; i < resolution.exponent; i++) {
		if (n > ~(u128)0 / resolution.base)
			return ~(u128)0;
		n *= resolution.base;
	}
	return n;
}

/* round(rest * 10^12 / per_second) for rest < per_second. The product may need
 * more than 128 bits when a second has more than 2^88 ticks: then rest, which
 * came from 64 bits, and per_second both lose the low bits nobody can see. */
static int64_t fraction_ps(u128 rest, u128 per_second)
{
	while (per_second >> 87) {
		per_second >>= 1;
		rest >>= 1;
	}
	return (int64_t)((rest * (u128)CD_PS_PER_S + per_second / 2) /
			 per_second);
}

bool cd_instant_from_ticks(uint64_t ticks, struct cd_resolution resolution,
			   int64_t offset_s, struct cd_instant *out)
{
	u128 per_second = ticks_per_second(resolution);
	uint64_t whole = (uint64_t)(ticks / per_second);
	int64_t ps = fraction_ps(ticks % per_second, per_second);
	__int128 s = (__int128)whole + offset_s;

	if (ps == CD_PS_PER_S) {
		ps = 0;
		s++;
	}
	out->ps = ps;
	out->s = s > INT64_MAX ? INT64_MAX : (int64_t)s;
	return s <= INT64_MAX;
}

int64_t cd_resolution_ps(struct cd_resolution resolution)
{
	u128 per_second = ticks_per_second(resolution);
	u128 ps = ((u128)CD_PS_PER_S + per_second / 2) / per_second;

	return ps < 1 ? 1 : (int64_t)ps;
}

bool cd_instant_diff(struct cd_instant a, struct cd_instant b,
		     struct cd_span *out)
{
	__int128 ps = ((__int128)a.s - b.s) * CD_PS_PER_S + a.ps - b.ps;

	if (ps > INT64_MAX || ps <= INT64_MIN) {
		out->ps = CD_TIME_NONE;
		return false;
	}
	out->ps = (int64_t)ps;
	return true;
}

struct cd_instant cd_instant_add(struct cd_instant a, struct cd_span span)
{
	int64_t s = span.ps / CD_PS_PER_S;
	int64_t ps = span.ps % CD_PS_PER_S + a.ps;

	if (ps < 0) {
		ps += CD_PS_PER_S;
		s--;
	} else if (ps >= CD_PS_PER_S) {
		ps -= CD_PS_PER_S;
		s++;
	}
	return (struct cd_instant){.s = a.s + s, .ps = ps};
}

int cd_instant_compare(struct cd_instant a, struct cd_instant b)
{
	if (a.s != b.s)
		return a.s < b.s ? -1 : 1;
	return (a.ps > b.ps) - (a.ps < b.ps);
}

struct civil {
	int64_t year;
	int month, day;
};

/* Days since 1970-01-01 to the Gregorian calendar. An era is 400 years of
 * 146,097 days that begin on 1 March (so that the leap day comes last). */
static struct civil civil_from_days(int64_t days)
{
	int64_t shifted = days + 719468;
	int64_t era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
	int64_t doe = shifted - era * 146097;
	int64_t yoe =
	    (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
	int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
	int month = (int)((5 * doy + 2) / 153);

	return (struct civil){
	    .year = yoe + era * 400 + (month >= 10),
	    .month = month < 10 ? month + 3 : month - 9,
	    .day = (int)(doy - (153 * month + 2) / 5 + 1),
	};
}

char *cd_instant_iso(struct cd_instant t, int digits, char *text, size_t size)
{
	int64_t days = t.s / 86400;
	int64_t rest = t.s % 86400;
	int64_t fraction = t.ps;
	struct civil c;
	int used;

	if (rest < 0) {
		rest += 86400;
		days--;
	}
	c = civil_from_days(days);
	for (int i = digits; i < 12; i++)
		fraction /= 10;
	used = snprintf(text, size, "%04lld-%02d-%02dT%02d:%02d:%02d",
			(long long)c.year, c.month, c.day, (int)(rest / 3600),
			(int)(rest / 60 % 60), (int)(rest % 60));
	if (used < 0 || (size_t)used >= size)
		return text;
	if (digits > 0)
		snprintf(text + used, size - (size_t)used, ".%0*lldZ", digits,
			 (long long)fraction);
	else
		snprintf(text + used, size - (size_t)used, "Z");
	return text;
}
