/*
 * NRL MGEN 5 over UDP (mgenMsg.cpp): 0 message length (16), 2 version 2 (8),
 * 3 flags (8), 4 flow, 8 number, 12 seconds, 16 microseconds (32 each), 20
 * destination port (16), 22 address type (8), 23 its length (8); big endian.
 */
#include "stamp/formats.h"

enum { VERSION = 2, MIN_BYTES = 28 };

/* As much of it as was captured. */
static bool is_header(const struct cd_frame *frame)
{
	const uint8_t *p = frame->payload;
	uint32_t n = frame->payload_captured;

	if (n >= 2 && cd_be16(p) != cd_stamp_datagram_bytes(frame))
		return false;
	if (n >= 3 && p[2] != VERSION)
		return false;
	if (n >= 20 && !cd_stamp_is_time(p + 12))
		return false;
	/* IPv4, 4 bytes; IPv6, 16 bytes */
	return n < 24 || (p[22] == 1 && p[23] == 4) ||
	       (p[22] == 2 && p[23] == 16);
}

static enum cd_stamp_found parse(const struct cd_stamp_spec *spec,
				 const struct cd_frame *frame,
				 struct cd_stamp *stamp)
{
	const uint8_t *p = frame->payload;
	uint32_t n = frame->payload_captured;

	if (!cd_stamp_is_udp(frame) || frame->payload_bytes < 12 ||
	    cd_stamp_datagram_bytes(frame) < MIN_BYTES || !is_header(frame))
		return CD_STAMP_NO;
	if (spec->has_flow && n >= 8 && cd_be32(p + 4) != spec->flow)
		return CD_STAMP_NO;
	if (n < 12)
		return CD_STAMP_CUT;
	*stamp =
	    (struct cd_stamp){.seq = cd_be32(p + 8), .flow = cd_be32(p + 4)};
	if (n >= 20) {
		stamp->flags = CD_STAMP_HAS_TX;
		stamp->tx = cd_stamp_time_us(p + 12);
	}
	return CD_STAMP_YES;
}

static void where(const struct cd_stamp_spec *spec, struct cd_str *out)
{
	(void)spec;
	cd_str_add(out, "udp+8");
}

const struct cd_stamp_format cd_stamp_mgen = {
    .name = "mgen",
    .title = "MGEN sequence numbers",
    .keys = "flow",
    .bits = 32,
    .clock = CD_TX_UNIX,
    .tx_unit_ps = 1000000,
    .evidence = CD_EVIDENCE_MAGIC,
    .parse = parse,
    .where = where,
};
