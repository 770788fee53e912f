#include "cli/progress.h"

#include <stdio.h>
#include <time.h>

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void cd_progress_init(struct cd_progress_line *line, bool enabled)
{
	*line = (struct cd_progress_line){.enabled = enabled,
					  .started_s = now_s()};
}

void cd_progress_draw(void *context, uint64_t bytes, uint64_t size,
		      uint64_t packets)
{
	struct cd_progress_line *line = context;
	double now = now_s(), gone = now - line->started_s;

	if (!line->enabled || gone < 1 || now - line->last_s < 0.25)
		return;
	line->last_s = now;
	line->shown = true;
	if (size > 0 && bytes <= size && bytes > 0)
		fprintf(stderr,
			"\r\033[K%3.0f %%  %.1f Mpkt/s  %.0f s left",
			100.0 * (double)bytes / (double)size,
			(double)packets / gone * 1e-6,
			gone * (double)(size - bytes) / (double)bytes);
	else
		fprintf(stderr, "\r\033[K%.1f MB  %.1f Mpkt/s",
			(double)bytes * 1e-6, (double)packets / gone * 1e-6);
	fflush(stderr);
}

void cd_progress_erase(struct cd_progress_line *line)
{
	if (line->shown)
		fputs("\r\033[K", stderr);
	line->shown = false;
}
