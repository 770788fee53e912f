/* Where a ring stays full there is no floor to fit a clock to (METRICS 9.5). */
#include "sweep/parts.h"

#include <math.h>

#include "base/time.h"
#include "report/text.h"

#define OVERLOAD 10 /* wander in errors at the lowest rate */

/* Cells rise with the rate: the first of a size that lost nothing. */
static const struct cd_sweep_cell *find_low(const struct cd_sweep *sweep,
					    const struct cd_sweep_cell *of)
{
	for (size_t i = 0; i < sweep->n_cells; i++) {
		const struct cd_sweep_cell *c = &sweep->cells[i];

		if (c->size == of->size && c->point == of->point &&
		    c->error.n > 0)
			return c;
	}
	return NULL;
}

/* Value of the first trial of a cell, NAN if it has none. */
static double first_number(const struct cd_report *report,
			   const struct cd_sweep_cell *cell, const char *name)
{
	const struct cd_sweep_run *run = &report->sweep->runs[cell->runs[0]];
	int64_t point = cd_sweep_point_in(report, cell->point, run);

	return cd_sweep_number(run->report, (uint32_t)point, name);
}

static bool wanders(const struct cd_report *report,
		    const struct cd_sweep_cell *cell,
		    const struct cd_sweep_cell *low)
{
	double error_ns = (double)low->error.median_ps / (double)CD_PS_PER_NS;

	for (size_t i = 0; i < cell->n_runs; i++) {
		const struct cd_sweep_run *run =
		    &report->sweep->runs[cell->runs[i]];
		int64_t point = cd_sweep_point_in(report, cell->point, run);

		if (cd_sweep_number(run->report, (uint32_t)point,
				    "clock.wander_ns") > OVERLOAD * error_ns)
			return true;
	}
	return false;
}

static void say_overload(struct cd_report *report,
			 const struct cd_sweep_cell *cell,
			 const struct cd_sweep_cell *low)
{
	double drift = first_number(report, low, "clock.drift_ppm");
	struct cd_str rate = {0}, low_rate = {0};

	cd_text_rate(&rate, cell->l1_bps, "bit/s");
	cd_text_rate(&low_rate, low->l1_bps, "bit/s");
	cd_report_finding(report, CD_NOTE, "sweep_overload", (int)cell->point,
			  "with frames of %lu bytes at %s it is under "
			  "overload: its time stamp error and drift there are "
			  "of a full buffer. At %s its drift is %+.2f ppm.",
			  (unsigned long)cell->size, cd_str_text(&rate),
			  cd_str_text(&low_rate), isnan(drift) ? 0 : drift);
	report->bad = report->bad || rate.bad || low_rate.bad;
	cd_str_release(&rate);
	cd_str_release(&low_rate);
}

void cd_sweep_overload(struct cd_report *report)
{
	struct cd_sweep *sweep = report->sweep;

	for (size_t i = 0; i < sweep->n_cells; i++) {
		struct cd_sweep_cell *cell = &sweep->cells[i];
		const struct cd_sweep_cell *low = find_low(sweep, cell);

		if (cell->missing == 0 || low == NULL || low == cell ||
		    low->missing > 0 || low->size == 0)
			continue;
		cell->overloaded = wanders(report, cell, low);
		if (cell->overloaded)
			say_overload(report, cell, low);
	}
}
