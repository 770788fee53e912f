/* What the program lists, the manual explains. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "render/render.h"
#include "report/reasons.h"
#include "report/report.h"
#include "stamp/stamp.h"
#include "verdict/verdict.h"

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

/* Every reason that the judge gives has its words, and is in the page. */
Test(manual, every_reason)
{
	char *text = page("src/cli/capdiff.1");
	char *judge = page("src/verdict/judge.c");
	size_t n = 0;

	for (const char *p = strchr(judge, '"'); p; p = strchr(p + 1, '"')) {
		char code[64] = "";
		size_t length = strspn(p + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");

		if (length < 4 || length >= sizeof(code) || p[1 + length] != '"')
			continue;
		memcpy(code, p + 1, length);
		cr_expect_not_null(cd_reason_means(code), "%s has no words",
				   code);
		n++;
	}
	cr_assert_geq(n, 20);
	for (const struct cd_reason *r = cd_reasons; r->code != NULL; r++)
		cr_expect(holds(text, "\n.It ", r->code),
			  "capdiff(1) lacks %s", r->code);
	free(judge);
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

/* ---- options, in the manual and the shells' completion -------------------- */

/* The next long option of the table in options.c; NULL at its end. */
static const char *next_option(const char *p, char *name, size_t size)
{
	const char *end = strstr(p, "{NULL, 0, NULL, 0}");

	p = strstr(p, "\n    {\"");
	if (p == NULL || p > end)
		return NULL;
	p += strlen("\n    {\"");
	snprintf(name, size, "%.*s", (int)strcspn(p, "\""), p);
	return p;
}

/* Does the text hold this word, with nothing that could be part of it on
 * either side? */
static bool has_word(const char *text, const char *word)
{
	static const char part[] = "abcdefghijklmnopqrstuvwxyz0123456789-_";
	size_t n = strlen(word);

	for (const char *p = text; (p = strstr(p, word)) != NULL; p++)
		if ((p == text || strchr(part, p[-1]) == NULL) &&
		    (p[n] == '\0' || strchr(part, p[n]) == NULL))
			return true;
	return false;
}

static const char *const completions[] = {"src/cli/completion/capdiff.bash",
					  "src/cli/completion/_capdiff"};

Test(manual, every_option)
{
	char *table = page("src/cli/options.c");
	char *manual = page("src/cli/capdiff.1");
	const char *p = strstr(table, "long_options[] = {");
	char name[64], wanted[80];
	size_t n = 0;

	cr_assert_not_null(p);
	while ((p = next_option(p, name, sizeof(name))) != NULL) {
		snprintf(wanted, sizeof(wanted), "Fl -%s", name);
		cr_expect(has_word(manual, wanted), "capdiff(1) lacks --%s",
			  name);
		snprintf(wanted, sizeof(wanted), "--%s", name);
		for (size_t i = 0; i < 2; i++) {
			char *text = page(completions[i]);

			cr_expect(has_word(text, wanted), "%s lacks %s",
				  completions[i], wanted);
			free(text);
		}
		n++;
	}
	cr_assert_gt(n, 25);
	free(manual);
	free(table);
}

/* What completion offers is an option. */
Test(manual, no_option_that_is_gone)
{
	char *table = page("src/cli/options.c");

	for (size_t i = 0; i < 2; i++) {
		char *text = page(completions[i]);

		for (const char *p = text; (p = strstr(p, "--")) != NULL;) {
			char wanted[80];
			size_t n = strspn(p + 2, "abcdefghijklmnopqrstuvwxyz"
						 "0123456789-");

			snprintf(wanted, sizeof(wanted), "{\"%.*s\",", (int)n,
				 p + 2);
			cr_expect(n == 0 || strstr(table, wanted) != NULL,
				  "%s: no option is called --%.*s",
				  completions[i], (int)n, p + 2);
			p += 2 + n;
		}
		free(text);
	}
	free(table);
}

Test(manual, completion_of_names)
{
	for (size_t i = 0; i < 2; i++) {
		char *text = page(completions[i]);

		for (size_t k = 0; cd_renderers[k] != NULL; k++)
			cr_expect(has_word(text, cd_renderers[k]->name),
				  "%s lacks %s", completions[i],
				  cd_renderers[k]->name);
		for (size_t k = 0; cd_stamp_formats[k] != NULL; k++)
			cr_expect(has_word(text, cd_stamp_formats[k]->name),
				  "%s lacks %s", completions[i],
				  cd_stamp_formats[k]->name);
		for (size_t k = 0; k < cd_profile_count; k++)
			cr_expect(has_word(text, cd_profiles[k].name),
				  "%s lacks %s", completions[i],
				  cd_profiles[k].name);
		free(text);
	}
}
