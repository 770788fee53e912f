/* Headers above IP. None of them is there in a later fragment. */
#include "frame/peel.h"

void cd_peel_payload(struct cd_peel *peel)
{
	struct cd_frame *frame = peel->frame;

	frame->payload = peel->at;
	frame->payload_bytes = cd_peel_wire_left(peel);
	frame->payload_captured = (uint32_t)cd_peel_left(peel);
}

uint32_t cd_peel_opaque(struct cd_peel *peel)
{
	struct cd_frame *frame = peel->frame;

	if (frame->l4 == NULL && (frame->flags & CD_FRAME_LATER_FRAGMENT) == 0)
		frame->l4 = peel->at;
	cd_peel_payload(peel);
	return CD_PEEL_STOP + CD_FRAME_OK;
}

/* An L4 header of at least `n` bytes: ports first in all that have some. */
static uint32_t enter(struct cd_peel *peel, uint32_t n)
{
	struct cd_frame *frame = peel->frame;

	frame->l4 = peel->at;
	if (cd_peel_left(peel) >= 4) {
		frame->src_port = cd_be16(peel->at);
		frame->dst_port = cd_be16(peel->at + 2);
	}
	return cd_peel_left(peel) < n ? cd_peel_short(peel, n) : 0;
}

static bool is_later_fragment(struct cd_peel *peel)
{
	if ((peel->frame->flags & CD_FRAME_LATER_FRAGMENT) == 0)
		return false;
	cd_peel_payload(peel);
	return true;
}

/* Length 0 is a jumbogram (RFC 2675 section 4) or left to the network card;
 * a first fragment holds less than the length says. */
uint32_t cd_peel_udp(struct cd_peel *peel)
{
	struct cd_frame *frame = peel->frame;
	uint32_t length, left = cd_peel_wire_left(peel), stop;

	if (is_later_fragment(peel))
		return CD_PEEL_STOP + CD_FRAME_OK;
	stop = enter(peel, 8);
	if (stop != 0)
		return stop;
	length = cd_be16(peel->at + 4);
	if (length == 0 ||
	    (length > left &&
	     (frame->flags & (CD_FRAME_FRAGMENT | CD_FRAME_LENGTH_0)) != 0))
		length = left;
	if (length < 8 || length > left)
		return CD_PEEL_STOP + CD_FRAME_BAD;
	peel->wire_end = cd_peel_offset(peel) + length;
	if (cd_peel_left(peel) > length)
		peel->end = peel->at + length;
	peel->at += 8;
	cd_peel_payload(peel);
	return cd_peel_is_tunnel_port(frame->dst_port)
		   ? CD_PEEL_UDP + frame->dst_port
		   : CD_PEEL_STOP + CD_FRAME_OK;
}

uint32_t cd_peel_tcp(struct cd_peel *peel)
{
	uint32_t header, stop;

	if (is_later_fragment(peel))
		return CD_PEEL_STOP + CD_FRAME_OK;
	stop = enter(peel, 20);
	if (stop != 0)
		return stop;
	header = (peel->at[12] >> 4) * 4u;
	if (header < 20)
		return CD_PEEL_STOP + CD_FRAME_BAD;
	if (cd_peel_left(peel) < header)
		return cd_peel_short(peel, header);
	peel->at += header;
	cd_peel_payload(peel);
	return CD_PEEL_STOP + CD_FRAME_OK;
}

/* The payload keeps the ICMP header; type and code stand for the port. */
uint32_t cd_peel_icmp(struct cd_peel *peel)
{
	if (is_later_fragment(peel))
		return CD_PEEL_STOP + CD_FRAME_OK;
	peel->frame->l4 = peel->at;
	if (cd_peel_left(peel) < 2)
		return cd_peel_short(peel, 2);
	peel->frame->dst_port = cd_be16(peel->at);
	cd_peel_payload(peel);
	return CD_PEEL_STOP + CD_FRAME_OK;
}
