/*
 * Packets in tunnels, for the tests of frames. The innermost is always the
 * same: UDP 40000 > 5001 with 100 bytes of 'x'. Around it go headers, from the
 * inside out.
 */
#ifndef CAPDIFF_TESTS_TUNNEL_CASES_H
#define CAPDIFF_TESTS_TUNNEL_CASES_H

#include "frame_exact.h"

enum { PAYLOAD = 100 };

typedef void wrap_fn(struct packet *);

static inline void prepend(struct packet *p, const struct packet *header)
{
	memmove(p->bytes + header->n, p->bytes, p->n);
	memcpy(p->bytes, header->bytes, header->n);
	p->n += header->n;
}

static inline void prepend_bytes(struct packet *p, const void *bytes, size_t n)
{
	struct packet header = {.n = 0};

	put(&header, bytes, n);
	prepend(p, &header);
}

static inline unsigned ip_type(const struct packet *p)
{
	return p->bytes[0] >> 4 == 4 ? 0x0800 : 0x86dd;
}

static inline void ether_of(struct packet *p, unsigned type)
{
	struct packet header = {.n = 0};

	put_ether(&header, type);
	prepend(p, &header);
}

static inline void ether(struct packet *p)
{
	ether_of(p, ip_type(p));
}

/* A tag takes the place of the ethertype of the frame it is put into. */
static inline void insert_tag(struct packet *p, unsigned type)
{
	struct packet tag = {.n = 0};

	put(&tag, p->bytes, 12);
	put16(&tag, type);
	put16(&tag, 100);
	memmove(p->bytes, p->bytes + 12, p->n - 12);
	p->n -= 12;
	prepend(p, &tag);
}

static inline void vlan(struct packet *p)
{
	insert_tag(p, 0x8100);
}

static inline void service(struct packet *p)
{
	insert_tag(p, 0x88a8);
}

static inline void backbone(struct packet *p)
{
	prepend_bytes(p, "\0\1\2\3", 4);
	ether_of(p, 0x88e7);
	service(p);
}

static inline void mpls(struct packet *p)
{
	prepend_bytes(p, "\0\1\0\x40\0\1\1\x40", 8);
	ether_of(p, 0x8847);
}

static inline void pseudowire(struct packet *p)
{
	prepend_bytes(p, "\0\1\1\x40", 4);
	ether_of(p, 0x8847);
}

static inline void control_word(struct packet *p)
{
	prepend_bytes(p, "\0\1\1\x40\0\0\0\7", 8);
	ether_of(p, 0x8848);
}

static inline void pppoe(struct packet *p)
{
	struct packet header = {.n = 0};

	put32(&header, 0x11000007);
	put16(&header, p->n + 2);
	put16(&header, ip_type(p) == 0x0800 ? 0x0021 : 0x0057);
	prepend(p, &header);
	ether_of(p, 0x8864);
}

/* Between the addresses and the ethertype. */
static inline void insert(struct packet *p, const char *bytes, size_t n)
{
	struct packet header = {.n = 0};

	put(&header, p->bytes, 12);
	put(&header, bytes, n);
	memmove(p->bytes, p->bytes + 12, p->n - 12);
	p->n -= 12;
	prepend(p, &header);
}

static inline void arista64(struct packet *p)
{
	insert(p, "\xd2\x8b\0\1\1\x10\x60\0\0\0\0\0\0\1", 14);
}

static inline void arista48(struct packet *p)
{
	insert(p, "\xd2\x8b\0\1\0\x21\0\1\0\0\0\1", 12);
}

static inline void gigamon(struct packet *p)
{
	insert(p, "\x22\xe5\x0f\1\2\0\x8e\3\x08\x60\0\0\0\0\0\0\1", 17);
}

static inline void carry_in(struct packet *p, unsigned protocol)
{
	struct packet header = {.n = 0};

	put_ipv4(&header, protocol, p->n);
	header.bytes[12] = 172; /* not the addresses of the innermost */
	put_checksum(&header, 0, 10);
	prepend(p, &header);
}

static inline void ipip(struct packet *p)
{
	carry_in(p, ip_type(p) == 0x0800 ? 4 : 41);
}

static inline void ip_in_ipv6(struct packet *p)
{
	struct packet header = {.n = 0};

	put_ipv6(&header, ip_type(p) == 0x0800 ? 4 : 41, p->n);
	header.bytes[8] = 0xfd;
	prepend(p, &header);
}

static inline void gre_of(struct packet *p, unsigned flags, unsigned type)
{
	struct packet header = {.n = 0};

	put16(&header, flags);
	put16(&header, type);
	for (unsigned bit = 0x8000; bit > 7; bit >>= 1)
		if ((flags & bit) != 0)
			put32(&header, 0x11111111);
	prepend(p, &header);
	carry_in(p, 47);
}

static inline void gre(struct packet *p)
{
	gre_of(p, 0, ip_type(p));
}

static inline void gre_all(struct packet *p)
{
	gre_of(p, 0xb000, ip_type(p));
}

static inline void gre_key(struct packet *p)
{
	gre_of(p, 0x2000, ip_type(p));
}

