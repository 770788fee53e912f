/* Cells of the table, for the files that make them: a value under its key, and
 * the rows about clocks. */
#ifndef CAPDIFF_RENDER_CELLS_H
#define CAPDIFF_RENDER_CELLS_H

#include <math.h>

#include "render/rows.h"
#include "report/text.h"

static inline double real_of(const struct cd_view *view, uint32_t point,
		      const char *name)
{
	const struct cd_value *v = cd_view_value(view, point, name);

	return v == NULL || v->kind != CD_VALUE_REAL ? NAN : v->real;
}

static inline double span_of(const struct cd_view *view, uint32_t point,
		      const char *name)
{
	const struct cd_value *v = cd_view_value(view, point, name);

	return v == NULL || v->kind != CD_VALUE_SPAN ? NAN
						     : (double)v->integer;
}

/* "n/a" where the value is undefined, nothing where there is none. */
static inline void add_key(const struct cd_view *view, uint32_t point,
		    const char *name, struct cd_str *out)
{
	const struct cd_value *v = cd_report_find(view->report, point, name);

	if (v != NULL)
		cd_text_value(out, v, view->utf8);
}

/* What a row shows of one capture, as struct cd_row has it. */
void cd_cell_offset(const struct cd_view *view, uint32_t point,
		    struct cd_str *out);
void cd_remark_offset(const struct cd_view *view, uint32_t point,
		      struct cd_str *out);
void cd_cell_drift(const struct cd_view *view, uint32_t point,
		   struct cd_str *out);
void cd_remark_drift(const struct cd_view *view, uint32_t point,
		     struct cd_str *out);
void cd_remark_steps(const struct cd_view *view, uint32_t point,
		     struct cd_str *out);
void cd_cell_limit(const struct cd_view *view, uint32_t point,
		   struct cd_str *out);
void cd_remark_limit(const struct cd_view *view, uint32_t point,
		     struct cd_str *out);
void cd_remark_largest(const struct cd_view *view, uint32_t point,
		       struct cd_str *out);
void cd_remark_late(const struct cd_view *view, uint32_t point,
		    struct cd_str *out);
void cd_remark_bursts(const struct cd_view *view, uint32_t point,
		      struct cd_str *out);
void cd_cell_tdev(const struct cd_view *view, uint32_t point,
		  struct cd_str *out);
void cd_remark_tdev(const struct cd_view *view, uint32_t point,
		    struct cd_str *out);
void cd_cell_mtie_100us(const struct cd_view *view, uint32_t point,
			struct cd_str *out);
void cd_cell_mtie_1ms(const struct cd_view *view, uint32_t point,
		      struct cd_str *out);
void cd_cell_mtie_10ms(const struct cd_view *view, uint32_t point,
		       struct cd_str *out);
void cd_cell_mtie_100ms(const struct cd_view *view, uint32_t point,
			struct cd_str *out);
void cd_cell_mtie_1s(const struct cd_view *view, uint32_t point,
		     struct cd_str *out);
void cd_cell_mtie_10s(const struct cd_view *view, uint32_t point,
		      struct cd_str *out);
void cd_cell_mtie_100s(const struct cd_view *view, uint32_t point,
		       struct cd_str *out);

#endif
