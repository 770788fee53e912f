/* Parts of the text report. Inside the room only. */
#ifndef CAPDIFF_RENDER_TEXT_H
#define CAPDIFF_RENDER_TEXT_H

#include "render/rows.h"
#include "render/screen.h"

/* "Stream    UDP ..." and the like: what was compared. */
void cd_put_heading(struct cd_screen *screen, const struct cd_view *view);
/* Captures side by side, or one after the other where they do not fit. */
void cd_put_table(struct cd_screen *screen, const struct cd_view *view);
/* Files, streams and every value (-v). */
void cd_put_details(struct cd_screen *screen, const struct cd_view *view);

/* A name in its column and wrapped text beside it. */
void cd_put_entry(struct cd_screen *screen, const char *name,
		  const char *text, size_t indent);

#endif
