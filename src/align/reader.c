/* Reading a track: the backbone with the rows beside it put back in. */
#include "align/track.h"

#include <stdlib.h>
#include <string.h>

#include "align/track_private.h"
#include "base/bytes.h"
#include "base/time.h"

#define NO_ROW SIZE_MAX

struct rows_buffer {
	uint64_t seq[TRACK_BLOCK], time[TRACK_BLOCK], number[TRACK_BLOCK];
	uint64_t position[TRACK_BLOCK];
	uint32_t length[TRACK_BLOCK], iface[TRACK_BLOCK];
};

struct cd_track_reader {
	const struct cd_track *track;
	enum cd_order order;
	unsigned columns;

	size_t block;	   /* next one to decode */
	uint64_t base;	   /* backbone row of in.*[0] */
	size_t n, at;	   /* rows decoded, rows of them handed out */
	bool has_invalid;  /* among them */
	size_t beside;	   /* next of track->side, or of track->late */

	struct rows_buffer in, out;
	uint8_t stray[TRACK_BLOCK];
};

/* ---- decoding ---------------------------------------------------------------- */

static const uint8_t *decode_times(const uint8_t *p, uint64_t *time, size_t n,
				   uint64_t before, int64_t unit_ps)
{
	uint64_t unit = *p == 1 ? 1 : (uint64_t)unit_ps;

	before = (uint64_t)((int64_t)before / (int64_t)unit);
	return cd_unpack(p + 1, time, n, before, unit);
}

static const uint8_t *decode_run(const struct cd_track *track,
				 const uint8_t *p, size_t n,
				 const struct track_columns *c,
				 struct block_head *before)
{
	p = cd_unpack(p, c->seq, n, before->seq, 1);
	before->seq = c->seq[n - 1];
	if (c->time == NULL) {
		p = cd_pack_skip(p + 1, n);
	} else {
		p = decode_times(p, c->time, n, before->time, track->unit_ps);
		before->time = c->time[n - 1];
	}
	if (c->number == NULL) {
		p = cd_pack_skip(p, n);
	} else {
		p = cd_unpack(p, c->number, n, before->number, 1);
		before->number = c->number[n - 1];
	}
	if (c->length == NULL) {
		p = cd_pack_skip(p, n);
	} else {
		p = cd_unpack32(p, c->length, n, before->length);
		before->length = c->length[n - 1];
	}
	if (c->iface == NULL)
		return cd_pack_skip(p, n);
	p = cd_unpack32(p, c->iface, n, before->iface);
	before->iface = c->iface[n - 1];
	return p;
}

void track_decode(const struct cd_track *track, size_t b,
		  const struct track_columns *out)
{
	const uint8_t *p = track->blocks[b].bytes;
	size_t left = track_block_rows(track, b);
	struct track_columns c = *out;
	struct block_head before;

	memcpy(&before, p, sizeof(before));
	p += sizeof(before);
	while (left > 0) {
		size_t n = left < CD_PACK_RUN ? left : CD_PACK_RUN;

		p = decode_run(track, p, n, &c, &before);
		c.seq += n;
		c.time = c.time == NULL ? NULL : c.time + n;
		c.number = c.number == NULL ? NULL : c.number + n;
		c.length = c.length == NULL ? NULL : c.length + n;
		c.iface = c.iface == NULL ? NULL : c.iface + n;
		left -= n;
	}
}

size_t track_side_before(const struct cd_track *track, uint64_t row)
{
	size_t low = 0, high = track->n_side;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (track->side[mid].position - mid <= row)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

size_t track_block_of(const struct cd_track *track, int64_t seq)
{
	size_t low = 0, high = track->n_blocks;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (track->blocks[mid].first_seq <= seq)
			low = mid + 1;
		else
			high = mid;
	}
	return low == 0 ? 0 : low - 1;
}

/* File ranks of the decoded rows: their number in the backbone plus the rows
 * beside it that came before. */
static void fill_positions(struct cd_track_reader *r)
{
	const struct cd_track *track = r->track;
	size_t side = track_side_before(track, r->base);
	size_t i = 0;

	while (i < r->n) {
		size_t end = r->n;

		if (side < track->n_side &&
		    track->side[side].position - side - r->base < end)
			end = (size_t)(track->side[side].position - side -
				       r->base);
		for (; i < end; i++)
			r->in.position[i] = r->base + i + side;
		if (i < r->n)
			side++;
	}
}

