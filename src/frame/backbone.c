/* IEEE 802.1ah: a frame of the customer's behind an I-TAG. */
#include "frame/peel.h"

uint32_t cd_peel_backbone(struct cd_peel *peel)
{
	if (cd_peel_left(peel) < 4)
		return cd_peel_short(peel, 4);
	peel->frame->encaps |= CD_ENCAP_BACKBONE;
	peel->at += 4;
	return CD_PEEL_LINK + CD_LINK_ETHERNET;
}
