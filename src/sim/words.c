#include "sim/words.h"

#include <string.h>

int cd_words_split(struct cd_words *words, const char *value,
		   struct cd_error *error)
{
	size_t n = strlen(value);
	char *p = words->text;

	words->n = 0;
	if (n >= sizeof(words->text))
		return cd_error_set(error, CD_E_USAGE, "value is too long");
	memcpy(words->text, value, n + 1);
	for (;;) {
		p += strspn(p, " \t");
		if (*p == '\0')
			break;
		if (words->n == CD_WORDS_MAX)
			return cd_error_set(error, CD_E_USAGE,
					    "too many words in '%s'", value);
		words->word[words->n++] = p;
		p += strcspn(p, " \t");
		if (*p != '\0')
			*p++ = '\0';
	}
	if (words->n == 0)
		return cd_error_set(error, CD_E_USAGE, "value is missing");
	return 0;
}

bool cd_words_is(const struct cd_words *words, size_t i, const char *text)
{
	return i < words->n && strcmp(words->word[i], text) == 0;
}

int cd_words_find(const char *const *names, const char *word)
{
	for (int i = 0; names[i] != NULL; i++)
		if (strcmp(names[i], word) == 0)
			return i;
	return -1;
}
