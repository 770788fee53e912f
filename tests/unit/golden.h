/* Texts that must come out as they are in tests/golden; `make update-golden`
 * rewrites them. */
#ifndef CAPDIFF_TESTS_GOLDEN_H
#define CAPDIFF_TESTS_GOLDEN_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/str.h"

static inline char *golden_read(const char *path)
{
	FILE *f = fopen(path, "rb");
	struct cd_str text = {0};
	char piece[4096];
	size_t n;

	cr_assert_not_null(f, "%s", path);
	while ((n = fread(piece, 1, sizeof(piece), f)) > 0)
		cd_str_addn(&text, piece, n);
	fclose(f);
	return text.text == NULL ? cd_strdup("") : text.text;
}

static inline void golden_write(const char *path, const char *text)
{
	FILE *f = fopen(path, "wb");

	cr_assert_not_null(f, "%s", path);
	fputs(text, f);
	cr_assert_eq(fclose(f), 0);
}

static inline void golden_check(const char *name, const char *text)
{
	const char *dir = getenv("srcdir");
	char path[1024];

	snprintf(path, sizeof(path), "%s/tests/golden/%s",
		 dir == NULL ? "." : dir, name);
	if (getenv("UPDATE") != NULL) {
		golden_write(path, text);
	} else {
		char *wanted = golden_read(path);

		cr_assert_str_eq(text, wanted, "%s is not\n%s", path, text);
		free(wanted);
	}
}

#endif
