#include "verdict/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/nearest.h"
#include "report/text.h"

enum relation { AT_MOST, BELOW, AT_LEAST, ABOVE, EQUAL };

struct limit {
	const char *expression;
	char *key;   /* as written, without blanks around it */
	char *value; /* the same */
	enum relation relation;
	const struct cd_key *row;
	uint32_t point, stream; /* point: UINT32_MAX: every compared one */
	double bound;		/* in ps for spans, else in the key's unit */
};

/* ---- the value ----------------------------------------------------------- */

struct unit {
	const char *name;
	double factor;
};

struct unit_family {
	const char *key_unit;
	const char *known; /* for the message */
	struct unit units[8];
};

/* Factors to what is compared: ps for spans, else the key's own unit. */
static const struct unit_family families[] = {
    {"ns", "ps ns us ms s",
     {{"ps", 1}, {"ns", 1e3}, {"us", 1e6}, {"\xc2\xb5s", 1e6},
      {"\xce\xbcs", 1e6}, {"ms", 1e9}, {"s", 1e12}, {"", 1e3}}},
    {"1", "% ppm ppb", {{"", 1}, {"%", 1e-2}, {"ppm", 1e-6}, {"ppb", 1e-9}}},
    {"ppm", "ppm ppb %", {{"", 1}, {"ppm", 1}, {"ppb", 1e-3}, {"%", 1e4}}},
    {"pps", "pps kpps Mpps",
     {{"", 1}, {"pps", 1}, {"kpps", 1e3}, {"Mpps", 1e6}}},
    {"bit/s", "b/s kb/s Mb/s Gb/s",
     {{"", 1}, {"b/s", 1}, {"bit/s", 1}, {"kb/s", 1e3}, {"Mb/s", 1e6},
      {"Gb/s", 1e9}}},
    {"bytes", "B kB MB GB",
     {{"", 1}, {"bytes", 1}, {"B", 1}, {"kB", 1e3}, {"MB", 1e6},
      {"GB", 1e9}}},
};

static const struct unit_family *find_family(const char *key_unit)
{
	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++)
		if (strcmp(families[i].key_unit, key_unit) == 0)
			return &families[i];
	return NULL;
}

/* 0 if the unit does not fit. */
static double find_factor(const struct cd_key *key, const char *unit)
{
	const struct unit_family *family = find_family(key->unit);
	const struct unit *u;

	if (family == NULL)
		return *unit == '\0' || strcmp(unit, key->unit) == 0;
	for (u = family->units; u < family->units + 8 && u->name != NULL; u++)
		if (strcmp(u->name, unit) == 0)
			return u->factor;
	return 0;
}

static int refuse_unit(const struct limit *limit, const char *unit,
		       struct cd_error *error)
{
	const struct unit_family *family = find_family(limit->row->unit);

	cd_error_set(error, CD_E_USAGE, "limit \"%s\": unit \"%s\" does not "
		     "fit %s", limit->expression, unit, limit->row->name);
	cd_error_hint(error, "units that fit: %s",
		      family != NULL ? family->known : limit->row->unit);
	return -1;
}

/* Plain decimals only: strtod() also takes "nan", "inf" and hexadecimal. */
static bool looks_decimal(const char *text)
{
	if (*text == '-' || *text == '+')
		text++;
	if (*text == '.')
		text++;
	return *text >= '0' && *text <= '9' && text[1] != 'x' &&
	       text[1] != 'X';
}

