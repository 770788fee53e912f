/*
 * sockperf over UDP (message.h): 0 number (64), 8 flags (16): 1 from the
 * client, 2 answer wanted, 4 warm-up, 10 length of the message (32), which is
 * the payload; big endian. Answers repeat the number without flag 1.
 */
#include "stamp/formats.h"

enum { FROM_CLIENT = 1, WARM_UP = 4, ALL_FLAGS = 7, HEADER = 14 };

static enum cd_stamp_found parse(const struct cd_stamp_spec *spec,
				 const struct cd_frame *frame,
				 struct cd_stamp *stamp)
{
	const uint8_t *p = frame->payload;
	uint32_t n = frame->payload_captured;
	uint16_t flags;

	if (!cd_stamp_is_plain(frame, HEADER))
		return CD_STAMP_NO;
	flags = n >= 10 ? cd_be16(p + 8) : 0;
	if ((flags & ~ALL_FLAGS) != 0)
		return CD_STAMP_NO;
	if (n < HEADER)
		return CD_STAMP_CUT;
	if (cd_be32(p + 10) != cd_stamp_datagram_bytes(frame))
		return CD_STAMP_NO;
	if ((flags & WARM_UP) != 0)
		return CD_STAMP_CONTROL;
	*stamp = (struct cd_stamp){
	    .seq = cd_be64(p),
	    .flow = flags & FROM_CLIENT,
	};
	return cd_stamp_keep(spec, stamp);
}

static bool pin(const struct cd_stamp_spec *spec, const struct cd_frame *frame,
		struct cd_stamp_pin *out)
{
	(void)spec;
	(void)frame;
	*out = (struct cd_stamp_pin){.fixed = 0x3f00, .at = 0, .width = 8};
	return true;
}

static void where(const struct cd_stamp_spec *spec, struct cd_str *out)
{
	(void)spec;
	cd_str_add(out, "udp+0");
}

const struct cd_stamp_format cd_stamp_sockperf = {
    .name = "sockperf",
    .title = "sockperf sequence numbers",
    .keys = "flow",
    .bits = 64,
    .clock = CD_TX_NONE,
    .evidence = CD_EVIDENCE_FIELDS,
    .parse = parse,
    .pin = pin,
    .where = where,
};
