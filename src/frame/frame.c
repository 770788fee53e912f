#include "frame/frame.h"

#include <string.h>

#include "frame/peel.h"

static uint32_t peel_one(struct cd_peel *peel, uint32_t code)
{
	for (const struct cd_peeler *p = cd_peelers; p->peel != NULL; p++)
		if (p->code == code)
			return p->peel(peel);
	/* nothing takes it off: it is what the headers before it lead to */
	switch (code & 0xffff0000) {
	case CD_PEEL_TYPE:
	case CD_PEEL_PPP:
		return CD_PEEL_STOP + CD_FRAME_NOT_IP;
	case CD_PEEL_IP:
	case CD_PEEL_UDP:
		return cd_peel_opaque(peel);
	default:
		return CD_PEEL_STOP + CD_FRAME_LINK;
	}
}

/* Member by member: for a compound literal the compiler sets up a string
 * instruction, which takes longer than all the rest. */
static inline void clear(struct cd_frame *frame, const uint8_t *data,
			 uint32_t caplen)
{
	frame->data = data;
	frame->caplen = caplen;
	frame->l3 = frame->l4 = frame->payload = NULL;
	frame->payload_captured = frame->payload_bytes = 0;
	frame->src = frame->dst = NULL;
	frame->address_bytes = frame->ip_protocol = frame->flags = 0;
	frame->vlan_tags = frame->mpls_labels = frame->tunnels = 0;
	frame->encaps = 0;
	frame->src_port = frame->dst_port = 0;
	frame->ethertype = frame->ip_id = 0;
	frame->frame_bytes = frame->ip_bytes = frame->padding_bytes = 0;
}

static enum cd_frame_status parse_any(uint32_t linktype, const uint8_t *data,
				      uint32_t caplen, uint32_t origlen,
				      uint8_t fcs_bytes, struct cd_frame *frame)
{
	struct cd_frame outer;
	struct cd_peel peel = {
	    .at = data,
	    .end = data + caplen,
	    .wire_end = origlen == 0 ? caplen : origlen,
	    .linktype = linktype,
	    .fcs_bytes = fcs_bytes,
	    .frame = frame,
	    .outer = &outer,
	};
	uint32_t code = linktype > UINT16_MAX ? CD_PEEL_STOP + CD_FRAME_LINK
					      : CD_PEEL_LINK + linktype;

	clear(frame, data, caplen);
	while ((code & 0xffff0000) != CD_PEEL_STOP)
		code = peel_one(&peel, code);
	if (peel.in_tunnel)
		code = cd_peel_leave_tunnel(&peel, code);
	if (!peel.in_ip)
		cd_peel_no_ip(&peel, origlen);
	if (code == CD_PEEL_STOP + CD_FRAME_NOT_IP)
		frame->l3 = peel.at;
	return (enum cd_frame_status)(code - CD_PEEL_STOP);
}

/* Ethernet, IPv4 without options, not a fragment, UDP to no tunnel, lengths
 * that agree: nearly every packet of a generated stream, with or without a
 * tag. */
static inline bool is_plain_udp(const uint8_t *data, uint32_t caplen)
{
	uint16_t total;

	if (caplen < 42 || (cd_be32(data + 12) & 0xffffff00) != 0x08004500 ||
	    data[23] != CD_IP_UDP || (cd_be16(data + 20) & 0x3fff) != 0 ||
	    cd_peel_is_tunnel_port(cd_be16(data + 36)))
		return false;
	total = cd_be16(data + 16);
	return total >= 28 && cd_be16(data + 38) == total - 20;
}

