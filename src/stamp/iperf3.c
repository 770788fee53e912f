/*
 * iperf 3 over UDP (iperf_udp.c): 0 seconds, 4 microseconds of a monotonic
 * clock, 8 the number, 32 bits or, with --udp-counters-64bit, 64 bits; all big
 * endian. Nothing in the packet says which; numbers start at 1, so that a zero
 * where the 32-bit one would be is the upper half of a 64-bit one.
 */
#include "stamp/formats.h"

/* First datagram of either side, in the byte order of its host: today's, and
 * 123456789 and 987654321 of old versions. */
static bool is_handshake(const struct cd_frame *frame)
{
	static const uint32_t hello[] = {0x36373839, 0x39383736, 0x075bcd15,
					 0x3ade68b1};

	if (frame->payload_bytes != 4 || frame->payload_captured < 4)
		return false;
	for (size_t i = 0; i < sizeof(hello) / sizeof(hello[0]); i++)
		if (cd_be32(frame->payload) == hello[i] ||
		    cd_le32(frame->payload) == hello[i])
			return true;
	return false;
}

static enum cd_stamp_found parse(const struct cd_stamp_spec *spec,
				 const struct cd_frame *frame,
				 struct cd_stamp *stamp)
{
	const uint8_t *p = frame->payload;
	uint32_t n = frame->payload_captured;
	uint32_t need = spec->width == 8 ? 16 : 12;
	uint64_t seq;

	if (!cd_stamp_is_plain(frame, 4))
		return CD_STAMP_NO;
	if (frame->payload_bytes < need)
		return is_handshake(frame) ? CD_STAMP_CONTROL : CD_STAMP_NO;
	if (n >= 8 && !cd_stamp_is_time(p))
		return CD_STAMP_NO;
	if (n < need)
		return CD_STAMP_CUT;
	seq = spec->width == 8 ? cd_be64(p + 8) : cd_be32(p + 8);
	if (seq == 0 && spec->width == 0) {
		if (n < 16)
			return frame->payload_bytes < 16 ? CD_STAMP_NO
							 : CD_STAMP_CUT;
		seq = cd_be32(p + 12);
	}
	if (seq == 0 && cd_be64(p) == 0)
		return CD_STAMP_NO; /* a payload of zeros */
	*stamp = (struct cd_stamp){
	    .seq = seq,
	    .flags = CD_STAMP_HAS_TX,
	    .tx = cd_stamp_time_us(p),
	};
	return CD_STAMP_YES;
}

static bool fits(const struct cd_frame *earlier, const struct cd_frame *frame)
{
	return cd_stamp_times_fit(earlier->payload, frame->payload);
}

static void where(const struct cd_stamp_spec *spec, struct cd_str *out)
{
	(void)spec;
	cd_str_add(out, "udp+8");
}

const struct cd_stamp_format cd_stamp_iperf3 = {
    .name = "iperf3",
    .title = "iperf3 sequence numbers",
    .keys = "width",
    .bits = 0,
    .clock = CD_TX_INTERVAL,
    .tx_unit_ps = 1000000,
    .evidence = CD_EVIDENCE_FIELDS,
    .widths = {4, 8},
    .parse = parse,
    .fits = fits,
    .where = where,
};
