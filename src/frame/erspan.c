/*
 * ERSPAN types II and III (draft-foschiano-erspan-03), in GRE: the frames of a
 * mirror port. The type is told by the version, not by GRE's protocol.
 */
#include "frame/peel.h"

enum { TYPE_II = 1, TYPE_III = 2, FRAME_ETHERNET = 0, FRAME_IP = 2 };

/* Of the bytes at `header`; 0: no version known. */
static uint32_t header_bytes(const uint8_t *header, size_t n)
{
	switch (header[0] >> 4) {
	case TYPE_II:
		return 8;
	case TYPE_III: /* the last bit: a subheader of 8 follows */
		return n < 12 || (header[11] & 1) == 0 ? 12 : 20;
	default:
		return 0;
	}
}

uint32_t cd_peel_erspan(struct cd_peel *peel)
{
	const uint8_t *header = peel->at;
	uint32_t n, type = FRAME_ETHERNET;

	if (!peel->in_tunnel)
		return CD_PEEL_STOP + CD_FRAME_NOT_IP;
	if (cd_peel_left(peel) < 8)
		return cd_peel_short(peel, 8);
	n = header_bytes(header, cd_peel_left(peel));
	if (n == 0)
		return CD_PEEL_STOP + CD_FRAME_NOT_IP;
	if (cd_peel_left(peel) < n)
		return cd_peel_short(peel, n);
	if (header[0] >> 4 == TYPE_III)
		type = (header[10] >> 2) & 31u;
	peel->shortened = (header[2] & 4) != 0; /* T: the frame was cut */
	peel->frame->encaps |= CD_ENCAP_ERSPAN;
	peel->at += n;
	switch (type) {
	case FRAME_ETHERNET:
		return CD_PEEL_LINK + CD_LINK_ETHERNET;
	case FRAME_IP:
		return cd_peel_guess_ip(peel);
	default:
		return CD_PEEL_STOP + CD_FRAME_NOT_IP;
	}
}
