/* One packet of a stream as all captures show it. */
#ifndef CAPDIFF_ALIGN_PACKET_H
#define CAPDIFF_ALIGN_PACKET_H

#include <stdbool.h>
#include <stdint.h>

/* In one capture. */
struct cd_packet_cell {
	bool has; /* the rest but `missing` is undefined without */
	bool has_error, has_delta;
	int8_t missing;	 /* counted as missing: 1, not: 0, not judged: -1 */
	uint64_t copies; /* with the first, whose frame and time these are */
	uint64_t frame;
	int64_t time_ps;  /* since the capture's base, CD_TIME_NONE: none */
	int64_t error_ps; /* time stamp error */
	int64_t delta_ps; /* since the number before */
};

struct cd_packet_row {
	uint32_t stream, epoch;
	int64_t seq;
	const struct cd_packet_cell *cells; /* one for each capture */
};

#endif
