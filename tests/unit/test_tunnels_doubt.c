/* What looks like a tunnel and is none. */
#include "tunnel_cases.h"

/* Change of an inner length: the tunnel's own packet is what is left. */
static void expect_outer(const struct tunnel_case *c, const struct packet *p,
			 const char *what)
{
	struct cd_frame f;

	cr_assert_eq(parse(p, 1, &f), CD_FRAME_OK, "%s: %s", c->name, what);
	cr_assert_eq(f.tunnels, c->tunnels - 1, "%s: %s", c->name, what);
	cr_assert_eq(f.payload + f.payload_bytes, p->bytes + p->n, "%s: %s",
		     c->name, what);
	cr_assert_eq(f.payload_captured, f.payload_bytes);
	cr_assert_neq(f.dst_port, 5001, "%s: %s", c->name, what);
	cr_assert_gt(f.payload_bytes, PAYLOAD + 27, "%s: %s", c->name, what);
}

Test(tunnels_doubt, wrong_inner_lengths_are_no_tunnel)
{
	static struct packet p;

	for (size_t i = 0; i < CASES; i++) {
		uint8_t *ip;

		if (cases[i].tunnels == 0)
			continue;
		put_innermost(&p, 4);
		wrap_case(&p, &cases[i]);
		ip = p.bytes + p.n - ip_bytes(4);
		ip[3]++; /* also wrong for the checksum, where that is asked */
		expect_outer(&cases[i], &p, "IP one longer");
		ip[2] = 0xff;
		expect_outer(&cases[i], &p, "IP much longer");
		ip[2] = 0;
		ip[3] -= 2;
		expect_outer(&cases[i], &p, "IP one shorter, UDP is not");
		ip[3] = 19;
		expect_outer(&cases[i], &p, "IP shorter than its header");
		ip[3] = 128;
		ip[0] = 0x44;
		expect_outer(&cases[i], &p, "header length");
		ip[0] = 0x75;
		expect_outer(&cases[i], &p, "version");
		ip[0] = 0x45;
		ip[25]++;
		expect_outer(&cases[i], &p, "UDP one longer");
		ip[25] = 7;
		expect_outer(&cases[i], &p, "UDP shorter than its header");
	}
}

/* A bit that says otherwise, `at` bytes into the header of the tunnel. */
static const struct {
	wrap_fn *wrap[3];
	uint32_t header, at;
	uint8_t value;
} refused[] = {
    {{ether, vxlan, ether}, 42, 0, 0x00},	 /* no VNI */
    {{ether, vxlan, ether}, 42, 0, 0x09},	 /* reserved */
    {{ether, vxlan, ether}, 42, 1, 0x40},	 /* of a policy there is not */
    {{ether, vxlan, ether}, 42, 3, 1},		 /* reserved */
    {{ether, vxlan, ether}, 42, 7, 1},		 /* reserved */
    {{ether, vxlan_policy, ether}, 42, 1, 0x01}, /* reserved */
    {{ether, geneve, ether}, 42, 0, 0x40},	 /* version */
    {{ether, geneve, ether}, 42, 0, 0x3f},	 /* options */
    {{ether, geneve, ether}, 42, 1, 0x80},	 /* control */
    {{ether, geneve, ether}, 42, 1, 0x01},	 /* reserved */
    {{ether, geneve, ether}, 42, 3, 0x59},	 /* protocol */
    {{ether, geneve, ether}, 42, 7, 1},		 /* reserved */
    {{gtp, ether}, 42, 0, 0x50},		 /* version */
    {{gtp, ether}, 42, 0, 0x20},		 /* protocol type */
    {{gtp, ether}, 42, 0, 0x38},		 /* reserved */
    {{gtp, ether}, 42, 1, 1},			 /* echo request */
    {{gtp, ether}, 42, 3, 1},			 /* length */
    {{gtp_extended, ether}, 42, 12, 0},		 /* extension of 0 words */
    {{gtp_extended, ether}, 42, 12, 200},	 /* of too many */
    {{gre, ether}, 34, 0, 0x40},		 /* routing */
    {{gre, ether}, 34, 0, 0x08},		 /* strict */
    {{gre, ether}, 34, 1, 0x02},		 /* version */
    {{gre, ether}, 34, 1, 0x80},		 /* acknowledgement */
    {{gre, ether}, 34, 2, 0x90},		 /* protocol */
    {{pptp, ether}, 34, 0, 0x20},		 /* no sequence number */
    {{pptp, ether}, 34, 0, 0xb0},		 /* checksum */
    {{pptp, ether}, 34, 3, 0x0c},		 /* not PPP */
    {{ether, erspan2, ether}, 34, 8, 0x30},	 /* version */
    {{ether, erspan3, ether}, 34, 8 + 10, 0x84}, /* frame type 1 */
};

