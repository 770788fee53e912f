/*
 * Generic routing encapsulation: RFC 2784, key and sequence number RFC 2890;
 * version 1, which carries PPP, RFC 2637.
 */
#include "frame/peel.h"

enum {
	HAS_CHECKSUM = 0x8000,
	HAS_KEY = 0x2000,
	HAS_SEQUENCE = 0x1000,
	HAS_ACKNOWLEDGEMENT = 0x0080,
	VERSION = 7
};

/* All others are 0. */
static bool are_known(uint16_t flags, uint16_t type)
{
	switch (flags & VERSION) {
	case 0:
		return (flags & ~(HAS_CHECKSUM | HAS_KEY | HAS_SEQUENCE)) == 0;
	case 1: /* without a sequence number it carries nothing */
		return type == CD_TYPE_PPP && (flags & ~HAS_ACKNOWLEDGEMENT) ==
						  (HAS_KEY | HAS_SEQUENCE | 1);
	default:
		return false;
	}
}

/* A word for each. */
static uint32_t header_bytes(uint16_t flags)
{
	uint32_t n = 4;

	if ((flags & HAS_CHECKSUM) != 0)
		n += 4;
	if ((flags & HAS_KEY) != 0)
		n += 4;
	if ((flags & HAS_SEQUENCE) != 0)
		n += 4;
	if ((flags & HAS_ACKNOWLEDGEMENT) != 0)
		n += 4;
	return n;
}

static bool holds(const struct cd_peel *peel, uint16_t flags, uint16_t type)
{
	uint32_t n = header_bytes(flags);

	if (!are_known(flags, type) || cd_peel_left(peel) < n)
		return false;
	if (type != CD_TYPE_IPV4 && type != CD_TYPE_IPV6)
		return true;
	return cd_peel_fills(peel, n);
}

uint32_t cd_peel_gre(struct cd_peel *peel)
{
	uint16_t flags, type;

	if ((peel->frame->flags & CD_FRAME_LATER_FRAGMENT) != 0 ||
	    cd_peel_left(peel) < 4)
		return cd_peel_opaque(peel);
	flags = cd_be16(peel->at);
	type = cd_be16(peel->at + 2);
	if (!holds(peel, flags, type) ||
	    !cd_peel_enter_tunnel(peel, CD_ENCAP_GRE, header_bytes(flags)))
		return cd_peel_opaque(peel);
	peel->frame->ethertype = type;
	/* ERSPAN type I: no sequence number, and no header but this one */
	if (type == CD_TYPE_ERSPAN && (flags & HAS_SEQUENCE) == 0) {
		peel->frame->encaps |= CD_ENCAP_ERSPAN;
		return CD_PEEL_LINK + CD_LINK_ETHERNET;
	}
	return CD_PEEL_TYPE + type;
}
