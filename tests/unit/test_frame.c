#include <criterion/criterion.h>
#include <string.h>

#include "base/bytes.h"
#include "frame_exact.h"

static void expect_udp4(const struct packet *p, uint32_t linktype,
			uint32_t l3, uint32_t n)
{
	struct cd_frame f;

	cr_assert_eq(parse(p, linktype, &f), CD_FRAME_OK);
	cr_assert_eq(f.data, p->bytes);
	cr_assert_eq(f.caplen, p->n);
	cr_assert_eq(f.l3, p->bytes + l3);
	cr_assert_eq(f.l4, f.l3 + 20);
	cr_assert_eq(f.payload, f.l4 + 8);
	cr_assert_eq(f.payload_bytes, n);
	cr_assert_eq(f.payload_captured, n);
	cr_assert_eq(f.src, f.l3 + 12);
	cr_assert_eq(f.dst, f.l3 + 16);
	cr_assert_eq(f.address_bytes, 4);
	cr_assert_eq(f.ip_protocol, 17);
	cr_assert_eq(f.src_port, 40000);
	cr_assert_eq(f.dst_port, 5001);
	cr_assert_eq(f.ethertype, 0x0800);
	cr_assert_eq(f.ip_id, 0x1234);
	cr_assert_eq(f.ip_bytes, 28 + n);
	cr_assert_eq(f.frame_bytes, p->n);
	cr_assert_eq(f.padding_bytes, 0);
	cr_assert_eq(f.flags, 0);
}

Test(frame, udp_over_ipv4_on_every_link)
{
	struct packet p = {.n = 0};

	put_ether(&p, 0x0800);
	put_udp4(&p, 100);
	expect_udp4(&p, 1, 14, 100);

	static const uint32_t raw[] = {101, 12, 14, 228};
	for (size_t i = 0; i < 4; i++) {
		p.n = 0;
		put_udp4(&p, 100);
		expect_udp4(&p, raw[i], 0, 100);
	}

	p.n = 0; /* outgoing, ARPHRD_ETHER, 6 bytes of address, padding, type */
	put(&p, "\0\4\0\1\0\6\2\0\0\0\0\1\0\0\x08\0", 16);
	put_udp4(&p, 100);
	expect_udp4(&p, 113, 16, 100);

	p.n = 0;
	put(&p, "\x08\0\0\0\0\0\0\2\0\1\0\6\2\0\0\0\0\1\0\0", 20);
	put_udp4(&p, 100);
	expect_udp4(&p, 276, 20, 100);

	for (int big = 0; big < 2; big++)
		for (uint32_t link = 0; link <= 108; link += 108) {
			p.n = 0;
			put32(&p, big ? 2 : 0x02000000);
			put_udp4(&p, 100);
			expect_udp4(&p, link, 4, 100);
		}
}

Test(frame, tags_and_labels)
{
	struct packet p = {.n = 0};
	struct cd_frame f;

	put_ether(&p, 0x88a8);
	put32(&p, 0x00649100);
	put32(&p, 0x00658100);
	put32(&p, 0x00660800);
	put_udp4(&p, 60);
	expect_udp4(&p, 1, 26, 60);
	parse(&p, 1, &f);
	cr_assert_eq(f.vlan_tags, 3);

	p.n = 0;
	put_ether(&p, 0x8847);
	put32(&p, 16 << 12 | 64);
	put32(&p, 17 << 12 | 0x100 | 64);
	put_udp4(&p, 60);
	expect_udp4(&p, 1, 22, 60);
	parse(&p, 1, &f);
	cr_assert_eq(f.mpls_labels, 2);

	p.n = 0; /* Ethernet over MPLS with a control word */
	put_ether(&p, 0x8848);
	put32(&p, 17 << 12 | 0x100 | 64);
	put32(&p, 0);
	put_ether(&p, 0x8100);
	put32(&p, 0x00660800);
	put_udp4(&p, 60);
	expect_udp4(&p, 1, 40, 60);

	p.n = 0; /* 802.3 length, LLC, SNAP */
	put_ether(&p, 8 + 28 + 60);
	put(&p, "\xaa\xaa\3\0\0\0\x08\0", 8);
	put_udp4(&p, 60);
	expect_udp4(&p, 1, 22, 60);
}

