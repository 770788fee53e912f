/* gnuplot, run without a shell and without files. */
#ifndef CAPDIFF_CLI_GNUPLOT_H
#define CAPDIFF_CLI_GNUPLOT_H

#include <stdbool.h>

#include "base/error.h"
#include "base/str.h"

/* The first gnuplot in PATH; NULL if there is none. Needs free(). */
char *cd_gnuplot_find(void);

/* Run the script, whose picture is appended to `svg`. 0, or -1 with what
 * gnuplot said. */
int cd_gnuplot_draw(const char *gnuplot, const struct cd_str *script,
		    struct cd_str *svg, struct cd_error *error);

/* "gnuplot 5.4 patchlevel 4"; false if there is none. */
bool cd_gnuplot_version(struct cd_str *out);

#endif
