/*
 * Linux kernel pktgen (net/core/pktgen.c, struct pktgen_hdr): 0 magic, 4
 * sequence number, 8 seconds, 12 microseconds, all 32 bits, big endian. The
 * time is 0 with NO_TIMESTAMP, and something else in patched kernels.
 */
#include "stamp/formats.h"

static const uint8_t magic[4] = {0xbe, 0x9b, 0xe9, 0x55};

/* Fewer than 16 bytes of it were captured. */
static enum cd_stamp_found parse_slice(const struct cd_frame *frame,
				       struct cd_stamp *stamp)
{
	uint32_t n = frame->payload_captured;

	if (memcmp(frame->payload, magic, n < 4 ? n : 4) != 0)
		return CD_STAMP_NO;
	if (n < 8)
		return CD_STAMP_CUT;
	*stamp = (struct cd_stamp){.seq = cd_be32(frame->payload + 4)};
	return CD_STAMP_YES;
}

static enum cd_stamp_found parse(const struct cd_stamp_spec *spec,
				 const struct cd_frame *frame,
				 struct cd_stamp *stamp)
{
	const uint8_t *p = frame->payload;

	(void)spec;
	if (!cd_stamp_is_udp(frame) || frame->payload_bytes < 16)
		return CD_STAMP_NO;
	if (CD_UNLIKELY(frame->payload_captured < 16))
		return parse_slice(frame, stamp);
	if (memcmp(p, magic, 4) != 0)
		return CD_STAMP_NO;
	*stamp = (struct cd_stamp){
	    .seq = cd_be32(p + 4),
	    .tx = cd_stamp_time_us(p + 8),
	};
	if (stamp->tx != 0 && cd_stamp_is_time(p + 8))
		stamp->flags = CD_STAMP_HAS_TX;
	return CD_STAMP_YES;
}

static bool pin(const struct cd_stamp_spec *spec, const struct cd_frame *frame,
		struct cd_stamp_pin *out)
{
	(void)spec;
	(void)frame;
	*out = (struct cd_stamp_pin){.fixed = 0xf, .at = 4, .width = 4};
	return true;
}

static void where(const struct cd_stamp_spec *spec, struct cd_str *out)
{
	(void)spec;
	cd_str_add(out, "udp+4");
}

const struct cd_stamp_format cd_stamp_pktgen = {
    .name = "pktgen",
    .title = "pktgen sequence numbers",
    .keys = "",
    .bits = 32,
    .clock = CD_TX_UNIX,
    .tx_unit_ps = 1000000,
    .evidence = CD_EVIDENCE_MAGIC,
    .parse = parse,
    .pin = pin,
    .where = where,
};
