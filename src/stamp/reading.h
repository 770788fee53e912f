/* For the search for a counter only: what a field at one place says. */
#ifndef CAPDIFF_STAMP_READING_H
#define CAPDIFF_STAMP_READING_H

#include "stamp/sieve.h"

enum {
	CD_MARK_NEXT = 1,   /* exactly one step from the one before */
	CD_MARK_CLAIMED = 2, /* of a flow that counts here */
	CD_MARK_WILD = 4     /* of one that does not */
};

struct cd_reading {
	struct cd_spot spot;
	bool little;
	bool carried;	/* a carry was seen: no doubt which byte is the next */
	bool next_zero; /* that byte is 0 in all packets */
	uint8_t width;	/* bytes, 2..8 */
	int64_t step;
	size_t hits;			/* bodies with CD_MARK_NEXT */
	uint8_t *marks;			/* CD_MARK_* of each body */
	size_t claimed[CD_SAMPLES_MAX]; /* bodies of flows that count */
	size_t read[CD_SAMPLES_MAX];	/* bodies that have the field at all */
	size_t cut[CD_SAMPLES_MAX]; /* bodies of which it was not captured */
};

/* Room to read one field after the other. */
struct cd_reader;

struct cd_reader *cd_reader_new(const struct cd_bodies *bodies,
				const struct cd_ground *ground);
void cd_reader_free(struct cd_reader *reader);

/*
 * Read the field whose lowest byte is the spot. 1: it is a counter, and
 * `reading` is to be released; 0: it is none; -1: no memory.
 *
 * A counter has a step that 16 neighbours at least differ by, exactly, in all
 * its bytes: of N packets that hold random bytes, k differ by one amount with a
 * probability of at most N^k / (k-1)! * 2^(-16 (k-1)), which is 2^-88 for
 * k = 16 and N = 4,096, and 2^-72 for all places in a payload of 1,500 bytes
 * together. What is not random is ruled out by the rest: half of the neighbours
 * that differ at all, differ by one step; one in ten at most by more than 1,024
 * steps or a sixteenth of the cycle, one in fifty by no whole number of steps
 * (time stamps, disorder); they go forward (patterns); the next byte takes the
 * carry (a byte that goes round); and one number is not that of several packets
 * (coarse clocks). All of that in one capture; the others have to agree.
 */
int cd_reader_try(struct cd_reader *reader, const struct cd_spot *spot,
		  bool little, struct cd_reading *reading);
void cd_reading_release(struct cd_reading *reading);

#endif
