#include "frame/peel.h"
#include "tunnel_cases.h"

Test(tunnels, the_innermost_packet_is_reported)
{
	static struct packet p;
	struct cd_frame f;

	for (size_t i = 0; i < CASES; i++)
		for (unsigned version = 4; version <= 6; version += 2) {
			const char *name = cases[i].name;

			put_innermost(&p, version);
			wrap_case(&p, &cases[i]);
			cr_assert_eq(parse(&p, 1, &f), CD_FRAME_OK, "%s", name);
			expect_innermost(&f, version, p.n - ip_bytes(version),
					 name);
			cr_assert_eq(f.payload_captured, PAYLOAD, "%s", name);
			cr_assert_eq(f.tunnels, cases[i].tunnels, "%s", name);
			cr_assert_eq(f.encaps, cases[i].encaps, "%s: %x", name,
				     f.encaps);
			cr_assert_eq(f.frame_bytes, p.n, "%s", name);
			cr_assert_eq(f.padding_bytes, 0, "%s", name);
		}
}

/* Whatever is left: the innermost packet, or one around it, never a mixture. */
static void check_cut(const struct tunnel_case *c, const struct packet *p,
		      uint32_t caplen)
{
	uint8_t *data = malloc(caplen);
	enum cd_frame_status status;
	struct cd_frame f;

	cr_assert_not_null(data);
	memcpy(data, p->bytes, caplen);
	status = cd_frame_parse(1, data, caplen, p->n, 0xff, &f);
	check_inside(&f, status, data, caplen);
	if (caplen >= p->n - PAYLOAD) {
		cr_assert_eq(status, CD_FRAME_OK, "%s", c->name);
		expect_innermost(&f, 4, p->n - ip_bytes(4), c->name);
		cr_assert_eq(f.payload_captured, caplen - (p->n - PAYLOAD));
		cr_assert_eq(f.encaps, c->encaps);
	} else {
		cr_assert(status == CD_FRAME_CUT || f.tunnels < c->tunnels,
			  "%s at %u", c->name, caplen);
		cr_assert(status == CD_FRAME_CUT || status == CD_FRAME_OK,
			  "%s at %u", c->name, caplen);
	}
	cr_assert_eq(f.frame_bytes, p->n, "%s at %u", c->name, caplen);
	free(data);
}

Test(tunnels, cut_at_every_length)
{
	static struct packet p;

	for (size_t i = 0; i < CASES; i++) {
		put_innermost(&p, 4);
		wrap_case(&p, &cases[i]);
		for (uint32_t n = 1; n < p.n; n++) {
			check_cut(&cases[i], &p, n);
			parse_exact(p.bytes, n, p.n);
			parse_exact(p.bytes, n, n);
			parse_exact(p.bytes, n, n / 2);
		}
	}
}

/* The snaplen ends in the inner IP header that a type field promised: cut, as
 * in a capture without a tunnel, not other traffic. */
Test(tunnels, cut_inner_headers_are_cut)
{
	static struct packet p;
	struct cd_frame f;

	put_innermost(&p, 4);
	ether(&p);
	vxlan(&p);
	ether(&p);
	for (uint32_t n = 64; n < 92; n++) {
		cr_assert_eq(cd_frame_parse(1, p.bytes, n, p.n, 0xff, &f),
			     CD_FRAME_CUT);
		cr_assert_eq(f.tunnels, 1);
	}
	cr_assert_eq(cd_frame_parse(1, p.bytes, 63, p.n, 0xff, &f),
		     CD_FRAME_OK);
	cr_assert_eq(f.tunnels, 0);
	cr_assert_eq(f.dst_port, 4789);
	cr_assert_eq(f.payload_bytes, p.n - 42);
}

Test(tunnels, erspan_says_that_it_cut_the_frame)
{
	static struct packet p;
	struct cd_frame f;

	put_innermost(&p, 4);
	ether(&p);
	p.n -= 60;
	erspan2(&p);
	ether(&p);
	cr_assert_eq(parse(&p, 1, &f), CD_FRAME_OK);
	cr_assert_eq(f.tunnels, 0);
	p.bytes[14 + 20 + 8 + 2] |= 4;
	cr_assert_eq(parse(&p, 1, &f), CD_FRAME_OK);
	expect_innermost(&f, 4, p.n + 60 - ip_bytes(4), "cut");
	cr_assert_eq(f.payload_captured, PAYLOAD - 60);
	cr_assert_eq(f.frame_bytes, p.n);
}

Test(tunnels, at_most_eight_deep)
{
	static struct packet p;
	struct cd_frame f;

	for (unsigned depth = 1; depth < 12; depth++) {
		put_innermost(&p, 4);
		for (unsigned i = 0; i < depth; i++)
			if (i % 2 == 0)
				gre(&p);
			else
				ipip(&p);
		ether(&p);
		cr_assert_eq(parse(&p, 1, &f), CD_FRAME_OK);
		cr_assert_eq(f.tunnels, depth < 8 ? depth : 8);
		if (depth <= 8)
			expect_innermost(&f, 4, p.n - ip_bytes(4), "deep");
		else
			cr_assert_eq(f.payload + f.payload_bytes,
				     p.bytes + p.n);
		parse_exact(p.bytes, p.n, p.n);
	}
	p.n = 0;
	put_ether(&p, 0x8100);
	while (p.n < 2000)
		put32(&p, 0x00018100);
	cr_assert_eq(parse(&p, 1, &f), CD_FRAME_BAD);
	cr_assert_eq(f.vlan_tags, 255);
}

