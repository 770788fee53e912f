/* A string under construction; the first failure of memory is sticky. */
#ifndef CAPDIFF_BASE_STR_H
#define CAPDIFF_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>

struct cd_str {
	char *text; /* NUL-terminated once anything was added */
	size_t length, capacity;
	bool bad; /* memory ran out: the text is incomplete */
};

void cd_str_release(struct cd_str *s);
void cd_str_add(struct cd_str *s, const char *text);
/* `bytes` may be NULL if there are none. */
void cd_str_addn(struct cd_str *s, const char *bytes, size_t n);
void cd_str_addf(struct cd_str *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* `n` times `c`. */
void cd_str_pad(struct cd_str *s, char c, size_t n);
/* The text, "" when nothing was added; still owned by `s`. */
const char *cd_str_text(const struct cd_str *s);

#endif
