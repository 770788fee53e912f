/* A line on the terminal while files are read. */
#ifndef CAPDIFF_CLI_PROGRESS_H
#define CAPDIFF_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct cd_progress_line {
	bool enabled; /* standard error is a terminal */
	bool shown;
	double started_s, last_s; /* monotonic clock; last_s 0: never drawn */
};

void cd_progress_init(struct cd_progress_line *line, bool enabled);
/* As capdiff_options.progress: draws at most 4 times a second, not before
 * one second has gone by. */
void cd_progress_draw(void *line, uint64_t bytes, uint64_t size,
		      uint64_t packets);
/* Take the line away again. */
void cd_progress_erase(struct cd_progress_line *line);

#endif