/* Put CD_TIME_NONE where the decoded rows have no valid time. */
static bool blank_times(struct cd_track_reader *r)
{
	const struct cd_track *track = r->track;
	size_t low = 0, high = track->n_gaps;
	bool any = false;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (track->gaps[mid].first + track->gaps[mid].n <= r->base)
			low = mid + 1;
		else
			high = mid;
	}
	for (; low < track->n_gaps; low++) {
		const struct invalid_run *gap = &track->gaps[low];
		uint64_t from = gap->first, end = gap->first + gap->n;

		if (from >= r->base + r->n)
			break;
		from = from < r->base ? r->base : from;
		for (; from < end && from < r->base + r->n; from++)
			r->in.time[from - r->base] = (uint64_t)CD_TIME_NONE;
		any = true;
	}
	return any;
}

static void load_block(struct cd_track_reader *r, size_t b)
{
	struct track_columns c = {
	    .seq = r->in.seq,
	    .time = r->columns & CD_COLUMN_TIME ? r->in.time : NULL,
	    .number = r->columns & CD_COLUMN_NUMBER ? r->in.number : NULL,
	    .length = r->columns & CD_COLUMN_LENGTH ? r->in.length : NULL,
	    .iface = r->columns & CD_COLUMN_IFACE ? r->in.iface : NULL,
	};

	track_decode(r->track, b, &c);
	r->base = (uint64_t)b * TRACK_BLOCK;
	r->n = track_block_rows(r->track, b);
	r->at = 0;
	r->block = b + 1;
	r->has_invalid = c.time != NULL && blank_times(r);
	if (r->columns & CD_COLUMN_POSITION)
		fill_positions(r);
}

/* ---- rows beside the backbone -------------------------------------------------- */

