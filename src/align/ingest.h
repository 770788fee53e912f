/*
 * Reading all captures once: opens every file before it reads from any, looks
 * at a sample of each, decides on the stamp, then builds the tracks, one
 * thread per capture.
 */
#ifndef CAPDIFF_ALIGN_INGEST_H
#define CAPDIFF_ALIGN_INGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "align/point.h"
#include "base/error.h"
#include "stamp/detect.h"

enum cd_stamp_mode {
	CD_STAMP_AUTO, /* detect; without success see `allow_unnumbered` */
	CD_STAMP_GIVEN,
	CD_STAMP_NONE
};

struct cd_progress_state {
	uint64_t bytes, size; /* of all files; size 0: not known */
	uint64_t packets;
};

struct cd_ingest_options {
	enum cd_stamp_mode stamp;
	struct cd_stamp_spec spec;   /* with CD_STAMP_GIVEN */
	bool allow_unnumbered;	     /* one capture: fall back to none */
	const char *filter;	     /* NULL: all packets */
	uint64_t max_packets;	     /* per capture after the filter, 0: all */
	uint64_t interval_packets;   /* rows of N packets, 0: none */
	int64_t interval_ps;	     /* rows of time, 0: none */
	int fcs_bytes;		     /* --fcs, -1: not given; for the rows */
	unsigned threads;	     /* at most this many run at once, >= 1 */
	/* Called about 4 times a second from the calling thread; may be NULL. */
	void (*progress)(void *context, const struct cd_progress_state *);
	void *progress_context;
};

struct cd_ingest_result {
	struct cd_detection detection; /* with CD_STAMP_AUTO */
	struct cd_stamp_spec spec;     /* used; format NULL: none */
	uint64_t bytes;		       /* held by all tracks */
};

/*
 * Fill `points` (path, label, … given; the rest zero). Returns 0, or -1 when
 * nothing can be analysed: a file cannot be opened, holds no packet, is not a
 * capture, is damaged before the first packet, or the filter is wrong. A file
 * cut short or damaged later is not an error: point->stop says so. No stamp in
 * any capture is not an error either: result->spec.format is NULL and
 * `numbered` false in every point; without `allow_unnumbered` no track is
 * built then (n_streams 0), but all packets are counted.
 *
 * With several faults the error is that of the first capture that has one. On
 * error the points hold nothing to release. Release result->detection with
 * cd_detection_release() (all zero unless CD_STAMP_AUTO).
 * Results do not depend on `threads`.
 *
 * What a pipe brings is held in memory until all captures have a sample of
 * 4,096 packets or have ended: all of the first, should one writer fill two
 * pipes one after the other.
 */
int cd_ingest(struct cd_point *points, size_t n,
	      const struct cd_ingest_options *options,
	      struct cd_ingest_result *result, struct cd_error *error);

#endif
