/*
 * The time stamp header of Arista 7280 and 7500R, behind the addresses: subtype
 * 1, a version, the time in 64 or 48 bits. Other subtypes hold other things.
 */
#include "frame/peel.h"

enum { SUBTYPE_TIME = 1 };

/* Of the version: time scale in the high byte, format in the high nibble of
 * the low one. 0: none that is known. */
static uint32_t time_bytes(uint16_t version)
{
	switch (version & 0xf0) {
	case 0x10:
		return 8;
	case 0x20:
		return 6;
	default:
		return 0;
	}
}

uint32_t cd_peel_arista(struct cd_peel *peel)
{
	uint32_t n;

	if (cd_peel_left(peel) < 4)
		return cd_peel_short(peel, 4);
	n = time_bytes(cd_be16(peel->at + 2));
	if (cd_be16(peel->at) != SUBTYPE_TIME || n == 0)
		return CD_PEEL_STOP + CD_FRAME_NOT_IP;
	if (cd_peel_left(peel) < 4 + n + 2)
		return cd_peel_short(peel, 4 + n + 2);
	peel->frame->encaps |= CD_ENCAP_ARISTA;
	return cd_peel_type_after(peel, 4 + n);
}
