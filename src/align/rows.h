/*
 * Matched rows: a merge of tracks in sequence order, block by block.
 */
#ifndef CAPDIFF_ALIGN_ROWS_H
#define CAPDIFF_ALIGN_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "align/point.h"
#include "align/track.h"

enum cd_rows_mode {
	CD_ROWS_UNION,	/* numbers that at least one track has */
	CD_ROWS_MATCHED /* numbers that all have, with a valid time in all */
};

struct cd_rows_options {
	const struct cd_track *const *tracks; /* n of them, none NULL */
	size_t n;		 /* 1..CD_POINTS_MAX */
	int64_t from, to;	 /* inclusive range of numbers */
	enum cd_rows_mode mode;
	unsigned columns;	 /* CD_COLUMN_* wanted */
};

/* A block of rows; arrays of `n`, valid until the next call. In a union the
 * columns of a track that lacks the row are undefined: ask the mask. */
struct cd_rows_block {
	size_t n;
	const int64_t *seq;
	const uint64_t *mask;			/* bit k: track k has it; NULL
						   in CD_ROWS_MATCHED */
	const int64_t *time_ps[CD_POINTS_MAX];
	const uint64_t *number[CD_POINTS_MAX];
	const uint32_t *length[CD_POINTS_MAX];
	const uint64_t *position[CD_POINTS_MAX];
};

struct cd_rows; /* opaque */
/* NULL without memory. */
struct cd_rows *cd_rows_new(const struct cd_rows_options *options);
void cd_rows_free(struct cd_rows *rows);
/* 1: a block of 1..CD_BLOCK_ROWS rows; 0: end. */
int cd_rows_next(struct cd_rows *rows, struct cd_rows_block *block);
void cd_rows_rewind(struct cd_rows *rows);

#endif