static int read_bound(struct limit *limit, struct cd_error *error)
{
	char *unit;
	double number, factor;

	if (limit->row->kind == CD_VALUE_TEXT)
		return cd_error_set(error, CD_E_USAGE,
				    "limit \"%s\": %s is a text, not a number",
				    limit->expression, limit->row->name);
	if (!looks_decimal(limit->value)) {
		cd_error_set(error, CD_E_USAGE,
			     "limit \"%s\": \"%s\" is not a number",
			     limit->expression, limit->value);
		cd_error_hint(error, "for example loss.missing<=0, "
				     "time.error.span_ns<=5us");
		return -1;
	}
	number = strtod(limit->value, &unit);
	if (!isfinite(number))
		return cd_error_set(error, CD_E_USAGE,
				    "limit \"%s\": \"%s\" is too large",
				    limit->expression, limit->value);
	unit += strspn(unit, " \t");
	factor = find_factor(limit->row, unit);
	if (factor == 0)
		return refuse_unit(limit, unit, error);
	limit->bound = number * factor;
	if (limit->row->kind == CD_VALUE_SPAN)
		limit->bound = round(limit->bound);
	return 0;
}

/* ---- the key ------------------------------------------------------------- */

static int refuse_key(const struct limit *limit, const char *name,
		      struct cd_error *error)
{
	const char **names = malloc(cd_key_count * sizeof(*names));
	const char *prefix = limit->key;

	cd_error_set(error, CD_E_USAGE, "limit \"%s\": no value is called "
		     "\"%s\"", limit->expression, limit->key);
	if (names == NULL)
		return -1;
	for (size_t i = 0; i < cd_key_count; i++)
		names[i] = cd_key_table[i].name;
	cd_error_hint(error, "did you mean \"%.*s%s\"?", (int)(name - prefix),
		      prefix, cd_nearest(name, names, cd_key_count));
	free(names);
	return -1;
}

/* Try the label of a capture before the name (labels may hold dots). */
static bool read_labelled(const struct cd_report *report, struct limit *limit,
			  const char **unknown)
{
	for (uint32_t i = 0; i < report->n_captures; i++) {
		const char *label = report->captures[i].label;
		size_t n = label == NULL ? 0 : strlen(label);
		const char *name;

		if (n == 0 || strncmp(limit->key, label, n) != 0 ||
		    limit->key[n] != '.')
			continue;
		name = cd_key_skip_stream(limit->key + n + 1, &limit->stream);
		limit->point = i;
		limit->row = cd_key_find(name);
		if (limit->row != NULL)
			return true;
		*unknown = name;
	}
	return false;
}

static int read_key(const struct cd_report *report, struct limit *limit,
		    struct cd_error *error)
{
	const char *name = cd_key_skip_stream(limit->key, &limit->stream);
	const char *unknown = limit->key;

	limit->point = UINT32_MAX;
	limit->row = cd_key_find(name);
	if (limit->row != NULL || read_labelled(report, limit, &unknown))
		return 0;
	return refuse_key(limit, unknown, error);
}

/* ---- the expression ------------------------------------------------------ */

static char *copy_trimmed(const char *text, size_t n)
{
	while (n > 0 && strchr(" \t\r\n", *text) != NULL) {
		text++;
		n--;
	}
	while (n > 0 && strchr(" \t\r\n", text[n - 1]) != NULL)
		n--;
	return cd_strf("%.*s", (int)n, text);
}

/* The last relation in the text: a label may hold such characters. */
static const char *find_relation(const char *text, enum relation *relation,
				 size_t *length)
{
	static const struct {
		const char *sign;
		enum relation relation;
	} signs[] = {{"<=", AT_MOST}, {">=", AT_LEAST}, {"==", EQUAL},
		     {"<", BELOW},    {">", ABOVE}};

	for (size_t at = strlen(text); at-- > 0;) {
		if (at > 0 && text[at] == '=' && strchr("<>=", text[at - 1]))
			at--;
		for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
			*length = strlen(signs[i].sign);
			if (strncmp(text + at, signs[i].sign, *length) == 0) {
				*relation = signs[i].relation;
				return text + at;
			}
		}
	}
	return NULL;
}

