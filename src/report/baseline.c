#include "report/baseline.h"

#include <stdlib.h>

void cd_baseline_free(struct cd_baseline *baseline)
{
	if (baseline == NULL)
		return;
	for (size_t i = 0; i < baseline->n_rows; i++) {
		free(baseline->rows[i].key);
		free(baseline->rows[i].before.text);
		free(baseline->rows[i].now.text);
	}
	free(baseline->rows);
	for (size_t i = 0; i < baseline->n_verdicts; i++)
		free(baseline->verdicts[i].key);
	free(baseline->verdicts);
	free(baseline->path);
	free(baseline);
}

const char *cd_change_name(enum cd_change change)
{
	static const char *const names[] = {
	    [CD_CHANGE_WORSE] = "worse",
	    [CD_CHANGE_BETTER] = "better",
	    [CD_CHANGE_OTHER] = "changed",
	};

	return names[change];
}

size_t cd_baseline_count(const struct cd_baseline *baseline,
			 enum cd_change change)
{
	size_t n = 0;

	for (size_t i = 0; i < baseline->n_rows; i++)
		n += baseline->rows[i].change == change;
	return n;
}
