/* pcap output: records as they were read. */
#ifndef CAPDIFF_EXTRACT_PCAPOUT_H
#define CAPDIFF_EXTRACT_PCAPOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "capture/capture.h"
#include "capture/sink.h"

struct cd_pcapout {
	struct cd_sink *sink;
	int64_t ts_unit_ps; /* --ts-unit of pcap files; 0: as they say */
	const struct cd_capture *capture; /* being read */
	bool begun;			  /* the file header is written */
	bool micro;			  /* microseconds, else nanoseconds */
	bool from_pcap;
	uint32_t linktype;
	uint8_t fcs_bytes;
};

/* A file begins. All return 0 or -1. */
int cd_pcapout_begin(struct cd_pcapout *out, const struct cd_capture *capture,
		     struct cd_error *error);
/* CD_E_DATA: another link type than before, or a time that pcap cannot hold. */
int cd_pcapout_packet(struct cd_pcapout *out, const struct cd_record *record,
		      struct cd_error *error);
/* No more packets: there is a header in any case. */
int cd_pcapout_end(struct cd_pcapout *out, struct cd_error *error);

#endif
