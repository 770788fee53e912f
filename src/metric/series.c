/* What charts and tables draw beside the single values: one series each. */
#include "metric/series.h"

static int run_pair(struct cd_analysis *analysis, size_t i)
{
	const struct cd_pair *pair = &analysis->pairs[i];

	/* of the reference once, inside the interval that its values have */
	if (!pair->alone && i == 0 && cd_series_deltas(analysis, pair, true))
		return -1;
	if (cd_series_deltas(analysis, pair, false) ||
	    cd_series_losses(analysis, pair) ||
	    cd_series_copies(analysis, pair))
		return -1;
	if (pair->alone || !pair->clock.has_drift || !pair->clock.has_offset)
		return 0;
	return cd_series_errors(analysis, pair) ||
		       cd_series_offset(analysis, pair)
		   ? -1
		   : 0;
}

static int run(struct cd_analysis *analysis, struct cd_error *error)
{
	if (analysis->options->brief)
		return 0;
	for (size_t i = 0; i < analysis->n_pairs; i++)
		if (run_pair(analysis, i))
			return cd_error_memory(error);
	return 0;
}

const struct cd_metric cd_metric_series = {"series", run};
