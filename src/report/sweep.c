#include "report/sweep.h"

#include <stdlib.h>

struct cd_sweep *cd_sweep_new(void)
{
	struct cd_sweep *sweep = calloc(1, sizeof(*sweep));

	if (sweep != NULL)
		sweep->expect = -1;
	return sweep;
}

static void release_run(struct cd_sweep_run *run)
{
	free(run->name);
	cd_report_free(run->report);
	free(run->error_file);
	free(run->error);
	free(run->hint);
}

static void release_bracket(struct cd_sweep_bracket *bracket)
{
	free(bracket->inverted_bps);
	free(bracket->undecided_bps);
}

void cd_sweep_free(struct cd_sweep *sweep)
{
	if (sweep == NULL)
		return;
	free(sweep->folder);
	for (size_t i = 0; i < sweep->n_runs; i++)
		release_run(&sweep->runs[i]);
	free(sweep->runs);
	for (size_t i = 0; i < sweep->n_cells; i++)
		free(sweep->cells[i].runs);
	free(sweep->cells);
	for (size_t i = 0; i < sweep->n_onsets; i++) {
		release_bracket(&sweep->onsets[i].complete);
		release_bracket(&sweep->onsets[i].accurate);
	}
	free(sweep->onsets);
	free(sweep->limiters);
	free(sweep);
}

const struct cd_sweep_cell *cd_sweep_find(const struct cd_sweep *sweep,
					  uint32_t size, double pps,
					  uint32_t point)
{
	for (size_t i = 0; i < sweep->n_cells; i++)
		if (sweep->cells[i].size == size &&
		    sweep->cells[i].pps == pps &&
		    sweep->cells[i].point == point)
			return &sweep->cells[i];
	return NULL;
}
