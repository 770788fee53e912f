/* Which bytes of a record are the packet, padding, frame check sequence. */
#include <criterion/criterion.h>

#include "frame_packet.h"

/* Record of `wire` bytes holding `ip` bytes of IP packet over Ethernet. */
static void parse_record(unsigned tags, uint32_t ip, uint32_t pad, bool fcs,
			 uint8_t fcs_bytes, struct cd_frame *f)
{
	static struct packet p;

	p.n = 0;
	put_ether(&p, tags ? 0x8100 : 0x0800);
	if (tags)
		put32(&p, 0x00640800);
	put_udp4(&p, ip - 28);
	put_n(&p, 0, pad);
	if (fcs)
		put32(&p, 0x1d5c00a7);
	cr_assert_eq(cd_frame_parse(1, p.bytes, p.n, p.n, fcs_bytes, f),
		     CD_FRAME_OK);
	cr_assert_eq(f->payload_bytes, ip - 28);
	cr_assert_eq(f->payload_captured, ip - 28);
	cr_assert_eq(f->ip_bytes, ip);
	cr_assert_eq(f->frame_bytes, 14 + 4 * tags + ip + pad);
	cr_assert_eq(f->padding_bytes, pad);
	cr_assert_eq((f->flags & CD_FRAME_FCS) != 0, fcs);
}

Test(frame_lengths, padding_and_fcs_are_told_apart)
{
	struct cd_frame f;

	for (unsigned tags = 0; tags < 2; tags++)
		for (unsigned said = 0; said < 2; said++) {
			uint8_t no = said ? 0 : 0xff, yes = said ? 4 : 0xff;
			uint32_t l2 = 14 + 4 * tags;

			parse_record(tags, 500, 0, false, no, &f);
			parse_record(tags, 500, 0, true, yes, &f);
			parse_record(tags, 60 - l2, 0, true, yes, &f);
			/* padded to 60 */
			parse_record(tags, 40, 60 - 40 - l2, false, no, &f);
			parse_record(tags, 40, 60 - 40 - l2, true, yes, &f);
			/* tagged after padding */
			parse_record(tags, 40, 6, false, no, &f);
			parse_record(tags, 40, 6, true, yes, &f);
			/* a trailer of 16 bytes is no FCS */
			parse_record(tags, 500, 16, false, no, &f);
		}
	/* declared, but not there */
	parse_record(0, 500, 0, false, 4, &f);
}

/* Padded to 64 bytes with zeros: four others there would be an FCS. */
Test(frame_lengths, what_decides_includes_a_possible_fcs)
{
	uint8_t fixed[80];
	struct cd_frame f;

	parse_record(1, 40, 6, false, 0xff, &f);
	cr_assert(cd_frame_fixed(&f, 1, fixed, sizeof(fixed)));
	for (size_t i = 58; i < sizeof(fixed); i++)
		cr_assert_eq(fixed[i], i >= 60 && i < 64 ? 0xff : 0);
	parse_record(1, 40, 6, true, 0xff, &f);
	cr_assert_not(cd_frame_fixed(&f, 1, fixed, sizeof(fixed)));
	parse_record(0, 200, 0, false, 0xff, &f);
	cr_assert(cd_frame_fixed(&f, 1, fixed, sizeof(fixed)));
	cr_assert_eq(fixed[79], 0);
}

