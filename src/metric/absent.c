#include "metric/absent.h"

#include "base/time.h"

struct cd_absence cd_absence_of(const struct cd_analysis *analysis,
				const struct cd_pair *pair,
				const struct cd_lane *lane)
{
	struct cd_absence absence = {.lane = lane,
				     .dut = {INT64_MAX, INT64_MIN}};

	if (lane->ref != NULL)
		absence.dut = cd_window_of_dut(analysis, pair, lane);
	return absence;
}

static int pass_paired(const struct cd_absence *absence,
		       const struct cd_lane_rows *rows,
		       const struct cd_absent_sink *sink)
{
	const struct cd_rows_block *block = &rows->block;
	int dut = rows->both ? 1 : 0;

	for (size_t i = 0; i < block->n; i++) {
		unsigned mask = cd_lane_rows_mask(rows, i);
		bool present = (mask & CD_HAS_DUT) != 0;
		struct cd_absent_packet packet = {
		    .seq = block->seq[i],
		    .n = 1,
		    .frame = block->number[present ? dut : 0][i],
		    .time_ps = mask & CD_HAS_REF ? rows->ref_ps[i]
						 : CD_TIME_NONE,
		    .dut_ps = present ? rows->dut_ps[i] : CD_TIME_NONE,
		};
		int failed = 0;

		if (present)
			failed = sink->present(sink->context, &packet);
		else if (cd_is_missing(absence, packet.seq, packet.time_ps))
			failed = sink->missing(sink->context, &packet);
		if (failed)
			return -1;
	}
	return 0;
}

/* A capture by itself: what is not there between its numbers. */
static int pass_alone(const struct cd_lane_rows *rows, int64_t *last, bool *any,
		      const struct cd_absent_sink *sink)
{
	const struct cd_rows_block *block = &rows->block;

	for (size_t i = 0; i < block->n; i++) {
		int64_t seq = block->seq[i];
		struct cd_absent_packet gap = {
		    .seq = *last + 1,
		    .n = (uint64_t)seq - (uint64_t)*last - 1,
		    .time_ps = CD_TIME_NONE,
		    .dut_ps = CD_TIME_NONE,
		};
		struct cd_absent_packet packet = {
		    seq, 1, block->number[0][i], block->time_ps[0][i],
		    block->time_ps[0][i]};

		if (*any && gap.n > 0 && sink->missing(sink->context, &gap))
			return -1;
		if (sink->present(sink->context, &packet))
			return -1;
		*last = seq;
		*any = true;
	}
	return 0;
}

int cd_absent_walk(const struct cd_analysis *analysis,
		   const struct cd_pair *pair, const struct cd_lane *lane,
		   const struct cd_absent_sink *sink)
{
	struct cd_absence absence;
	struct cd_lane_rows rows;
	int64_t from = pair->alone ? lane->a : INT64_MIN;
	int64_t to = pair->alone ? lane->b : INT64_MAX, last = 0;
	bool any = false;
	int failed = 0;

	if (!pair->numbered || (pair->alone && !lane->common))
		return 0;
	absence = cd_absence_of(analysis, pair, lane);
	if (cd_lane_rows_open(&rows, lane, from, to,
			      CD_COLUMN_TIME | CD_COLUMN_NUMBER))
		return -1;
	while (!failed && cd_lane_rows_next(&rows))
		failed = pair->alone ? pass_alone(&rows, &last, &any, sink)
				     : pass_paired(&absence, &rows, sink);
	cd_lane_rows_close(&rows);
	return failed;
}
