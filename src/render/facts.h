/*
 * What was compared, in a few named lines: "Stream", "Rate", "Matched".
 * Inside the room only.
 */
#ifndef CAPDIFF_RENDER_FACTS_H
#define CAPDIFF_RENDER_FACTS_H

#include <stdbool.h>
#include <stddef.h>

#include "render/rows.h"

#define CD_MOST_FACTS 8

struct cd_fact {
	const char *name;
	char *text; /* not clean yet */
};

struct cd_facts {
	struct cd_fact fact[CD_MOST_FACTS];
	size_t n;
	bool bad; /* memory ran out */
};

/* Needs cd_facts_release() in any case. */
void cd_facts_take(struct cd_facts *facts, const struct cd_view *view);
void cd_facts_release(struct cd_facts *facts);

#endif
