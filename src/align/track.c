#include "align/track.h"

#include <stdlib.h>
#include <string.h>

#include "align/track_private.h"
#include "base/array.h"
#include "base/bytes.h"
#include "base/inverse.h"
#include "base/time.h"

/* ---- the unit of times ---------------------------------------------------- */

static void set_unit(struct cd_track *track, int64_t unit_ps)
{
	uint64_t unit = unit_ps < 1 ? 1 : (uint64_t)unit_ps;

	track->unit_ps = (int64_t)unit;
	track->unit_shift = (unsigned)__builtin_ctzll(unit);
	track->unit_inverse = cd_inverse_of_odd(unit >> track->unit_shift);
}

/*
 * Divide times by the unit where that is exact for all of them. For t = q * odd
 * the quotient is t * inverse modulo 2^64; a wrong one is out of range, as
 * only one multiple of `unit` within +-2^63 is congruent to t.
 */
static bool divide_times(const struct cd_track *track, const uint64_t *time,
			 size_t n, uint64_t *quotient)
{
	uint64_t low = (UINT64_C(1) << track->unit_shift) - 1, rest = 0;
	uint64_t limit = (uint64_t)(INT64_MAX / track->unit_ps);
	bool far = false;

	for (size_t i = 0; i < n; i++) {
		uint64_t t = (uint64_t)((int64_t)time[i] >> track->unit_shift);
		uint64_t q = t * track->unit_inverse;

		rest |= time[i] & low;
		far |= q + limit > 2 * limit;
		quotient[i] = q;
	}
	return rest == 0 && !far;
}

/* ---- life ------------------------------------------------------------------ */

struct cd_track *cd_track_new(int64_t unit_ps)
{
	struct cd_track *track = calloc(1, sizeof(*track));

	if (track != NULL)
		set_unit(track, unit_ps);
	return track;
}

void cd_track_free(struct cd_track *track)
{
	if (track == NULL)
		return;
	cd_arena_release(&track->arena);
	free(track->staged.seq);
	free(track->coded);
	free(track->blocks);
	free(track->gaps);
	free(track->beside);
	free(track->side);
	free(track->copies);
	free(track->late);
	free(track->strays);
	free(track->identities);
	free(track);
}

/* ---- coding ----------------------------------------------------------------- */

/* One allocation for all columns; it grows with the track, as there may be
 * very many very short ones. */
static int grow_staged(struct cd_track *track)
{
	size_t old = track->staged_capacity, n = old == 0 ? 8 : 4 * old;
	struct track_columns c, o = track->staged;
	size_t row = 3 * sizeof(uint64_t) + 2 * sizeof(uint32_t);

	if (n > CD_PACK_RUN)
		n = CD_PACK_RUN;
	c.seq = malloc(n * row);
	if (c.seq == NULL)
		return -1;
	c.time = c.seq + n;
	c.number = c.time + n;
	c.length = (uint32_t *)(void *)(c.number + n);
	c.iface = c.length + n;
	if (old > 0) {
		memcpy(c.seq, o.seq, old * sizeof(*c.seq));
		memcpy(c.time, o.time, old * sizeof(*c.time));
		memcpy(c.number, o.number, old * sizeof(*c.number));
		memcpy(c.length, o.length, old * sizeof(*c.length));
		memcpy(c.iface, o.iface, old * sizeof(*c.iface));
	}
	free(o.seq);
	track->staged = c;
	track->staged_capacity = n;
	return 0;
}

static uint8_t *code_times(const struct cd_track *track, uint8_t *p)
{
	uint64_t quotient[CD_PACK_RUN], before = track->before.time;
	size_t n = track->n_staged;

	if (track->unit_ps > 1 &&
	    divide_times(track, track->staged.time, n, quotient)) {
		before = (uint64_t)((int64_t)before / track->unit_ps);
		*p++ = 0;
		return cd_pack(p, quotient, n, before);
	}
	*p++ = 1;
	return cd_pack(p, track->staged.time, n, before);
}

