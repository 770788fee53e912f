/*
 * pcapng output made of blocks as they were read, some with a comment more;
 * what is no enhanced packet block becomes one only where it has to.
 */
#ifndef CAPDIFF_EXTRACT_NGOUT_H
#define CAPDIFF_EXTRACT_NGOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "capture/block.h"
#include "capture/capture.h"
#include "capture/sink.h"

/* What is added to a packet. */
struct cd_note {
	const char *comment;
	bool has_drops;
	uint64_t drops; /* replaces the packet's own epb_dropcount */
};

struct cd_ngout {
	struct cd_sink *sink;
	struct cd_block_out block;
	int64_t ts_unit_ps; /* --ts-unit of pcap files; 0: as they say */
	/* of the pcap file being read */
	uint64_t per_second;
};

/* A file begins: a pcap file gets a section and an interface of its own, the
 * blocks of a pcapng file follow. All three: 0 or -1. */
int cd_ngout_begin(struct cd_ngout *out, const struct cd_capture *capture,
		   struct cd_error *error);
/* A packet, as it was without `note` (NULL), else with it as the last option;
 * every other byte stays as it was. `raw`: its block, NULL from a pcap file. */
int cd_ngout_packet(struct cd_ngout *out, const struct cd_record *record,
		    const struct cd_raw *raw, const struct cd_note *note,
		    struct cd_error *error);
/* A block that is no packet. The length of sections is no longer said. */
int cd_ngout_other(struct cd_ngout *out, const struct cd_raw *raw,
		   struct cd_error *error);
/* Memory, not the sink. */
void cd_ngout_release(struct cd_ngout *out);

#endif
