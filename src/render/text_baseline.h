/* What changed against an earlier report. Inside the room only. */
#ifndef CAPDIFF_RENDER_TEXT_BASELINE_H
#define CAPDIFF_RENDER_TEXT_BASELINE_H

#include "render/screen.h"
#include "report/report.h"

/* Nothing if there was none. Values that are neither better nor worse only
 * where `all` is wanted. */
void cd_put_baseline(struct cd_screen *screen, const struct cd_report *report,
		     bool all);

#endif
