/* "baseline" of the JSON report, written and read. Inside the room only. */
#ifndef CAPDIFF_RENDER_JSON_BASELINE_H
#define CAPDIFF_RENDER_JSON_BASELINE_H

#include "render/json_out.h"
#include "render/json_pick.h"
#include "report/report.h"

/* Nothing if there is none. */
void cd_json_add_baseline(struct cd_json *json, const struct cd_report *report);
void cd_json_read_baseline(struct cd_pick *pick, const json_t *root,
			   struct cd_report *report);

#endif
