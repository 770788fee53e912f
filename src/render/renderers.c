#include "render/renderers.h"

#include <string.h>

/* The first is the default. */
const struct cd_renderer *const cd_renderers[] = {
    &cd_render_text,
    &cd_render_json,
    &cd_render_csv,
    &cd_render_html,
    &cd_render_md,
    &cd_render_junit,
    &cd_render_tap,
    NULL,
};

const struct cd_renderer *cd_renderer_find(const char *name)
{
	for (size_t i = 0; cd_renderers[i] != NULL; i++)
		if (strcmp(cd_renderers[i]->name, name) == 0)
			return cd_renderers[i];
	return NULL;
}

const struct cd_renderer *cd_renderer_for_path(const char *path)
{
	size_t n = strlen(path);

	for (size_t i = 0; cd_renderers[i] != NULL; i++) {
		size_t m = strlen(cd_renderers[i]->suffix);

		if (n > m && strcmp(path + n - m, cd_renderers[i]->suffix) == 0)
			return cd_renderers[i];
	}
	return NULL;
}
