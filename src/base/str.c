#include "base/str.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

void cd_str_release(struct cd_str *s)
{
	free(s->text);
	*s = (struct cd_str){0};
}

static bool reserve(struct cd_str *s, size_t more)
{
	if (s->bad || cd_grow(&s->text, &s->capacity, s->length + more + 1, 1)) {
		s->bad = true;
		return false;
	}
	return true;
}

void cd_str_addn(struct cd_str *s, const char *bytes, size_t n)
{
	if (!reserve(s, n))
		return;
	if (n > 0)
		memcpy(s->text + s->length, bytes, n);
	s->length += n;
	s->text[s->length] = '\0';
}

void cd_str_add(struct cd_str *s, const char *text)
{
	cd_str_addn(s, text, strlen(text));
}

void cd_str_addf(struct cd_str *s, const char *format, ...)
{
	va_list args, again;
	int n;

	va_start(args, format);
	va_copy(again, args);
	n = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (n < 0)
		s->bad = true;
	else if (reserve(s, (size_t)n)) {
		vsnprintf(s->text + s->length, (size_t)n + 1, format, again);
		s->length += (size_t)n;
	}
	va_end(again);
}

void cd_str_pad(struct cd_str *s, char c, size_t n)
{
	if (!reserve(s, n))
		return;
	memset(s->text + s->length, c, n);
	s->length += n;
	s->text[s->length] = '\0';
}

const char *cd_str_text(const struct cd_str *s)
{
	return s->text == NULL ? "" : s->text;
}
