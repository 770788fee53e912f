/* IP in IP: RFC 2003, RFC 2473, RFC 4213. No header of their own. */
#include "frame/peel.h"

/* RFC 791 section 3.1: the ones' complement sum of a header is 0xffff. */
static bool checksum_holds(const uint8_t *ip, uint32_t n)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i < n; i += 2)
		sum += cd_be16(ip + i);
	sum = (sum & 0xffff) + (sum >> 16);
	return (sum & 0xffff) + (sum >> 16) == 0xffff;
}

/* Nothing but the protocol number says that this is IP, so more is asked for:
 * all of the fixed header, and a checksum where there is one. */
static bool holds_ipv4(const struct cd_peel *peel)
{
	uint32_t header;

	if (cd_peel_left(peel) < 20 || *peel->at >> 4 != 4)
		return false;
	header = (*peel->at & 15u) * 4;
	return header >= 20 && cd_peel_left(peel) >= header &&
	       cd_peel_fills(peel, 0) && checksum_holds(peel->at, header);
}

static bool holds_ipv6(const struct cd_peel *peel)
{
	return cd_peel_left(peel) >= 40 && *peel->at >> 4 == 6 &&
	       cd_peel_fills(peel, 0);
}

static uint32_t enter(struct cd_peel *peel, bool holds)
{
	if ((peel->frame->flags & CD_FRAME_LATER_FRAGMENT) != 0 || !holds ||
	    !cd_peel_enter_tunnel(peel, CD_ENCAP_IPIP, 0))
		return cd_peel_opaque(peel);
	return cd_peel_guess_ip(peel);
}

uint32_t cd_peel_ipv4_in_ip(struct cd_peel *peel)
{
	return enter(peel, holds_ipv4(peel));
}

uint32_t cd_peel_ipv6_in_ip(struct cd_peel *peel)
{
	return enter(peel, holds_ipv6(peel));
}
