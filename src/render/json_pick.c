#include "render/json_pick.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/str.h"

/* A control that no text of a report holds. */
#define MARK '\x01'
#define MARK_ESCAPED "\\u0001"

/* ---- faults -------------------------------------------------------------- */

void cd_pick_fail(struct cd_pick *pick, const char *format, ...)
{
	char what[200];
	va_list args;

	if (pick->bad)
		return;
	pick->bad = true;
	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	cd_error_set(pick->error, CD_E_FORMAT, "is no report of capdiff: %s%s%s",
		     pick->where, pick->where[0] != '\0' ? ": " : "", what);
	cd_error_hint(pick->error, "reports are written with -o FILE.json");
}

void cd_pick_memory(struct cd_pick *pick)
{
	pick->bad = true;
	cd_error_memory(pick->error);
}

void cd_pick_at(struct cd_pick *pick, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(pick->where, sizeof(pick->where), format, args);
	va_end(args);
}

/* ---- the document -------------------------------------------------------- */

static size_t count_digits(const char *text, size_t n)
{
	size_t i = 0;

	while (i < n && text[i] >= '0' && text[i] <= '9')
		i++;
	return i;
}

/* Bytes of the number at `text` (RFC 8259 section 6), 0: it is none. */
static size_t number_length(const char *text, size_t n)
{
	size_t at = n > 0 && text[0] == '-', digits;

	digits = count_digits(text + at, n - at);
	if (digits == 0 || (digits > 1 && text[at] == '0'))
		return 0;
	at += digits;
	if (at < n && text[at] == '.') {
		digits = count_digits(text + at + 1, n - at - 1);
		if (digits == 0)
			return 0;
		at += digits + 1;
	}
	if (at < n && (text[at] == 'e' || text[at] == 'E')) {
		size_t sign = at + 1 < n &&
			      (text[at + 1] == '+' || text[at + 1] == '-');

		digits = count_digits(text + at + 1 + sign, n - at - 1 - sign);
		if (digits == 0)
			return 0;
		at += 1 + sign + digits;
	}
	return at;
}

/* Bytes of the string at `text`, both quotes included, as far as it goes. */
static size_t string_length(const char *text, size_t n)
{
	size_t at = 1;

	while (at < n && text[at] != '"')
		at += text[at] == '\\' ? 2 : 1;
	return at < n ? at + 1 : n;
}

/* Bytes up to the next string or number, but the first. */
static size_t other_length(const char *text, size_t n)
{
	size_t at = 1;

	while (at < n && text[at] != '\0' &&
	       strchr("\"-0123456789", text[at]) == NULL)
		at++;
	return at;
}

/* jansson keeps 64-bit integers and doubles: of 123456789012345.678 the last
 * digits would go. */
static void quote_numbers(struct cd_str *out, const char *text, size_t n)
{
	for (size_t at = 0; at < n;) {
		size_t length = number_length(text + at, n - at);

		if (length > 0) {
			cd_str_add(out, "\"" MARK_ESCAPED);
			cd_str_addn(out, text + at, length);
			cd_str_add(out, "\"");
		} else {
			if (text[at] == '"')
				length = string_length(text + at, n - at);
			else
				length = text[at] == '-'
					     ? 1
					     : other_length(text + at, n - at);
			cd_str_addn(out, text + at, length);
		}
		at += length;
	}
}

json_t *cd_pick_parse(struct cd_pick *pick, const char *text, size_t n)
{
	struct cd_str quoted = {0};
	json_error_t fault;
	json_t *root = NULL;

	if (memchr(text, '\0', n) != NULL) {
		cd_pick_fail(pick, "there is a NUL byte in it");
		return NULL;
	}
	quote_numbers(&quoted, text, n);
	if (quoted.bad) {
		cd_pick_memory(pick);
	} else {
		root = json_loadb(cd_str_text(&quoted), quoted.length,
				  JSON_REJECT_DUPLICATES, &fault);
		if (root == NULL)
			cd_pick_fail(pick, "line %d: %s", fault.line,
				     fault.text);
	}
	cd_str_release(&quoted);
	return root;
}

/* ---- values -------------------------------------------------------------- */

bool cd_is_number(const json_t *value)
{
	const char *text = json_string_value(value);

	return text != NULL && text[0] == MARK;
}

bool cd_is_text(const json_t *value)
{
	return json_is_string(value) && !cd_is_number(value);
}

/* The digits of a number, "0" (and a fault) if it is none. */
static const char *digits_of(struct cd_pick *pick, const json_t *value)
{
	if (cd_is_number(value) &&
	    number_length(json_string_value(value) + 1,
			  json_string_length(value) - 1) ==
		json_string_length(value) - 1)
		return json_string_value(value) + 1;
	cd_pick_fail(pick, "a number is wanted");
	return "0";
}

double cd_take_real(struct cd_pick *pick, const json_t *value)
{
	double real = strtod(digits_of(pick, value), NULL);

	if (isfinite(real))
		return real;
	cd_pick_fail(pick, "a number is too large");
	return 0;
}

