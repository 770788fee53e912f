#include "sweep/parts.h"

#include <math.h>
#include <stdlib.h>

#include "report/text.h"

/* S / Lim of a cell: the median over its trials, 0: unknown. */
static double find_g(const struct cd_report *report,
		     const struct cd_sweep_cell *cell)
{
	const struct cd_sweep_run *run =
	    &report->sweep->runs[cell->runs[(cell->n_runs - 1) / 2]];
	int64_t point = cd_sweep_point_in(report, cell->point, run);
	double lim = cd_sweep_number(run->report, (uint32_t)point,
				     "limit.lim_ns");

	if (cell->error.n == 0 || !(lim > 0))
		return 0;
	return (double)cell->error.median_ps / 1000 / lim;
}

static struct cd_rung make_rung(const struct cd_report *report,
				const struct cd_sweep_cell *cell,
				bool accuracy)
{
	return (struct cd_rung){
	    .pps = cell->pps,
	    .bps = cell->l1_bps,
	    .judgement = accuracy ? cell->accurate.judgement
				  : cell->complete.judgement,
	    .g = accuracy ? find_g(report, cell) : 0,
	};
}

static int fill_bracket(const struct cd_report *report, uint32_t size,
			uint32_t point, bool accuracy,
			struct cd_sweep_bracket *out)
{
	const struct cd_sweep *sweep = report->sweep;
	struct cd_rung *rungs = calloc(sweep->n_cells, sizeof(*rungs));
	size_t n = 0;
	int status;

	if (rungs == NULL)
		return -1;
	for (size_t i = 0; i < sweep->n_cells; i++)
		if (sweep->cells[i].size == size &&
		    sweep->cells[i].point == point && sweep->cells[i].pps > 0)
			rungs[n++] = make_rung(report, &sweep->cells[i],
					       accuracy);
	status = cd_sweep_bracket(rungs, n, out);
	free(rungs);
	return status;
}

static bool has_onset(const struct cd_sweep *sweep, uint32_t size,
		      uint32_t point)
{
	for (size_t i = 0; i < sweep->n_onsets; i++)
		if (sweep->onsets[i].size == size &&
		    sweep->onsets[i].point == point)
			return true;
	return false;
}

static void say_inversion(struct cd_report *report,
			  const struct cd_sweep_onset *onset,
			  const struct cd_sweep_bracket *bracket,
			  const char *what)
{
	struct cd_str fails = {0}, again = {0};

	if (bracket->n_inverted == 0)
		return;
	cd_text_rate(&fails, bracket->fails_at_bps, "bit/s");
	for (size_t i = 0; i < bracket->n_inverted; i++) {
		cd_str_add(&again, i == 0 ? "" : ", ");
		cd_text_rate(&again, bracket->inverted_bps[i], "bit/s");
	}
	cd_report_finding(report, CD_WARNING, "sweep_inversion",
			  (int)onset->point,
			  "with frames of %lu bytes it is not %s at %s, but "
			  "it is at %s: the result does not depend on the "
			  "rate alone; the lower bound stands.",
			  (unsigned long)onset->size, what, cd_str_text(&fails),
			  cd_str_text(&again));
	report->bad = report->bad || fails.bad || again.bad;
	cd_str_release(&fails);
	cd_str_release(&again);
}

int cd_sweep_onsets(struct cd_report *report)
{
	struct cd_sweep *sweep = report->sweep;

	sweep->onsets = calloc(sweep->n_cells + 1, sizeof(*sweep->onsets));
	if (sweep->onsets == NULL)
		return -1;
	/* cells are in order of size, points in that of the report */
	for (size_t i = 0; i < sweep->n_cells; i++) {
		const struct cd_sweep_cell *cell = &sweep->cells[i];
		struct cd_sweep_onset *onset = &sweep->onsets[sweep->n_onsets];

		if (cell->size == 0 ||
		    has_onset(sweep, cell->size, cell->point))
			continue;
		sweep->n_onsets++;
		onset->size = cell->size;
		onset->point = cell->point;
		if (fill_bracket(report, cell->size, cell->point, false,
				 &onset->complete) ||
		    fill_bracket(report, cell->size, cell->point, true,
				 &onset->accurate))
			return -1;
		say_inversion(report, onset, &onset->complete, "complete");
		say_inversion(report, onset, &onset->accurate, "accurate");
	}
	return 0;
}