Test(frame_lengths, slices_keep_the_lengths_of_the_wire)
{
	struct packet p = {.n = 0};
	struct cd_frame f;

	put_ether(&p, 0x0800);
	put_udp4(&p, 1000);
	for (uint32_t caplen = 42; caplen <= p.n; caplen++) {
		cd_frame_parse(1, p.bytes, caplen, p.n, 0xff, &f);
		cr_assert_eq(f.payload_bytes, 1000);
		cr_assert_eq(f.payload_captured, caplen - 42);
		cr_assert_eq(f.frame_bytes, 1042);
	}
	/* with an FCS on the wire that the slice left out */
	cd_frame_parse(1, p.bytes, 96, p.n + 4, 0xff, &f);
	cr_assert_eq(f.frame_bytes, 1042);
	cr_assert_eq(f.flags, 0);
	/* by a tool that forgot the original length */
	cr_assert_eq(cd_frame_parse(1, p.bytes, 96, 96, 0xff, &f), CD_FRAME_OK);
	cr_assert_eq(f.frame_bytes, 1042);
	cr_assert_eq(f.payload_bytes, 1000);
	cr_assert_eq(f.payload_captured, 54);
	/* more captured than there was: a footer of the card, or nonsense */
	put_n(&p, 0xee, 16);
	cd_frame_parse(1, p.bytes, p.n, p.n - 16, 0xff, &f);
	cr_assert_eq(f.frame_bytes, 1042);
	cr_assert_eq(f.padding_bytes, 0);
	cr_assert_eq(f.payload_captured, 1000);
	cd_frame_parse(1, p.bytes, p.n, 0, 0xff, &f);
	cr_assert_eq(f.payload_captured, 1000);
	cr_assert_eq(f.padding_bytes, 16);
}

Test(frame_lengths, length_0_is_left_to_the_network_card)
{
	struct packet p = {.n = 0};
	struct cd_frame f;

	put_ether(&p, 0x0800);
	put_ipv4(&p, 6, 20 + 1900);
	p.bytes[16] = p.bytes[17] = 0;
	put_tcp(&p, 0);
	put_n(&p, 'x', 1900);
	cr_assert_eq(parse(&p, 1, &f), CD_FRAME_OK);
	cr_assert_eq(f.flags, CD_FRAME_LENGTH_0);
	cr_assert_eq(f.payload_bytes, 1900);
	cr_assert_eq(f.ip_bytes, 1940);
	cr_assert_eq(f.frame_bytes, p.n);
	cd_frame_parse(1, p.bytes, 96, 65014, 0xff, &f);
	cr_assert_eq(f.payload_bytes, 65014 - 54);
	cr_assert_eq(f.payload_captured, 42);

	p.n = 0;
	put_ether(&p, 0x86dd);
	put_ipv6(&p, 6, 0);
	put_tcp(&p, 0);
	put_n(&p, 'x', 1900);
	cr_assert_eq(parse(&p, 1, &f), CD_FRAME_OK);
	cr_assert_eq(f.flags, CD_FRAME_LENGTH_0 | CD_FRAME_IPV6);
	cr_assert_eq(f.payload_bytes, 1900);
}

Test(frame_lengths, jumbograms)
{
	struct packet p = {.n = 0};
	struct cd_frame f;

	put_ether(&p, 0x86dd);
	put_ipv6(&p, 0, 0);
	put(&p, "\x11\0\xc2\4", 4);
	put32(&p, 100008);
	put_udp(&p, 0);
	p.bytes[p.n - 4] = p.bytes[p.n - 3] = 0; /* UDP length 0 */
	put_n(&p, 'x', 500);
	cr_assert_eq(cd_frame_parse(1, p.bytes, p.n, 100062, 0xff, &f),
		     CD_FRAME_OK);
	cr_assert_eq(f.flags, CD_FRAME_IPV6);
	cr_assert_eq(f.ip_bytes, 100048);
	cr_assert_eq(f.payload_bytes, 100000 - 8);
	cr_assert_eq(f.payload_captured, 500);
	cr_assert_eq(f.frame_bytes, 100062);
	/* a length no frame can have is not believed */
	memset(p.bytes + 14 + 44, 0xff, 4);
	cd_frame_parse(1, p.bytes, p.n, p.n, 0xff, &f);
	cr_assert_eq(f.flags, CD_FRAME_IPV6 | CD_FRAME_LENGTH_0);
	cr_assert_eq(f.payload_bytes, 500);
}
