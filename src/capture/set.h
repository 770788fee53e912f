/*
 * Several files read one after the other as one capture: a ring set. Each has
 * its own header, format, compression and interfaces.
 */
#ifndef CAPDIFF_CAPTURE_SET_H
#define CAPDIFF_CAPTURE_SET_H

#include "capture/capture.h"

/* One file of a set; strings are owned. */
struct cd_member {
	char *path;
	const char *format; /* NULL: not opened, or no capture */
	enum cd_compression compression;
	uint64_t packets, bytes;
	/* Why the file was not read to its end, NULL if it was. A file without
	 * a byte counts as cut short. */
	struct cd_error *stop;
};

/*
 * Open these n >= 1 files, in this order, as one capture. They are opened one
 * by one as their turn comes, so that sets of any size work; the first one
 * that can be opened is, before this returns. What is wrong with one file ends
 * that file only, and stands in its member. NULL: none can be read (error: of
 * the first one), or no memory.
 *
 * Records are numbered on from file to file. Interfaces of the same section
 * and id that look alike (link type, resolution, name …) are one over all
 * files. Their statistics: dumpcap 4.0 writes none into ring sets; where they
 * come more than once, those that begin at the same time as the ones before
 * (or, without times, have grown by the packets of their file) replace them,
 * others are added.
 */
struct cd_capture *cd_set_open(const char *const *paths, size_t n,
			       struct cd_error *error);

/* The files, while the capture is open; with what has been read so far. NULL
 * if the capture is no set. */
const struct cd_member *cd_set_members(const struct cd_capture *capture,
				       size_t *n);
/* Take them over: free with cd_members_free(). The capture can only be closed
 * after that. */
struct cd_member *cd_set_take_members(struct cd_capture *capture, size_t *n);
void cd_members_free(struct cd_member *members, size_t n);

/* Bytes read from all files so far, before inflation. Only for the thread that
 * reads. */
uint64_t cd_set_consumed(const struct cd_capture *capture);

/*
 * The time of a file: the median of the first times in it, so that a few wild
 * ones do not matter. 1; 0: it has none, or is empty or damaged before them;
 * -1: it cannot be opened, or is no capture.
 */
int cd_capture_time(const char *path, struct cd_instant *time,
		    struct cd_error *error);

#endif