Test(tunnels_doubt, headers_that_say_otherwise)
{
	static struct packet p;
	struct cd_frame f;

	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		put_innermost(&p, 4);
		for (size_t j = 0; j < 3 && refused[i].wrap[j] != NULL; j++)
			refused[i].wrap[j](&p);
		cr_assert_eq(parse(&p, 1, &f), CD_FRAME_OK, "%zu", i);
		cr_assert_eq(f.tunnels, 1, "%zu", i);
		p.bytes[refused[i].header + refused[i].at] = refused[i].value;
		cr_assert_eq(parse(&p, 1, &f), CD_FRAME_OK, "%zu", i);
		cr_assert_eq(f.tunnels, 0, "%zu", i);
		cr_assert_eq(f.encaps, 0, "%zu", i);
		cr_assert_eq(f.payload, p.bytes + refused[i].header, "%zu", i);
	}
}

/* IP alone in IP takes up all the room there is. */
Test(tunnels_doubt, ip_in_ip_has_no_padding)
{
	static struct packet p;
	struct cd_frame f;

	for (uint32_t padding = 0; padding < 20; padding++)
		for (unsigned version = 4; version <= 6; version += 2) {
			put_innermost(&p, version);
			put_n(&p, 0, padding);
			ipip(&p);
			ether(&p);
			cr_assert_eq(parse(&p, 1, &f), CD_FRAME_OK);
			cr_assert_eq(f.tunnels, padding == 0);
		}
}

/* Generators send to these ports, and with these protocol numbers. */
static void put_generated(struct packet *p, unsigned kind, uint32_t i)
{
	switch (kind) {
	case 0: /* a counter, then nothing */
		put32(p, i);
		put_n(p, 0, 60);
		break;
	case 1: /* little endian */
		put32(p, i >> 8 << 16 | (i & 255) << 24);
		put_n(p, 0xff, 60);
		break;
	case 2: /* iperf2: number, seconds, microseconds */
		put32(p, i);
		put32(p, 0x45000000 + i);
		put32(p, i);
		put_n(p, 0, 52);
		break;
	case 3: /* iperf3 */
		put32(p, 0x66554433);
		put32(p, i);
		put32(p, i);
		put_n(p, '4', 52);
		break;
	case 4: /* pktgen */
		put32(p, 0xbe9be955);
		put32(p, i);
		put_n(p, 0x45, 56);
		break;
	case 5: /* numbers that look like an IPv4 header at times */
		put32(p, 0x45000000 + i);
		put_n(p, 0, 60);
		break;
	default: /* 64 bits */
		put32(p, 0);
		put32(p, i);
		put_n(p, 'x', 56);
		break;
	}
}

static void expect_generated(unsigned protocol, unsigned port, unsigned kind,
			     uint32_t i)
{
	static struct packet p;
	struct cd_frame f;

	p.n = 0;
	put_ether(&p, 0x0800);
	put_ipv4(&p, protocol, protocol == 17 ? 72 : 64);
	if (protocol == 17) {
		put16(&p, 40000);
		put16(&p, port);
		put32(&p, 72 << 16);
	}
	put_generated(&p, kind, i);
	cr_assert_eq(parse(&p, 1, &f), CD_FRAME_OK);
	cr_assert_eq(f.payload, p.bytes + p.n - 64, "%u/%u: %u in kind %u",
		     protocol, port, i, kind);
	cr_assert_eq(f.payload_bytes, 64);
	cr_assert_eq(f.tunnels, 0);
	cr_assert_eq(f.encaps, 0);
	cr_assert_eq(f.dst_port, protocol == 17 ? port : 0);
}

Test(tunnels_doubt, generated_traffic_is_none)
{
	static const struct {
		unsigned protocol, port;
	} to[] = {{17, 4789}, {17, 8472}, {17, 6081}, {17, 2152},
		  {4, 0},     {41, 0},	  {47, 0}};

	for (size_t t = 0; t < sizeof(to) / sizeof(to[0]); t++)
		for (unsigned kind = 0; kind < 7; kind++)
			for (uint32_t i = 0; i < 0x20000; i += i % 3 + 1)
				expect_generated(to[t].protocol, to[t].port,
						 kind, i);
}

