#include "sim/json.h"

#include <inttypes.h>
#include <stdlib.h>

#include "sim/units.h"

#define CHUNK 65536

static void hand_over(struct cd_json *j)
{
	cd_sink_add(j->sink, cd_str_text(&j->text), j->text.length, NULL);
	j->text.length = 0;
}

static void put_text(struct cd_json *j, const char *v)
{
	cd_str_add(&j->text, "\"");
	for (; *v != '\0'; v++) {
		if (*v == '"' || *v == '\\')
			cd_str_addf(&j->text, "\\%c", *v);
		else if ((unsigned char)*v < 0x20)
			cd_str_addf(&j->text, "\\u%04x",
				    (unsigned)(unsigned char)*v);
		else
			cd_str_addn(&j->text, v, 1);
	}
	cd_str_add(&j->text, "\"");
}

/* Comma, new line, indentation and name: up to the value. */
static void put_name(struct cd_json *j, const char *name)
{
	if (j->text.length > CHUNK)
		hand_over(j);
	if (j->level > 0)
		cd_str_add(&j->text, j->first ? "\n" : ",\n");
	cd_str_pad(&j->text, ' ', (size_t)j->level * 2);
	j->first = false;
	if (name == NULL)
		return;
	put_text(j, name);
	cd_str_add(&j->text, ": ");
}

void cd_json_begin(struct cd_json *j, const char *name, char bracket)
{
	put_name(j, name);
	cd_str_addn(&j->text, &bracket, 1);
	j->level++;
	j->first = true;
}

void cd_json_end(struct cd_json *j, char bracket)
{
	j->level--;
	if (!j->first) {
		cd_str_add(&j->text, "\n");
		cd_str_pad(&j->text, ' ', (size_t)j->level * 2);
	}
	cd_str_addn(&j->text, &bracket, 1);
	j->first = false;
}

void cd_json_u64(struct cd_json *j, const char *name, uint64_t v)
{
	put_name(j, name);
	cd_str_addf(&j->text, "%" PRIu64, v);
}

void cd_json_i64(struct cd_json *j, const char *name, int64_t v)
{
	put_name(j, name);
	cd_str_addf(&j->text, "%" PRId64, v);
}

void cd_json_bool(struct cd_json *j, const char *name, bool v)
{
	put_name(j, name);
	cd_str_add(&j->text, v ? "true" : "false");
}

void cd_json_text(struct cd_json *j, const char *name, const char *v)
{
	put_name(j, name);
	put_text(j, v);
}

void cd_json_null(struct cd_json *j, const char *name)
{
	put_name(j, name);
	cd_str_add(&j->text, "null");
}

void cd_json_raw(struct cd_json *j, const char *name, const char *digits)
{
	put_name(j, name);
	cd_str_add(&j->text, digits);
}

void cd_json_ppm(struct cd_json *j, const char *name, int64_t v)
{
	uint64_t size = v < 0 ? (uint64_t)-v : (uint64_t)v;

	put_name(j, name);
	cd_str_addf(&j->text, "%s%" PRIu64 ".%06" PRIu64, v < 0 ? "-" : "",
		    size / 1000000, size % 1000000);
}

void cd_json_tuple(struct cd_json *j, const int64_t *v, unsigned n)
{
	put_name(j, NULL);
	for (unsigned i = 0; i < n; i++)
		cd_str_addf(&j->text, "%s%" PRId64, i == 0 ? "[" : ", ", v[i]);
	cd_str_add(&j->text, "]");
}

struct cd_json *cd_json_open(const char *path, struct cd_error *error)
{
	struct cd_json *j = calloc(1, sizeof(*j));

	if (j == NULL) {
		cd_error_memory(error);
		return NULL;
	}
	j->first = true;
	j->sink = cd_sink_open(path, false, error);
	if (j->sink == NULL) {
		free(j);
		return NULL;
	}
	return j;
}

int cd_json_close(struct cd_json *j, struct cd_error *error)
{
	bool bad = j->text.bad;
	int status;

	cd_str_add(&j->text, "\n");
	hand_over(j);
	status = cd_sink_close(j->sink, !bad, error);
	cd_str_release(&j->text);
	free(j);
	return bad ? cd_error_memory(error) : status;
}
