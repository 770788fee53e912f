/* IPv4, and IPv6 with its chain of extension headers. */
#include "frame/peel.h"

uint32_t cd_peel_ipv4(struct cd_peel *peel)
{
	struct cd_frame *frame = peel->frame;
	const uint8_t *ip = peel->at;
	uint16_t total, fragment;
	uint32_t header;

	frame->l3 = ip;
	if (cd_peel_left(peel) < 20)
		return cd_peel_short(peel, 20);
	header = (ip[0] & 15u) * 4;
	total = cd_be16(ip + 2);
	if (ip[0] >> 4 != 4 || header < 20 || (total != 0 && total < header))
		return CD_PEEL_STOP + CD_FRAME_BAD;
	frame->src = ip + 12;
	frame->dst = ip + 16;
	frame->address_bytes = 4;
	frame->ip_protocol = ip[9];
	frame->ip_id = cd_be16(ip + 4);
	frame->flags &= (uint8_t)~CD_FRAME_IPV6;
	if (total == 0)
		cd_peel_enter_ip_unsized(peel);
	else if (!cd_peel_enter_ip(peel, total))
		return CD_PEEL_STOP + CD_FRAME_BAD;
	/* RFC 791: more-fragments flag and offset */
	fragment = cd_be16(ip + 6) & 0x3fff;
	if (fragment != 0)
		frame->flags |= CD_FRAME_FRAGMENT;
	if ((fragment & 0x1fff) != 0)
		frame->flags |= CD_FRAME_LATER_FRAGMENT;
	if (cd_peel_left(peel) < header)
		return cd_peel_short(peel, header);
	peel->at += header;
	return CD_PEEL_IP + frame->ip_protocol;
}

enum {
	NEXT_HOP_BY_HOP = 0,
	NEXT_ROUTING = 43,
	NEXT_FRAGMENT = 44,
	NEXT_AUTHENTICATION = 51,
	NEXT_DESTINATION = 60,
	NEXT_MOBILITY = 135,
	NEXT_HIP = 139,
	NEXT_SHIM6 = 140
};

static bool is_extension(uint8_t next)
{
	switch (next) {
	case NEXT_HOP_BY_HOP:
	case NEXT_ROUTING:
	case NEXT_FRAGMENT:
	case NEXT_AUTHENTICATION:
	case NEXT_DESTINATION:
	case NEXT_MOBILITY:
	case NEXT_HIP:
	case NEXT_SHIM6:
		return true;
	default:
		return false;
	}
}

static uint32_t extension_bytes(uint8_t type, const uint8_t *header)
{
	switch (type) {
	case NEXT_FRAGMENT:
		return 8;
	case NEXT_AUTHENTICATION: /* RFC 4302 section 2.2 */
		return (header[1] + 2u) * 4;
	default:
		return (header[1] + 1u) * 8;
	}
}

/* RFC 2675 section 2: the length that the IPv6 header cannot hold, 0 if the
 * `n` bytes of a hop-by-hop header have no such option. */
static uint32_t find_jumbo_length(const uint8_t *header, size_t n)
{
	size_t i = 2;

	while (i + 2 <= n) {
		if (header[i] == 0) { /* Pad1 */
			i++;
			continue;
		}
		if (header[i] == 0xc2 && header[i + 1] == 4 && i + 6 <= n)
			return cd_be32(header + i + 2);
		i += 2u + header[i + 1];
	}
	return 0;
}

/* Payload length 0 (RFC 8200 section 3): a jumbogram, or a packet that the
 * network card would still have cut into pieces. */
static bool enter_ipv6(struct cd_peel *peel)
{
	const uint8_t *ip = peel->at;
	uint32_t n, jumbo = 0;

	if (cd_be16(ip + 4) != 0)
		return cd_peel_enter_ip(peel, 40u + cd_be16(ip + 4));
	if (ip[6] == NEXT_HOP_BY_HOP && cd_peel_left(peel) >= 42) {
		n = extension_bytes(ip[6], ip + 40);
		if (n > cd_peel_left(peel) - 40)
			n = (uint32_t)cd_peel_left(peel) - 40;
		jumbo = find_jumbo_length(ip + 40, n);
	}
	if (jumbo > UINT16_MAX && jumbo < INT32_MAX)
		return cd_peel_enter_ip(peel, 40 + jumbo);
	if (ip[6] == 59) /* no next header: empty, and says so */
		return cd_peel_enter_ip(peel, 40);
	cd_peel_enter_ip_unsized(peel);
	return true;
}

static void note_fragment(struct cd_frame *frame, const uint8_t *header)
{
	uint16_t offset = cd_be16(header + 2);

	/* offset 0, no more to come: an atomic fragment is whole (RFC 6946) */
	if ((offset & 0xfff9) != 0)
		frame->flags |= CD_FRAME_FRAGMENT;
	if ((offset & 0xfff8) != 0)
		frame->flags |= CD_FRAME_LATER_FRAGMENT;
}

uint32_t cd_peel_ipv6(struct cd_peel *peel)
{
	struct cd_frame *frame = peel->frame;
	const uint8_t *ip = peel->at;
	uint8_t next;
	uint32_t n;

	frame->l3 = ip;
	if (cd_peel_left(peel) < 40)
		return cd_peel_short(peel, 40);
	if (ip[0] >> 4 != 6)
		return CD_PEEL_STOP + CD_FRAME_BAD;
	frame->src = ip + 8;
	frame->dst = ip + 24;
	frame->address_bytes = 16;
	frame->flags |= CD_FRAME_IPV6;
	if (!enter_ipv6(peel))
		return CD_PEEL_STOP + CD_FRAME_BAD;
	next = ip[6];
	peel->at += 40;
	while (is_extension(next) &&
	       (frame->flags & CD_FRAME_LATER_FRAGMENT) == 0) {
		frame->ip_protocol = next;
		if (cd_peel_left(peel) < 8)
			return cd_peel_short(peel, 8);
		n = extension_bytes(next, peel->at);
		if (cd_peel_left(peel) < n)
			return cd_peel_short(peel, n);
		if (next == NEXT_FRAGMENT)
			note_fragment(frame, peel->at);
		next = peel->at[0];
		peel->at += n;
	}
	frame->ip_protocol = next;
	return CD_PEEL_IP + next;
}
