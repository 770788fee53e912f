/* Growing arrays and checked allocation. */
#ifndef CAPDIFF_BASE_ARRAY_H
#define CAPDIFF_BASE_ARRAY_H

#include <stddef.h>

/*
 * Make room for `need` elements of `size` bytes at *items (a pointer to the
 * caller's typed pointer), which has room for *capacity. Grows by half.
 * Returns 0, or -1 with everything unchanged if memory or size_t run out.
 */
int cd_grow(void *items, size_t *capacity, size_t need, size_t size);

/* strdup and vasprintf that are there everywhere; NULL without memory. */
char *cd_strdup(const char *text);
char *cd_strf(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
