/* PPP (RFC 1661, RFC 1662), PPPoE (RFC 2516), Cisco's HDLC. */
#include "frame/peel.h"

/* RFC 1661 section 2: the last byte of the protocol is odd, the ones before
 * are even; a first byte of 0 may have been left out. */
static uint32_t take_protocol(struct cd_peel *peel)
{
	uint16_t protocol;

	if (cd_peel_left(peel) < 2)
		return cd_peel_short(peel, 2);
	if ((peel->at[0] & 1) != 0) {
		protocol = peel->at[0];
		peel->at += 1;
	} else {
		protocol = cd_be16(peel->at);
		peel->at += 2;
	}
	return CD_PEEL_PPP + protocol;
}

uint32_t cd_peel_cisco_hdlc(struct cd_peel *peel)
{
	if (cd_peel_left(peel) < 4)
		return cd_peel_short(peel, 4);
	return cd_peel_type_after(peel, 2);
}

/* With or without address and control; unicast and multicast addresses
 * without those of PPP are Cisco's framing. */
uint32_t cd_peel_ppp(struct cd_peel *peel)
{
	uint16_t framing;

	if (cd_peel_left(peel) < 4)
		return cd_peel_short(peel, 4);
	framing = cd_be16(peel->at);
	if (framing == 0x0f00 || framing == 0x8f00)
		return cd_peel_cisco_hdlc(peel);
	if (framing == 0xff03)
		peel->at += 2;
	return take_protocol(peel);
}

uint32_t cd_peel_pppoe(struct cd_peel *peel)
{
	if (cd_peel_left(peel) < 6)
		return cd_peel_short(peel, 6);
	/* version 1, type 1, code: session data */
	if (cd_be16(peel->at) != 0x1100)
		return CD_PEEL_STOP + CD_FRAME_NOT_IP;
	peel->frame->encaps |= CD_ENCAP_PPPOE;
	peel->at += 6;
	return take_protocol(peel);
}

uint32_t cd_peel_ppp_ipv4(struct cd_peel *peel)
{
	peel->frame->ethertype = CD_TYPE_IPV4;
	return CD_PEEL_TYPE + CD_TYPE_IPV4;
}

uint32_t cd_peel_ppp_ipv6(struct cd_peel *peel)
{
	peel->frame->ethertype = CD_TYPE_IPV6;
	return CD_PEEL_TYPE + CD_TYPE_IPV6;
}
