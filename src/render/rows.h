/*
 * The rows of the text report's table: what each shows of a capture. Inside
 * the room only.
 */
#ifndef CAPDIFF_RENDER_ROWS_H
#define CAPDIFF_RENDER_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "report/report.h"

struct cd_view {
	const struct cd_report *report;
	bool utf8;
	bool single; /* one capture alone */
	bool all;    /* also what says little (-v) */
};

enum cd_row_place {
	CD_ROW_ALWAYS,
	CD_ROW_SINGLE,	/* without a reference only */
	CD_ROW_COMPARED, /* with a reference only */
	CD_ROW_BARE /* with a reference, where there is no room for remarks */
};

struct cd_row {
	const char *label; /* "": a gap before the next row that is shown */
	const char *key;   /* shown if there is no `cell`; gives the reason
			      for "n/a" */
	enum cd_row_place place;
	/* Adds nothing if the capture has no such value. */
	void (*cell)(const struct cd_view *view, uint32_t point,
		     struct cd_str *out);
	/* A few words more about a capture; may be NULL. */
	void (*remark)(const struct cd_view *view, uint32_t point,
		       struct cd_str *out);
};
extern const struct cd_row cd_rows[];
extern const size_t cd_row_count;

/* Whether a row has anything to say about a capture. */
bool cd_row_applies(const struct cd_view *view, const struct cd_row *row,
		    uint32_t point);
/* The cell of a row: "-" for what does not apply. Returns whether it holds a
 * value. */
bool cd_row_cell(const struct cd_view *view, const struct cd_row *row,
		 uint32_t point, struct cd_str *out);

/* Value of a kind other than NULL, or NULL. */
const struct cd_value *cd_view_value(const struct cd_view *view,
				     uint32_t point, const char *name);
/* Whether anything of a capture could be compared; of the reference, whether
 * any capture could be compared with it. */
bool cd_view_compared(const struct cd_view *view, uint32_t point);
/* -1 if there is none. */
int64_t cd_view_count(const struct cd_view *view, uint32_t point,
		      const char *name);
/* Packets that other captures have and the reference has not; -1 if that is
 * not known. */
int64_t cd_view_reference_lacks(const struct cd_view *view);
/* What captured: "Dumpcap (Wireshark) 4.0.17 (Git v4.0.17)" is Dumpcap
 * 4.0.17. */
void cd_view_add_program(const struct cd_report_capture *c,
			 struct cd_str *out);
/* Why a value is undefined, in words; nothing for NULL. */
void cd_view_add_reason(const char *reason, struct cd_str *out);
/* ", frame 15,471"; in a ring set ", file 3, frame 471". Nothing without. */
void cd_view_add_frame(const struct cd_view *view, uint32_t point,
		       const char *name, struct cd_str *out);

#endif
