#include "render/screen.h"

#include <stdint.h>
#include <string.h>

#include "report/text.h"

#define NARROWEST 40

struct cd_screen cd_screen(const struct cd_render_options *options,
			   struct cd_str *out)
{
	int width = options->width;

	return (struct cd_screen){
	    .out = out,
	    .width = width < NARROWEST ? NARROWEST : (size_t)width,
	    .utf8 = options->utf8,
	    .color = options->color,
	};
}

/* ---- clean text ---------------------------------------------------------- */

static void clean(struct cd_str *out, const char *text, bool utf8,
		  bool sentence)
{
	bool digit = false;

	while (*text != '\0') {
		uint32_t code;
		unsigned n = cd_utf8_next(text, &code);

		if (sentence && utf8 && digit &&
		    strncmp(text, " us", 3) == 0 &&
		    strchr(" .,;:)", text[3]) != NULL) {
			cd_str_add(out, " \xc2\xb5s");
			text += 3;
			continue;
		}
		digit = *text >= '0' && *text <= '9';
		if (n <= 1 || utf8)
			cd_str_addn(out, text, n == 0 ? 1 : n);
		else
			cd_str_add(out, code == 0xb5 ? "u" : "?");
		text += n == 0 ? 1 : n;
	}
}

static void clean_name(struct cd_str *out, const char *text, bool utf8,
		       bool sentence)
{
	struct cd_str safe = {0};

	cd_text_name(&safe, text);
	clean(out, cd_str_text(&safe), utf8, sentence);
	out->bad = out->bad || safe.bad;
	cd_str_release(&safe);
}

void cd_clean(struct cd_str *out, const char *text, bool utf8)
{
	clean_name(out, text, utf8, false);
}

void cd_clean_sentence(struct cd_str *out, const char *text, bool utf8)
{
	clean_name(out, text, utf8, true);
}

/* ---- columns ------------------------------------------------------------- */

struct range {
	uint32_t first, last;
};

static bool is_in(uint32_t code, const struct range *ranges, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (code >= ranges[i].first && code <= ranges[i].last)
			return true;
	return false;
}

/* Unicode's East Asian Width (W, F) and combining marks, roughly: wcwidth()
 * would depend on the locale. In doubt wide, so that no line is too long. */
static unsigned columns_of(uint32_t code)
{
	static const struct range wide[] = {
	    {0x1100, 0x115f},	{0x231a, 0x232a},   {0x23e9, 0x23f3},
	    {0x25fd, 0x27bf},	{0x2b1b, 0x2b55},   {0x2e80, 0xa4cf},
	    {0xa960, 0xa97f},	{0xac00, 0xd7ff},   {0xf900, 0xfaff},
	    {0xfe10, 0xfe6f},	{0xff00, 0xff60},   {0xffe0, 0xffe6},
	    {0x16fe0, 0x18aff}, {0x1b000, 0x1b2ff}, {0x1f000, 0x3fffd},
	};
	static const struct range none[] = {
	    {0x300, 0x36f},   {0x483, 0x489},	{0x591, 0x5bd},
	    {0x610, 0x61a},   {0x64b, 0x65f},	{0x1ab0, 0x1aff},
	    {0x1dc0, 0x1dff}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f},
	    {0xfe20, 0xfe2f}, {0xe0100, 0xe01ef},
	};

	if (code < 0x300)
		return 1;
	if (is_in(code, none, sizeof(none) / sizeof(none[0])))
		return 0;
	return is_in(code, wide, sizeof(wide) / sizeof(wide[0])) ? 2 : 1;
}

size_t cd_fit(const char *text, size_t columns, size_t *used)
{
	size_t bytes = 0;

	*used = 0;
	while (text[bytes] != '\0') {
		uint32_t code;
		unsigned n = cd_utf8_next(text + bytes, &code);
		unsigned w = columns_of(code);

		if (n == 0)
			n = w = 1;
		if (bytes > 0 && *used + w > columns)
			break;
		*used += w;
		bytes += n;
	}
	return bytes;
}

