/* The command line, parsed. */
#ifndef CAPDIFF_CLI_OPTIONS_H
#define CAPDIFF_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "capdiff/capdiff.h"

enum cd_action { CD_RUN, CD_SHOW_HELP, CD_SHOW_VERSION, CD_SHOW_NOTHING };

struct cd_options {
	enum cd_action action;
	struct capdiff_options run; /* points into the arrays below */
	struct capdiff_capture captures[CAPDIFF_MAX_CAPTURES];
	void **owned; /* labels, paths and lists that captures point to */
	size_t n_owned, owned_capacity;
	const char **limits; /* also lines of --limits files */
	size_t n_limits, limits_capacity;
	char **limit_texts;
	size_t n_limit_texts, limit_texts_capacity;
	const char **command;
	size_t n_command, command_capacity;
	const char **outputs; /* -o, in order */
	size_t n_outputs, outputs_capacity;
	bool sweep; /* --sweep: `sources` are runs, there are no captures */
	const char *const *sources;
	size_t n_sources;
	const char *reference; /* label of -r, with --sweep */
	const char *from;      /* --from: no captures either; or NULL */
	const char *baseline;  /* --baseline, or NULL */
	const char *charts; /* --charts, or NULL */
	const char *format; /* -T */
	const char *color;  /* "auto", "always", "never" */
	int quiet;	    /* -q: 1, -qq: 2 */
	int verbose;
};

/*
 * 0; or -1 with CD_E_USAGE. Without arguments: CD_SHOW_NOTHING. Needs
 * cd_options_release() in any case.
 */
int cd_options_parse(struct cd_options *options, int argc, char **argv,
		     struct cd_error *error);
void cd_options_release(struct cd_options *options);

#endif
