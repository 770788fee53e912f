/* In and out of tunnels; the headers themselves have a file each. */
#include "frame/peel.h"

bool cd_peel_enter_tunnel(struct cd_peel *peel, unsigned encap, uint32_t n)
{
	struct cd_frame *frame = peel->frame;

	if (frame->tunnels == CD_TUNNELS_MAX)
		return false;
	(void)cd_peel_opaque(peel);
	*peel->outer = *frame;
	peel->in_tunnel = true;
	peel->at += n;
	frame->tunnels++;
	frame->encaps |= (uint16_t)encap;
	frame->l3 = frame->l4 = frame->payload = NULL;
	frame->payload_captured = frame->payload_bytes = 0;
	frame->src = frame->dst = NULL;
	frame->address_bytes = frame->ip_protocol = 0;
	frame->src_port = frame->dst_port = 0;
	frame->ethertype = frame->ip_id = 0;
	frame->ip_bytes = 0;
	frame->flags &= (uint8_t)~CD_FRAME_IPV6;
	return true;
}

/*
 * Only the last tunnel is in question: the one around it led to a sound packet
 * that carries this one. Headers that the snaplen cut are believed once a type
 * field or the like has promised IP.
 */
uint32_t cd_peel_leave_tunnel(struct cd_peel *peel, uint32_t code)
{
	if (code == CD_PEEL_STOP + CD_FRAME_OK ||
	    (code == CD_PEEL_STOP + CD_FRAME_CUT && peel->frame->l3 != NULL))
		return code;
	*peel->frame = *peel->outer;
	return CD_PEEL_STOP + CD_FRAME_OK;
}

/*
 * Nothing pads IP in a tunnel without Ethernet between. That tells a header
 * from the bytes that a generator happens to send to the same port or with the
 * same protocol number: a counter passes through every value.
 */
bool cd_peel_fills(const struct cd_peel *peel, uint32_t skip)
{
	uint32_t room = cd_peel_wire_left(peel), bytes;
	const uint8_t *ip = peel->at + skip;

	if (room < skip + 20)
		return false;
	if (cd_peel_left(peel) < skip + 6u)
		return true;
	switch (ip[0] >> 4) {
	case 4:
		bytes = cd_be16(ip + 2);
		break;
	case 6:
		bytes = 40u + cd_be16(ip + 4);
		break;
	default:
		return false;
	}
	if ((peel->frame->flags & (CD_FRAME_FRAGMENT | CD_FRAME_LENGTH_0)) != 0)
		return true; /* the room is not all there was */
	return bytes == room - skip;
}