static size_t first_above(const uint64_t *seq, size_t low, size_t high,
			  int64_t wanted)
{
	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if ((int64_t)seq[mid] <= wanted)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Before which decoded row the next row beside the backbone belongs: at..n,
 * or NO_ROW if that is not in this block. */
static size_t next_insert(const struct cd_track_reader *r)
{
	const struct cd_track *track = r->track;
	int64_t seq;
	uint64_t row;

	if (r->order == CD_ORDER_FILE) {
		if (r->beside == track->n_side)
			return NO_ROW;
		row = track->side[r->beside].position - r->beside - r->base;
		return row <= r->n ? (size_t)row : NO_ROW;
	}
	if (r->beside == track->n_late || r->n == 0)
		return NO_ROW;
	seq = track->late[r->beside].seq;
	if (seq > (int64_t)r->in.seq[r->n - 1])
		return NO_ROW;
	return first_above(r->in.seq, r->at, r->n, seq);
}

static void copy_rows(struct cd_track_reader *r, size_t to, size_t n)
{
	struct rows_buffer *o = &r->out;
	const struct rows_buffer *i = &r->in;
	size_t at = r->at;

	memcpy(o->seq + to, i->seq + at, n * sizeof(*o->seq));
	if (r->columns & CD_COLUMN_TIME)
		memcpy(o->time + to, i->time + at, n * sizeof(*o->time));
	if (r->columns & CD_COLUMN_NUMBER)
		memcpy(o->number + to, i->number + at, n * sizeof(*o->number));
	if (r->columns & CD_COLUMN_POSITION)
		memcpy(o->position + to, i->position + at,
		       n * sizeof(*o->position));
	if (r->columns & CD_COLUMN_LENGTH)
		memcpy(o->length + to, i->length + at, n * sizeof(*o->length));
	if (r->columns & CD_COLUMN_IFACE)
		memcpy(o->iface + to, i->iface + at, n * sizeof(*o->iface));
	memset(r->stray + to, 0, n);
	r->at += n;
}

/* The next row beside the backbone to out[to]. */
static void copy_beside(struct cd_track_reader *r, size_t to,
			struct cd_block *block)
{
	const struct cd_track *track = r->track;
	const struct side_ref *ref = &track->side[r->beside];
	size_t index = r->beside++;
	struct cd_late row;

	r->stray[to] = 0;
	if (r->order == CD_ORDER_FILE && ref->kind != SIDE_LATE) {
		const struct cd_copy *c = ref->kind == SIDE_COPY
					      ? &track->copies[ref->index]
					      : &track->strays[ref->index];

		row = (struct cd_late){.seq = c->seq,
				       .time_ps = c->time_ps,
				       .position = c->position,
				       .number = c->number,
				       .length = c->length,
				       .iface = c->iface};
		if (ref->kind == SIDE_STRAY) {
			r->stray[to] = 1;
			block->stray = r->stray;
		}
	} else {
		row = track->late[r->order == CD_ORDER_FILE ? ref->index
							    : index];
	}
	r->out.seq[to] = (uint64_t)row.seq;
	r->out.time[to] = (uint64_t)row.time_ps;
	r->out.number[to] = row.number;
	r->out.position[to] = row.position;
	r->out.length[to] = row.length;
	r->out.iface[to] = row.iface;
	if (row.time_ps == CD_TIME_NONE && r->columns & CD_COLUMN_TIME)
		block->has_invalid = true;
}

static size_t merge_rows(struct cd_track_reader *r, size_t insert,
			 struct cd_block *block)
{
	size_t to = 0;

	while (to < TRACK_BLOCK && (r->at < r->n || insert != NO_ROW)) {
		size_t n = (insert == NO_ROW ? r->n : insert) - r->at;

		if (n > TRACK_BLOCK - to)
			n = TRACK_BLOCK - to;
		copy_rows(r, to, n);
		to += n;
		if (to < TRACK_BLOCK && r->at == insert) {
			copy_beside(r, to++, block);
			insert = next_insert(r);
		}
	}
	return to;
}

/* ---- the interface ----------------------------------------------------------- */

struct cd_track_reader *cd_track_reader_new(const struct cd_track *track,
					    enum cd_order order,
					    unsigned columns)
{
	struct cd_track_reader *r = malloc(sizeof(*r));

	if (r == NULL)
		return NULL;
	r->track = track;
	r->order = order;
	r->columns = columns;
	r->block = 0;
	r->base = 0;
	r->n = r->at = 0;
	r->has_invalid = false;
	r->beside = 0;
	return r;
}

void cd_track_reader_free(struct cd_track_reader *reader)
{
	free(reader);
}

static size_t first_late(const struct cd_track *track, int64_t seq)
{
	size_t low = 0, high = track->n_late;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (track->late[mid].seq < seq)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

void cd_track_reader_seek(struct cd_track_reader *reader, int64_t seq)
{
	const struct cd_track *track = reader->track;
	size_t b = track_block_of(track, seq);

	reader->beside = first_late(track, seq);
	if (track->n_blocks == 0)
		return;
	if (reader->n == 0 || reader->block != b + 1)
		load_block(reader, b);
	reader->at = seq == INT64_MIN
			 ? 0
			 : first_above(reader->in.seq, 0, reader->n, seq - 1);
}

static void hand_out(const struct cd_track_reader *r, struct cd_block *block,
		     const struct rows_buffer *b, size_t from, size_t n)
{
	unsigned c = r->columns;

	block->n = n;
	block->seq = (const int64_t *)b->seq + from;
	block->time_ps =
	    c & CD_COLUMN_TIME ? (const int64_t *)b->time + from : NULL;
	block->number = c & CD_COLUMN_NUMBER ? b->number + from : NULL;
	block->position = c & CD_COLUMN_POSITION ? b->position + from : NULL;
	block->length = c & CD_COLUMN_LENGTH ? b->length + from : NULL;
	block->iface = c & CD_COLUMN_IFACE ? b->iface + from : NULL;
}

int cd_track_reader_next(struct cd_track_reader *reader,
			 struct cd_block *block)
{
	struct cd_track_reader *r = reader;
	size_t insert, n;

	if (r->at == r->n && r->block < r->track->n_blocks)
		load_block(r, r->block);
	insert = next_insert(r);
	block->stray = NULL;
	block->has_invalid = r->has_invalid;
	if (CD_LIKELY(insert == NO_ROW)) {
		n = r->n - r->at;
		hand_out(r, block, &r->in, r->at, n);
		r->at = r->n;
	} else {
		n = merge_rows(r, insert, block);
		hand_out(r, block, &r->out, 0, n);
	}
	return n > 0;
}
