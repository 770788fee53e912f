/* Names of the files of ring sets, taken apart; for this room only. */
#ifndef CAPDIFF_INPUT_RINGNAME_H
#define CAPDIFF_INPUT_RINGNAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Offsets into `path`. */
struct cd_ring_name {
	const char *path;
	size_t base; /* the file name begins */
	size_t end;  /* a suffix of compression begins, or the name ends */
	size_t body; /* digits begin that go up to `end`; `end` without */
	/* NAME_00001_20261130185301.pcapng or NAME_20261130185301_00001 */
	bool is_dumpcap, time_first;
	size_t stem;   /* the first of the two underscores */
	size_t suffix; /* what follows number and time */
	uint64_t number;
	const char *time; /* 14 digits */
};

struct cd_ring_name cd_ring_name_parse(const char *path);

/* The value of n digits, UINT64_MAX if they are none or more than 18. */
uint64_t cd_ring_digits(const char *digits, size_t n);

/* Do n digits look like a time: HHMMSS, YYMMDD, YYYYMMDD, or ten and more? */
bool cd_ring_is_time(const char *digits, size_t n);

/* By all numbers in the names, left to right; a number at the end that only
 * one of them has makes it the greater. */
int cd_ring_name_compare(const struct cd_ring_name *a,
			 const struct cd_ring_name *b);

#define CD_RING_COLUMNS 64

/*
 * Are the names the same but for numbers, and in the same folder? Adds to
 * *varying a bit for each number before `body` that differs, the leftmost
 * being bit 0.
 */
bool cd_ring_name_alike(const struct cd_ring_name *a,
			const struct cd_ring_name *b, uint64_t *varying);

/* The digits of number `column` before `body`: their offset, and *n of them. */
size_t cd_ring_column(const struct cd_ring_name *name, unsigned column,
		      size_t *n);

/* Is `body` the end of a suffix such as .pcap? `known`: of captures. */
bool cd_ring_name_ends_in_suffix(const struct cd_ring_name *name, bool known);

#endif
