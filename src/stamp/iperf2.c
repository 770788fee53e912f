/*
 * iperf 2 over UDP (payloads.h, struct UDP_datagram): 0 lower half of the
 * number, 4 seconds, 8 microseconds, 12 upper half, all 32 bits, big endian.
 * The upper half counts when the flags at 16 say so (since 2.0.10). The number
 * is signed: the last datagrams, sent again and again until the server answers,
 * have it negated or its top bit set, depending on the version.
 */
#include "stamp/formats.h"

#define HEADER_SEQNO64B 0x08000000u
#define YEAR_2000 946684800u

static enum cd_stamp_found parse(const struct cd_stamp_spec *spec,
				 const struct cd_frame *frame,
				 struct cd_stamp *stamp)
{
	const uint8_t *p = frame->payload;
	uint32_t n = frame->payload_captured;
	int64_t id;

	(void)spec;
	if (!cd_stamp_is_plain(frame, 12))
		return CD_STAMP_NO;
	if (n >= 8 && cd_be32(p + 4) < YEAR_2000)
		return CD_STAMP_NO;
	if (n < 12)
		return CD_STAMP_CUT;
	if (!cd_stamp_is_time(p + 4))
		return CD_STAMP_NO;
	if (n >= 20 && (cd_be32(p + 16) & HEADER_SEQNO64B) != 0)
		id = (int64_t)((uint64_t)cd_be32(p + 12) << 32 | cd_be32(p));
	else
		id = (int32_t)cd_be32(p);
	if (id < 0)
		return CD_STAMP_CONTROL;
	*stamp = (struct cd_stamp){
	    .seq = (uint64_t)id,
	    .flags = CD_STAMP_HAS_TX,
	    .tx = cd_stamp_time_us(p + 4),
	};
	return CD_STAMP_YES;
}

static bool fits(const struct cd_frame *earlier, const struct cd_frame *frame)
{
	return cd_stamp_times_fit(earlier->payload + 4, frame->payload + 4);
}

static void where(const struct cd_stamp_spec *spec, struct cd_str *out)
{
	(void)spec;
	cd_str_add(out, "udp+0");
}

const struct cd_stamp_format cd_stamp_iperf2 = {
    .name = "iperf2",
    .title = "iperf2 sequence numbers",
    .keys = "",
    .bits = 64,
    .clock = CD_TX_UNIX,
    .tx_unit_ps = 1000000,
    .evidence = CD_EVIDENCE_FIELDS,
    .parse = parse,
    .fits = fits,
    .where = where,
};