static inline void gre_bridged(struct packet *p)
{
	gre_of(p, 0x2000, 0x6558);
}

static inline void pptp(struct packet *p)
{
	prepend_bytes(p, ip_type(p) == 0x0800 ? "\xff\3\0\x21" : "\xff\3\0\x57",
		      4);
	gre_of(p, 0x3081, 0x880b);
}

static inline void erspan1(struct packet *p)
{
	gre_of(p, 0, 0x88be);
}

static inline void erspan2(struct packet *p)
{
	prepend_bytes(p, "\x10\x64\x10\1\0\0\0\2", 8);
	gre_of(p, 0x1000, 0x88be);
}

static inline void erspan3(struct packet *p)
{
	prepend_bytes(p, "\x20\x64\x10\1\1\2\3\4\0\0\x80\6", 12);
	gre_of(p, 0x1000, 0x22eb);
}

static inline void erspan3_sub(struct packet *p)
{
	prepend_bytes(p, "\x20\x64\x10\1\1\2\3\4\0\0\x80\7\x0c\0\0\0\0\0\0\0",
		      20);
	gre_of(p, 0x1000, 0x22eb);
}

static inline void erspan3_ip(struct packet *p)
{
	prepend_bytes(p, "\x20\x64\x10\1\1\2\3\4\0\0\x08\6", 12);
	gre_of(p, 0x1000, 0x22eb);
}

static inline void udp_to(struct packet *p, unsigned port)
{
	struct packet header = {.n = 0};

	put16(&header, 51234);
	put16(&header, port);
	put16(&header, 8 + p->n);
	put16(&header, 0);
	prepend(p, &header);
	carry_in(p, 17);
}

static inline void vxlan(struct packet *p)
{
	prepend_bytes(p, "\x08\0\0\0\0\0\x2a\0", 8);
	udp_to(p, 4789);
}

static inline void vxlan_policy(struct packet *p)
{
	prepend_bytes(p, "\x88\x48\1\2\0\0\x2a\0", 8);
	udp_to(p, 4789);
}

static inline void vxlan_linux(struct packet *p)
{
	prepend_bytes(p, "\x08\0\0\0\0\0\x2a\0", 8);
	udp_to(p, 8472);
}

static inline void geneve(struct packet *p)
{
	prepend_bytes(p, "\0\0\x65\x58\0\0\x2a\0", 8);
	udp_to(p, 6081);
}

static inline void geneve_options(struct packet *p)
{
	prepend_bytes(p, "\3\x40\x65\x58\0\0\x2a\0\1\2\x80\2abcdefgh", 20);
	udp_to(p, 6081);
}

static inline void geneve_ip(struct packet *p)
{
	struct packet header = {.n = 0};

	put16(&header, 0);
	put16(&header, ip_type(p));
	put32(&header, 0x2a00);
	prepend(p, &header);
	udp_to(p, 6081);
}

static inline void gtp_of(struct packet *p, unsigned flags, const char *more,
			  size_t n)
{
	struct packet header = {.n = 0};

	put8(&header, flags);
	put8(&header, 255);
	put16(&header, p->n + (unsigned)n);
	put32(&header, 7);
	put(&header, more, n);
	prepend(p, &header);
	udp_to(p, 2152);
}

static inline void gtp(struct packet *p)
{
	gtp_of(p, 0x30, "", 0);
}

static inline void gtp_sequence(struct packet *p)
{
	gtp_of(p, 0x32, "\0\1\0\0", 4);
}

static inline void gtp_extended(struct packet *p)
{
	gtp_of(p, 0x34, "\0\0\0\x85\1\0\1\x85\2\0\0\0\0\0\0\0", 16);
}

#define LAYERS 6

