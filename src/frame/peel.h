/*
 * Peeling, for the files of this room only. Every header has a code (link
 * type, ethertype, IP protocol, UDP port of a tunnel, PPP protocol) and a
 * function that takes it off; the functions are the table cd_peelers[]. A new
 * header is a function in its own file and a line there.
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
	CD_PEEL_UDP = 3 << 16, /* the port sent to */
	CD_PEEL_PPP = 4 << 16,
	CD_PEEL_STOP = 5 << 16 /* plus a cd_frame_status */
};

enum {
	CD_LINK_NULL = 0,
	CD_LINK_ETHERNET = 1,
	CD_LINK_PPP = 9,
	CD_LINK_PPP_HDLC = 50,
	CD_LINK_PPP_ETHER = 51,
	CD_LINK_RAW = 101,
	CD_LINK_CISCO_HDLC = 104,
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
	CD_TYPE_BACKBONE = 0x88e7, /* IEEE 802.1ah I-TAG */
	CD_TYPE_BRIDGED = 0x6558,  /* transparent Ethernet bridging: in GRE */
	CD_TYPE_ERSPAN = 0x88be,
	CD_TYPE_ERSPAN3 = 0x22eb,
	CD_TYPE_PPP = 0x880b,
	CD_TYPE_PPPOE = 0x8864, /* session stage */
	CD_TYPE_ARISTA = 0xd28b,
	CD_TYPE_GIGAMON = 0x22e5,
	CD_TYPE_MPLS = 0x8847,
	CD_TYPE_MPLS_UPSTREAM = 0x8848,
	CD_TYPE_LENGTH_MAX = 1500 /* up to here an 802.3 length */
};

enum {
	CD_IP_ICMP = 1,
	CD_IP_IPV4 = 4,
	CD_IP_TCP = 6,
	CD_IP_UDP = 17,
	CD_IP_IPV6 = 41,
	CD_IP_GRE = 47,
	CD_IP_ICMPV6 = 58
};

enum {
	CD_UDP_GTP = 2152,
	CD_UDP_VXLAN = 4789,
	CD_UDP_GENEVE = 6081,
	CD_UDP_VXLAN_LINUX = 8472 /* before IANA gave it a port */
};

enum { CD_PPP_IPV4 = 0x0021, CD_PPP_IPV6 = 0x0057, CD_PPP_MPLS = 0x0281 };

#define CD_TUNNELS_MAX 8

struct cd_peel {
	const uint8_t *at;  /* the header to take off */
	const uint8_t *end; /* of the captured bytes that belong to it */
	/* Offset from frame->data where the bytes of this layer ended on the
	 * wire; may lie beyond `end`. */
	uint32_t wire_end;
	uint32_t linktype;
	uint8_t fcs_bytes; /* 0xff: not said */
	bool in_ip;	   /* an IP header was met: lengths are settled */
	bool in_tunnel;	   /* `outer` is filled */
	bool shortened;	   /* the tunnel cut the frames it carries */
	struct cd_frame *frame;
	/* What to report if the headers in the tunnel make no sense: its own
	 * header as payload. */
	struct cd_frame *outer;
};