Test(frame, ipv6_with_a_chain_of_extensions)
{
	struct packet p = {.n = 0};
	struct cd_frame f;

	put_ether(&p, 0x86dd);
	put_ipv6(&p, 0, 8 + 16 + 8 + 24 + 8 + 50);
	put(&p, "\x2b\0\1\4\0\0\0\0", 8);	    /* hop by hop */
	put(&p, "\x2c\1\4\0\0\0\0\0\0\0\0\0\0\0\0\0", 16); /* routing */
	put(&p, "\x33\0\0\0\0\0\0\7", 8);	    /* atomic fragment */
	put(&p, "\x11\4\0\0", 4);		    /* authentication */
	put_n(&p, 0, 20);
	put_udp(&p, 50);
	put_n(&p, 'x', 50);
	cr_assert_eq(parse(&p, 1, &f), CD_FRAME_OK);
	cr_assert_eq(f.ip_protocol, 17);
	cr_assert_eq(f.address_bytes, 16);
	cr_assert_eq(f.src, p.bytes + 22);
	cr_assert_eq(f.dst, p.bytes + 38);
	cr_assert_eq(f.l4, p.bytes + 14 + 40 + 56);
	cr_assert_eq(f.payload_bytes, 50);
	cr_assert_eq(f.flags, CD_FRAME_IPV6);
	cr_assert_eq(f.ip_bytes, 40 + 56 + 58);
	cr_assert_eq(f.ethertype, 0x86dd);
}

Test(frame, ipv6_on_null_and_raw)
{
	static const uint8_t families[] = {10, 24, 28, 30};
	struct packet p;
	struct cd_frame f;

	for (size_t i = 0; i < 4; i++) {
		p.n = 0;
		put32(&p, (uint32_t)families[i] << 24);
		put_ipv6(&p, 17, 8);
		put_udp(&p, 0);
		cr_assert_eq(parse(&p, 0, &f), CD_FRAME_OK);
		cr_assert_eq(f.payload_bytes, 0);
		cr_assert_eq(f.src_port, 40000);
	}
	memmove(p.bytes, p.bytes + 4, p.n -= 4);
	cr_assert_eq(parse(&p, 229, &f), CD_FRAME_OK);
	cr_assert_eq(parse(&p, 101, &f), CD_FRAME_OK);
	cr_assert_eq(f.l3, p.bytes);
}

Test(frame, fragments)
{
	struct packet p = {.n = 0};
	struct cd_frame f;

	put_ether(&p, 0x0800);
	put_ipv4(&p, 17, 1480);
	p.bytes[20] = 0x20; /* more fragments */
	put_udp(&p, 4000);
	put_n(&p, 'x', 1472);
	cr_assert_eq(parse(&p, 1, &f), CD_FRAME_OK);
	cr_assert_eq(f.flags, CD_FRAME_FRAGMENT);
	cr_assert_eq(f.payload_bytes, 1472);
	cr_assert_eq(f.dst_port, 5001);

	p.bytes[21] = 185;
	cr_assert_eq(parse(&p, 1, &f), CD_FRAME_OK);
	cr_assert_eq(f.flags, CD_FRAME_FRAGMENT | CD_FRAME_LATER_FRAGMENT);
	cr_assert_null(f.l4);
	cr_assert_eq(f.dst_port, 0);
	cr_assert_eq(f.payload, f.l3 + 20);
	cr_assert_eq(f.payload_bytes, 1480);

	p.n = 0;
	put_ether(&p, 0x86dd);
	put_ipv6(&p, 44, 8 + 100);
	put(&p, "\x06\0\0\x08\0\0\0\7", 8); /* offset 8, last */
	put_n(&p, 'x', 100);
	cr_assert_eq(parse(&p, 1, &f), CD_FRAME_OK);
	cr_assert_eq(f.flags, CD_FRAME_IPV6 | CD_FRAME_FRAGMENT |
				  CD_FRAME_LATER_FRAGMENT);
	cr_assert_eq(f.ip_protocol, 6);
	cr_assert_null(f.l4);
	cr_assert_eq(f.payload_bytes, 100);
}

