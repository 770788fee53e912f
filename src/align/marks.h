/*
 * Marks: what is to be said of single packets of a capture, by their frame
 * number, and sets of frames. Made of matched rows, used by a second pass over
 * the files.
 */
#ifndef CAPDIFF_ALIGN_MARKS_H
#define CAPDIFF_ALIGN_MARKS_H

#include <stddef.h>
#include <stdint.h>

enum cd_mark_kind {
	CD_MARK_GAP,	/* n are missing before it: numbers seq..other */
	CD_MARK_TAIL,	/* n are missing after it: numbers seq..other */
	CD_MARK_COPY,	/* copy n (from 2 on) of seq, other ps after the first
			   one or CD_TIME_NONE */
	CD_MARK_REPEAT, /* the same, and the reference has as many */
	CD_MARK_LATE,	/* seq came after one that is behind it in the
			   reference */
	CD_MARK_STAMP,	/* the stamp of seq is other ps late */
	CD_MARK_DELTA	/* from seq - 1 to seq it shows other ps, true are
			   (int64_t)n */
};

struct cd_mark {
	uint64_t frame;
	uint64_t n;
	int64_t seq, other;
	uint32_t stream; /* id in the report */
	enum cd_mark_kind kind;
};

struct cd_marks {
	struct cd_mark *items;
	size_t n, capacity;
};

void cd_marks_release(struct cd_marks *marks);
/* 0 or -1 (no memory). */
int cd_marks_add(struct cd_marks *marks, const struct cd_mark *mark);
/* By frame, then kind. */
void cd_marks_sort(struct cd_marks *marks);

/* Frames first..last. */
struct cd_frame_range {
	uint64_t first, last;
};

struct cd_frame_set {
	struct cd_frame_range *items;
	size_t n, capacity;
};

void cd_frame_set_release(struct cd_frame_set *set);
/* 0 or -1 (no memory). Cheap where frames rise. */
int cd_frame_set_add(struct cd_frame_set *set, uint64_t frame);
/* Ranges rising and apart. */
void cd_frame_set_sort(struct cd_frame_set *set);
/* After cd_frame_set_sort(). */
uint64_t cd_frame_set_count(const struct cd_frame_set *set);

#endif
