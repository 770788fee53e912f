/* Gigamon's header, behind the addresses: its length, which counts itself,
 * fields, and the ethertype that was there. */
#include "frame/peel.h"

uint32_t cd_peel_gigamon(struct cd_peel *peel)
{
	uint32_t n;

	if (cd_peel_left(peel) < 1)
		return cd_peel_short(peel, 1);
	n = peel->at[0];
	if (n == 0)
		return CD_PEEL_STOP + CD_FRAME_BAD;
	if (cd_peel_left(peel) < n + 2)
		return cd_peel_short(peel, n + 2);
	peel->frame->encaps |= CD_ENCAP_GIGAMON;
	return cd_peel_type_after(peel, n);
}
