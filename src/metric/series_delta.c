/* delta.histogram: bins of equal ratio, one of them around the spacing. */
#include <math.h>
#include <stdlib.h>

#include "align/track.h"
#include "base/time.h"
#include "metric/numbers.h"
#include "metric/series.h"
#include "report/series.h"

#define PER_DECADE 20
#define DECADES 20
#define EDGES (PER_DECADE * DECADES)

struct bins {
	int64_t edges[EDGES]; /* rising from 1 */
	size_t n;	      /* edges in use */
	uint64_t none;	      /* zero or less */
	uint64_t counts[EDGES + 1]; /* [i]: below edges[i], not [i - 1] */
	size_t last;	      /* where the last one was */
};

/* Edges lie half a bin beside centre * 10^(k / PER_DECADE). */
static void set_edges(struct bins *bins, double centre_ps)
{
	double first = log10(centre_ps) * PER_DECADE;

	for (double k = -floor(first); bins->n < EDGES; k++) {
		double edge =
		    centre_ps * pow(10, (k + 0.5) / PER_DECADE);

		if (edge >= 0x1p62)
			break;
		if (edge < 1 ||
		    (bins->n > 0 &&
		     llround(edge) <= bins->edges[bins->n - 1]))
			continue;
		bins->edges[bins->n++] = llround(edge);
	}
}

static void add_delta(struct bins *bins, int64_t ps)
{
	size_t low = 0, high = bins->n, at = bins->last;

	if (ps <= 0) {
		bins->none++;
		return;
	}
	if (!((at == 0 || ps >= bins->edges[at - 1]) &&
	      (at == bins->n || ps < bins->edges[at]))) {
		while (low < high) {
			size_t middle = low + (high - low) / 2;

			if (ps < bins->edges[middle])
				high = middle;
			else
				low = middle + 1;
		}
		at = low;
	}
	bins->last = at;
	bins->counts[at]++;
}

/* ---- deltas of a track ----------------------------------------------------
 */

struct before {
	bool any;
	int64_t seq, time_ps;
};

static void add_block(struct bins *bins, const struct cd_block *block,
		      const struct cd_lane *lane, bool numbered,
		      struct before *before)
{
	for (size_t i = 0; i < block->n; i++) {
		int64_t seq = block->seq[i], ps = block->time_ps[i];

		if (numbered && (seq < lane->a || seq > lane->b))
			continue;
		if (ps == CD_TIME_NONE) {
			before->any = false;
			continue;
		}
		if (before->any && (!numbered || cd_follows(before->seq, seq)))
			add_delta(bins, cd_wrap_minus(ps, before->time_ps));
		*before = (struct before){true, seq, ps};
	}
}

static int add_track(struct bins *bins, const struct cd_lane *lane,
		     const struct cd_track *track, bool numbered)
{
	enum cd_order order = numbered ? CD_ORDER_SEQ : CD_ORDER_FILE;
	struct cd_track_reader *reader =
	    cd_track_reader_new(track, order, CD_COLUMN_TIME);
	struct before before = {0};
	struct cd_block block;

	if (reader == NULL)
		return -1;
	if (numbered)
		cd_track_reader_seek(reader, lane->a);
	while (cd_track_reader_next(reader, &block) == 1 &&
	       (!numbered || block.seq[0] <= lane->b))
		add_block(bins, &block, lane, numbered, &before);
	cd_track_reader_free(reader);
	return 0;
}

static int add_lanes(struct bins *bins, const struct cd_pair *pair,
		     bool of_reference)
{
	for (size_t i = 0; i < pair->n_lanes; i++) {
		const struct cd_lane *lane = &pair->lanes[i];
		const struct cd_track *track =
		    of_reference ? lane->ref : lane->dut;

		if (track == NULL || (pair->common && !lane->common))
			continue;
		if (add_track(bins, lane, track, pair->common))
			return -1;
	}
	return 0;
}

/* ---- the series -----------------------------------------------------------
 */

/* The spacing of the packets, by the reference if there is one. */
static double centre_of(const struct cd_analysis *analysis,
			const struct cd_pair *pair, uint32_t point)
{
	const struct cd_distribution *d =
	    pair->alone ? &pair->dut_delta : &pair->ref_delta;
	const struct cd_value *raw =
	    cd_report_find(analysis->report, point, "delta.raw_p50_ns");

	if (d->n > 0 && d->p50 > 0)
		return (double)d->p50;
	if (raw != NULL && raw->kind == CD_VALUE_SPAN && raw->integer > 0)
		return (double)raw->integer;
	return (double)CD_PS_PER_US;
}

static void put_bins(struct cd_report *report, uint32_t point,
		     const struct bins *bins)
{
	struct cd_series *s = cd_report_series(report, point,
					       "delta.histogram");

	if (bins->none > 0 && cd_series_add(report, s)) {
		cd_series_span(s, 1, 0);
		cd_series_count(s, 2, bins->none);
	}
	for (size_t i = 0; i < bins->n; i++) {
		if (bins->counts[i] == 0 || !cd_series_add(report, s))
			continue;
		cd_series_span(s, 0, i == 0 ? 0 : bins->edges[i - 1]);
		cd_series_span(s, 1, bins->edges[i]);
		cd_series_count(s, 2, bins->counts[i]);
	}
}

int cd_series_deltas(const struct cd_analysis *analysis,
		     const struct cd_pair *pair, bool of_reference)
{
	uint32_t point = of_reference ? pair->ref : pair->dut;
	struct bins *bins = calloc(1, sizeof(*bins));
	uint64_t n = 0;

	if (bins == NULL)
		return -1;
	set_edges(bins, centre_of(analysis, pair, point));
	if (add_lanes(bins, pair, of_reference)) {
		free(bins);
		return -1;
	}
	/* beyond the last edge lies nothing that a track can hold */
	if (bins->n > 0)
		bins->counts[bins->n - 1] += bins->counts[bins->n];
	for (size_t i = 0; i < bins->n; i++)
		n += bins->counts[i];
	if (n + bins->none > 0)
		put_bins(analysis->report, point, bins);
	free(bins);
	return 0;
}