/* Frames are padded before or after something is put into them. */
Test(tunnels, padding_around_inserted_headers)
{
	static struct packet p;
	struct cd_frame f;

	for (uint32_t n = 0; n < 30; n++)
		for (unsigned fcs = 0; fcs < 2; fcs++) {
			uint32_t wire;

			p.n = 0;
			put_udp4(&p, n);
			ether(&p);
			if (p.n < 60)
				put_n(&p, 0, 60 - p.n);
			if (n % 2 == 0)
				vlan(&p);
			else
				control_word(&p);
			wire = p.n;
			if (fcs)
				put32(&p, 0x1d5c00a7);
			cr_assert_eq(parse(&p, 1, &f), CD_FRAME_OK);
			cr_assert_eq(f.payload_bytes, n);
			cr_assert_eq(f.frame_bytes, wire, "%u %u", n, fcs);
			cr_assert_eq(f.flags, fcs ? CD_FRAME_FCS : 0);
			cr_assert_eq(f.padding_bytes, n < 18 ? 18 - n : 0);
		}
}

Test(tunnels, trailers_are_outside_of_the_lengths)
{
	static struct packet p;
	struct cd_frame f;

	for (size_t i = 0; i < CASES; i++)
		for (uint32_t trailer = 1; trailer < 36; trailer++) {
			uint32_t l3;

			if (trailer == 4) /* taken for the FCS */
				continue;
			put_innermost(&p, 4);
			wrap_case(&p, &cases[i]);
			l3 = p.n - ip_bytes(4);
			put_n(&p, 0xa5, trailer);
			cr_assert_eq(parse(&p, 1, &f), CD_FRAME_OK);
			expect_innermost(&f, 4, l3, cases[i].name);
			cr_assert_eq(f.encaps, cases[i].encaps);
			cr_assert_eq(f.frame_bytes, p.n);
			cr_assert_eq(f.padding_bytes, trailer);
		}
}

static void expect_link(uint32_t linktype, const char *header, size_t n,
			unsigned version, unsigned encaps)
{
	static struct packet p;
	struct cd_frame f;

	put_innermost(&p, version);
	prepend_bytes(&p, header, n);
	cr_assert_eq(cd_frame_parse(linktype, p.bytes, p.n, p.n, 0xff, &f),
		     CD_FRAME_OK, "link %u", linktype);
	expect_innermost(&f, version, (uint32_t)n, "link");
	cr_assert_eq(f.encaps, encaps);
	for (uint32_t caplen = 0; caplen < p.n; caplen++)
		parse_exact(p.bytes, caplen, p.n);
}

Test(tunnels, links_of_point_to_point)
{
	struct packet p = {.n = 0};
	struct cd_frame f;

	expect_link(9, "\xff\3\0\x21", 4, 4, 0);
	expect_link(9, "\xff\3\x21", 3, 4, 0);
	expect_link(9, "\0\x57", 2, 6, 0);
	expect_link(9, "\x57", 1, 6, 0);
	expect_link(50, "\xff\3\0\x57", 4, 6, 0);
	expect_link(50, "\x0f\0\x08\0", 4, 4, 0);
	expect_link(104, "\x8f\0\x86\xdd", 4, 6, 0);
	expect_link(51, "\x11\0\0\1\0\x82\0\x21", 8, 4, CD_ENCAP_PPPOE);
	expect_link(9, "\xff\3\2\x81\0\1\1\x40", 8, 4, CD_ENCAP_MPLS);

	put(&p, "\xff\3\xc0\x21\1\1\0\x0a\5\6\1\2\3\4", 14); /* LCP */
	cr_assert_eq(cd_frame_parse(9, p.bytes, p.n, p.n, 0, &f),
		     CD_FRAME_NOT_IP);
	p.n = 0;
	put_ether(&p, 0x8864);
	put(&p, "\x11\xa7\0\7\0\0\0\x21\x45\0\0\x14", 12); /* PADT */
	cr_assert_eq(parse(&p, 1, &f), CD_FRAME_NOT_IP);
}

/* The bits asked of every UDP packet against the table. */
Test(tunnels, ports_are_those_of_the_table)
{
	for (uint32_t port = 0; port < 65536; port++) {
		bool listed = false;

		for (const struct cd_peeler *p = cd_peelers; p->peel; p++)
			listed |= p->code == CD_PEEL_UDP + port;
		cr_assert_eq(cd_peel_is_tunnel_port((uint16_t)port), listed);
	}
}

Test(tunnels, every_encapsulation_has_its_name)
{
	unsigned met = 0;

	for (size_t i = 0; i < CASES; i++)
		met |= cases[i].encaps;
	cr_assert_eq(met, (1u << CD_ENCAPS) - 1);
	cr_assert_str_eq(cd_encap_name(CD_ENCAP_VLAN), "VLAN tag");
	cr_assert_str_eq(cd_encap_name(CD_ENCAP_VXLAN), "VXLAN header");
	for (unsigned i = 0; i < CD_ENCAPS; i++)
		for (unsigned j = 0; j < i; j++)
			cr_assert_str_neq(cd_encap_name(1u << i),
					  cd_encap_name(1u << j));
}
