/*
 * Peeling, for the files of this room only. Every header has a code (link
 * type, ethertype or IP protocol) and a function that takes it off; the
 * functions are the table cd_peelers[]. A new header is a function in its own
 * file and a line there.
 */
#ifndef CAPDIFF_FRAME_PEEL_H
#define CAPDIFF_FRAME_PEEL_H

#include "base/bytes.h"
#include "frame/frame.h"

/* Codes: a space and a 16-bit value of it. */
enum {
	CD_PEEL_LINK = 0,
	CD_PEEL_TYPE = 1 << 16,
	CD_PEEL_IP = 2 << 16,
	CD_PEEL_STOP = 3 << 16 /* plus a cd_frame_status */
};

enum {
	CD_LINK_NULL = 0,
	CD_LINK_ETHERNET = 1,
	CD_LINK_RAW = 101,
	CD_LINK_LOOP = 108,
	CD_LINK_SLL = 113,
	CD_LINK_IPV4 = 228,
	CD_LINK_IPV6 = 229,
	CD_LINK_SLL2 = 276
};

enum {
	CD_TYPE_IPV4 = 0x0800,
	CD_TYPE_IPV6 = 0x86dd,
	CD_TYPE_VLAN = 0x8100,
	CD_TYPE_QINQ = 0x88a8,
	CD_TYPE_QINQ_OLD = 0x9100,
	CD_TYPE_MPLS = 0x8847,
	CD_TYPE_MPLS_UPSTREAM = 0x8848,
	CD_TYPE_LENGTH_MAX = 1500 /* up to here an 802.3 length */
};

enum { CD_IP_ICMP = 1, CD_IP_TCP = 6, CD_IP_UDP = 17, CD_IP_ICMPV6 = 58 };

struct cd_peel {
	const uint8_t *at;  /* the header to take off */
	const uint8_t *end; /* of the captured bytes that belong to it */
	/* Offset from frame->data where the bytes of this layer ended on the
	 * wire; may lie beyond `end`. */
	uint32_t wire_end;
	uint32_t linktype;
	uint8_t fcs_bytes; /* 0xff: not said */
	bool in_ip;	   /* an IP header was met: lengths are settled */
	struct cd_frame *frame;
};

struct cd_peeler {
	uint32_t code;
	/* Takes the header at peel->at off; returns the code of what follows,
	 * or CD_PEEL_STOP + status. Moves on by at least one byte. */
	uint32_t (*peel)(struct cd_peel *peel);
};

extern const struct cd_peeler cd_peelers[]; /* ends with peel == NULL */

static inline size_t cd_peel_left(const struct cd_peel *peel)
{
	return (size_t)(peel->end - peel->at);
}

static inline uint32_t cd_peel_offset(const struct cd_peel *peel)
{
	return (uint32_t)(peel->at - peel->frame->data);
}

/* Bytes this layer still had on the wire at peel->at. */
static inline uint32_t cd_peel_wire_left(const struct cd_peel *peel)
{
	uint32_t offset = cd_peel_offset(peel);

	return peel->wire_end > offset ? peel->wire_end - offset : 0;
}

/* A header of `n` bytes is not all there: cut by the snaplen, or the frame
 * itself was too short. */
static inline uint32_t cd_peel_short(const struct cd_peel *peel, uint32_t n)
{
	return CD_PEEL_STOP +
	       (cd_peel_wire_left(peel) < n ? CD_FRAME_BAD : CD_FRAME_CUT);
}

/*
 * An IP header of `bytes` with its packet begins at peel->at: note its length,
 * confine the layer to it, and, for the outermost one, tell padding from FCS.
 */
void cd_peel_enter_ip(struct cd_peel *peel, uint32_t bytes);
/* Length 0: the packet goes on to the end of the frame. */
void cd_peel_enter_ip_unsized(struct cd_peel *peel);
/* What the frame holds outside of IP: `frame_bytes` from the record alone. */
void cd_peel_no_ip(struct cd_peel *peel, uint32_t origlen);
/* Outermost IP packet ends at `end`, the record at `wire`. */
void cd_peel_settle(struct cd_frame *frame, uint32_t linktype,
		    uint8_t fcs_bytes, uint32_t wire, uint32_t end);
/* The payload is all the layer holds from peel->at on. */
void cd_peel_payload(struct cd_peel *peel);

uint32_t cd_peel_ethernet(struct cd_peel *peel);
uint32_t cd_peel_sll(struct cd_peel *peel);
uint32_t cd_peel_sll2(struct cd_peel *peel);
uint32_t cd_peel_null(struct cd_peel *peel);
uint32_t cd_peel_raw(struct cd_peel *peel);
uint32_t cd_peel_vlan(struct cd_peel *peel);
uint32_t cd_peel_mpls(struct cd_peel *peel);
uint32_t cd_peel_ipv4(struct cd_peel *peel);
uint32_t cd_peel_ipv6(struct cd_peel *peel);
uint32_t cd_peel_udp(struct cd_peel *peel);
uint32_t cd_peel_tcp(struct cd_peel *peel);
uint32_t cd_peel_icmp(struct cd_peel *peel);

#endif
