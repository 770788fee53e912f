/* What charts and tables draw beside the single values: one series each. */
#include "metric/series.h"

#include "metric/walk.h"
#include "report/series.h"

static void put_steps(const struct cd_analysis *analysis,
		      const struct cd_pair *pair)
{
	const struct cd_clock *clock = &pair->clock;
	int64_t start =
	    cd_minus(clock->x0_ps, analysis->points[pair->ref].first_ps);
	struct cd_report *report = analysis->report;
	struct cd_series *s;

	if (clock->n_steps == 0)
		return;
	s = cd_report_series(report, pair->dut, "clock.step");
	for (size_t i = 0; i < clock->n_steps; i++) {
		const struct cd_step *step = &clock->steps[i];

		if (!cd_series_add(report, s))
			return;
		cd_series_span(s, 0, cd_plus(step->x_ps, start));
		cd_series_span(s, 1, cd_round_ps(step->size_ps));
		if (step->seq >= 0)
			cd_series_count(s, 2, (uint64_t)step->seq);
	}
}

static int run_pair(struct cd_analysis *analysis, const struct cd_pair *pair)
{
	if (!pair->alone && pair->clock.has_drift && pair->clock.has_offset)
		put_steps(analysis, pair);
	return cd_series_losses(analysis, pair) ||
		       cd_series_copies(analysis, pair)
		   ? -1
		   : 0;
}

static int run(struct cd_analysis *analysis, struct cd_error *error)
{
	if (analysis->options->brief)
		return 0;
	for (size_t i = 0; i < analysis->n_pairs; i++)
		if (run_pair(analysis, &analysis->pairs[i]))
			return cd_error_memory(error);
	return 0;
}

const struct cd_metric cd_metric_series = {"series", run};