Test(frame, tcp_icmp_and_the_rest)
{
	struct packet p = {.n = 0};
	struct cd_frame f;

	put_ether(&p, 0x0800);
	put_ipv4(&p, 6, 32 + 80);
	p.bytes[14] = 0x46; /* one word of IP options, taken from the payload */
	put32(&p, 0x01010101);
	put_tcp(&p, 12);
	put_n(&p, 'x', 76);
	cr_assert_eq(parse(&p, 1, &f), CD_FRAME_OK);
	cr_assert_eq(f.l4, f.l3 + 24);
	cr_assert_eq(f.payload, f.l4 + 32);
	cr_assert_eq(f.payload_bytes, 76);
	cr_assert_eq(f.dst_port, 80);
	p.bytes[38 + 12] = 0x40; /* data offset below 5 words */
	cr_assert_eq(parse(&p, 1, &f), CD_FRAME_BAD);

	p.n = 0;
	put_ether(&p, 0x0800);
	put_ipv4(&p, 1, 8 + 56);
	put(&p, "\x08\0\0\0\x44\x91\0\1", 8);
	put_n(&p, 'x', 56);
	cr_assert_eq(parse(&p, 1, &f), CD_FRAME_OK);
	cr_assert_eq(f.payload, f.l4);
	cr_assert_eq(f.payload_bytes, 64);
	cr_assert_eq(f.src_port, 0);
	cr_assert_eq(f.dst_port, 0x0800);
	cr_assert_eq(cd_be16(f.payload + 4), 0x4491);

	for (unsigned protocol = 2; protocol < 256; protocol++) {
		if (protocol == 6 || protocol == 17 || protocol == 58)
			continue;
		p.n = 0;
		put_ether(&p, 0x0800);
		put_ipv4(&p, protocol, 60);
		put_n(&p, 'x', 60);
		cr_assert_eq(parse(&p, 1, &f), CD_FRAME_OK);
		cr_assert_eq(f.payload, f.l3 + 20);
		cr_assert_eq(f.l4, f.payload);
		cr_assert_eq(f.payload_bytes, 60);
		cr_assert_eq(f.ip_protocol, protocol);
	}
}

static enum cd_frame_status damage(size_t at, unsigned value)
{
	struct packet p = {.n = 0};
	struct cd_frame f;
	enum cd_frame_status status;

	put_ether(&p, 0x0800);
	put_udp4(&p, 100);
	p.bytes[at] = (uint8_t)value;
	status = parse(&p, 1, &f);
	if (status != CD_FRAME_OK)
		cr_assert_null(f.payload);
	return status;
}

Test(frame, contradictions)
{
	cr_assert_eq(damage(14, 0x55), CD_FRAME_BAD); /* version */
	cr_assert_eq(damage(14, 0x44), CD_FRAME_BAD); /* header length */
	cr_assert_eq(damage(17, 10), CD_FRAME_BAD);   /* total < header */
	cr_assert_eq(damage(38, 1), CD_FRAME_BAD);    /* UDP > IP */
	cr_assert_eq(damage(39, 7), CD_FRAME_BAD);    /* UDP < 8 */
	cr_assert_eq(damage(39, 50), CD_FRAME_OK);    /* UDP options after it */
	cr_assert_eq(damage(12, 0x99), CD_FRAME_NOT_IP);
}

Test(frame, not_ip)
{
	struct packet p = {.n = 0};
	struct cd_frame f;

	put_ether(&p, 0x0806);
	put_n(&p, 0, 46);
	cr_assert_eq(cd_frame_parse(1, p.bytes, p.n, p.n, 4, &f),
		     CD_FRAME_NOT_IP);
	cr_assert_eq(f.ethertype, 0x0806);
	cr_assert_eq(f.l3, p.bytes + 14);
	cr_assert_eq(f.frame_bytes, 56);
	cr_assert_eq(f.flags, CD_FRAME_FCS);
	cr_assert_null(f.payload);
	cr_assert_null(f.src);
	cr_assert_eq(f.address_bytes, 0);
	cr_assert_eq(parse(&p, 105, &f), CD_FRAME_LINK);
	cr_assert_eq(f.frame_bytes, 60);
	cr_assert_eq(parse(&p, 0x10001, &f), CD_FRAME_LINK);
	p.n = 0;
	put_ether(&p, 0x0027); /* spanning tree */
	put(&p, "\x42\x42\3", 3);
	put_n(&p, 0, 43);
	cr_assert_eq(parse(&p, 1, &f), CD_FRAME_NOT_IP);
	p.n = 6; /* a runt: nothing was cut */
	cr_assert_eq(parse(&p, 1, &f), CD_FRAME_BAD);
	cr_assert_eq(cd_frame_parse(1, p.bytes, 6, 60, 0xff, &f), CD_FRAME_CUT);
}

/* A frame of plain UDP with `more` bytes behind it and `tags` tags. */
static void parse_tagged(unsigned tags, uint32_t n, uint32_t more,
			 struct cd_frame *f)
{
	static struct packet p;

