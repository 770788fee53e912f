/*
 * Frames: from the link header to the L4 payload of the innermost packet. Only
 * what was captured is ever read; lengths on the wire come from the IP header.
 */
#ifndef CAPDIFF_FRAME_FRAME_H
#define CAPDIFF_FRAME_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cd_frame_status {
	CD_FRAME_OK,	 /* IP with an L4 payload (L4 may be unknown) */
	CD_FRAME_NOT_IP, /* parsed as far as the link allows, no IP */
	CD_FRAME_CUT,	 /* snaplen ends inside the headers */
	CD_FRAME_BAD,	 /* header fields that contradict each other */
	CD_FRAME_LINK	 /* link type not known */
};

enum {
	/* an IP fragment, first or later; also a packet in the first fragment
	 * of a tunnel's */
	CD_FRAME_FRAGMENT = 1,
	CD_FRAME_LATER_FRAGMENT = 2, /* offset > 0: no L4 header here */
	CD_FRAME_LENGTH_0 = 4, /* IP total length 0 (segmentation offload) */
	CD_FRAME_IPV6 = 8,
	CD_FRAME_FCS = 16 /* FCS bytes were captured */
};

/* What stands before the packet besides its link header and one IP header. */
enum {
	CD_ENCAP_VLAN = 1,	   /* IEEE 802.1Q tag */
	CD_ENCAP_SERVICE_VLAN = 2, /* IEEE 802.1ad tag, and its forerunners */
	CD_ENCAP_BACKBONE = 4,	   /* IEEE 802.1ah */
	CD_ENCAP_MPLS = 8,
	CD_ENCAP_PSEUDOWIRE = 16, /* Ethernet in MPLS */
	CD_ENCAP_PPPOE = 32,
	CD_ENCAP_IPIP = 64, /* IPv4 or IPv6 in IPv4 or IPv6 */
	CD_ENCAP_GRE = 128,
	CD_ENCAP_ERSPAN = 256,
	CD_ENCAP_VXLAN = 512,
	CD_ENCAP_GENEVE = 1024,
	CD_ENCAP_GTP = 2048,
	CD_ENCAP_ARISTA = 4096,	 /* time stamp header */
	CD_ENCAP_GIGAMON = 8192, /* header of a packet broker */
	CD_ENCAPS = 14		 /* that many */
};

/* Where things are; pointers into the record's own data. */
struct cd_frame {
	const uint8_t *data; /* the captured bytes, link header first */
	uint32_t caplen;
	/* IP header (CD_FRAME_NOT_IP: what follows the link headers) and the
	 * header above it; NULL: not there. */
	const uint8_t *l3, *l4;
	/* What follows the L4 header (UDP, TCP, ICMP: see cd_frame_parse), or
	 * the IP header if the protocol is another one or this is a later
	 * fragment. NULL unless CD_FRAME_OK. */
	const uint8_t *payload;
	uint32_t payload_captured; /* bytes readable at payload */
	uint32_t payload_bytes;	   /* bytes it had on the wire */
	const uint8_t *src, *dst;  /* IP addresses, NULL if not IP */
	uint8_t address_bytes;	   /* 4, 16, 0 */
	uint8_t ip_protocol;	   /* of the last header, after extensions */
	uint8_t flags;		   /* CD_FRAME_* */
	uint8_t vlan_tags, mpls_labels; /* of all layers */
	uint8_t tunnels; /* IP packets around the innermost, which all else is
			    about */
	uint16_t encaps; /* CD_ENCAP_* bits of all layers */
	uint16_t src_port,
	    dst_port;	    /* UDP, TCP; ICMP: 0 and type << 8 | code */
	uint16_t ethertype; /* innermost */
	uint16_t ip_id;	    /* IPv4 */
	/* Bytes of the frame on the wire: link header to the end of padding,
	 * without FCS. */
	uint32_t frame_bytes;
	uint32_t ip_bytes; /* IP header and all it holds, from its length field;
			      with CD_FRAME_LENGTH_0 to the end of the frame */
	uint32_t padding_bytes; /* after the outermost IP packet, FCS not
				   counted: padding or a trailer */
};

/*
 * `linktype`: a LINKTYPE_/DLT_ value (upper bits already masked).
 * `fcs_bytes`: what the file says of the FCS, 0xff when nothing: then one that
 * is clearly there (four bytes an Ethernet frame would not have without) is
 * found. A length in the IP header that goes beyond `origlen` wins over it.
 * For ICMP and ICMPv6 the payload begins at the ICMP header (type, code), so
 * that payload+4 is the identifier. For TCP it begins after the TCP options.
 * A tunnel is entered, up to 8 deep, only if the headers within contradict
 * neither each other nor the room there is; else its header is payload of the
 * packet that carries it.
 * Fills all of `frame` whatever the status.
 */
enum cd_frame_status cd_frame_parse(uint32_t linktype, const uint8_t *data,
				    uint32_t caplen, uint32_t origlen,
				    uint8_t fcs_bytes, struct cd_frame *frame);

/* "VLAN tag", "VXLAN header" for CD_ENCAP_*, a single bit. */
const char *cd_encap_name(unsigned encap);

/*
 * What makes another frame of the same link type and lengths parse as this one
 * did: all is the same then but ip_id, and the pointers move with `data`. Sets
 * fixed[i] to 0xff for each of the first n bytes that must be the same, to 0
 * for the others. False: more than those decide.
 */
bool cd_frame_fixed(const struct cd_frame *frame, uint32_t linktype,
		    uint8_t *fixed, size_t n);

#endif
