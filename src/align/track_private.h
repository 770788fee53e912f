/* A track from the inside: for track.c, side.c, reader.c, and the short cut of
 * flows.c. */
#ifndef CAPDIFF_ALIGN_TRACK_PRIVATE_H
#define CAPDIFF_ALIGN_TRACK_PRIVATE_H

#include "align/arena.h"
#include "align/pack.h"
#include "align/track.h"
#include "base/bytes.h"
#include "base/time.h"

/* Rows of a coded block: small enough for the decoded columns of two tracks
 * to stay in a first-level cache. */
#define TRACK_BLOCK 1024
_Static_assert(TRACK_BLOCK <= CD_BLOCK_ROWS, "blocks fit the readers' promise");
_Static_assert(TRACK_BLOCK % CD_PACK_RUN == 0, "whole runs");

/* Decoded rows by column. */
struct track_columns {
	uint64_t *seq, *time, *number;
	uint32_t *length, *iface;
};

/*
 * A coded block: this head, then runs of CD_PACK_RUN rows (the last one
 * shorter), each a byte `exact` and the five columns. Times are in units of
 * unit_ps, in ps if `exact`; an invalid time repeats the one before.
 */
struct block_head {
	uint64_t seq, time, number; /* of the row before the block */
	uint32_t length, iface;
};

struct block_index {
	int64_t first_seq;
	uint8_t *bytes; /* head and runs */
};

/* Rows first .. first + n - 1 of the backbone have no valid time. */
struct invalid_run {
	uint64_t first, n;
};

enum side_kind { SIDE_COPY, SIDE_LATE, SIDE_STRAY };

/* A row beside the backbone, in file order: which list it went to. Its place
 * is before backbone row `position - rank`, rank being its index here. */
struct side_ref {
	uint64_t position;
	uint32_t index;
	uint32_t kind;
};

/* Before cd_track_finish(): rows beside the backbone as they came. */
struct side_row {
	struct cd_track_row row;
	uint64_t position;
	enum side_kind kind; /* SIDE_COPY: late or a copy, not yet known */
};

struct cd_track {
	/* unit_ps = odd << shift; inverse * odd = 1 modulo 2^64 */
	int64_t unit_ps;
	uint64_t unit_inverse;
	unsigned unit_shift;

	uint64_t backbone; /* rows in blocks; staged ones after them */
	uint64_t invalid;
	int64_t last_seq;
	uint64_t last_time;

	/* rows not yet coded: at most CD_PACK_RUN */
	struct track_columns staged;
	size_t n_staged, staged_capacity;
	struct block_head before;  /* the row before the staged ones */

	/* the block under construction */
	uint8_t *coded;
	size_t coded_bytes, coded_capacity;
	size_t coded_rows;
	int64_t coded_first_seq;

	struct cd_arena arena;
	struct block_index *blocks;
	size_t n_blocks, blocks_capacity;

	struct invalid_run *gaps;
	size_t n_gaps, gaps_capacity;

	struct side_row *beside;
	size_t n_beside, beside_capacity;

	/* made by cd_track_finish() */
	struct side_ref *side;
	struct cd_copy *copies;
	struct cd_late *late;
	struct cd_copy *strays;
	size_t n_side, n_copies, n_late, n_strays;

	struct cd_identity *identities;
	size_t n_identities, identities_capacity;
};

static inline void track_stage(struct cd_track *track,
			       const struct cd_track_row *row, uint64_t time)
{
	size_t i = track->n_staged++;

	track->staged.seq[i] = (uint64_t)row->seq;
	track->staged.time[i] = time;
	track->staged.number[i] = row->number;
	track->staged.length[i] = row->length;
	track->staged.iface[i] = row->iface;
	track->last_seq = row->seq;
	track->last_time = time;
}

/* Room for at least one more staged row. 0 or -1. */
int track_make_room(struct cd_track *track);

/* All that is seldom. */
int track_add_slowly(struct cd_track *track, const struct cd_track_row *row,
		     enum cd_row_kind kind);

/* cd_track_add(), in line. */
static inline int track_add(struct cd_track *track,
			    const struct cd_track_row *row,
			    enum cd_row_kind kind)
{
	if (CD_UNLIKELY(kind == CD_ROW_STRAY || row->seq <= track->last_seq ||
			track->n_staged == track->staged_capacity ||
			row->time_ps == CD_TIME_NONE))
		return track_add_slowly(track, row, kind);
	track_stage(track, row, (uint64_t)row->time_ps);
	return 0;
}

/* Sort what lies beside the backbone into copies, late rows and strays. */
int track_sort_side(struct cd_track *track);

/* Rows in block `b`. */
static inline size_t track_block_rows(const struct cd_track *track, size_t b)
{
	uint64_t left = track->backbone - (uint64_t)b * TRACK_BLOCK;

	return left < TRACK_BLOCK ? (size_t)left : TRACK_BLOCK;
}

/* The columns that are not NULL in `out`; seq never is. */
void track_decode(const struct cd_track *track, size_t b,
		  const struct track_columns *out);

/* Side rows that come before backbone row `row`. */
size_t track_side_before(const struct cd_track *track, uint64_t row);

/* The block that holds the last backbone row with a number <= seq, or 0. */
size_t track_block_of(const struct cd_track *track, int64_t seq);

#endif
