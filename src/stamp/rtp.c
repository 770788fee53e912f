/*
 * RTP (RFC 3550 section 5.1): 0 version 2, padding, extension, source count,
 * 1 marker and payload type, 2 number (16), 4 media time stamp (32), 8
 * synchronisation source (32); big endian. What has a payload type of 64 to 95
 * is RTCP (RFC 5761 section 4).
 */
#include "stamp/formats.h"

enum { HEADER = 12 };

static bool is_rtcp(uint8_t second)
{
	return (second & 0x7f) >= 64 && (second & 0x7f) <= 95;
}

/* Header with contributing sources and, if it was captured, the extension. */
static uint32_t count_header_bytes(const uint8_t *p, uint32_t captured)
{
	uint32_t n = HEADER + (p[0] & 15u) * 4;

	if ((p[0] & 0x10) == 0)
		return n;
	if (captured < n + 4)
		return n + 4;
	return n + 4 + cd_be16(p + n + 2) * 4u;
}

static enum cd_stamp_found parse(const struct cd_stamp_spec *spec,
				 const struct cd_frame *frame,
				 struct cd_stamp *stamp)
{
	const uint8_t *p = frame->payload;
	uint32_t n = frame->payload_captured;

	if (!cd_stamp_is_plain(frame, HEADER))
		return CD_STAMP_NO;
	if ((n >= 1 && p[0] >> 6 != 2) || (n >= 2 && is_rtcp(p[1])))
		return CD_STAMP_NO;
	if (n < HEADER)
		return CD_STAMP_CUT;
	if (count_header_bytes(p, n) > cd_stamp_datagram_bytes(frame))
		return CD_STAMP_NO;
	*stamp =
	    (struct cd_stamp){.seq = cd_be16(p + 2), .flow = cd_be32(p + 8)};
	return cd_stamp_keep(spec, stamp);
}

/* Without an extension, whose length is elsewhere. */
static bool pin(const struct cd_stamp_spec *spec, const struct cd_frame *frame,
		struct cd_stamp_pin *out)
{
	(void)spec;
	*out = (struct cd_stamp_pin){.fixed = 0xf03, .at = 2, .width = 2};
	return (frame->payload[0] & 0x10) == 0;
}

/* One payload type, and media time that goes on slowly: 2^25 ticks are six
 * minutes of video (90 kHz). Frames shown out of order step back a little. */
static bool fits(const struct cd_frame *earlier, const struct cd_frame *frame)
{
	const uint8_t *a = earlier->payload, *b = frame->payload;
	uint32_t span = cd_be32(b + 4) - cd_be32(a + 4);

	return ((a[1] ^ b[1]) & 0x7f) == 0 && span + (1u << 20) < 1u << 25;
}

static void where(const struct cd_stamp_spec *spec, struct cd_str *out)
{
	(void)spec;
	cd_str_add(out, "udp+2");
}

const struct cd_stamp_format cd_stamp_rtp = {
    .name = "rtp",
    .title = "RTP sequence numbers",
    .keys = "flow",
    .bits = 16,
    .clock = CD_TX_NONE,
    .evidence = CD_EVIDENCE_FIELDS,
    .parse = parse,
    .pin = pin,
    .fits = fits,
    .where = where,
};
