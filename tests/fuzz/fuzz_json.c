/*
 * The bytes are a saved report. What is read of it can be rendered in every
 * format, and what is written as JSON again loses nothing any more.
 */
#include "fuzz.h"

#include "render/json_read.h"
#include "render/render.h"

static char *render(const struct cd_report *report, const char *format,
		    int status)
{
	const struct cd_render_options options = {
	    .width = 80, .verbosity = 1, .status = status};
	struct cd_str out = {0};

	MUST(cd_renderer_find(format)->render(report, &options, &out) == 0);
	MUST(!out.bad);
	return out.text; /* NULL if empty */
}

static void check_again(const char *text)
{
	struct cd_error error = {0};
	int status = -1;
	struct cd_report *report =
	    cd_json_read(text, strlen(text), &status, &error);
	char *again;

	MUST(report != NULL);
	again = render(report, "json", status);
	MUST(again != NULL && strcmp(text, again) == 0);
	free(again);
	cd_report_free(report);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct cd_error error = {0};
	int status = -1;
	uint8_t *copy = exact_copy(bytes, n);
	struct cd_report *report =
	    cd_json_read((const char *)copy, n, &status, &error);

	free(copy);
	MUST((report == NULL) == (error.fault != CD_OK));
	MUST(report != NULL || error.what[0] != '\0');
	if (report == NULL)
		return 0;
	MUST(status >= 0 && status <= 2);
	for (size_t i = 0; cd_renderers[i] != NULL; i++) {
		char *text = render(report, cd_renderers[i]->name, status);

		if (strcmp(cd_renderers[i]->name, "json") == 0)
			check_again(text);
		free(text);
	}
	cd_report_free(report);
	return 0;
}