Test(tunnels_doubt, survive_damage)
{
	static struct packet p, damaged;
	uint64_t state = 88172645463325252u;

	for (size_t i = 0; i < CASES; i++) {
		put_innermost(&p, i % 2 ? 4 : 6);
		wrap_case(&p, &cases[i]);
		for (int round = 0; round < 2000; round++) {
			damaged = p;
			for (int flips = round % 5; flips >= 0; flips--) {
				state ^= state << 13;
				state ^= state >> 7;
				state ^= state << 17;
				damaged.bytes[state % (p.n - PAYLOAD)] ^=
				    (uint8_t)(1u << (state >> 60 & 7));
			}
			parse_exact(damaged.bytes,
				    round % 2 ? p.n
					      : (uint32_t)(state >> 32) % p.n,
				    p.n);
		}
	}
}

/* What the address below the label begins with decides nothing alone. */
Test(tunnels_doubt, pseudowires_with_any_address)
{
	static struct packet p;
	struct cd_frame f;

	for (unsigned first = 0; first < 256; first++)
		for (unsigned control = 0; control < 2; control++) {
			put_innermost(&p, 4);
			ether(&p);
			p.bytes[0] = (uint8_t)first;
			if (control)
				control_word(&p);
			else
				pseudowire(&p);
			cr_assert_eq(parse(&p, 1, &f), CD_FRAME_OK, "%02x",
				     first);
			expect_innermost(&f, 4, p.n - ip_bytes(4), "wire");
			cr_assert_eq(f.encaps,
				     CD_ENCAP_MPLS | CD_ENCAP_PSEUDOWIRE);
		}
	put_innermost(&p, 4);
	prepend_bytes(&p, "\0\1\1\x40\x10\0\0\7", 8); /* associated channel */
	ether_of(&p, 0x8847);
	cr_assert_eq(parse(&p, 1, &f), CD_FRAME_NOT_IP);
}

Test(tunnels_doubt, headers_that_are_none)
{
	struct packet p = {.n = 0};
	struct cd_frame f;

	put_ether(&p, 0xd28b); /* a test packet of the same maker */
	put(&p, "\xca\xfe\0\1\0\0\0\1\0\x40", 10);
	put_n(&p, 0, 36);
	cr_assert_eq(parse(&p, 1, &f), CD_FRAME_NOT_IP);
	p.n = 14;
	put(&p, "\0\1\0\x30", 4);
	put_n(&p, 0, 42);
	cr_assert_eq(parse(&p, 1, &f), CD_FRAME_NOT_IP);
	p.n = 0;
	put_ether(&p, 0x22e5);
	put_n(&p, 0, 46);
	cr_assert_eq(parse(&p, 1, &f), CD_FRAME_BAD);
	p.n = 0; /* a mirror header outside of GRE */
	put_ether(&p, 0x88be);
	put_n(&p, 0x10, 46);
	cr_assert_eq(parse(&p, 1, &f), CD_FRAME_NOT_IP);
	cr_assert_eq(f.encaps, 0);
}

Test(tunnels_doubt, fragments_of_a_tunnel)
{
	static struct packet p;
	struct cd_frame f;
	uint32_t whole;

	put_innermost(&p, 4);
	ether(&p);
	vxlan(&p);
	ether(&p);
	whole = p.n;
	p.n -= 40; /* are in another fragment */
	p.bytes[17] = (uint8_t)(p.n - 14);
	p.bytes[20] = 0x20;
	cr_assert_eq(parse(&p, 1, &f), CD_FRAME_OK);
	cr_assert_eq(f.tunnels, 1);
	cr_assert_eq(f.dst_port, 5001);
	cr_assert_eq(f.flags, CD_FRAME_FRAGMENT);
	cr_assert_eq(f.payload, p.bytes + whole - PAYLOAD);
	cr_assert_eq(f.payload_bytes, PAYLOAD - 40);
	cr_assert_eq(f.frame_bytes, p.n);

	p.bytes[20] = 0;
	p.bytes[21] = 100; /* a later one: whatever it looks like */
	for (unsigned protocol = 0; protocol < 256; protocol++) {
		p.bytes[23] = (uint8_t)protocol;
		cr_assert_eq(parse(&p, 1, &f), CD_FRAME_OK);
		cr_assert_eq(f.tunnels, 0);
		cr_assert_null(f.l4);
		cr_assert_eq(f.payload, p.bytes + 34);
	}
}
