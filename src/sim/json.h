/* Writing JSON as it comes: two spaces a level, commas where they belong. */
#ifndef CAPDIFF_SIM_JSON_H
#define CAPDIFF_SIM_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/str.h"
#include "capture/sink.h"

struct cd_json {
	struct cd_sink *sink;
	struct cd_str text; /* not yet in the sink */
	int level;
	bool first; /* nothing in this object or array yet */
};

/* `name` is NULL inside arrays. Failures are kept for cd_json_close(). */
void cd_json_begin(struct cd_json *json, const char *name, char bracket);
void cd_json_end(struct cd_json *json, char bracket);
void cd_json_u64(struct cd_json *json, const char *name, uint64_t v);
void cd_json_i64(struct cd_json *json, const char *name, int64_t v);
void cd_json_bool(struct cd_json *json, const char *name, bool v);
void cd_json_text(struct cd_json *json, const char *name, const char *v);
void cd_json_null(struct cd_json *json, const char *name);
/* Digits as they are: "12.5". */
void cd_json_raw(struct cd_json *json, const char *name, const char *digits);
/* v / 10^12 in millionths: ppm with six decimals. */
void cd_json_ppm(struct cd_json *json, const char *name, int64_t v);
/* One item "[a, b]" or "[a, b, c]" of an array, on one line. */
void cd_json_tuple(struct cd_json *json, const int64_t *v, unsigned n);

struct cd_json *cd_json_open(const char *path, struct cd_error *error);
int cd_json_close(struct cd_json *json, struct cd_error *error);

#endif
