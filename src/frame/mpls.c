/*
 * Label stacks (RFC 3032). Nothing tells what is below the last label: IP by
 * its version, Ethernet behind a pseudowire control word, whose first four
 * bits are 0 (RFC 4385 section 3), or Ethernet without one, whose address may
 * begin with any of these.
 */
#include "frame/peel.h"

#define PSEUDOWIRE_MIN 19u /* control word, Ethernet header, one byte more */

static bool looks_like_ethernet(const struct cd_peel *peel, uint32_t skip)
{
	const uint8_t *p = peel->at + skip;

	if (cd_peel_left(peel) < skip + 15)
		return false;
	switch (cd_be16(p + 12)) {
	case CD_TYPE_IPV4:
		return p[14] >> 4 == 4 && (p[14] & 15) >= 5;
	case CD_TYPE_IPV6:
		return p[14] >> 4 == 6;
	case CD_TYPE_VLAN:
	case CD_TYPE_QINQ:
	case CD_TYPE_BACKBONE:
	case CD_TYPE_MPLS:
	case 0x0806: /* ARP */
		return true;
	default:
		return false;
	}
}

static uint32_t enter_pseudowire(struct cd_peel *peel, uint32_t control)
{
	peel->at += control;
	peel->frame->encaps |= CD_ENCAP_PSEUDOWIRE;
	return CD_PEEL_LINK + CD_LINK_ETHERNET;
}

/* An ethertype in its place and a version that goes with it say more than the
 * first bits alone: those of an address may be anything. */
static uint32_t tell_apart(struct cd_peel *peel)
{
	uint8_t first;

	if (cd_peel_left(peel) < 1)
		return cd_peel_short(peel, 1);
	first = *peel->at >> 4;
	if ((first == 4 || first == 6) &&
	    (!looks_like_ethernet(peel, 0) || cd_peel_fills(peel, 0)))
		return cd_peel_guess_ip(peel);
	if (cd_peel_left(peel) < PSEUDOWIRE_MIN)
		return CD_PEEL_STOP + (cd_peel_wire_left(peel) < PSEUDOWIRE_MIN
					   ? CD_FRAME_NOT_IP
					   : CD_FRAME_CUT);
	if (looks_like_ethernet(peel, 0) && !looks_like_ethernet(peel, 4))
		return enter_pseudowire(peel, 0);
	if (first == 0)
		return enter_pseudowire(peel, 4);
	return CD_PEEL_STOP + CD_FRAME_NOT_IP;
}

uint32_t cd_peel_mpls(struct cd_peel *peel)
{
	bool bottom = false;

	peel->frame->encaps |= CD_ENCAP_MPLS;
	while (!bottom) {
		if (cd_peel_left(peel) < 4)
			return cd_peel_short(peel, 4);
		if (peel->frame->mpls_labels < UINT8_MAX)
			peel->frame->mpls_labels++;
		bottom = (peel->at[2] & 1) != 0;
		peel->at += 4;
	}
	return tell_apart(peel);
}
