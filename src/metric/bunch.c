#include "metric/bunch.h"

#include <math.h>
#include <stdlib.h>

#include "base/time.h"
#include "metric/numbers.h"
#include "metric/walk.h"
#include "stat/split.h"

struct cd_cluster_summary
cd_bunch_join(const struct cd_cluster_summary *rough,
	      const struct cd_cluster_summary *fine)
{
	struct cd_cluster_summary joined = *fine;
	double p50 = (double)fine->onset_p50;

	joined.coalescing = rough->coalescing;
	joined.has_period = rough->has_period && fine->has_onsets;
	joined.period = fine->onset_p50;
	joined.fixed_timer = joined.has_period &&
			     (double)fine->onset_p10 >= 0.98 * p50 &&
			     (double)fine->onset_p90 <= 1.02 * p50;
	return joined;
}

/* ---- the gap between batches ----------------------------------------------
 */

/* Gaps of the compared capture among the rows sampled. */
static size_t sampled_gaps(const struct cd_thin *thin, int64_t *gaps)
{
	size_t n = 0;

	for (size_t i = 0; i < thin->n; i++) {
		const struct cd_clock_row *row = &thin->rows[i];

		if (row->neighbours)
			gaps[n++] = (row->x_ps - row->before_x_ps) +
				    (row->d_ps - row->before_d_ps);
	}
	return n;
}

/* 1: found; 0: there are no batches; -1: no memory. */
static int find_gap(const struct cd_thin *thin, int64_t *gap_ps)
{
	int64_t *gaps = malloc((thin->n + 1) * sizeof(*gaps));
	size_t n;
	int found;

	if (gaps == NULL)
		return -1;
	n = sampled_gaps(thin, gaps);
	found = n > 0 && cd_split_gaps(gaps, n, gap_ps);
	free(gaps);
	return found;
}

int cd_bunch_gap(const struct cd_sample_times *times, int64_t *gap_ps)
{
	int64_t *gaps = malloc((times->n + 1) * sizeof(*gaps));
	size_t n = 0;

	*gap_ps = CD_TIME_NONE;
	if (gaps == NULL)
		return -1;
	for (size_t i = 1; i < times->n; i++)
		if (cd_follows(times->seq[i - 1], times->seq[i]))
			gaps[n++] =
			    cd_wrap_minus(times->ps[i], times->ps[i - 1]);
	if (n == 0 || !cd_split_gaps(gaps, n, gap_ps))
		*gap_ps = CD_TIME_NONE;
	free(gaps);
	return 0;
}

/* ---- all rows again -------------------------------------------------------
 */

static int count_batches(const struct cd_pair *pair, int64_t gap_ps,
			 struct cd_clusters *clusters)
{
	struct cd_walk walk;
	struct cd_walk_block block;
	int got;

	if (cd_walk_init(&walk, pair, 0, pair->n_lanes) < 0)
		return -1;
	while ((got = cd_walk_next(&walk, &block)) == 1) {
		if (block.row == 0)
			cd_clusters_end(clusters);
		cd_clusters_add(clusters, block.dut_ps, NULL, 4 * gap_ps,
				block.n);
	}
	cd_clusters_end(clusters);
	cd_walk_release(&walk);
	return got;
}

static int refine(struct cd_fit *fit, int64_t gap_ps)
{
	struct cd_cluster_summary fine;
	struct cd_clusters clusters = {0};
	int result = cd_clusters_init(&clusters);

	if (result == 0)
		result = count_batches(fit->pair, gap_ps, &clusters);
	if (result == 0) {
		fine = cd_clusters_summary(&clusters);
		fit->bursts = cd_bunch_join(&fit->bursts, &fine);
	}
	cd_clusters_release(&clusters);
	return result;
}

int cd_bunch_refine(struct cd_fit *fit)
{
	int64_t gap_ps;
	int found;

	if (!fit->bursts.has_period)
		return 0;
	found = find_gap(&fit->thin, &gap_ps);
	if (found < 0)
		return -1;
	fit->bursts.has_period = found == 1;
	if (found == 0 || gap_ps > INT64_MAX / 4)
		return 0;
	return refine(fit, gap_ps);
}
