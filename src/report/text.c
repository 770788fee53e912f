#include "report/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/time.h"

#define ABSURD 1e7 /* from here on not written out */

void cd_text_count(struct cd_str *out, int64_t count)
{
	uint64_t magnitude = count < 0 ? -(uint64_t)count : (uint64_t)count;
	char digits[24];
	int n = snprintf(digits, sizeof(digits), "%llu",
			 (unsigned long long)magnitude);

	if (count < 0)
		cd_str_add(out, "-");
	for (int i = 0; i < n; i++) {
		if (i > 0 && (n - i) % 3 == 0)
			cd_str_add(out, ",");
		cd_str_addn(out, digits + i, 1);
	}
}

void cd_text_total(struct cd_str *out, uint64_t count)
{
	cd_text_count(out, count > INT64_MAX ? INT64_MAX : (int64_t)count);
}

/* `value` >= 0 below `limit` (where it would round to one more digit before
 * the point) with as many decimals as make `digits` significant ones. */
static int decimals_for(double value, int digits)
{
	double limit = 10.0 - 0.5 * pow(10.0, 1 - digits);
	int decimals = digits - 1;

	while (decimals > 0 && value >= limit) {
		limit *= 10.0;
		decimals--;
	}
	return decimals;
}

static void strip_zeros(char *text)
{
	size_t n = strlen(text);

	if (strchr(text, '.') == NULL)
		return;
	while (text[n - 1] == '0')
		n--;
	if (text[n - 1] == '.')
		n--;
	text[n] = '\0';
}

struct unit {
	double size;
	const char *name;
};

/* The largest unit of the rising list that keeps the number at 1 or more
 * after rounding; the smallest otherwise. */
static const struct unit *choose_unit(const struct unit *units, size_t n,
				      double value, int digits)
{
	double almost_one = 1.0 - 0.5 * pow(10.0, -digits);

	for (size_t i = n - 1; i > 0; i--)
		if (value / units[i].size >= almost_one)
			return &units[i];
	return &units[0];
}

static void add_scaled(struct cd_str *out, double value,
		       const struct unit *units, size_t n, int digits,
		       bool strip)
{
	const struct unit *unit = choose_unit(units, n, value, digits);
	double scaled = value / unit->size;
	char number[64];

	if (scaled < ABSURD)
		snprintf(number, sizeof(number), "%.*f",
			 decimals_for(scaled, digits), scaled);
	else
		snprintf(number, sizeof(number), "%.3g", scaled);
	if (strip)
		strip_zeros(number);
	cd_str_addf(out, "%s %s", number, unit->name);
}

static void add_span(struct cd_str *out, double ps, int digits, bool strip,
		     bool utf8)
{
	const struct unit units[] = {
	    {1, "ps"},
	    {(double)CD_PS_PER_NS, "ns"},
	    {(double)CD_PS_PER_US, utf8 ? "\xc2\xb5s" : "us"},
	    {(double)CD_PS_PER_MS, "ms"},
	    {(double)CD_PS_PER_S, "s"},
	};

	if (ps >= 9999.5e12 && ps < 9e18 * 1e12) {
		cd_text_count(out, (int64_t)(ps / (double)CD_PS_PER_S + 0.5));
		cd_str_add(out, " s");
	} else if (ps == 0) {
		cd_str_add(out, "0 ns");
	} else {
		add_scaled(out, ps, units, 5, digits, strip);
	}
}

void cd_text_span(struct cd_str *out, double ps, bool utf8)
{
	if (ps < 0)
		cd_str_add(out, "-");
	add_span(out, fabs(ps), 4, false, utf8);
}

void cd_text_span_signed(struct cd_str *out, double ps, bool utf8)
{
	if (ps > 0)
		cd_str_add(out, "+");
	cd_text_span(out, ps, utf8);
}

void cd_text_span_short(struct cd_str *out, double ps, int digits, bool utf8)
{
	if (ps < 0)
		cd_str_add(out, "-");
	add_span(out, fabs(ps), digits, true, utf8);
}

void cd_text_percent_captured(struct cd_str *out, uint64_t have,
			      uint64_t expected)
{
	uint64_t ppm;

	if (expected == 0) {
		cd_str_add(out, "n/a");
	} else if (have >= expected) {
		cd_str_add(out, "100 %");
	} else if (have == 0) {
		cd_str_add(out, "0 %");
	} else {
		ppm = (uint64_t)((unsigned __int128)have * 1000000 / expected);
		cd_str_addf(out, "%llu.%04llu %%",
			    (unsigned long long)(ppm / 10000),
			    (unsigned long long)(ppm % 10000));
	}
}

/* Truncated, but 0.29 (which is 0.28999999999999998) stays 0.29. */
static void add_truncated(struct cd_str *out, double value, int decimals)
{
	double scale = pow(10.0, decimals);

	cd_str_addf(out, "%.*f", decimals,
		    floor(value * scale * (1 + 1e-12)) / scale);
}

/* To the nearest, but never up to a whole that it is not. */
static void add_rounded(struct cd_str *out, double percent, int decimals)
{
	double scale = pow(10.0, decimals);

	if (percent < 100 && round(percent * scale) >= 100 * scale)
		add_truncated(out, percent, decimals);
	else
		cd_str_addf(out, "%.*f", decimals, percent);
}

