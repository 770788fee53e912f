#include "cli/modes.h"

#include <string.h>

/* A saved report can be judged again; everything else needs the captures. */
static const char *const judging[] = {"--limit=", "--limits=", "--profile=",
				      "--strict", "--loss-ratio="};
/* They name captures, which a series has in each run, or are of one run. */
static const char *const of_one_run[] = {"--set=", "--ts-unit=",
					 "--interval="};

static bool begins_with_one(const char *word, const char *const *list,
			    size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strncmp(word, list[i], strlen(list[i])) == 0)
			return true;
	return false;
}

static bool is_in_the_way(const struct cd_options *o, const char *word)
{
	if (o->from != NULL)
		return !begins_with_one(word, judging,
					sizeof(judging) / sizeof(*judging));
	return begins_with_one(word, of_one_run,
			       sizeof(of_one_run) / sizeof(*of_one_run));
}

static int refuse(const struct cd_options *o, const char *option, size_t n,
		  struct cd_error *error)
{
	cd_error_set(error, CD_E_USAGE, "%s does not go with %.*s",
		     o->from != NULL ? "--from" : "--sweep", (int)n, option);
	cd_error_hint(error, o->from != NULL
				 ? "it needs the captures; a saved report takes "
				   "--limit, --profile, --strict, --loss-ratio"
				 : "use it for one run: capdiff REFERENCE OTHER");
	return -1;
}

int cd_modes_check(const struct cd_options *o, struct cd_error *error)
{
	const struct capdiff_options *run = &o->run;

	if (o->from == NULL && !o->sweep)
		return 0;
	if (run->write_marked != NULL)
		return refuse(o, "-w", 2, error);
	if (run->write_missing != NULL)
		return refuse(o, "--write-missing", 15, error);
	if (run->write_packets != NULL)
		return refuse(o, "--packets", 9, error);
	for (size_t i = 1; i < o->n_command; i++)
		if (is_in_the_way(o, o->command[i]))
			return refuse(o, o->command[i],
				      strcspn(o->command[i], "="), error);
	return 0;
}
