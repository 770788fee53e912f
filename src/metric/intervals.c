/* interval: what came and what is missing, by packets or by time. */
#include "align/intervals.h"

#include <math.h>
#include <stdlib.h>

#include "base/time.h"
#include "metric/absent.h"
#include "metric/lanes.h"
#include "metric/metric.h"
#include "report/series.h"

enum {
	FROM,
	FRAME,
	PACKETS,
	MISSING,
	DROPPED,
	DURATION,
	PPS,
	L1_BPS,
	L2_BPS,
	CAPTURED_BPS,
	FRAME_BYTES,
	UTILISATION,
	L2_BYTES,
	CAPTURED_BYTES
};

#define L1_EXTRA 20 /* preamble, start delimiter, least gap (IEEE 802.3) */

/* ---- missing packets ------------------------------------------------------
 *
 * A gap counts where the packet after it is; at the end of the capture where
 * its last one is.
 */

struct spread {
	const struct cd_intervals *intervals;
	uint64_t *missing; /* per row */
	uint64_t waiting;
	size_t last;
};

static int note_missing(void *context, const struct cd_absent_packet *packet)
{
	struct spread *spread = context;

	spread->waiting += packet->n;
	return 0;
}

static int note_present(void *context, const struct cd_absent_packet *packet)
{
	struct spread *spread = context;

	if (spread->waiting == 0)
		return 0;
	spread->last = cd_intervals_row(spread->intervals, packet->frame,
					packet->dut_ps);
	spread->missing[spread->last] += spread->waiting;
	spread->waiting = 0;
	return 0;
}

/* NULL without memory. */
static uint64_t *count_missing(const struct cd_analysis *analysis,
			       const struct cd_pair *pair,
			       const struct cd_intervals *intervals)
{
	struct spread spread = {
	    .intervals = intervals,
	    .missing = calloc(intervals->n, sizeof(uint64_t)),
	};
	const struct cd_absent_sink sink = {note_missing, note_present,
					    &spread};

	if (spread.missing == NULL)
		return NULL;
	for (size_t i = 0; i < pair->n_lanes; i++) {
		if (cd_absent_walk(analysis, pair, &pair->lanes[i], &sink)) {
			free(spread.missing);
			return NULL;
		}
		spread.missing[intervals->n - 1] += spread.waiting;
		spread.waiting = 0;
	}
	return spread.missing;
}

/* ---- rows -----------------------------------------------------------------
 */

static int64_t row_start(const struct cd_intervals *in, size_t i)
{
	if (in->every > 0)
		return in->rows[i].first_ps == CD_TIME_NONE
			   ? CD_TIME_NONE
			   : cd_minus(in->rows[i].first_ps, in->start_ps);
	return (int64_t)i * in->span_ps;
}

/* The last row ends with its last packet, whose own share of the time is that
 * of the others. 0: not known. */
static double row_duration(const struct cd_intervals *in, size_t i)
{
	const struct cd_interval_row *row = &in->rows[i];
	double packets = (double)row->packets;

	if (in->span_ps > 0 && i + 1 < in->n)
		return (double)in->span_ps;
	if (row->first_ps == CD_TIME_NONE)
		return 0;
	if (i + 1 < in->n)
		return in->rows[i + 1].first_ps == CD_TIME_NONE
			   ? 0
			   : (double)cd_minus(in->rows[i + 1].first_ps,
					      row->first_ps);
	if (row->packets < 2)
		return 0;
	return (double)cd_minus(row->last_ps, row->first_ps) * packets /
	       (packets - 1);
}

static void put_rates(struct cd_series *s, const struct cd_interval_row *row,
		      double seconds, double link_bps)
{
	double l1 = 8 * ((double)row->l2_bytes +
			 L1_EXTRA * (double)row->packets);

	if (!(seconds > 0))
		return;
	cd_series_span(s, DURATION,
		       (int64_t)(seconds * (double)CD_PS_PER_S + 0.5));
	cd_series_real(s, PPS, (double)row->packets / seconds);
	cd_series_real(s, L1_BPS, l1 / seconds);
	cd_series_real(s, L2_BPS, 8 * (double)row->l2_bytes / seconds);
	cd_series_real(s, CAPTURED_BPS,
		       8 * (double)row->captured_bytes / seconds);
	if (link_bps > 0)
		cd_series_real(s, UTILISATION, l1 / seconds / link_bps);
}

static void put_row(struct cd_series *s, const struct cd_point *point,
		    size_t i, const uint64_t *missing, double link_bps)
{
	const struct cd_intervals *in = &point->intervals;
	const struct cd_interval_row *row = &in->rows[i];

	cd_series_span(s, FROM, row_start(in, i));
	if (row->packets > 0)
		cd_series_count(s, FRAME, row->first_frame);
	cd_series_count(s, PACKETS, row->packets);
	if (missing != NULL)
		cd_series_count(s, MISSING, missing[i]);
	if (point->has_drops)
		cd_series_count(s, DROPPED, row->drops);
	if (row->packets > 0)
		cd_series_real(s, FRAME_BYTES,
			       (double)row->l2_bytes / (double)row->packets);
	cd_series_count(s, L2_BYTES, row->l2_bytes);
	cd_series_count(s, CAPTURED_BYTES, row->captured_bytes);
	put_rates(s, row, row_duration(in, i) / (double)CD_PS_PER_S, link_bps);
}

static int refuse(const struct cd_point *point, struct cd_error *error)
{
	cd_error_set(error, CD_E_USAGE,
		     "would be cut into more than %d intervals",
		     CD_INTERVALS_MAX);
	cd_error_file(error, point->path);
	cd_error_hint(error, "choose a larger --interval, or look at its time "
			     "stamps with --interval 10000");
	return -1;
}

/* `pair`: whose compared capture it is, NULL for the reference. */
static int put_point(struct cd_analysis *analysis, uint32_t k,
		     const struct cd_pair *pair, struct cd_error *error)
{
	const struct cd_point *point = &analysis->points[k];
	const struct cd_intervals *in = &point->intervals;
	struct cd_series *s;
	uint64_t *missing = NULL;

	if (!cd_intervals_wanted(in) || in->n == 0)
		return 0;
	if (in->too_many)
		return refuse(point, error);
	if (pair != NULL && pair->numbered) {
		missing = count_missing(analysis, pair, in);
		if (missing == NULL)
			return cd_error_memory(error);
	}
	s = cd_report_series(analysis->report, k, "interval");
	for (size_t i = 0; i < in->n; i++)
		if (cd_series_add(analysis->report, s))
			put_row(s, point, i, missing, analysis->link_bps);
	free(missing);
	return 0;
}

static int run(struct cd_analysis *analysis, struct cd_error *error)
{
	for (size_t i = 0; i < analysis->n_pairs; i++) {
		const struct cd_pair *pair = &analysis->pairs[i];

		if (!pair->alone && i == 0 &&
		    put_point(analysis, pair->ref, NULL, error))
			return -1;
		if (put_point(analysis, pair->dut, pair, error))
			return -1;
	}
	return 0;
}

const struct cd_metric cd_metric_intervals = {"intervals", run};
