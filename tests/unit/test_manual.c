/* What the program lists, the manual explains. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "render/render.h"
#include "report/report.h"
#include "stamp/stamp.h"

static char *page(const char *path)
{
	const char *srcdir = getenv("srcdir");
	char *full = cd_strf("%s/%s", srcdir == NULL ? "." : srcdir, path);
	char *text = calloc(1, 1 << 18);
	FILE *file = fopen(full, "r");
	size_t n;

	cr_assert_not_null(file, "%s is there", full);
	n = fread(text, 1, (1 << 18) - 1, file);
	cr_assert_gt(n, 1000);
	fclose(file);
	free(full);
	return text;
}

static bool holds(const char *text, const char *format, const char *name)
{
	char line[256];

	snprintf(line, sizeof(line), "%s%s", format, name);
	for (const char *p = strstr(text, line); p != NULL;
	     p = strstr(p + 1, line)) {
		char after = p[strlen(line)];

		if (after == '\n' || after == ' ' || after == '\0')
			return true;
	}
	return false;
}

Test(manual, every_key)
{
	char *text = page("src/report/capdiff-keys.7");

	for (size_t i = 0; i < cd_key_count; i++)
		cr_expect(holds(text, "\n.It Ic ", cd_key_table[i].name),
			  "capdiff-keys(7) lacks %s", cd_key_table[i].name);
	cr_assert_not(holds(text, "\n.It Ic ", "loss.mising"));
	free(text);
}

/* Every entry of the page is a key. */
Test(manual, no_key_that_is_gone)
{
	char *text = page("src/report/capdiff-keys.7"), *p = text;
	size_t n = 0;

	while ((p = strstr(p, "\n.It Ic ")) != NULL) {
		char name[128];

		p += strlen("\n.It Ic ");
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(p, " \n"),
			 p);
		cr_expect(cd_key_find(name) != NULL, "no key is called %s",
			  name);
		n++;
	}
	cr_assert_eq(n, cd_key_count);
	free(text);
}

Test(manual, every_stamp)
{
	char *text = page("src/cli/capdiff.1");

	for (size_t i = 0; cd_stamp_formats[i] != NULL; i++)
		cr_expect(holds(text, "\n.It ", cd_stamp_formats[i]->name),
			  "capdiff(1) lacks %s", cd_stamp_formats[i]->name);
	free(text);
}

Test(manual, every_output)
{
	char *text = page("src/cli/capdiff.1");

	for (size_t i = 0; cd_renderers[i] != NULL; i++)
		cr_expect(strstr(text, cd_renderers[i]->name) != NULL &&
			      strstr(text, cd_renderers[i]->suffix) != NULL,
			  "capdiff(1) lacks %s", cd_renderers[i]->name);
	free(text);
}
