/*
 * A second pass over the files of a capture: packet by packet with the frame
 * numbers of the first one, and of pcapng files every block.
 */
#ifndef CAPDIFF_EXTRACT_PASS_H
#define CAPDIFF_EXTRACT_PASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "align/point.h"
#include "base/error.h"
#include "capture/capture.h"

/* What the files of a capture were before they were read first. */
struct cd_watch {
	const char *const *paths; /* n of them, borrowed */
	size_t n;
	struct stat *status;
};

/* CD_E_USAGE if one is no regular file (standard input, a pipe): it cannot be
 * read twice; `option` is what asks for that. What cannot be found is left to
 * the reading. 0 or -1; release after both. */
int cd_watch_begin(struct cd_watch *watch, const char *const *paths, size_t n,
		   const char *option, struct cd_error *error);
/* Are they still the same, unwritten? 0, or -1 with CD_E_READ. */
int cd_watch_check(const struct cd_watch *watch, struct cd_error *error);
void cd_watch_release(struct cd_watch *watch);

/* What to do with it all, in file order. Each 0 or -1. */
struct cd_pass {
	/* A file begins. */
	int (*begin)(void *context, const struct cd_capture *capture,
		     struct cd_error *error);
	/* A packet; `raw` is its block, NULL in pcap files. record->number
	 * counts on over the files of a ring set. */
	int (*packet)(void *context, const struct cd_record *record,
		      const struct cd_raw *raw, struct cd_error *error);
	/* Any other block of a pcapng file. */
	int (*other)(void *context, const struct cd_raw *raw,
		     struct cd_error *error);
	void *context;
};

/*
 * Read the files of `watch`. Where one is cut short or damaged, it ends there
 * with `may_stop`, which says that the first pass met something like that too;
 * else that is an error. 0 or -1.
 */
int cd_pass_run(const struct cd_pass *pass, const struct cd_watch *watch,
		bool may_stop, struct cd_error *error);

/* CD_E_READ: "changed while it was read". Returns -1. */
int cd_pass_changed(const char *path, struct cd_error *error);

#endif
