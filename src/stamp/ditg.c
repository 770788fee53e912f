/*
 * D-ITG 2.8 (ITGSend.cpp): 0 flow, 4 number from 1, 8 seconds since midnight
 * UTC, 12 microseconds; all 32 bits, big endian. In the payload of UDP, behind
 * an ICMP header of 8 bytes, behind an ICMPv6 header of 4.
 */
#include "stamp/formats.h"

#define SECONDS_OF_DAY 86400u

/* Offset of the stamp from frame->payload, or -1. */
static int find_start(const struct cd_frame *frame)
{
	if (frame->payload == NULL || frame->l4 == NULL)
		return -1;
	switch (frame->ip_protocol) {
	case CD_PROTO_UDP:
		return cd_stamp_is_service(frame) ? -1 : 0;
	case CD_PROTO_ICMP:
		return 8;
	case CD_PROTO_ICMPV6:
		return 4;
	default:
		return -1;
	}
}

static enum cd_stamp_found parse(const struct cd_stamp_spec *spec,
				 const struct cd_frame *frame,
				 struct cd_stamp *stamp)
{
	int start = find_start(frame);
	const uint8_t *p;
	uint32_t n;

	if (start < 0 || frame->payload_bytes < (uint32_t)start + 16)
		return CD_STAMP_NO;
	if (frame->payload_captured < (uint32_t)start)
		return CD_STAMP_CUT;
	p = frame->payload + start;
	n = frame->payload_captured - (uint32_t)start;
	if (n >= 8 && cd_be64(p) == 0)
		return CD_STAMP_NO; /* both begin at 1 */
	if (n >= 12 && cd_be32(p + 8) >= SECONDS_OF_DAY)
		return CD_STAMP_NO;
	if (n < 16)
		return CD_STAMP_CUT;
	if (!cd_stamp_is_time(p + 8))
		return CD_STAMP_NO;
	*stamp = (struct cd_stamp){
	    .seq = cd_be32(p + 4),
	    .flow = cd_be32(p),
	    .flags = CD_STAMP_HAS_TX,
	    .tx = cd_stamp_time_us(p + 8),
	};
	return cd_stamp_keep(spec, stamp);
}

/* Midnight between the two takes a day off. */
static bool fits(const struct cd_frame *earlier, const struct cd_frame *frame)
{
	int start = find_start(frame);
	int64_t span;

	if (start < 0)
		return false;
	span = cd_stamp_time_us(frame->payload + start + 8) -
	       cd_stamp_time_us(earlier->payload + start + 8);
	if (span < -3600 * CD_US_PER_S)
		span += SECONDS_OF_DAY * CD_US_PER_S;
	return span > -CD_US_PER_S && span < 3600 * CD_US_PER_S;
}

static void where(const struct cd_stamp_spec *spec, struct cd_str *out)
{
	(void)spec;
	cd_str_add(out, "udp+4");
}

const struct cd_stamp_format cd_stamp_ditg = {
    .name = "ditg",
    .title = "D-ITG sequence numbers",
    .keys = "flow",
    .bits = 32,
    .clock = CD_TX_INTERVAL,
    .tx_unit_ps = 1000000,
    .evidence = CD_EVIDENCE_FIELDS,
    .parse = parse,
    .fits = fits,
    .where = where,
};