struct cd_peeler {
	uint32_t code;
	/* Takes the header at peel->at off; returns the code of what follows,
	 * or CD_PEEL_STOP + status. Moves on by at least one byte or into one
	 * more tunnel. */
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
 * False: there is no room for it in the packet around it.
 */
bool cd_peel_enter_ip(struct cd_peel *peel, uint32_t bytes);
/* Length 0: the packet goes on to the end of the frame. */
void cd_peel_enter_ip_unsized(struct cd_peel *peel);
/* What the frame holds outside of IP: `frame_bytes` from the record alone. */
void cd_peel_no_ip(struct cd_peel *peel, uint32_t origlen);
/* Outermost IP packet ends at `end`, the record at `wire`. */
void cd_peel_settle(struct cd_frame *frame, uint32_t linktype,
		    uint8_t fcs_bytes, uint32_t wire, uint32_t end);
/* The payload is all the layer holds from peel->at on. */
void cd_peel_payload(struct cd_peel *peel);
/* What is at peel->at is looked into no further: payload, status OK. */
uint32_t cd_peel_opaque(struct cd_peel *peel);

/*
 * A tunnel's header of `n` bytes is at peel->at: begin anew behind it, noting
 * `encap` (CD_ENCAP_*). False if there are CD_TUNNELS_MAX around it already.
 */
bool cd_peel_enter_tunnel(struct cd_peel *peel, unsigned encap, uint32_t n);
/* In a tunnel `code`, CD_PEEL_STOP + status, ended the peeling: back out if
 * that is nothing. Returns what to end with instead. */
uint32_t cd_peel_leave_tunnel(struct cd_peel *peel, uint32_t code);
/* Does the packet `skip` bytes from peel->at say it is IP, as long as the room
 * in the tunnel? True also if too little was captured to tell. */
bool cd_peel_fills(const struct cd_peel *peel, uint32_t skip);
/* CD_PEEL_TYPE + ethertype of the IP version in the byte at peel->at, or
 * CD_PEEL_STOP + CD_FRAME_NOT_IP. */
uint32_t cd_peel_guess_ip(struct cd_peel *peel);
/* An ethertype (or 802.3 length) follows the `n` bytes at peel->at, which are
 * there, and then what it stands for. */
uint32_t cd_peel_type_after(struct cd_peel *peel, uint32_t n);

/* Asked of every UDP packet, so not left to the table: nearly always settled
 * by one bit. */
static inline bool cd_peel_is_tunnel_port(uint16_t port)
{
	const uint64_t bits =
	    1ull << CD_UDP_GTP % 64 | 1ull << CD_UDP_VXLAN % 64 |
	    1ull << CD_UDP_GENEVE % 64 | 1ull << CD_UDP_VXLAN_LINUX % 64;

	return CD_UNLIKELY((bits >> port % 64 & 1) != 0) &&
	       (port == CD_UDP_GTP || port == CD_UDP_VXLAN ||
		port == CD_UDP_GENEVE || port == CD_UDP_VXLAN_LINUX);
}

uint32_t cd_peel_ethernet(struct cd_peel *peel);
uint32_t cd_peel_sll(struct cd_peel *peel);
uint32_t cd_peel_sll2(struct cd_peel *peel);
uint32_t cd_peel_null(struct cd_peel *peel);
uint32_t cd_peel_raw(struct cd_peel *peel);
uint32_t cd_peel_ppp(struct cd_peel *peel);
uint32_t cd_peel_ppp_ipv4(struct cd_peel *peel);
uint32_t cd_peel_ppp_ipv6(struct cd_peel *peel);
uint32_t cd_peel_cisco_hdlc(struct cd_peel *peel);
uint32_t cd_peel_vlan(struct cd_peel *peel);
uint32_t cd_peel_backbone(struct cd_peel *peel);
uint32_t cd_peel_mpls(struct cd_peel *peel);
uint32_t cd_peel_pppoe(struct cd_peel *peel);
uint32_t cd_peel_arista(struct cd_peel *peel);
uint32_t cd_peel_gigamon(struct cd_peel *peel);
uint32_t cd_peel_ipv4(struct cd_peel *peel);
uint32_t cd_peel_ipv6(struct cd_peel *peel);
uint32_t cd_peel_udp(struct cd_peel *peel);
uint32_t cd_peel_tcp(struct cd_peel *peel);
uint32_t cd_peel_icmp(struct cd_peel *peel);
uint32_t cd_peel_ipv4_in_ip(struct cd_peel *peel);
uint32_t cd_peel_ipv6_in_ip(struct cd_peel *peel);
uint32_t cd_peel_gre(struct cd_peel *peel);
uint32_t cd_peel_erspan(struct cd_peel *peel);
uint32_t cd_peel_vxlan(struct cd_peel *peel);
uint32_t cd_peel_geneve(struct cd_peel *peel);
uint32_t cd_peel_gtp(struct cd_peel *peel);

#endif