static const struct tunnel_case {
	const char *name;
	wrap_fn *wrap[LAYERS];
	unsigned tunnels, encaps;
} cases[] = {
    {"none", {ether}, 0, 0},
    {"vlan", {ether, vlan}, 0, CD_ENCAP_VLAN},
    {"qinq", {ether, vlan, service}, 0, CD_ENCAP_VLAN | CD_ENCAP_SERVICE_VLAN},
    {"802.1ah",
     {ether, vlan, backbone},
     0,
     CD_ENCAP_VLAN | CD_ENCAP_SERVICE_VLAN | CD_ENCAP_BACKBONE},
    {"mpls", {mpls}, 0, CD_ENCAP_MPLS},
    {"pseudowire", {ether, pseudowire}, 0, CD_ENCAP_MPLS | CD_ENCAP_PSEUDOWIRE},
    {"control word",
     {ether, vlan, control_word},
     0,
     CD_ENCAP_MPLS | CD_ENCAP_PSEUDOWIRE | CD_ENCAP_VLAN},
    {"pppoe", {pppoe}, 0, CD_ENCAP_PPPOE},
    {"pppoe in qinq",
     {pppoe, vlan, service},
     0,
     CD_ENCAP_PPPOE | CD_ENCAP_VLAN | CD_ENCAP_SERVICE_VLAN},
    {"arista 64", {ether, arista64}, 0, CD_ENCAP_ARISTA},
    {"arista 48", {ether, vlan, arista48}, 0, CD_ENCAP_ARISTA | CD_ENCAP_VLAN},
    {"gigamon", {ether, vlan, gigamon}, 0, CD_ENCAP_GIGAMON | CD_ENCAP_VLAN},
    {"ipip", {ipip, ether}, 1, CD_ENCAP_IPIP},
    {"ip in ipv6", {ip_in_ipv6, ether}, 1, CD_ENCAP_IPIP},
    {"gre", {gre, ether}, 1, CD_ENCAP_GRE},
    {"gre key", {gre_key, ether, vlan}, 1, CD_ENCAP_GRE | CD_ENCAP_VLAN},
    {"gre all", {gre_all, ether}, 1, CD_ENCAP_GRE},
    {"gre bridged", {ether, gre_bridged, ether}, 1, CD_ENCAP_GRE},
    {"pptp", {pptp, ether}, 1, CD_ENCAP_GRE},
    {"erspan 1", {ether, erspan1, ether}, 1, CD_ENCAP_GRE | CD_ENCAP_ERSPAN},
    {"erspan 2",
     {ether, vlan, erspan2, ether},
     1,
     CD_ENCAP_GRE | CD_ENCAP_ERSPAN | CD_ENCAP_VLAN},
    {"erspan 3", {ether, erspan3, ether}, 1, CD_ENCAP_GRE | CD_ENCAP_ERSPAN},
    {"erspan 3, subheader",
     {ether, erspan3_sub, ether},
     1,
     CD_ENCAP_GRE | CD_ENCAP_ERSPAN},
    {"erspan 3, ip", {erspan3_ip, ether}, 1, CD_ENCAP_GRE | CD_ENCAP_ERSPAN},
    {"vxlan", {ether, vxlan, ether}, 1, CD_ENCAP_VXLAN},
    {"vxlan policy",
     {ether, vxlan_policy, ether, vlan},
     1,
     CD_ENCAP_VXLAN | CD_ENCAP_VLAN},
    {"vxlan linux",
     {ether, vlan, vxlan_linux, ether},
     1,
     CD_ENCAP_VXLAN | CD_ENCAP_VLAN},
    {"geneve", {ether, geneve, ether}, 1, CD_ENCAP_GENEVE},
    {"geneve options", {ether, geneve_options, ether}, 1, CD_ENCAP_GENEVE},
    {"geneve ip", {geneve_ip, ether}, 1, CD_ENCAP_GENEVE},
    {"gtp", {gtp, ether}, 1, CD_ENCAP_GTP},
    {"gtp sequence", {gtp_sequence, ether}, 1, CD_ENCAP_GTP},
    {"gtp extended", {gtp_extended, ether}, 1, CD_ENCAP_GTP},
    {"three deep",
     {gtp, ip_in_ipv6, ether, vxlan, ether},
     3,
     CD_ENCAP_GTP | CD_ENCAP_IPIP | CD_ENCAP_VXLAN},
};

#define CASES (sizeof(cases) / sizeof(cases[0]))

static inline void put_innermost(struct packet *p, unsigned version)
{
	p->n = 0;
	if (version == 4) {
		put_udp4(p, PAYLOAD);
		return;
	}
	put_ipv6(p, 17, 8 + PAYLOAD);
	put_udp(p, PAYLOAD);
	put_n(p, 'x', PAYLOAD);
}

static inline void wrap_case(struct packet *p, const struct tunnel_case *c)
{
	for (size_t i = 0; i < LAYERS && c->wrap[i] != NULL; i++)
		c->wrap[i](p);
}

static inline uint32_t ip_bytes(unsigned version)
{
	return (version == 4 ? 28 : 48) + PAYLOAD;
}

/* All of the innermost packet, which begins at `l3` of the record. */
static inline void expect_innermost(const struct cd_frame *f, unsigned version,
				    uint32_t l3, const char *name)
{
	uint32_t header = version == 4 ? 20 : 40;

	cr_assert_eq(f->l3, f->data + l3, "%s", name);
	cr_assert_eq(f->l4, f->l3 + header, "%s", name);
	cr_assert_eq(f->payload, f->l4 + 8, "%s", name);
	cr_assert_eq(f->payload_bytes, PAYLOAD, "%s", name);
	cr_assert_eq(f->src, f->l3 + (version == 4 ? 12 : 8), "%s", name);
	cr_assert_eq(f->dst, f->l3 + (version == 4 ? 16 : 24), "%s", name);
	cr_assert_eq(f->address_bytes, version == 4 ? 4 : 16, "%s", name);
	cr_assert_eq(f->flags, version == 4 ? 0 : CD_FRAME_IPV6, "%s", name);
	cr_assert_eq(f->ip_protocol, 17, "%s", name);
	cr_assert_eq(f->src_port, 40000, "%s", name);
	cr_assert_eq(f->dst_port, 5001, "%s", name);
	cr_assert_eq(f->ethertype, version == 4 ? 0x0800 : 0x86dd, "%s", name);
	cr_assert_eq(f->ip_bytes, ip_bytes(version), "%s", name);
}

#endif
