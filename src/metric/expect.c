#include <inttypes.h>

#include "metric/metric.h"
#include "metric/put.h"
#include "metric/words.h"
#include "report/codes.h"

/* Different packets of the streams: numbers, or without any just packets. */
static uint64_t count_packets(const struct cd_point *point)
{
	uint64_t n = 0;

	for (size_t i = 0; i < point->n_streams; i++)
		for (size_t k = 0; k < point->streams[i].n_epochs; k++)
			n += cd_track_unique(point->streams[i].epochs[k]);
	return n;
}

static void put_expect(struct cd_analysis *analysis, uint32_t k, uint64_t sent)
{
	struct cd_place place = {analysis->report, k, CD_NO_STREAM};
	uint64_t n = count_packets(&analysis->points[k]);

	cd_put_count(&place, "loss.whole_expected", sent);
	cd_put_count(&place, "loss.whole_missing", sent > n ? sent - n : 0);
	if (n > sent)
		cd_report_finding(
		    analysis->report, CD_WARNING, CD_CODE_MORE_THAN_SENT,
		    (int)k,
		    "%s captured, all different, but --expect says that only "
		    "%" PRIu64 " were sent",
		    cd_count_words(n, "packet").text, sent);
}

/* --expect: the generator's own count makes a whole-run figure, without common
 * interval or reference (METRICS 1.1). */
static int run_expect(struct cd_analysis *analysis, struct cd_error *error)
{
	const struct cd_metric_options *options = analysis->options;

	(void)error;
	for (uint32_t k = 0; k < analysis->n_points; k++) {
		struct cd_place place = {analysis->report, k, CD_NO_STREAM};

		if (options->has_expect) {
			put_expect(analysis, k, options->expect);
			continue;
		}
		cd_put_null(&place, "loss.whole_expected", "not told");
		cd_put_null(&place, "loss.whole_missing", "not told");
	}
	return 0;
}

const struct cd_metric cd_metric_expect = {"expect", run_expect};
