/* Sweeps in the text report. Inside the room only. */
#ifndef CAPDIFF_RENDER_TEXT_SWEEP_H
#define CAPDIFF_RENDER_TEXT_SWEEP_H

#include "render/screen.h"
#include "report/report.h"

void cd_put_sweep(struct cd_screen *screen, const struct cd_report *report,
		  int verbosity);

#endif
