/* The argument of --stamp: NAME[:KEY=VALUE[,KEY=VALUE]...] */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/nearest.h"
#include "stamp/formats.h"

enum { NAMES_MAX = 64, AT_MAX = 1 << 20 };

/* A part of the argument, not terminated. */
struct word {
	const char *text;
	size_t n;
};

static struct word cut_word(const char **text, const char *ends)
{
	struct word w = {*text, strcspn(*text, ends)};

	*text += w.n;
	return w;
}

static bool is_word(struct word w, const char *text)
{
	return strlen(text) == w.n && memcmp(w.text, text, w.n) == 0;
}

/* Decimal, or hexadecimal behind 0x; false if it is anything else. */
static bool read_number(struct word w, uint64_t max, uint64_t *out)
{
	char digits[24], *end;
	bool hex = w.n > 2 && w.text[0] == '0' && (w.text[1] | 32) == 'x';

	if (w.n == 0 || w.n >= sizeof(digits) || w.text[0] < '0' ||
	    w.text[0] > '9')
		return false;
	memcpy(digits, w.text, w.n);
	digits[w.n] = '\0';
	errno = 0;
	*out = strtoull(digits, &end, hex ? 16 : 10);
	return errno == 0 && *end == '\0' && *out <= max;
}

static int refuse(struct cd_error *error, struct word value, const char *want)
{
	return cd_error_set(error, CD_E_USAGE,
			    "stamp option: \"%.*s\" is not %s", (int)value.n,
			    value.text, want);
}

static int set_flow(struct cd_stamp_spec *spec, struct word value,
		    struct cd_error *error)
{
	uint64_t flow;

	if (!read_number(value, UINT32_MAX, &flow))
		return refuse(error, value, "a flow number");
	spec->flow = (uint32_t)flow;
	spec->has_flow = true;
	return 0;
}

static int set_width(struct cd_stamp_spec *spec, struct word value,
		     struct cd_error *error)
{
	const uint8_t *widths = spec->format->widths;
	uint64_t width;

	if (!read_number(value, 8, &width) || width == 0)
		return refuse(error, value, "a width of 1 to 8 bytes");
	if (widths[0] != 0 && width != widths[0] && width != widths[1])
		return refuse(error, value, "a width it has: 4 or 8 bytes");
	spec->width = (uint8_t)width;
	return 0;
}

static int set_at(struct cd_stamp_spec *spec, struct word value,
		  struct cd_error *error)
{
	static const char *const bases[] = {"frame", "l3", "l4", "udp", "end"};
	const char *text = value.text;
	struct word base = {text, 0}, offset;
	uint64_t n = 0;
	char sign = '+';
	uint8_t i = 0;

	while (base.n < value.n && text[base.n] != '+' && text[base.n] != '-')
		base.n++;
	while (i <= CD_AT_END && !is_word(base, bases[i]))
		i++;
	if (i > CD_AT_END)
		return refuse(error, value,
			      "a place: frame, l3, l4, udp or end, and +N");
	if (base.n < value.n) {
		sign = text[base.n];
		offset = (struct word){text + base.n + 1, value.n - base.n - 1};
		if (!read_number(offset, AT_MAX, &n))
			return refuse(error, value, "a place: +N is missing");
	}
	if (sign == '-' && i != CD_AT_END)
		return refuse(error, value, "a place: only end counts back");
	spec->base = i;
	spec->at = i == CD_AT_END ? -(int32_t)n : (int32_t)n;
	return 0;
}

static int set_endian(struct cd_stamp_spec *spec, struct word value,
		      struct cd_error *error)
{
	spec->little = is_word(value, "little");
	if (!spec->little && !is_word(value, "big"))
		return refuse(error, value, "big or little");
	return 0;
}

static int set_protocol(struct cd_stamp_spec *spec, struct word value,
			struct cd_error *error)
{
	uint64_t protocol = 0;

	if (is_word(value, "udp"))
		protocol = CD_PROTO_UDP;
	else if (is_word(value, "tcp"))
		protocol = CD_PROTO_TCP;
	else if (!read_number(value, UINT8_MAX, &protocol) || protocol == 0)
		return refuse(error, value, "udp, tcp or an IP protocol");
	spec->protocol = (uint8_t)protocol;
	return 0;
}

/* N or N-M */
static int set_port(struct cd_stamp_spec *spec, struct word value,
		    struct cd_error *error)
{
	const char *text = value.text;
	struct word from = cut_word(&text, "-,"), to = from;
	uint64_t low, high;

	if (*text == '-')
		to = (struct word){text + 1, value.n - from.n - 1};
	if (!read_number(from, UINT16_MAX, &low) || low == 0 ||
	    !read_number(to, UINT16_MAX, &high) || high < low)
		return refuse(error, value, "a port or two, as 5001-5008");
	spec->port_from = (uint16_t)low;
	spec->port_to = (uint16_t)high;
	return 0;
}

static int set_type(struct cd_stamp_spec *spec, struct word value,
		    struct cd_error *error)
{
	uint64_t type;

