/* Generic network virtualisation encapsulation: RFC 8926 section 3.4. */
#include "frame/peel.h"

static bool holds(const struct cd_peel *peel, uint16_t type, uint32_t n)
{
	switch (type) {
	case CD_TYPE_BRIDGED:
		return true;
	case CD_TYPE_IPV4:
	case CD_TYPE_IPV6:
		return cd_peel_fills(peel, n);
	default:
		return false;
	}
}

uint32_t cd_peel_geneve(struct cd_peel *peel)
{
	const uint8_t *header = peel->at;
	uint16_t type;
	uint32_t n;

	if (cd_peel_left(peel) < 8)
		return cd_peel_opaque(peel);
	n = 8 + (header[0] & 63u) * 4; /* options, in words */
	type = cd_be16(header + 2);
	/* version 0, no control message, reserved bits 0 */
	if (header[0] >> 6 != 0 || (header[1] & 0xbf) != 0 || header[7] != 0 ||
	    cd_peel_left(peel) < n || !holds(peel, type, n) ||
	    !cd_peel_enter_tunnel(peel, CD_ENCAP_GENEVE, n))
		return cd_peel_opaque(peel);
	peel->frame->ethertype = type;
	return CD_PEEL_TYPE + type;
}
