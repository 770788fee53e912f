#include "base/array.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cd_grow(void *items, size_t *capacity, size_t need, size_t size)
{
	size_t want = *capacity + *capacity / 2;
	void *old, *grown;

	if (need <= *capacity)
		return 0;
	if (want < need)
		want = need;
	if (want < 8)
		want = 8;
	if (want > SIZE_MAX / size)
		return -1;
	memcpy(&old, items, sizeof(old));
	grown = realloc(old, want * size);
	if (grown == NULL)
		return -1;
	memcpy(items, &grown, sizeof(grown));
	*capacity = want;
	return 0;
}

char *cd_strdup(const char *text)
{
	size_t n = strlen(text) + 1;
	char *copy = malloc(n);

	return copy == NULL ? NULL : memcpy(copy, text, n);
}

char *cd_strf(const char *format, ...)
{
	va_list args, again;
	char *text;
	int n;

	va_start(args, format);
	va_copy(again, args);
	n = vsnprintf(NULL, 0, format, args);
	va_end(args);
	text = n < 0 ? NULL : malloc((size_t)n + 1);
	if (text != NULL)
		vsnprintf(text, (size_t)n + 1, format, again);
	va_end(again);
	return text;
}