/* `p`: the frame, or where it would begin without its tag. */
static inline void parse_plain_udp(const uint8_t *p, const uint8_t *data,
				   uint32_t caplen, uint32_t origlen,
				   uint8_t fcs_bytes, struct cd_frame *frame)
{
	uint32_t total = cd_be16(p + 16);
	uint32_t payload = (uint32_t)(p - data) + 42;
	uint32_t end = payload + total - 28;
	uint32_t limit = caplen < end ? caplen : end;

	clear(frame, data, caplen);
	frame->l3 = p + 14;
	frame->l4 = p + 34;
	frame->payload = p + 42;
	frame->payload_captured = limit - payload;
	frame->payload_bytes = total - 28;
	frame->src = p + 26;
	frame->dst = p + 30;
	frame->address_bytes = 4;
	frame->ip_protocol = CD_IP_UDP;
	frame->vlan_tags = p != data;
	frame->encaps = frame->vlan_tags * CD_ENCAP_VLAN;
	frame->src_port = cd_be16(p + 34);
	frame->dst_port = cd_be16(p + 36);
	frame->ethertype = CD_TYPE_IPV4;
	frame->ip_id = cd_be16(p + 18);
	frame->frame_bytes = end;
	frame->ip_bytes = total;
	if (CD_UNLIKELY(origlen != end))
		cd_peel_settle(frame, CD_LINK_ETHERNET, fcs_bytes,
			       origlen == 0 ? caplen : origlen, end);
}

/* Out of line, so that the short cut has no stack frame to set up. */
__attribute__((noinline)) static enum cd_frame_status
parse_other(uint32_t linktype, const uint8_t *data, uint32_t caplen,
	    uint32_t origlen, uint8_t fcs_bytes, struct cd_frame *frame)
{
	if (linktype == CD_LINK_ETHERNET && caplen >= 46 &&
	    cd_be16(data + 12) == CD_TYPE_VLAN &&
	    is_plain_udp(data + 4, caplen - 4)) {
		parse_plain_udp(data + 4, data, caplen, origlen, fcs_bytes,
				frame);
		return CD_FRAME_OK;
	}
	return parse_any(linktype, data, caplen, origlen, fcs_bytes, frame);
}

enum cd_frame_status cd_frame_parse(uint32_t linktype, const uint8_t *data,
				    uint32_t caplen, uint32_t origlen,
				    uint8_t fcs_bytes, struct cd_frame *frame)
{
	if (CD_LIKELY(linktype == CD_LINK_ETHERNET &&
		      is_plain_udp(data, caplen))) {
		parse_plain_udp(data, data, caplen, origlen, fcs_bytes, frame);
		return CD_FRAME_OK;
	}
	return parse_other(linktype, data, caplen, origlen, fcs_bytes, frame);
}

/* The last four bytes of frames up to that long, with one tag at most, tell an
 * FCS from padding. */
#define FCS_OR_PADDING_MAX 68

/* The short cut looks at nothing behind the UDP header but for an FCS, and
 * takes the checksums and the IP identification as they are. */
bool cd_frame_fixed(const struct cd_frame *frame, uint32_t linktype,
		    uint8_t *fixed, size_t n)
{
	size_t tag = frame->vlan_tags == 1 ? 4 : 0, payload = 42 + tag;
	bool padded = frame->padding_bytes >= 4 &&
		      frame->frame_bytes <= frame->caplen &&
		      frame->frame_bytes <= FCS_OR_PADDING_MAX;

	if (linktype != CD_LINK_ETHERNET || frame->vlan_tags > 1 ||
	    (frame->flags & CD_FRAME_FCS) != 0 ||
	    frame->caplen < payload || payload > n ||
	    (padded && frame->frame_bytes > n) ||
	    !is_plain_udp(frame->data + tag, frame->caplen - (uint32_t)tag) ||
	    (tag != 0 && cd_be16(frame->data + 12) != CD_TYPE_VLAN))
		return false;
	memset(fixed, 0xff, payload);
	memset(fixed + payload, 0, n - payload);
	memset(fixed + tag + 18, 0, 2);
	memset(fixed + tag + 24, 0, 2);
	memset(fixed + tag + 40, 0, 2);
	if (padded)
		memset(fixed + frame->frame_bytes - 4, 0xff, 4);
	return true;
}
