/* --write-missing: some packets of a capture, as they are. */
#ifndef CAPDIFF_EXTRACT_PICK_H
#define CAPDIFF_EXTRACT_PICK_H

#include <stdbool.h>
#include <stdint.h>

#include "align/marks.h"
#include "base/error.h"
#include "extract/pass.h"

struct cd_pick {
	/* .pcap or .cap: pcap, else pcapng; .gz behind it: deflated */
	const char *path;
	const struct cd_watch *watch;	   /* the capture's files */
	bool may_stop;			   /* as cd_pass_run() */
	int64_t ts_unit_ps;		   /* as cd_point */
	const struct cd_frame_set *frames; /* sorted */
};

/*
 * As pcapng with every other block of the capture, except its statistics, which
 * would speak of packets that are not there. As pcap: one link type, and times
 * to the nanosecond at best. 0; or -1, and then there is no new file.
 */
int cd_pick(const struct cd_pick *what, struct cd_error *error);

/* Does a name ask for pcap? */
bool cd_pick_is_pcap(const char *path);
/* Does it end in .gz? */
bool cd_pick_is_gzip(const char *path);

#endif
