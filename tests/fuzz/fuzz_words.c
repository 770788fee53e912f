/*
 * Words as people type them. The first byte says what they are: s a --stamp
 * argument, l a limit, u a number with a unit, o a command line, a word a line.
 */
#include "fuzz.h"

#include <getopt.h>

#include "cli/options.h"
#include "cli/units.h"
#include "stamp/stamp.h"
#include "verdict/verdict.h"

static void check_error(int got, const struct cd_error *error)
{
	MUST(got == 0 || got == -1);
	MUST((got < 0) == (error->fault != CD_OK));
	MUST(got == 0 || error->what[0] != '\0');
	MUST(memchr(error->what, '\0', sizeof(error->what)) != NULL);
	MUST(memchr(error->hint, '\0', sizeof(error->hint)) != NULL);
}

static void try_spec(const char *text)
{
	struct cd_error error = {0};
	struct cd_stamp_spec spec, again;
	struct cd_str title = {0};
	int got = cd_stamp_spec_parse(text, &spec, &error);

	check_error(got, &error);
	if (got < 0)
		return;
	MUST(spec.format != NULL && spec.step != 0 && spec.width <= 8);
	cd_stamp_title(&spec, &title);
	cd_str_release(&title);
	if (spec.format->spell == NULL)
		return;
	spec.format->spell(&spec, &title);
	MUST(cd_stamp_spec_parse(cd_str_text(&title), &again, NULL) == 0);
	MUST(again.at == spec.at && again.step == spec.step);
	MUST(again.base == spec.base && again.width == spec.width);
	MUST(again.little == spec.little && again.shared == spec.shared);
	MUST(again.protocol == spec.protocol);
	MUST(again.ethertype == spec.ethertype);
	MUST(again.port_from == spec.port_from);
	MUST(again.port_to == spec.port_to);
	cd_str_release(&title);
}

static void try_limit(const char *text)
{
	struct cd_error error = {0};

	check_error(cd_limit_check(text, &error), &error);
}

static void try_units(const char *text)
{
	int64_t ps;
	double bps, ratio;
	uint64_t count;

	if (cd_parse_duration(text, &ps))
		MUST(ps >= 0);
	if (cd_parse_rate(text, &bps))
		MUST(bps > 0);
	if (cd_parse_ratio(text, &ratio))
		MUST(ratio >= 0 && ratio <= 1);
	cd_parse_count(text, &count);
}

#define WORDS_MAX 64

/* getopt_long() goes on in the middle of the word that it was last given. */
static void forget_words(void)
{
#ifdef __GLIBC__
	char program[] = "capdiff";
	char *argv[] = {program, NULL};

	optind = 0;
	getopt_long(1, argv, "", NULL, NULL);
#else
	optreset = 1;
#endif
}

static void try_options(char *text)
{
	static char program[] = "capdiff";
	char *argv[WORDS_MAX + 1] = {program};
	struct cd_error error = {0};
	struct cd_options options;
	int argc = 1;

	if (strpbrk(text, "/*?[") != NULL)
		return; /* no files and folders but of the scratch folder */
	while (text != NULL && argc < WORDS_MAX) {
		char *end = strchr(text, '\n');

		argv[argc++] = text;
		if (end != NULL)
			*end++ = '\0';
		text = end;
	}
	forget_words();
	check_error(cd_options_parse(&options, argc, argv, &error), &error);
	MUST(options.run.n_captures <= CAPDIFF_MAX_CAPTURES);
	cd_options_release(&options);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	char *text;

	if (n == 0)
		return 0;
	text = make_text(bytes + 1, n - 1);
	if (bytes[0] == 's')
		try_spec(text);
	else if (bytes[0] == 'l')
		try_limit(text);
	else if (bytes[0] == 'u')
		try_units(text);
	else if (bytes[0] == 'o')
		try_options(text);
	free(text);
	return 0;
}
