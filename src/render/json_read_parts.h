/* Parts of reading a saved report. Inside the room only. */
#ifndef CAPDIFF_RENDER_JSON_READ_PARTS_H
#define CAPDIFF_RENDER_JSON_READ_PARTS_H

#include "render/json_pick.h"
#include "report/report.h"

/* Captures, stamp and streams: what was read (json_read_files.c). */
void cd_read_files(struct cd_pick *pick, const json_t *root,
		   struct cd_report *report);
/* Values and series: what was measured (json_read_values.c). */
void cd_read_values(struct cd_pick *pick, const json_t *root,
		    struct cd_report *report);
/* Index of the capture of that label, -1: there is none. */
int64_t cd_read_point(const struct cd_report *report, const char *label);
/* Absent or null: inconclusive. */
enum cd_judgement cd_read_judgement(struct cd_pick *pick, const json_t *from,
				    const char *name);
/* n zeroed items; NULL without memory (a fault) or for n = 0. */
void *cd_read_room(struct cd_pick *pick, size_t n, size_t size);

#endif
