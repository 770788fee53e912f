/* The public functions of include/capdiff/capdiff.h. */
#include "capdiff/capdiff.h"

#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/render.h"
#include "run/run.h"
#include "verdict/verdict.h"

void capdiff_options_init(struct capdiff_options *options)
{
	*options = (struct capdiff_options){
	    .ref_accuracy_ps = -1,
	    .fcs_bytes = -1,
	    .expect = -1,
	};
}

static enum capdiff_fault public_fault(enum cd_fault fault)
{
	switch (fault) {
	case CD_OK:
		return CAPDIFF_OK;
	case CD_E_USAGE:
		return CAPDIFF_USAGE;
	case CD_E_DATA:
		return CAPDIFF_DATA;
	case CD_E_MEMORY:
		return CAPDIFF_MEMORY;
	default:
		return CAPDIFF_INPUT;
	}
}

struct capdiff_report *capdiff_run(const struct capdiff_options *options,
				   struct capdiff_error *error)
{
	struct cd_error inner = {0};
	struct capdiff_report *report = cd_run(options, &inner);

	if (error != NULL) {
		error->fault = public_fault(inner.fault);
		snprintf(error->file, sizeof(error->file), "%s", inner.file);
		snprintf(error->what, sizeof(error->what), "%s", inner.what);
		snprintf(error->hint, sizeof(error->hint), "%s", inner.hint);
	}
	return report;
}

void capdiff_report_free(struct capdiff_report *report)
{
	if (report == NULL)
		return;
	cd_report_free(report->model);
	free(report);
}

int capdiff_status(const struct capdiff_report *report)
{
	return report->failed ? 2 : cd_exit_status(report->model);
}

bool capdiff_value(const struct capdiff_report *report, const char *key,
		   double *value)
{
	const struct cd_value *v = cd_report_find_key(report->model, key);

	return v != NULL && cd_value_number(v, value);
}

char *capdiff_render(const struct capdiff_report *report, const char *format,
		     int width)
{
	const struct cd_renderer *renderer = cd_renderer_find(format);
	struct cd_render_options options = {
	    .width = width,
	    .status = capdiff_status(report),
	};
	struct cd_str out = {0};

	if (renderer == NULL ||
	    renderer->render(report->model, &options, &out) || out.bad) {
		cd_str_release(&out);
		return NULL;
	}
	return out.text == NULL ? calloc(1, 1) : out.text;
}

const char *capdiff_version(void)
{
	return PACKAGE_VERSION;
}
