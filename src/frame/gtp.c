/* GPRS tunnelling, user plane: 3GPP TS 29.281 section 5. */
#include "frame/peel.h"

enum {
	VERSION_1 = 0x30, /* and protocol type GTP */
	VERSION_BITS = 0xf8,
	HAS_EXTENSION = 4,
	HAS_OPTIONAL = 7, /* extension, sequence or N-PDU number */
	G_PDU = 255
};

/* The extension headers from `n` bytes on, the type of the first in the byte
 * before: where they end, or 0. */
static uint32_t skip_extensions(const struct cd_peel *peel, uint32_t n)
{
	while (peel->at[n - 1] != 0) {
		uint32_t words;

		if (cd_peel_left(peel) < n + 1u)
			return 0;
		words = peel->at[n];
		n += words * 4;
		if (words == 0 || cd_peel_left(peel) < n)
			return 0;
	}
	return n;
}

/* 0: no G-PDU. */
static uint32_t header_bytes(const struct cd_peel *peel)
{
	const uint8_t *header = peel->at;

	if (cd_peel_left(peel) < 8 || (header[0] & VERSION_BITS) != VERSION_1 ||
	    header[1] != G_PDU)
		return 0;
	if (8u + cd_be16(header + 2) != cd_peel_wire_left(peel) &&
	    (peel->frame->flags & CD_FRAME_FRAGMENT) == 0)
		return 0;
	if ((header[0] & HAS_OPTIONAL) == 0)
		return 8;
	if (cd_peel_left(peel) < 12)
		return 0;
	return (header[0] & HAS_EXTENSION) == 0 ? 12
						: skip_extensions(peel, 12);
}

uint32_t cd_peel_gtp(struct cd_peel *peel)
{
	uint32_t n = header_bytes(peel);

	if (n == 0 || cd_peel_left(peel) < n + 1u || !cd_peel_fills(peel, n) ||
	    !cd_peel_enter_tunnel(peel, CD_ENCAP_GTP, n))
		return cd_peel_opaque(peel);
	return cd_peel_guess_ip(peel);
}
