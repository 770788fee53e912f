/*
 * Ring sets: the files that dumpcap -b, tcpdump -C, -W and -G or an appliance
 * wrote one after the other, which are one capture. Works on names, and on the
 * times that the caller found inside the files; opens none.
 */
#ifndef CAPDIFF_INPUT_RINGSET_H
#define CAPDIFF_INPUT_RINGSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/time.h"

/* dumpcap's number has five digits; after 99999 comes 00000 (its
 * RINGBUFFER_MAX_NUM_FILES; seen with 4.0.17). */
#define CD_RING_DUMPCAP_MODULUS 100000

enum cd_ring_kind {
	/* NAME_00001_20261130185301.pcapng, the time before the number with
	 * nametimenum:2; also editcap -c and -i */
	CD_RING_DUMPCAP,
	/* tcpdump -C: NAME.pcap, NAME.pcap1, NAME.pcap2, …; with -W from
	 * NAME.pcap0 or NAME.pcap00 on, over and over again */
	CD_RING_TCPDUMP,
	/* one number somewhere in the name differs */
	CD_RING_NUMBER,
	/* tcpdump -G: a time, or several numbers differ */
	CD_RING_TIMES
};

struct cd_ring_file {
	const char *path; /* borrowed */
	uint64_t number;  /* CD_RING_TIMES: none, 0 */
	/* A time near the begin of the file, if it has any: from the caller,
	 * between cd_ringset_init() and cd_ringset_arrange(). */
	bool has_time;
	struct cd_instant time;
};

struct cd_ringset {
	enum cd_ring_kind kind;
	struct cd_ring_file *files; /* the oldest first */
	size_t n;
	bool has_first;	 /* tcpdump: NAME.pcap is there, so nothing wraps */
	/* From cd_ringset_arrange(): */
	bool wrapped;	 /* numbers began again within the set */
	bool by_time;	 /* names in another order than the times inside */
	size_t backwards; /* the times go back before this file; 0: nowhere */
	bool two_runs;	 /* … so that they look like two runs of dumpcap */
};

/*
 * Which kind of set are these n >= 1 files? Sorts them by name. CD_E_USAGE if
 * they are not one set, or if two have the same number. 0 or -1; release after
 * both.
 */
int cd_ringset_init(struct cd_ringset *set, const char *const *paths, size_t n,
		    struct cd_error *error);
void cd_ringset_release(struct cd_ringset *set);

/*
 * Put the files in the order in which they were written:
 * - dumpcap: by number, beginning behind the largest gap in the circle of
 *   100,000 numbers (nearly always the number 1, or what the ring still has);
 * - tcpdump, other numbers: by number; if the times inside rise when the
 *   circle is entered at another number, the ring has wrapped, and that file
 *   is the oldest;
 * - times in names: by the times inside; names may be in any format.
 */
void cd_ringset_arrange(struct cd_ringset *set);

/* How many files are missing between files[i - 1] and files[i], 0 < i < n, as
 * far as names tell. What a ring has overwritten is not missing. */
uint64_t cd_ringset_missing(const struct cd_ringset *set, size_t i);

/*
 * Files that were named one by one (by a pattern that the shell resolved):
 * which belong together? Only what is beyond doubt:
 * - dumpcap: the same name before and behind number and time, two or more,
 *   different numbers, and times in the same order as the numbers;
 * - tcpdump -C: numbers directly behind the suffix of a capture, which nobody
 *   else writes, three or more, most of the numbers from the first to the last.
 * Names such as hw_1.pcap or hw-20261130.pcap are captures of their own.
 * Sets group[i] to the index of the first file of i's group, i itself if it
 * has none. 0 or -1 (no memory).
 */
int cd_ringset_group(const char *const *paths, size_t n, size_t *group);

/* What the names of a set have in common, in front of what numbers its files:
 * "dir/NAME" for dumpcap, "dir/NAME.pcap" for tcpdump. The first path if that
 * is nothing. NULL: no memory. */
char *cd_ringset_name(const char *const *paths, size_t n);

/* A pattern for the n files of a group: "dir/NAME_*.pcapng". NULL: no memory. */
char *cd_ringset_pattern(const char *const *paths, size_t n);

#endif
