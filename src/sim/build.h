/* Frames from packets: headers, stamp, payload, check sequence. */
#ifndef CAPDIFF_SIM_BUILD_H
#define CAPDIFF_SIM_BUILD_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/packet.h"
#include "sim/scenario.h"

#define CD_FRAME_MAX 65536u
#define CD_FRAME_ROOM 8u /* for tags that a point adds */

struct cd_builder {
	const struct cd_scenario *scenario;
	const struct cd_point_spec *point;
	uint8_t bytes[CD_FRAME_ROOM + CD_FRAME_MAX];
};

struct cd_built {
	const uint8_t *data; /* in the builder, until the next frame */
	uint32_t length;     /* all of it, as on the wire at this point */
};

/* Bytes before the payload, and how many a frame of `size` leaves for it. */
uint32_t cd_build_header_bytes(const struct cd_stream_spec *stream);
uint32_t cd_build_payload_bytes(const struct cd_stream_spec *stream,
				uint32_t size);

/* The number of packet `index` in the stream, in units of the step and not
 * wrapped: the ID that a perfect reader unwraps it to, and the raw field. */
int64_t cd_build_id(const struct cd_stream_spec *stream, uint64_t index,
		    uint32_t *epoch);
uint64_t cd_build_number(const struct cd_stream_spec *stream, uint64_t index);

/* `damage` is XORed into the raw number; 0 leaves it alone. */
struct cd_built cd_build_frame(struct cd_builder *builder,
			       const struct cd_packet *packet,
			       uint64_t damage);

#endif
