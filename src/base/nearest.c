#include "base/nearest.h"

#include <stdint.h>
#include <string.h>

#define LONGEST 63 /* bytes compared; names are shorter */

/* Levenshtein distance, one row at a time. */
static size_t distance(const char *a, const char *b)
{
	size_t row[LONGEST + 1];
	size_t na = strlen(a), nb = strlen(b);

	if (na > LONGEST)
		na = LONGEST;
	if (nb > LONGEST)
		nb = LONGEST;
	for (size_t j = 0; j <= nb; j++)
		row[j] = j;
	for (size_t i = 1; i <= na; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= nb; j++) {
			size_t best = diagonal + (a[i - 1] != b[j - 1]);

			diagonal = row[j];
			if (row[j] + 1 < best)
				best = row[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			row[j] = best;
		}
	}
	return row[nb];
}

const char *cd_nearest(const char *word, const char *const *names, size_t n)
{
	const char *best = names[0];
	size_t least = SIZE_MAX;

	for (size_t i = 0; i < n; i++) {
		size_t d = distance(word, names[i]);

		if (d < least) {
			least = d;
			best = names[i];
		}
	}
	return best;
}
