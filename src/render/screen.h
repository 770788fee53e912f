/*
 * Lines of at most so many columns: what the text renderer writes on.
 * Inside the room only.
 */
#ifndef CAPDIFF_RENDER_SCREEN_H
#define CAPDIFF_RENDER_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "render/render.h"

enum cd_ink { CD_INK_NONE, CD_INK_GOOD, CD_INK_BAD, CD_INK_DOUBT, CD_INK_BOLD };

struct cd_screen {
	struct cd_str *out;
	size_t width; /* columns */
	bool utf8, color;
};

struct cd_screen cd_screen(const struct cd_render_options *options,
			   struct cd_str *out);

/* Text that is safe and takes the columns that cd_columns() says: controls
 * and broken UTF-8 become "\xNN"; without `utf8` other letters become "?". */
void cd_clean(struct cd_str *out, const char *text, bool utf8);
/* The same for a sentence: "5 us" becomes "5 (micro)s" where that can be
 * shown. */
void cd_clean_sentence(struct cd_str *out, const char *text, bool utf8);

/* Columns that clean text takes. */
size_t cd_columns(const char *text);
/* Bytes of the first characters of clean text that fit into `columns`; sets
 * the columns they take. At least one character if there is any. */
size_t cd_fit(const char *text, size_t columns, size_t *used);

/* Does a unit ("us", "%", "Mb/s") stand at `text`, as a word? */
bool cd_is_unit(const char *text);

/* Clean text, clipped with ".." if it is wider, padded to `columns`. */
void cd_put_cell(struct cd_screen *screen, const char *text, size_t columns);

/*
 * Clean text as a paragraph: the cursor is at column `at`; the lines after
 * the first begin at `indent`. Words that do not fit a line are broken.
 * Ends the line.
 */
void cd_put_wrapped(struct cd_screen *screen, const char *text, size_t at,
		    size_t indent);

/* An empty line. */
void cd_put_gap(struct cd_screen *screen);

/* Colour on (CD_INK_NONE: off), where there is colour. */
void cd_put_ink(struct cd_screen *screen, enum cd_ink ink);

#endif