int64_t cd_take_integer(struct cd_pick *pick, const json_t *value)
{
	const char *text = digits_of(pick, value);
	char *end;
	long long integer;

	errno = 0;
	integer = strtoll(text, &end, 10);
	if (*end == '\0' && errno == 0)
		return integer;
	cd_pick_fail(pick, "%.40s is no whole number of 64 bits", text);
	return 0;
}

/* As other programs write it back: "1.5e3". */
static int64_t take_rounded_span(struct cd_pick *pick, const char *text)
{
	double ps = round(strtod(text, NULL) * 1000);

	if (fabs(ps) < 9e18)
		return (int64_t)ps;
	cd_pick_fail(pick, "%.40s ns is too long", text);
	return 0;
}

static bool push_digit(uint64_t *number, int digit)
{
	if (*number > INT64_MAX / 10)
		return false;
	*number = *number * 10 + (uint64_t)digit;
	return *number <= INT64_MAX;
}

int64_t cd_take_span(struct cd_pick *pick, const json_t *value)
{
	const char *text = digits_of(pick, value), *p = text;
	bool negative = *p == '-';
	uint64_t ps = 0;
	int decimals = -1;

	for (p += negative; *p != '\0'; p++) {
		if (*p == '.') {
			decimals = 0;
			continue;
		}
		if (*p < '0' || *p > '9' || decimals == 3 ||
		    !push_digit(&ps, *p - '0'))
			return take_rounded_span(pick, text);
		decimals += decimals >= 0;
	}
	for (int i = decimals < 0 ? 0 : decimals; i < 3; i++)
		if (!push_digit(&ps, 0))
			return take_rounded_span(pick, text);
	return negative ? -(int64_t)ps : (int64_t)ps;
}

/* ---- members ------------------------------------------------------------- */

const json_t *cd_pick_member(const json_t *parent, const char *name)
{
	const json_t *member = json_object_get(parent, name);

	return json_is_null(member) ? NULL : member;
}

const json_t *cd_pick_object(struct cd_pick *pick, const json_t *parent,
			     const char *name)
{
	const json_t *member = cd_pick_member(parent, name);

	if (!json_is_object(member))
		cd_pick_fail(pick, "\"%s\" is not there, or no object", name);
	return pick->bad ? NULL : member;
}

const json_t *cd_pick_list(struct cd_pick *pick, const json_t *parent,
			   const char *name)
{
	const json_t *member = cd_pick_member(parent, name);

	if (!json_is_array(member))
		cd_pick_fail(pick, "\"%s\" is not there, or no list", name);
	return pick->bad ? NULL : member;
}

const char *cd_pick_text(struct cd_pick *pick, const json_t *parent,
			 const char *name)
{
	const json_t *member = cd_pick_member(parent, name);

	if (member != NULL && !cd_is_text(member))
		cd_pick_fail(pick, "\"%s\" is no text", name);
	return pick->bad ? NULL : json_string_value(member);
}

char *cd_pick_copy(struct cd_pick *pick, const json_t *parent,
		   const char *name)
{
	const char *text = cd_pick_text(pick, parent, name);
	char *copy = text == NULL ? NULL : cd_strdup(text);

	if (text != NULL && copy == NULL)
		cd_pick_memory(pick);
	return copy;
}

bool cd_pick_bool(struct cd_pick *pick, const json_t *parent, const char *name)
{
	const json_t *member = json_object_get(parent, name);

	if (member != NULL && !json_is_boolean(member))
		cd_pick_fail(pick, "\"%s\" is neither true nor false", name);
	return json_is_true(member);
}

static const json_t *pick_number(struct cd_pick *pick, const json_t *parent,
				 const char *name)
{
	const json_t *member = cd_pick_member(parent, name);

	if (member != NULL && !cd_is_number(member))
		cd_pick_fail(pick, "\"%s\" is no number", name);
	return pick->bad ? NULL : member;
}

uint64_t cd_pick_count(struct cd_pick *pick, const json_t *parent,
		       const char *name, uint64_t absent)
{
	const json_t *member = pick_number(pick, parent, name);
	int64_t count = member == NULL ? 0 : cd_take_integer(pick, member);

	if (count < 0)
		cd_pick_fail(pick, "\"%s\" is below zero", name);
	return member == NULL || count < 0 ? absent : (uint64_t)count;
}

uint32_t cd_pick_small(struct cd_pick *pick, const json_t *parent,
		       const char *name)
{
	uint64_t count = cd_pick_count(pick, parent, name, 0);

	if (count > UINT32_MAX)
		cd_pick_fail(pick, "\"%s\" is too large", name);
	return count > UINT32_MAX ? 0 : (uint32_t)count;
}

double cd_pick_real(struct cd_pick *pick, const json_t *parent,
		    const char *name)
{
	const json_t *member = pick_number(pick, parent, name);

	return member == NULL ? 0 : cd_take_real(pick, member);
}

int64_t cd_pick_span(struct cd_pick *pick, const json_t *parent,
		     const char *name)
{
	const json_t *member = pick_number(pick, parent, name);

	return member == NULL ? 0 : cd_take_span(pick, member);
}
