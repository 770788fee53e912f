/* What changed against an earlier report of the same captures. */
#ifndef CAPDIFF_REPORT_BASELINE_H
#define CAPDIFF_REPORT_BASELINE_H

#include <stddef.h>

#include "report/report.h"

enum cd_change { CD_CHANGE_WORSE, CD_CHANGE_BETTER, CD_CHANGE_OTHER };

/* One value that is not what it was. `key` of both is that of the row;
 * texts are owned. Of a value that one report lacks: kind CD_VALUE_NULL with
 * reason "not there". */
struct cd_baseline_row {
	char *key; /* "laptop.loss.missing" */
	struct cd_value before, now;
	enum cd_change change;
};

/* One verdict that is not what it was. */
struct cd_baseline_verdict {
	char *key; /* "laptop.complete" */
	enum cd_judgement before, now;
};

struct cd_baseline {
	char *path;
	size_t same; /* values in both, and equal */
	struct cd_baseline_row *rows;
	size_t n_rows, rows_capacity;
	struct cd_baseline_verdict *verdicts;
	size_t n_verdicts, verdicts_capacity;
};

void cd_baseline_free(struct cd_baseline *baseline);
/* "worse", "better", "changed" */
const char *cd_change_name(enum cd_change change);
size_t cd_baseline_count(const struct cd_baseline *baseline,
			 enum cd_change change);

#endif
