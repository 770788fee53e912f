/* Virtual extensible LAN: RFC 7348 section 5. */
#include "frame/peel.h"

enum {
	HAS_VNI = 0x08000000,
	/* draft-smith-vxlan-group-policy: a policy id, two flags */
	HAS_POLICY = 0x80000000,
	POLICY = 0x0048ffff
};

uint32_t cd_peel_vxlan(struct cd_peel *peel)
{
	uint32_t flags;

	if (cd_peel_left(peel) < 8)
		return cd_peel_opaque(peel);
	flags = cd_be32(peel->at);
	if ((flags & HAS_POLICY) != 0)
		flags &= ~((uint32_t)HAS_POLICY | POLICY);
	if (flags != HAS_VNI || peel->at[7] != 0 ||
	    !cd_peel_enter_tunnel(peel, CD_ENCAP_VXLAN, 8))
		return cd_peel_opaque(peel);
	return CD_PEEL_LINK + CD_LINK_ETHERNET;
}
