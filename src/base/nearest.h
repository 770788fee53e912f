/* The nearest of some names, for "did you mean". */
#ifndef CAPDIFF_BASE_NEAREST_H
#define CAPDIFF_BASE_NEAREST_H

#include <stddef.h>

/* The name with the smallest edit distance to `word` (the first of equals);
 * n > 0. */
const char *cd_nearest(const char *word, const char *const *names, size_t n);

#endif