static int split_expression(struct limit *limit, struct cd_error *error)
{
	const char *text = limit->expression;
	size_t length;
	const char *sign = find_relation(text, &limit->relation, &length);

	if (sign == NULL) {
		cd_error_set(error, CD_E_USAGE, "limit \"%s\" has no <= in it",
			     text);
		cd_error_hint(error, "write KEY<=VALUE; <, >=, > and == work "
				     "too");
		return -1;
	}
	limit->key = copy_trimmed(text, (size_t)(sign - text));
	limit->value = copy_trimmed(sign + length, strlen(sign + length));
	if (limit->key == NULL || limit->value == NULL)
		return cd_error_memory(error);
	return 0;
}

/* ---- applying ------------------------------------------------------------ */

static bool compare(const struct limit *limit, const struct cd_value *value)
{
	double x = value->kind == CD_VALUE_REAL ? value->real
						: (double)value->integer;

	switch (limit->relation) {
	case AT_MOST:
		return x <= limit->bound;
	case BELOW:
		return x < limit->bound;
	case AT_LEAST:
		return x >= limit->bound;
	case ABOVE:
		return x > limit->bound;
	case EQUAL:
		return x == limit->bound;
	}
	return false;
}

/* A value that is not there or undefined fails. */
static int add_result(struct cd_report *report, const struct limit *limit,
		      uint32_t point)
{
	struct cd_value absent = {
	    .key = limit->row,
	    .point = point,
	    .stream = limit->stream,
	    .kind = CD_VALUE_NULL,
	    .reason = "not measured",
	};
	const struct cd_value *value = cd_report_find_stream(
	    report, point, limit->stream, limit->row->name);
	struct cd_str key = {0}, text = {0};
	struct cd_limit_result *result, *grown;

	grown = realloc(report->limits,
			(report->n_limits + 1) * sizeof(*grown));
	if (grown == NULL)
		return -1;
	report->limits = grown;
	result = &grown[report->n_limits];
	if (value == NULL)
		value = &absent;
	cd_value_full_key(report, value, &key);
	cd_text_value(&text, value, false);
	if (value->kind == CD_VALUE_NULL && value->reason != NULL)
		cd_str_addf(&text, " (%s)", value->reason);
	*result = (struct cd_limit_result){
	    .expression = cd_strdup(limit->expression),
	    .key = key.text,
	    .value = text.text,
	    .passed = value->kind != CD_VALUE_NULL && compare(limit, value),
	};
	report->n_limits++;
	return key.bad || text.bad || result->expression == NULL ? -1 : 0;
}

static int apply(struct cd_report *report, const struct limit *limit)
{
	for (uint32_t i = 0; i < report->n_captures; i++) {
		bool wanted = limit->point == i;

		if (limit->point == UINT32_MAX)
			wanted = report->n_captures == 1 ||
				 i != report->reference;
		if (wanted && add_result(report, limit, i))
			return -1;
	}
	return 0;
}

/* Without a report any text before a dot may be a label. */
static int read_any_key(struct limit *limit, struct cd_error *error)
{
	const char *unknown = limit->key;

	for (const char *at = limit->key; at != NULL;) {
		const char *name = cd_key_skip_stream(at, &limit->stream);
		const char *dot = strchr(at, '.');

		limit->row = cd_key_find(name);
		if (limit->row != NULL)
			return 0;
		at = dot == NULL ? NULL : dot + 1;
	}
	return refuse_key(limit, unknown, error);
}

int cd_limit_check(const char *expression, struct cd_error *error)
{
	struct limit limit = {.expression = expression};
	int result = split_expression(&limit, error);

	if (result == 0)
		result = read_any_key(&limit, error);
	if (result == 0)
		result = read_bound(&limit, error);
	free(limit.key);
	free(limit.value);
	return result;
}

int cd_limit_apply(struct cd_report *report, const char *expression,
		   struct cd_error *error)
{
	struct limit limit = {.expression = expression};
	int result = split_expression(&limit, error);

	if (result == 0)
		result = read_key(report, &limit, error);
	if (result == 0)
		result = read_bound(&limit, error);
	if (result == 0 && apply(report, &limit))
		result = cd_error_memory(error);
	free(limit.key);
	free(limit.value);
	return result;
}
