/* Sweeps in the JSON report. Inside the room only. */
#ifndef CAPDIFF_RENDER_JSON_SWEEP_H
#define CAPDIFF_RENDER_JSON_SWEEP_H

#include "render/json_out.h"
#include "report/report.h"

/* "sweep", "runs", "cells", "onsets" and "limiters". */
void cd_json_add_sweep(struct cd_json *json, const struct cd_report *report);

/* The members of one report (json.c). */
void cd_json_add_report(struct cd_json *json, const struct cd_report *report,
			int status);

#endif