size_t cd_columns(const char *text)
{
	size_t used;

	cd_fit(text, SIZE_MAX, &used);
	return used;
}

/* ---- lines --------------------------------------------------------------- */

void cd_put_cell(struct cd_screen *screen, const char *text, size_t columns)
{
	size_t used = cd_columns(text);

	if (used <= columns) {
		cd_str_add(screen->out, text);
	} else if (columns < 4) {
		used = 0; /* no room for a wide letter and the dots */
	} else {
		cd_str_addn(screen->out, text,
			    cd_fit(text, columns - 2, &used));
		cd_str_add(screen->out, "..");
		used += 2;
	}
	if (used < columns)
		cd_str_pad(screen->out, ' ', columns - used);
}

bool cd_is_unit(const char *text)
{
	static const char *const units[] = {
	    "%", "ps", "ns", "us", "\xc2\xb5s", "ms", "s", "days", "ppm", "B",
	    "b/s", "kb/s", "Mb/s", "Gb/s", "Tb/s", "pkt/s", "kpkt/s", "Mpkt/s",
	    "Gpkt/s",
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		size_t n = strlen(units[i]);

		if (strncmp(text, units[i], n) == 0 &&
		    (text[n] == '\0' || strchr(" .,;:)", text[n]) != NULL))
			return true;
	}
	return false;
}

/* Bytes of the word at `text`; a number and its unit are one. */
static size_t word_bytes(const char *text)
{
	size_t n = strcspn(text, " ");

	if (n > 0 && text[n - 1] >= '0' && text[n - 1] <= '9' &&
	    text[n] == ' ' && cd_is_unit(text + n + 1))
		n += 1 + strcspn(text + n + 1, " ");
	return n;
}

void cd_put_wrapped(struct cd_screen *screen, const char *text, size_t at,
		    size_t indent)
{
	bool fresh = true; /* no word on this line yet */

	while (*(text += strspn(text, " ")) != '\0') {
		size_t bytes = word_bytes(text), used;
		struct cd_str word = {0};

		cd_str_addn(&word, text, bytes);
		used = cd_columns(cd_str_text(&word));
		if (indent + used > screen->width &&
		    bytes > strcspn(text, " ")) {
			bytes = strcspn(text, " ");
			word.length = 0;
			cd_str_addn(&word, text, bytes);
			used = cd_columns(cd_str_text(&word));
		}
		if (at + !fresh + used > screen->width && at > indent) {
			cd_str_add(screen->out, "\n");
			cd_str_pad(screen->out, ' ', indent);
			at = indent;
			fresh = true;
		}
		if (at + !fresh + used > screen->width)
			bytes = cd_fit(cd_str_text(&word),
				       screen->width - at, &used);
		if (!fresh)
			cd_str_add(screen->out, " ");
		cd_str_addn(screen->out, text, bytes);
		at += used + !fresh;
		fresh = false;
		text += bytes;
		screen->out->bad = screen->out->bad || word.bad;
		cd_str_release(&word);
		if (*text != ' ' && *text != '\0')
			at = screen->width; /* the word goes on below */
	}
	cd_str_add(screen->out, "\n");
}

void cd_put_gap(struct cd_screen *screen)
{
	cd_str_add(screen->out, "\n");
}

void cd_put_ink(struct cd_screen *screen, enum cd_ink ink)
{
	static const char *const codes[] = {
	    [CD_INK_NONE] = "\x1b[0m",	 [CD_INK_GOOD] = "\x1b[1;32m",
	    [CD_INK_BAD] = "\x1b[1;31m", [CD_INK_DOUBT] = "\x1b[1;33m",
	    [CD_INK_BOLD] = "\x1b[1m",
	};

	if (screen->color)
		cd_str_add(screen->out, codes[ink]);
}
