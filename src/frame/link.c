/* Link headers, and what sits between them and IP. */
#include "frame/peel.h"

/* RFC 1042: LLC AA AA 03, organisation 0, then an ethertype. */
static uint32_t peel_llc(struct cd_peel *peel)
{
	static const uint8_t snap[6] = {0xaa, 0xaa, 0x03, 0, 0, 0};

	if (cd_peel_left(peel) < 8 || memcmp(peel->at, snap, sizeof(snap)) != 0)
		return CD_PEEL_STOP + CD_FRAME_NOT_IP;
	peel->frame->ethertype = cd_be16(peel->at + 6);
	peel->at += 8;
	return CD_PEEL_TYPE + peel->frame->ethertype;
}

/* An ethertype was in the header of `n` bytes at peel->at. */
static uint32_t take_type(struct cd_peel *peel, size_t n, uint16_t type)
{
	peel->at += n;
	peel->frame->ethertype = type;
	if (type <= CD_TYPE_LENGTH_MAX)
		return peel_llc(peel);
	return CD_PEEL_TYPE + type;
}

uint32_t cd_peel_type_after(struct cd_peel *peel, uint32_t n)
{
	return take_type(peel, n + 2, cd_be16(peel->at + n));
}

uint32_t cd_peel_ethernet(struct cd_peel *peel)
{
	if (cd_peel_left(peel) < 14)
		return cd_peel_short(peel, 14);
	return cd_peel_type_after(peel, 12);
}

uint32_t cd_peel_sll(struct cd_peel *peel)
{
	if (cd_peel_left(peel) < 16)
		return cd_peel_short(peel, 16);
	return cd_peel_type_after(peel, 14);
}

uint32_t cd_peel_sll2(struct cd_peel *peel)
{
	if (cd_peel_left(peel) < 20)
		return cd_peel_short(peel, 20);
	return take_type(peel, 20, cd_be16(peel->at));
}

/* IEEE 802.1Q, 802.1ad: tag control information, then an ethertype. */
uint32_t cd_peel_vlan(struct cd_peel *peel)
{
	if (cd_peel_left(peel) < 4)
		return cd_peel_short(peel, 4);
	if (peel->frame->vlan_tags < UINT8_MAX)
		peel->frame->vlan_tags++;
	/* the ethertype that led here */
	peel->frame->encaps |= peel->frame->ethertype == CD_TYPE_VLAN
				   ? CD_ENCAP_VLAN
				   : CD_ENCAP_SERVICE_VLAN;
	return cd_peel_type_after(peel, 2);
}

/* IP without a type field before it: the version tells. */
uint32_t cd_peel_guess_ip(struct cd_peel *peel)
{
	if (cd_peel_left(peel) < 1)
		return cd_peel_short(peel, 1);
	switch (*peel->at >> 4) {
	case 4:
		peel->frame->ethertype = CD_TYPE_IPV4;
		return CD_PEEL_TYPE + CD_TYPE_IPV4;
	case 6:
		peel->frame->ethertype = CD_TYPE_IPV6;
		return CD_PEEL_TYPE + CD_TYPE_IPV6;
	default:
		return CD_PEEL_STOP + CD_FRAME_NOT_IP;
	}
}

uint32_t cd_peel_raw(struct cd_peel *peel)
{
	return cd_peel_guess_ip(peel);
}

/* The address family is in the byte order of the machine that captured. */
uint32_t cd_peel_null(struct cd_peel *peel)
{
	uint32_t family;

	if (cd_peel_left(peel) < 4)
		return cd_peel_short(peel, 4);
	family = cd_le32(peel->at);
	if (family > UINT16_MAX)
		family = cd_be32(peel->at);
	peel->at += 4;
	switch (family) {
	case 2:	 /* AF_INET everywhere */
	case 10: /* AF_INET6: Linux */
	case 24: /* NetBSD, OpenBSD */
	case 28: /* FreeBSD */
	case 30: /* macOS */
		return cd_peel_guess_ip(peel);
	default:
		return CD_PEEL_STOP + CD_FRAME_NOT_IP;
	}
}