static int close_block(struct cd_track *track)
{
	size_t n = track->coded_bytes;
	uint8_t *p;

	if (cd_grow(&track->blocks, &track->blocks_capacity,
		    track->n_blocks + 1, sizeof(*track->blocks)) < 0)
		return -1;
	p = cd_arena_take(&track->arena, n + CD_PACK_SLACK);
	if (p == NULL)
		return -1;
	memcpy(p, track->coded, n);
	memset(p + n, 0, CD_PACK_SLACK);
	track->blocks[track->n_blocks++] = (struct block_index){
	    .first_seq = track->coded_first_seq, .bytes = p};
	track->coded_bytes = 0;
	track->coded_rows = 0;
	return 0;
}

static void open_block(struct cd_track *track)
{
	track->coded_first_seq = (int64_t)track->staged.seq[0];
	memcpy(track->coded, &track->before, sizeof(track->before));
	track->coded_bytes = sizeof(track->before);
}

/* Code the staged rows as one run. */
static int code_run(struct cd_track *track)
{
	const struct track_columns *c = &track->staged;
	size_t n = track->n_staged;
	uint8_t *p;

	if (cd_grow(&track->coded, &track->coded_capacity,
		    track->coded_bytes + sizeof(track->before) + 1 +
			5 * CD_PACK_MAX,
		    1) < 0)
		return -1;
	if (track->coded_rows == 0)
		open_block(track);
	p = track->coded + track->coded_bytes;
	p = cd_pack(p, c->seq, n, track->before.seq);
	p = code_times(track, p);
	p = cd_pack(p, c->number, n, track->before.number);
	p = cd_pack32(p, c->length, n, track->before.length);
	p = cd_pack32(p, c->iface, n, track->before.iface);
	track->coded_bytes = (size_t)(p - track->coded);
	track->coded_rows += n;
	track->before = (struct block_head){
	    .seq = c->seq[n - 1],
	    .time = c->time[n - 1],
	    .number = c->number[n - 1],
	    .length = c->length[n - 1],
	    .iface = c->iface[n - 1],
	};
	track->backbone += n;
	track->n_staged = 0;
	return track->coded_rows == TRACK_BLOCK ? close_block(track) : 0;
}

int track_make_room(struct cd_track *track)
{
	if (track->staged_capacity < CD_PACK_RUN)
		return grow_staged(track);
	return code_run(track);
}

/* ---- adding ------------------------------------------------------------------ */

static uint64_t backbone_rows(const struct cd_track *track)
{
	return track->backbone + track->n_staged;
}

static int add_beside(struct cd_track *track, const struct cd_track_row *row,
		      enum cd_row_kind kind)
{
	if (cd_grow(&track->beside, &track->beside_capacity,
		    track->n_beside + 1, sizeof(*track->beside)) < 0)
		return -1;
	track->beside[track->n_beside] = (struct side_row){
	    .row = *row,
	    .position = backbone_rows(track) + track->n_beside,
	    .kind = kind == CD_ROW_STRAY ? SIDE_STRAY : SIDE_COPY,
	};
	track->n_beside++;
	track->invalid += row->time_ps == CD_TIME_NONE;
	return 0;
}

static int note_invalid(struct cd_track *track)
{
	struct invalid_run *last =
	    track->n_gaps > 0 ? &track->gaps[track->n_gaps - 1] : NULL;
	uint64_t row = backbone_rows(track);

	track->invalid++;
	if (last != NULL && last->first + last->n == row) {
		last->n++;
		return 0;
	}
	if (cd_grow(&track->gaps, &track->gaps_capacity, track->n_gaps + 1,
		    sizeof(*track->gaps)) < 0)
		return -1;
	track->gaps[track->n_gaps++] =
	    (struct invalid_run){.first = row, .n = 1};
	return 0;
}

static bool is_first(const struct cd_track *track)
{
	return backbone_rows(track) == 0;
}

int track_add_slowly(struct cd_track *track, const struct cd_track_row *row,
		     enum cd_row_kind kind)
{
	uint64_t time = (uint64_t)row->time_ps;

	if (kind == CD_ROW_STRAY ||
	    (row->seq <= track->last_seq && !is_first(track)))
		return add_beside(track, row, kind);
	if (track->n_staged == track->staged_capacity && track_make_room(track) < 0)
		return -1;
	if (row->time_ps == CD_TIME_NONE) {
		if (note_invalid(track) < 0)
			return -1;
		time = track->last_time;
	}
	track_stage(track, row, time);
	return 0;
}

