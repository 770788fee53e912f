#include "render/json_out.h"

#include <math.h>
#include <string.h>

#include "render/number.h"
#include "report/text.h"

/* Valid UTF-8 without controls; RFC 8259 section 7 asks for no more. */
static void add_escaped(struct cd_str *out, const char *text)
{
	while (*text != '\0') {
		size_t plain = strcspn(text, "\"\\");

		cd_str_addn(out, text, plain);
		text += plain;
		if (*text == '\0')
			break;
		cd_str_add(out, "\\");
		cd_str_addn(out, text++, 1);
	}
}

/* Line breaks are meant (paragraphs, comments) and stay; anything else that
 * is not printable is shown as cd_text_name() shows it. */
static void add_string(struct cd_str *out, const char *text)
{
	cd_str_add(out, "\"");
	for (;;) {
		size_t n = strcspn(text, "\n");
		struct cd_str line = {0}, safe = {0};

		cd_str_addn(&line, text, n);
		cd_text_name(&safe, cd_str_text(&line));
		add_escaped(out, cd_str_text(&safe));
		out->bad = out->bad || line.bad || safe.bad;
		cd_str_release(&line);
		cd_str_release(&safe);
		if (text[n] == '\0')
			break;
		cd_str_add(out, "\\n");
		text += n + 1;
	}
	cd_str_add(out, "\"");
}

void cd_json_name(struct cd_json *json, const char *name)
{
	if (!json->fresh)
		cd_str_add(json->out, json->flat != 0 ? ", " : ",");
	if (json->flat == 0 && json->depth > 0) {
		cd_str_add(json->out, "\n");
		cd_str_pad(json->out, ' ', 2u * json->depth);
	}
	json->fresh = false;
	if (name != NULL) {
		add_string(json->out, name);
		cd_str_add(json->out, ": ");
	}
}

void cd_json_open(struct cd_json *json, const char *name, char bracket)
{
	cd_json_name(json, name);
	cd_str_addn(json->out, &bracket, 1);
	json->depth++;
	json->fresh = true;
}

void cd_json_open_flat(struct cd_json *json, const char *name, char bracket)
{
	cd_json_open(json, name, bracket);
	if (json->flat == 0)
		json->flat = json->depth;
}

void cd_json_close(struct cd_json *json, char bracket)
{
	bool flat = json->flat != 0;

	if (json->flat == json->depth)
		json->flat = 0;
	json->depth--;
	if (!flat && !json->fresh) {
		cd_str_add(json->out, "\n");
		cd_str_pad(json->out, ' ', 2u * json->depth);
	}
	cd_str_addn(json->out, &bracket, 1);
	json->fresh = false;
}

void cd_json_null(struct cd_json *json, const char *name)
{
	cd_json_name(json, name);
	cd_str_add(json->out, "null");
}

void cd_json_string(struct cd_json *json, const char *name, const char *text)
{
	if (text == NULL) {
		cd_json_null(json, name);
		return;
	}
	cd_json_name(json, name);
	add_string(json->out, text);
}

void cd_json_bool(struct cd_json *json, const char *name, bool value)
{
	cd_json_name(json, name);
	cd_str_add(json->out, value ? "true" : "false");
}

void cd_json_count(struct cd_json *json, const char *name, uint64_t count)
{
	if (count > INT64_MAX) {
		cd_json_null(json, name);
		return;
	}
	cd_json_name(json, name);
	cd_str_addf(json->out, "%llu", (unsigned long long)count);
}

void cd_json_span(struct cd_json *json, const char *name, int64_t ps)
{
	cd_json_name(json, name);
	cd_number_span(json->out, ps);
}

void cd_json_real(struct cd_json *json, const char *name, double real)
{
	if (!isfinite(real)) {
		cd_json_null(json, name);
		return;
	}
	cd_json_name(json, name);
	cd_number_real(json->out, real);
}

void cd_json_judgement(struct cd_json *json, const char *name,
		       enum cd_judgement judgement)
{
	if (judgement == CD_INCONCLUSIVE)
		cd_json_null(json, name);
	else
		cd_json_bool(json, name, judgement == CD_TRUE);
}
