/* A saved JSON report, read back. */
#ifndef CAPDIFF_RENDER_JSON_READ_H
#define CAPDIFF_RENDER_JSON_READ_H

#include <stddef.h>

#include "base/error.h"
#include "report/report.h"

/*
 * The report in the n bytes of `text`, and its saved status (0..2). Nothing is
 * lost: rendered again it gives the same bytes in every format. Members and
 * values that this version does not know are passed over. Of a sweep the
 * sources and runs are read; cells and onsets follow from them and stay empty.
 * NULL with CD_E_FORMAT or CD_E_MEMORY.
 */
struct cd_report *cd_json_read(const char *text, size_t n, int *status,
			       struct cd_error *error);

#endif