int cd_track_add(struct cd_track *track, const struct cd_track_row *row,
		 enum cd_row_kind kind)
{
	return track_add(track, row, kind);
}

static void release_writer(struct cd_track *track)
{
	free(track->staged.seq);
	free(track->coded);
	free(track->beside);
	track->staged = (struct track_columns){0};
	track->coded = NULL;
	track->beside = NULL;
	track->n_staged = track->staged_capacity = 0;
	track->coded_capacity = 0;
	track->n_beside = track->beside_capacity = 0;
}

int cd_track_finish(struct cd_track *track)
{
	if (track->n_staged > 0 && code_run(track) < 0)
		return -1;
	if (track->coded_rows > 0 && close_block(track) < 0)
		return -1;
	if (track_sort_side(track) < 0)
		return -1;
	release_writer(track);
	return 0;
}

int cd_track_add_identity(struct cd_track *track,
			  const struct cd_identity *identity)
{
	if (cd_grow(&track->identities, &track->identities_capacity,
		    track->n_identities + 1, sizeof(*track->identities)) < 0)
		return -1;
	track->identities[track->n_identities++] = *identity;
	return 0;
}

void cd_track_shift(struct cd_track *track, int64_t by)
{
	for (size_t b = 0; b < track->n_blocks; b++) {
		struct block_head head;

		track->blocks[b].first_seq += by;
		memcpy(&head, track->blocks[b].bytes, sizeof(head));
		head.seq += (uint64_t)by;
		memcpy(track->blocks[b].bytes, &head, sizeof(head));
	}
	track->last_seq += by;
	for (size_t i = 0; i < track->n_copies; i++)
		track->copies[i].seq += by;
	for (size_t i = 0; i < track->n_late; i++)
		track->late[i].seq += by;
	for (size_t i = 0; i < track->n_strays; i++)
		track->strays[i].seq =
		    (int64_t)((uint64_t)track->strays[i].seq + (uint64_t)by);
	for (size_t i = 0; i < track->n_identities; i++)
		track->identities[i].seq += by;
}

/* ---- asking ------------------------------------------------------------------ */

int64_t cd_track_unit(const struct cd_track *track)
{
	return track->unit_ps;
}

uint64_t cd_track_rows(const struct cd_track *track)
{
	return track->backbone + track->n_side;
}

uint64_t cd_track_strays(const struct cd_track *track)
{
	return track->n_strays;
}

uint64_t cd_track_unique(const struct cd_track *track)
{
	return track->backbone + track->n_late;
}

uint64_t cd_track_invalid(const struct cd_track *track)
{
	return track->invalid;
}

/* A late row comes after a larger number: there is a backbone if there is any
 * kept row. */
bool cd_track_range(const struct cd_track *track, int64_t *first,
		    int64_t *last)
{
	if (track->backbone == 0)
		return false;
	*first = track->blocks[0].first_seq;
	if (track->n_late > 0 && track->late[0].seq < *first)
		*first = track->late[0].seq;
	*last = track->last_seq;
	return true;
}

size_t cd_track_bytes(const struct cd_track *track)
{
	return sizeof(*track) + track->arena.allocated +
	       track->arena.capacity * sizeof(*track->arena.chunks) +
	       track->blocks_capacity * sizeof(*track->blocks) +
	       track->gaps_capacity * sizeof(*track->gaps) +
	       track->n_side * sizeof(*track->side) +
	       track->n_copies * sizeof(*track->copies) +
	       track->n_late * sizeof(*track->late) +
	       track->n_strays * sizeof(*track->strays) +
	       track->identities_capacity * sizeof(*track->identities);
}

const struct cd_copy *cd_track_copies(const struct cd_track *track, size_t *n)
{
	*n = track->n_copies;
	return track->copies;
}

const struct cd_late *cd_track_late(const struct cd_track *track, size_t *n)
{
	*n = track->n_late;
	return track->late;
}

const struct cd_identity *cd_track_identities(const struct cd_track *track,
					      size_t *n)
{
	*n = track->n_identities;
	return track->identities;
}