	if (!read_number(value, UINT16_MAX, &type) || type == 0)
		return refuse(error, value, "an ethertype, as 0x88b5");
	spec->ethertype = (uint16_t)type;
	return 0;
}

static int set_flows(struct cd_stamp_spec *spec, struct word value,
		     struct cd_error *error)
{
	spec->shared = is_word(value, "one");
	if (!spec->shared && !is_word(value, "own"))
		return refuse(error, value, "one (counter for all) or own");
	return 0;
}

static int set_step(struct cd_stamp_spec *spec, struct word value,
		    struct cd_error *error)
{
	bool negative = value.n > 0 && value.text[0] == '-';
	struct word digits = {value.text + negative, value.n - negative};
	uint64_t step;

	if (!read_number(digits, INT64_MAX, &step) || step == 0)
		return refuse(error, value, "a step, which is never 0");
	spec->step = negative ? -(int64_t)step : (int64_t)step;
	return 0;
}

static const struct {
	const char *name;
	int (*set)(struct cd_stamp_spec *spec, struct word value,
		   struct cd_error *error);
} options[] = {
    {"flow", set_flow},	    {"at", set_at},	{"width", set_width},
    {"endian", set_endian}, {"step", set_step}, {"proto", set_protocol},
    {"port", set_port},	    {"type", set_type}, {"flows", set_flows},
};

/* Does the format take this key? */
static bool is_key(const struct cd_stamp_format *format, struct word key)
{
	const char *keys = format->keys;

	while (*keys != '\0') {
		struct word one = cut_word(&keys, ",");

		if (one.n == key.n && memcmp(one.text, key.text, key.n) == 0)
			return true;
		keys += *keys == ',';
	}
	return false;
}

static int set_option(struct cd_stamp_spec *spec, struct word key,
		      struct word value, struct cd_error *error)
{
	const struct cd_stamp_format *format = spec->format;

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		if (is_key(format, key) && is_word(key, options[i].name))
			return options[i].set(spec, value, error);
	cd_error_set(error, CD_E_USAGE, "stamp %s has no option \"%.*s\"",
		     format->name, (int)key.n, key.text);
	if (*format->keys == '\0')
		cd_error_hint(error, "it has none");
	else
		cd_error_hint(error, "it has %s", format->keys);
	return -1;
}

static const struct cd_stamp_format *find_format(struct word name)
{
	for (size_t i = 0; cd_stamp_formats[i] != NULL; i++) {
		const struct cd_stamp_format *f = cd_stamp_formats[i];

		if (is_word(name, f->name) ||
		    (f->alias != NULL && is_word(name, f->alias)))
			return f;
	}
	return NULL;
}

static int refuse_name(struct word name, struct cd_error *error)
{
	const char *names[NAMES_MAX] = {"auto", "none"};
	struct cd_str known = {0};
	char text[64];
	size_t n = 2,
	       length = name.n < sizeof(text) ? name.n : sizeof(text) - 1;

	memcpy(text, name.text, length);
	text[length] = '\0';
	for (size_t i = 0; cd_stamp_formats[i] != NULL && n < NAMES_MAX; i++)
		names[n++] = cd_stamp_formats[i]->name;
	for (size_t i = 0; i < n; i++)
		cd_str_addf(&known, "%s%s", i == 0 ? "" : " ", names[i]);
	cd_error_set(error, CD_E_USAGE, "there is no stamp \"%s\"", text);
	cd_error_hint(error, "did you mean \"%s\"? All: %s",
		      cd_nearest(text, names, n), cd_str_text(&known));
	cd_str_release(&known);
	return -1;
}

/* What only all the options together can tell. */
static int check_whole(const struct cd_stamp_spec *spec, bool has_at,
		       struct cd_error *error)
{
	if (!is_key(spec->format, (struct word){"at", 2}))
		return 0;
	if (!has_at) {
		cd_error_set(error, CD_E_USAGE,
			     "stamp %s needs the place of the number",
			     spec->format->name);
		cd_error_hint(error, "for example at=udp+8,width=4");
		return -1;
	}
	if (spec->base == CD_AT_END && -spec->at < spec->width)
		return cd_error_set(error, CD_E_USAGE,
				    "stamp option: %u bytes do not fit %d "
				    "before the end",
				    spec->width, -spec->at);
	return 0;
}

int cd_stamp_spec_parse(const char *text, struct cd_stamp_spec *spec,
			struct cd_error *error)
{
	struct word name = cut_word(&text, ":"), key, value;
	bool has_at = false;

	*spec = (struct cd_stamp_spec){.format = find_format(name), .step = 1};
	if (spec->format == NULL)
		return refuse_name(name, error);
	if (spec->format->bits == 0 && spec->format->widths[0] == 0)
		spec->width = 4;
	while (*text != '\0') {
		text++; /* ':' or ',' */
		key = cut_word(&text, "=,");
		text += *text == '=';
		value = cut_word(&text, ",");
		if (set_option(spec, key, value, error) != 0)
			return -1;
		has_at |= is_word(key, "at");
	}
	return check_whole(spec, has_at, error);
}
