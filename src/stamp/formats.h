/* For the files of this room only: the formats, and what they share. */
#ifndef CAPDIFF_STAMP_FORMATS_H
#define CAPDIFF_STAMP_FORMATS_H

#include "base/bytes.h"
#include "stamp/stamp.h"

extern const struct cd_stamp_format cd_stamp_pktgen, cd_stamp_iperf2,
    cd_stamp_iperf3, cd_stamp_mgen, cd_stamp_sockperf, cd_stamp_ditg,
    cd_stamp_rtp, cd_stamp_ping, cd_stamp_field;

enum {
	CD_PROTO_ICMP = 1,
	CD_PROTO_TCP = 6,
	CD_PROTO_UDP = 17,
	CD_PROTO_ICMPV6 = 58
};

#define CD_US_PER_S INT64_C(1000000)

static inline bool cd_stamp_is_udp(const struct cd_frame *frame)
{
	return frame->ip_protocol == CD_PROTO_UDP && frame->l4 != NULL &&
	       frame->payload != NULL;
}

/* Payload bytes of the whole datagram, of which a first fragment holds less;
 * frame: cd_stamp_is_udp(). */
static inline uint32_t cd_stamp_datagram_bytes(const struct cd_frame *frame)
{
	if ((frame->flags & CD_FRAME_FRAGMENT) == 0)
		return frame->payload_bytes;
	return cd_be16(frame->l4 + 4) - 8u;
}

/*
 * Well-known services whose packets now and then look like a stamp that has no
 * magic (DNS: identifier, flags, counts; NTP: delay, dispersion), and that no
 * generator is pointed at.
 */
bool cd_stamp_is_service(const struct cd_frame *frame);

/* UDP with at least `n` bytes of payload, and not one of the above. */
static inline bool cd_stamp_is_plain(const struct cd_frame *frame, uint32_t n)
{
	return cd_stamp_is_udp(frame) && frame->payload_bytes >= n &&
	       !cd_stamp_is_service(frame);
}

/* Seconds and microseconds at `p` (8 bytes), big endian. */
static inline bool cd_stamp_is_time(const uint8_t *p)
{
	return cd_be32(p + 4) < CD_US_PER_S;
}

static inline int64_t cd_stamp_time_us(const uint8_t *p)
{
	return cd_be32(p) * CD_US_PER_S + cd_be32(p + 4);
}

/* Transmit times of neighbours in one flow: late by a little at most
 * (reordering), and less than an hour apart. */
static inline bool cd_stamp_times_fit(const uint8_t *earlier, const uint8_t *p)
{
	int64_t span = cd_stamp_time_us(p) - cd_stamp_time_us(earlier);

	return span > -CD_US_PER_S && span < 3600 * CD_US_PER_S;
}

static inline enum cd_stamp_found
cd_stamp_keep(const struct cd_stamp_spec *spec, const struct cd_stamp *stamp)
{
	return spec->has_flow && stamp->flow != spec->flow ? CD_STAMP_NO
							    : CD_STAMP_YES;
}

#endif
