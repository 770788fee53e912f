/*
 * Writing JSON: jansson cannot print numbers with exact decimals. Inside the
 * room only.
 */
#ifndef CAPDIFF_RENDER_JSON_OUT_H
#define CAPDIFF_RENDER_JSON_OUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "report/report.h"

struct cd_json {
	struct cd_str *out;
	unsigned depth;
	unsigned flat; /* depth from which everything stays on one line, 0: no */
	bool fresh;    /* nothing in this object or array yet */
};

/*
 * Every item takes its name, NULL in an array. Strings: what is no UTF-8 or
 * not printable becomes "\xNN" in the text; NULL gives null.
 */
void cd_json_open(struct cd_json *json, const char *name, char bracket);
/* The same, its items on one line. */
void cd_json_open_flat(struct cd_json *json, const char *name, char bracket);
void cd_json_close(struct cd_json *json, char bracket);
void cd_json_string(struct cd_json *json, const char *name, const char *text);
void cd_json_bool(struct cd_json *json, const char *name, bool value);
void cd_json_null(struct cd_json *json, const char *name);
/* Above INT64_MAX, which no reader has to take: null. */
void cd_json_count(struct cd_json *json, const char *name, uint64_t count);
void cd_json_span(struct cd_json *json, const char *name, int64_t ps);
void cd_json_real(struct cd_json *json, const char *name, double real);
/* true, false or null. */
void cd_json_judgement(struct cd_json *json, const char *name,
		       enum cd_judgement judgement);
/* Name and colon only; the caller writes the value. */
void cd_json_name(struct cd_json *json, const char *name);

#endif