	p.n = 0;
	put_ether(&p, tags == 0 ? 0x0800 : 0x8100);
	for (unsigned i = 1; i < tags; i++)
		put32(&p, 0x00648100);
	if (tags > 0)
		put32(&p, 0x00650800);
	put_udp4(&p, n);
	put_n(&p, 0, more);
	cr_assert_eq(cd_frame_parse(1, p.bytes, p.n, p.n, 0, f), CD_FRAME_OK);
}

/* The short cut for plain UDP, with one tag at most, against the long way that
 * two tags need. */
Test(frame, short_cut_and_long_way_agree)
{
	for (uint32_t n = 0; n < 200; n++)
		for (uint32_t more = 0; more < 24; more++)
			for (unsigned tags = 0; tags < 2; tags++) {
				struct cd_frame f, g;
				uint32_t shift = 4 * (2 - tags);

				parse_tagged(2, n, more, &g);
				cr_assert_eq(g.vlan_tags, 2);
				parse_tagged(tags, n, more, &f);
				cr_assert_eq(f.vlan_tags, tags);
				cr_assert_eq(f.payload_bytes, g.payload_bytes);
				cr_assert_eq(f.payload_captured,
					     g.payload_captured);
				cr_assert_eq(f.frame_bytes + shift,
					     g.frame_bytes);
				cr_assert_eq(f.padding_bytes, g.padding_bytes);
				cr_assert_eq(f.ip_bytes, g.ip_bytes);
				cr_assert_eq(f.ip_id, g.ip_id);
				cr_assert_eq(f.ip_protocol, g.ip_protocol);
				cr_assert_eq(f.address_bytes, g.address_bytes);
				cr_assert_eq(f.src + shift, g.src);
				cr_assert_eq(f.dst + shift, g.dst);
				cr_assert_eq(f.l3 + shift, g.l3);
				cr_assert_eq(f.l4 + shift, g.l4);
				cr_assert_eq(f.payload + shift, g.payload);
				cr_assert_eq(f.src_port, g.src_port);
				cr_assert_eq(f.dst_port, g.dst_port);
				cr_assert_eq(f.ethertype, g.ethertype);
				cr_assert_eq(f.flags, g.flags);
			}
}

Test(frame, never_reads_past_what_was_captured)
{
	struct packet p[4] = {{.n = 0}};

	put_ether(&p[0], 0x8100);
	put32(&p[0], 0x00648847);
	put32(&p[0], 16 << 12 | 0x100);
	put_ipv4(&p[0], 6, 40);
	put_tcp(&p[0], 20);
	put_ether(&p[1], 0x86dd);
	put_ipv6(&p[1], 0, 0);
	put(&p[1], "\x2c\1\0\0\xc2\4\0\2\0\0\0\0\0\0\0\0", 16);
	put(&p[1], "\x11\0\0\1\0\0\0\7", 8);
	put_udp(&p[1], 20);
	put_n(&p[1], 'x', 20);
	put_ether(&p[2], 0x0800);
	put_ipv4(&p[2], 1, 64);
	put_n(&p[2], 8, 64);
	put_ether(&p[3], 40);
	put(&p[3], "\xaa\xaa\3\0\0\0\x08\0", 8);
	put_udp4(&p[3], 4);
	for (size_t i = 0; i < 4; i++)
		for (uint32_t n = 0; n <= p[i].n; n++) {
			parse_exact(p[i].bytes, n, p[i].n);
			parse_exact(p[i].bytes, n, n);
			parse_exact(p[i].bytes, n, n / 2);
			parse_exact(p[i].bytes, n, UINT32_MAX);
		}
}

Test(frame, survives_noise)
{
	uint64_t state = 88172645463325252u;
	uint8_t bytes[160];

	for (int round = 0; round < 100000; round++) {
		for (size_t i = 0; i < sizeof(bytes); i += 8) {
			state ^= state << 13;
			state ^= state >> 7;
			state ^= state << 17;
			memcpy(bytes + i, &state, 8);
		}
		static const uint16_t types[] = {0x0800, 0x86dd, 0x8100, 0x8847};
		bytes[12] = (uint8_t)(types[round & 3] >> 8);
		bytes[13] = (uint8_t)types[round & 3];
		if (round & 4)
			bytes[14] = (uint8_t)((round & 1 ? 0x60 : 0x45) +
					      (round >> 3 & 1));
		parse_exact(bytes, (uint32_t)(state % sizeof(bytes)),
			    (uint32_t)(state >> 50));
	}
}
