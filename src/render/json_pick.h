/*
 * Reading JSON: members of objects, with their types checked. The first fault
 * is sticky: after it everything picked is empty. Inside the room only.
 */
#ifndef CAPDIFF_RENDER_JSON_PICK_H
#define CAPDIFF_RENDER_JSON_PICK_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct cd_pick {
	struct cd_error *error;
	bool bad;
	char where[160]; /* "captures[1]", for messages */
};

/*
 * The document, every number of which is a text that begins with a mark, so
 * that no digit of it is lost: use the functions below. NULL with CD_E_FORMAT
 * or CD_E_MEMORY.
 */
json_t *cd_pick_parse(struct cd_pick *pick, const char *text, size_t n);

/* Say that something is wrong at pick->where. */
void cd_pick_fail(struct cd_pick *pick, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void cd_pick_memory(struct cd_pick *pick);
void cd_pick_at(struct cd_pick *pick, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A member; NULL if it is absent or null. */
const json_t *cd_pick_member(const json_t *parent, const char *name);
/* The same, which must be there, of that type. */
const json_t *cd_pick_object(struct cd_pick *pick, const json_t *parent,
			     const char *name);
const json_t *cd_pick_list(struct cd_pick *pick, const json_t *parent,
			   const char *name);
/* NULL if it is absent or null. */
const char *cd_pick_text(struct cd_pick *pick, const json_t *parent,
			 const char *name);
/* A copy to free(), NULL as above. */
char *cd_pick_copy(struct cd_pick *pick, const json_t *parent,
		   const char *name);
/* False if it is absent. */
bool cd_pick_bool(struct cd_pick *pick, const json_t *parent,
		  const char *name);
/* `absent` if it is absent or null. */
uint64_t cd_pick_count(struct cd_pick *pick, const json_t *parent,
		       const char *name, uint64_t absent);
/* Absent or null: 0. */
uint32_t cd_pick_small(struct cd_pick *pick, const json_t *parent,
		       const char *name);
double cd_pick_real(struct cd_pick *pick, const json_t *parent,
		    const char *name);
int64_t cd_pick_span(struct cd_pick *pick, const json_t *parent,
		     const char *name);

/* One value by itself. */
bool cd_is_number(const json_t *value);
bool cd_is_text(const json_t *value);
int64_t cd_take_integer(struct cd_pick *pick, const json_t *value);
double cd_take_real(struct cd_pick *pick, const json_t *value);
/* Nanoseconds to ps, exact. */
int64_t cd_take_span(struct cd_pick *pick, const json_t *value);

#endif