void cd_text_ratio(struct cd_str *out, double ratio)
{
	double percent = fabs(ratio) * 100;
	int decimals = 1;

	if (ratio < 0)
		cd_str_add(out, "-");
	if (percent == 0 || percent == 100) {
		cd_str_addf(out, "%.0f %%", percent);
		return;
	}
	if (percent >= ABSURD) {
		cd_str_addf(out, "%.3g %%", percent);
		return;
	}
	if (percent >= 0.001) {
		for (double p = percent; p < 10 && decimals < 5; p *= 10)
			decimals++;
		add_rounded(out, percent, decimals);
		cd_str_add(out, " %");
		return;
	}
	for (double p = percent * 1e4; p < 10 && decimals < 9; p *= 10)
		decimals++;
	cd_str_addf(out, "%.*f ppm", decimals, percent * 1e4);
}

void cd_text_drift(struct cd_str *out, const struct cd_value *drift)
{
	double half = drift->has_interval ? (drift->high - drift->low) / 2 : 0;
	int decimals = 4;

	if (fabs(drift->real) >= 1e12) {
		cd_str_addf(out, "%+.4g ppm", drift->real);
		return;
	}
	if (half > 0)
		decimals = half >= 1 ? 0 : (int)ceil(-log10(half) - 1e-9);
	else if (fabs(drift->real) >= 1)
		decimals = fabs(drift->real) >= 100 ? 0 : 2;
	decimals = decimals > 4 ? 4 : decimals;
	if (round(fabs(drift->real) * pow(10.0, decimals)) == 0)
		cd_str_addf(out, "%.*f ppm", decimals, 0.0);
	else
		cd_str_addf(out, "%+.*f ppm", decimals, drift->real);
}

void cd_text_rate(struct cd_str *out, double per_second, const char *unit)
{
	static const struct unit packets[] = {{1, "pkt/s"},
					      {1e3, "kpkt/s"},
					      {1e6, "Mpkt/s"},
					      {1e9, "Gpkt/s"}};
	static const struct unit bits[] = {{1, "b/s"},
					   {1e3, "kb/s"},
					   {1e6, "Mb/s"},
					   {1e9, "Gb/s"},
					   {1e12, "Tb/s"}};

	if (strcmp(unit, "bit/s") == 0)
		add_scaled(out, per_second, bits, 5, 4, true);
	else
		add_scaled(out, per_second, packets, 4, 4, true);
}

static bool is_share(const struct cd_key *key)
{
	return strstr(key->name, "ratio") != NULL ||
	       strstr(key->name, "share") != NULL ||
	       strcmp(key->name, "rate.utilisation") == 0;
}

static void add_real(struct cd_str *out, const struct cd_value *value)
{
	const char *unit = value->key->unit;

	if (strcmp(unit, "1") == 0 && is_share(value->key))
		cd_text_ratio(out, value->real);
	else if (strcmp(unit, "1") == 0)
		cd_str_addf(out, "%.4g", value->real);
	else if (strcmp(unit, "pps") == 0 || strcmp(unit, "bit/s") == 0)
		cd_text_rate(out, value->real, unit);
	else
		cd_str_addf(out, "%.4g %s", value->real, unit);
}

void cd_text_value(struct cd_str *out, const struct cd_value *value, bool utf8)
{
	switch (value->kind) {
	case CD_VALUE_COUNT:
		cd_text_count(out, value->integer);
		break;
	case CD_VALUE_SPAN:
		cd_text_span(out, (double)value->integer, utf8);
		break;
	case CD_VALUE_REAL:
		add_real(out, value);
		break;
	case CD_VALUE_TEXT:
		cd_text_name(out, value->text);
		break;
	case CD_VALUE_NULL:
		cd_str_add(out, "n/a");
		break;
	}
}

/* RFC 3629 section 4 */
unsigned cd_utf8_next(const char *text, uint32_t *code)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *p = (const unsigned char *)text;
	unsigned n = *p < 0x80   ? 1
		     : *p < 0xc0 ? 0
		     : *p < 0xe0 ? 2
		     : *p < 0xf0 ? 3
		     : *p < 0xf8 ? 4
				 : 0;

	if (n < 2) {
		*code = *p;
		return n;
	}
	*code = *p & (0x7fu >> n);
	for (unsigned i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | (p[i] & 0x3f);
	}
	if (*code < least[n] || *code > 0x10ffff ||
	    (*code >= 0xd800 && *code < 0xe000))
		return 0;
	return n;
}

/* Controls, and what changes the direction or place of the text after it. */
static bool is_printable(uint32_t code)
{
	return code >= 0x20 && !(code >= 0x7f && code < 0xa0) &&
	       !(code >= 0x200b && code < 0x2010) &&
	       !(code >= 0x2028 && code < 0x2030) &&
	       !(code >= 0x2060 && code < 0x2070) && code != 0xfeff;
}

void cd_text_name(struct cd_str *out, const char *name)
{
	while (*name != '\0') {
		uint32_t code;
		unsigned n = cd_utf8_next(name, &code);

		if (n > 0 && is_printable(code)) {
			cd_str_addn(out, name, n);
			name += n;
			continue;
		}
		for (unsigned i = 0; i < (n > 0 ? n : 1); i++)
			cd_str_addf(out, "\\x%02x", (unsigned char)name[i]);
		name += n > 0 ? n : 1;
	}
}
