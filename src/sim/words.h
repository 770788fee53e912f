/* A value cut into words at white space. */
#ifndef CAPDIFF_SIM_WORDS_H
#define CAPDIFF_SIM_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

#define CD_WORDS_MAX 8

struct cd_words {
	char *word[CD_WORDS_MAX]; /* into `text` */
	size_t n;
	char text[4096];
};

/* -1 with CD_E_USAGE if there are none or too many. */
int cd_words_split(struct cd_words *words, const char *value,
		   struct cd_error *error);
/* Word `i` is there and is `text`. */
bool cd_words_is(const struct cd_words *words, size_t i, const char *text);
/* Index of `word` in the NULL-terminated `names`, or -1. */
int cd_words_find(const char *const *names, const char *word);

#endif
