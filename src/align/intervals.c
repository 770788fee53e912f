#include "align/intervals.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/time.h"

void cd_intervals_release(struct cd_intervals *intervals)
{
	free(intervals->rows);
	free(intervals->turns);
	intervals->rows = NULL;
	intervals->turns = NULL;
	intervals->n = intervals->capacity = 0;
	intervals->n_turns = intervals->turns_capacity = 0;
}

/* Rows since the start, beyond any table if need be. */
static uint64_t row_at(const struct cd_intervals *in, int64_t time_ps)
{
	int64_t since;

	if (__builtin_sub_overflow(time_ps, in->start_ps, &since))
		return time_ps < 0 ? 0 : UINT64_MAX;
	return since < 0 ? 0 : (uint64_t)(since / in->span_ps);
}

static bool is_placed_by_time(const struct cd_intervals *in, int64_t time_ps)
{
	return in->every == 0 && time_ps != CD_TIME_NONE;
}

static uint64_t find_row(struct cd_intervals *in,
			 const struct cd_interval_packet *packet)
{
	if (in->every > 0)
		return in->packets / in->every;
	if (packet->time_ps == CD_TIME_NONE)
		return in->last;
	if (!in->started) {
		in->started = true;
		in->start_ps = packet->time_ps;
	}
	return row_at(in, packet->time_ps);
}

/* Rows without packets lie between. */
static int make_rows(struct cd_intervals *in, size_t n)
{
	if (cd_grow((void **)&in->rows, &in->capacity, n, sizeof(*in->rows)))
		return -1;
	for (; in->n < n; in->n++)
		in->rows[in->n] = (struct cd_interval_row){
		    .first_ps = CD_TIME_NONE, .last_ps = CD_TIME_NONE};
	return 0;
}

/* Few: rows of N packets, or changes of the row among packets without time. */
static int note_turn(struct cd_intervals *in, uint64_t frame, size_t row)
{
	if (in->n_turns > 0 && in->turns[in->n_turns - 1].row == row)
		return 0;
	if (cd_grow((void **)&in->turns, &in->turns_capacity, in->n_turns + 1,
		    sizeof(*in->turns)))
		return -1;
	in->turns[in->n_turns++] = (struct cd_interval_turn){frame, row};
	return 0;
}

static void widen(struct cd_intervals *in, struct cd_interval_row *row,
		  int64_t time_ps)
{
	if (time_ps == CD_TIME_NONE)
		return;
	if (!in->started) {
		in->started = true;
		in->start_ps = time_ps;
	}
	if (row->first_ps == CD_TIME_NONE || time_ps < row->first_ps)
		row->first_ps = time_ps;
	if (row->last_ps == CD_TIME_NONE || time_ps > row->last_ps)
		row->last_ps = time_ps;
}

int cd_intervals_add(struct cd_intervals *in,
		     const struct cd_interval_packet *packet)
{
	uint64_t at = find_row(in, packet);
	struct cd_interval_row *row;

	in->packets++;
	if (at >= CD_INTERVALS_MAX) {
		in->too_many = true;
		return 0;
	}
	if (at >= in->n && make_rows(in, (size_t)at + 1))
		return -1;
	if (!is_placed_by_time(in, packet->time_ps) &&
	    note_turn(in, packet->frame, (size_t)at))
		return -1;
	in->last = (size_t)at;
	row = &in->rows[at];
	if (row->packets++ == 0)
		row->first_frame = packet->frame;
	row->captured_bytes += packet->caplen;
	row->l2_bytes += cd_frame_wire_bytes(packet->length, in->fcs_bytes);
	row->drops += packet->drops;
	widen(in, row, packet->time_ps);
	return 0;
}

size_t cd_intervals_row(const struct cd_intervals *in, uint64_t frame,
			int64_t time_ps)
{
	size_t low = 0, high = in->n_turns;

	if (is_placed_by_time(in, time_ps))
		return (size_t)row_at(in, time_ps);
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (in->turns[middle].frame <= frame)
			low = middle;
		else
			high = middle;
	}
	return in->turns[low].row;
}
