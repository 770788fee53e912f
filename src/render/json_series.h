/* "series" and "histograms" of the JSON report. Inside the room only. */
#ifndef CAPDIFF_RENDER_JSON_SERIES_H
#define CAPDIFF_RENDER_JSON_SERIES_H

#include "render/json_out.h"
#include "report/report.h"

void cd_json_add_series(struct cd_json *json, const struct cd_report *report);

#endif
