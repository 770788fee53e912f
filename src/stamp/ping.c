/*
 * ICMP and ICMPv6 echo (RFC 792, RFC 4443): 0 type, 4 identifier (16), 6
 * number (16), big endian. ping of iputils begins the data with its struct
 * timeval in the byte order of its host, if there is room for it.
 */
#include "stamp/formats.h"

#define YEAR_2000 946684800u

static bool is_echo(const struct cd_frame *frame)
{
	unsigned type = frame->dst_port >> 8;

	switch (frame->ip_protocol) {
	case CD_PROTO_ICMP:
		return type == 8 || type == 0;
	case CD_PROTO_ICMPV6:
		return type == 128 || type == 129;
	default:
		return false;
	}
}

/* Two 64-bit words, little endian: seconds of this century, microseconds. */
static void read_time(const uint8_t *p, struct cd_stamp *stamp)
{
	uint64_t s = cd_le64(p), us = cd_le64(p + 8);

	if (s < YEAR_2000 || s > UINT32_MAX || us >= CD_US_PER_S)
		return;
	stamp->flags = CD_STAMP_HAS_TX;
	stamp->tx = (int64_t)s * CD_US_PER_S + (int64_t)us;
}

static enum cd_stamp_found parse(const struct cd_stamp_spec *spec,
				 const struct cd_frame *frame,
				 struct cd_stamp *stamp)
{
	const uint8_t *p = frame->payload;

	if (p == NULL || frame->l4 == NULL || frame->payload_bytes < 8 ||
	    !is_echo(frame))
		return CD_STAMP_NO;
	if (frame->payload_captured < 8)
		return CD_STAMP_CUT;
	*stamp =
	    (struct cd_stamp){.seq = cd_be16(p + 6), .flow = cd_be16(p + 4)};
	if (frame->payload_captured >= 24)
		read_time(p + 8, stamp);
	return cd_stamp_keep(spec, stamp);
}

static void where(const struct cd_stamp_spec *spec, struct cd_str *out)
{
	(void)spec;
	cd_str_add(out, "l4+6");
}

const struct cd_stamp_format cd_stamp_ping = {
    .name = "ping",
    .alias = "icmp",
    .title = "ICMP echo sequence numbers",
    .keys = "flow",
    .bits = 16,
    .clock = CD_TX_UNIX,
    .tx_unit_ps = 1000000,
    .evidence = CD_EVIDENCE_HEADER,
    .parse = parse,
    .where = where,
};
