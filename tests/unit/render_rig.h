/* A report rendered, for tests of renderers. */
#ifndef CAPDIFF_TESTS_UNIT_RENDER_RIG_H
#define CAPDIFF_TESTS_UNIT_RENDER_RIG_H

#include <criterion/criterion.h>
#include <stdlib.h>

#include "base/array.h"
#include "render/render.h"
#include "sample_report.h"

static const struct cd_render_options plain = {.width = 80};

static inline char *render(const struct cd_report *r, const char *name,
		    const struct cd_render_options *options)
{
	struct cd_str out = {0};

	cr_assert_eq(cd_renderer_find(name)->render(r, options, &out), 0);
	cr_assert_not(out.bad);
	return out.text == NULL ? cd_strdup("") : out.text;
}

/* `n` captures: every second one compared is the laptop. */
static inline struct cd_report *sample(size_t n)
{
	struct cd_report *r = sample_captures(n);

	sample_own(r, 0);
	for (uint32_t i = 1; i < n; i++) {
		if (i % 2 == 1)
			sample_laptop(r, i);
		else
			sample_clean(r, i);
	}
	return r;
}

#endif
