/*
 * A track: what is kept of every packet of one (capture, stream, epoch):
 * unwrapped sequence number, time, frame number, frame length. Written once,
 * in file order, by its capture's thread; read many times, block by block.
 *
 * Inside: a backbone (rows whose number is the largest so far, columns coded
 * in blocks: minimum delta and bit-packed rest, 3-5 bytes a packet where
 * int64 columns would take 32) and short side lists of stragglers (late
 * packets, duplicates, strays). Readers hide that.
 */
#ifndef CAPDIFF_ALIGN_TRACK_H
#define CAPDIFF_ALIGN_TRACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CD_BLOCK_ROWS 4096 /* most rows a reader hands out at once */

struct cd_track; /* opaque */

/* One packet, as the writer gives it. */
struct cd_track_row {
	int64_t seq;	 /* unwrapped, divided by the step */
	int64_t time_ps; /* since the point's base, CD_TIME_NONE: invalid */
	uint64_t number; /* frame number in the file */
	uint32_t length; /* frame bytes on the wire, without FCS */
	uint32_t iface;
};

enum cd_row_kind {
	CD_ROW_KEPT, /* backbone or late: takes part in matching */
	CD_ROW_STRAY /* corrupt number: only its place and time count */
};

/*
 * `unit_ps`: a divisor of (nearly) all times, 1 if not known: only a matter of
 * storage, any time is kept exactly.
 */
struct cd_track *cd_track_new(int64_t unit_ps);
void cd_track_free(struct cd_track *track);
/* Rows in file order. 0 or -1 (no memory). */
int cd_track_add(struct cd_track *track, const struct cd_track_row *row,
		 enum cd_row_kind kind);
/* No more rows: sorts stragglers, closes the last block. 0 or -1. */
int cd_track_finish(struct cd_track *track);

/* After cd_track_finish(): */
/* Add `by` to every number; none may overflow. While nobody reads. */
void cd_track_shift(struct cd_track *track, int64_t by);
int64_t cd_track_unit(const struct cd_track *track); /* as it was given */
uint64_t cd_track_rows(const struct cd_track *track);	/* with strays */
uint64_t cd_track_strays(const struct cd_track *track);
uint64_t cd_track_unique(const struct cd_track *track); /* |S_k| */
/* Rows without a valid time, strays and copies too. */
uint64_t cd_track_invalid(const struct cd_track *track);
bool cd_track_range(const struct cd_track *track, int64_t *first,
		    int64_t *last); /* f_k, l_k; false: no kept row */
size_t cd_track_bytes(const struct cd_track *track); /* memory held */
/* Largest reordering extent (RFC 4737, over first copies) among the first
 * `window` of them: e_k of METRICS 1.1, 0 normally. */
uint64_t cd_track_head_extent(const struct cd_track *track, uint64_t window);

/* Copies after the first (METRICS 2.1), in (seq, position) order. */
struct cd_copy {
	int64_t seq;
	int64_t time_ps;
	uint64_t position; /* rank in the track's file order, 0-based */
	uint64_t number;
	int64_t first_time_ps; /* of the first copy in file order */
	uint32_t length;
	uint32_t iface;
};
const struct cd_copy *cd_track_copies(const struct cd_track *track,
				      size_t *n);

/* First copies that came late: their number is not the largest so far. In
 * seq order. */
struct cd_late {
	int64_t seq;
	int64_t time_ps;
	uint64_t position;
	uint64_t number;
	uint32_t length;
	uint32_t iface;
};
const struct cd_late *cd_track_late(const struct cd_track *track, size_t *n);

enum {
	CD_COLUMN_TIME = 1,
	CD_COLUMN_NUMBER = 2,
	CD_COLUMN_LENGTH = 4,
	CD_COLUMN_POSITION = 8,
	CD_COLUMN_IFACE = 16
};

/* Rows of a block. Columns not asked for are NULL. Memory is the reader's,
 * valid until its next call. */
struct cd_block {
	size_t n;
	const int64_t *seq;
	const int64_t *time_ps; /* CD_TIME_NONE where invalid */
	const uint64_t *number;
	const uint32_t *length;
	const uint64_t *position; /* rank in file order */
	const uint32_t *iface;
	const uint8_t *stray;	  /* file order only: 1 for strays, or NULL
				     when the block has none */
	bool has_invalid;	  /* some time_ps may be CD_TIME_NONE */
};

enum cd_order {
	CD_ORDER_FILE, /* every row, as written */
	CD_ORDER_SEQ   /* first copies only, rising seq, no stray */
};

struct cd_track_reader; /* opaque, about 100 KiB */
struct cd_track_reader *cd_track_reader_new(const struct cd_track *track,
					    enum cd_order order,
					    unsigned columns);
void cd_track_reader_free(struct cd_track_reader *reader);
/* Go to the first row with seq >= `seq` (CD_ORDER_SEQ only), any time, forward
 * or back. O(log rows). */
void cd_track_reader_seek(struct cd_track_reader *reader, int64_t seq);
/* 1: a block of at least one row; 0: end. Never fails. */
int cd_track_reader_next(struct cd_track_reader *reader,
			 struct cd_block *block);

/* Identity of a sample of rows (those with seq mod 64 = 0). */
struct cd_identity {
	int64_t seq;
	int64_t tx;	      /* embedded transmit time, raw units */
	uint64_t digest[3];   /* of payload bytes without the number: first 16,
				 first 64, all; 0 where not captured */
	uint32_t bytes;	      /* payload bytes on the wire */
	bool has_tx;
	bool full;	      /* digest[2] covers the whole payload */
};
int cd_track_add_identity(struct cd_track *track,
			  const struct cd_identity *identity);
/* In file order; may repeat a number (copies). */
const struct cd_identity *cd_track_identities(const struct cd_track *track,
					      size_t *n);

#endif
