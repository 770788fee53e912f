/* The renderers, for their table. Inside the room only. */
#ifndef CAPDIFF_RENDER_RENDERERS_H
#define CAPDIFF_RENDER_RENDERERS_H

#include "render/render.h"

extern const struct cd_renderer cd_render_text;
extern const struct cd_renderer cd_render_json;
extern const struct cd_renderer cd_render_csv;
extern const struct cd_renderer cd_render_html;
extern const struct cd_renderer cd_render_md;
extern const struct cd_renderer cd_render_junit;
extern const struct cd_renderer cd_render_tap;

#endif
