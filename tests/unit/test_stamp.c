#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "frame/frame.h"
#include "stamp/stamp.h"

enum { UDP = 17, ICMP = 1, ICMPV6 = 58 };

/* A packet in memory of exactly its size, so that the sanitizer sees a byte
 * too many, and its frame. */
struct packet {
	uint8_t *bytes;
	uint32_t n;
	struct cd_frame frame;
	enum cd_frame_status status;
};

static void store16(uint8_t *p, unsigned v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

static void store32(uint8_t *p, uint32_t v)
{
	store16(p, v >> 16);
	store16(p + 2, v & 0xffff);
}

/* Raw IPv4 or (ICMPv6) IPv6 around `n` bytes, of which `caplen` are kept. */
static struct packet pack(unsigned protocol, unsigned port,
			  const uint8_t *payload, uint32_t n, uint32_t cut)
{
	struct packet p = {.n = 0};
	uint8_t b[2048] = {0};
	uint32_t ip = protocol == ICMPV6 ? 40 : 20, l4 = protocol == UDP ? 8 : 0;

	if (ip == 20) {
		store16(b, 0x4500);
		store16(b + 2, ip + l4 + n);
		b[9] = (uint8_t)protocol;
		store32(b + 12, 0x0a000001);
		store32(b + 16, 0x0a000002);
	} else {
		b[0] = 0x60;
		store16(b + 4, n);
		b[6] = (uint8_t)protocol;
	}
	if (protocol == UDP) {
		store16(b + ip, 40000);
		store16(b + ip + 2, port);
		store16(b + ip + 4, 8 + n);
	}
	memcpy(b + ip + l4, payload, n);
	p.n = ip + l4 + n - cut;
	p.bytes = malloc(p.n);
	cr_assert_not_null(p.bytes);
	memcpy(p.bytes, b, p.n);
	p.status = cd_frame_parse(101, p.bytes, p.n, p.n + cut, 0, &p.frame);
	return p;
}

static struct cd_stamp_spec spec_of(const char *text)
{
	struct cd_stamp_spec spec;
	struct cd_error error = {.fault = CD_OK};

	cr_assert_eq(cd_stamp_spec_parse(text, &spec, &error), 0, "%s: %s",
		     text, error.what);
	return spec;
}

static enum cd_stamp_found find(const char *spec_text, unsigned protocol,
				const uint8_t *payload, uint32_t n,
				struct cd_stamp *stamp)
{
	struct cd_stamp_spec spec = spec_of(spec_text);
	struct packet p = pack(protocol, 5001, payload, n, 0);
	enum cd_stamp_found found = cd_stamp_parse(&spec, &p.frame, stamp);

	free(p.bytes);
	return found;
}

/* One good packet of every format and variant. */
struct example {
	const char *spec;
	unsigned protocol;
	uint32_t n;	 /* payload bytes */
	uint32_t need;	 /* of them until the number is known */
	uint64_t seq;
	uint32_t flow;
	bool has_tx;
	int64_t tx;
	uint8_t payload[176];
};

static const struct example examples[] = {
	{"pktgen", UDP, 22, 8, 0x01020304, 0, true, 1700000000123456,
	 "\xbe\x9b\xe9\x55\1\2\3\4\x65\x53\xf1\0\0\1\xe2\x40"},
	/* the flags say 64 bits */
	{"iperf2", UDP, 120, 12, 0x40000001, 0, true, 1700000000123456,
	 "\x40\0\0\1\x65\x53\xf1\0\0\1\xe2\x40\0\0\0\0\x48\1\0\x98"},
	/* 2.0.5: 12 bytes, then the pattern */
	{"iperf2", UDP, 120, 12, 5, 0, true, 1700000000123456,
	 "\0\0\0\5\x65\x53\xf1\0\0\1\xe2\x40" "23456789"},
	{"iperf3", UDP, 64, 12, 77, 0, true, 8123456,
	 "\0\0\0\x08\0\1\xe2\x40\0\0\0\x4d\x99"},
	{"iperf3", UDP, 64, 16, 77, 0, true, 8123456,
	 "\0\0\0\x08\0\1\xe2\x40\0\0\0\0\0\0\0\x4d"},
	{"iperf3:width=8", UDP, 64, 16, UINT64_C(0x30000004d), 0, true, 8123456,
	 "\0\0\0\x08\0\1\xe2\x40\0\0\0\3\0\0\0\x4d"},
	{"mgen", UDP, 100, 12, 9, 3, true, 1700000000123456,
	 "\0\x64\2\x08\0\0\0\3\0\0\0\x09\x65\x53\xf1\0\0\1\xe2\x40"
	 "\x13\x88\1\4\x0a\0\0\2"},
	{"mgen:flow=3", UDP, 100, 12, 9, 3, true, 1700000000123456,
	 "\0\x64\2\x08\0\0\0\3\0\0\0\x09\x65\x53\xf1\0\0\1\xe2\x40"
	 "\x13\x88\2\x10\x0a\0\0\2"},
	{"sockperf", UDP, 100, 14, UINT64_C(0x100000002), 1, false, 0,
	 "\0\0\0\1\0\0\0\2\0\3\0\0\0\x64"},
	{"ditg", UDP, 64, 16, 6, 2, true, 86399000005,
	 "\0\0\0\2\0\0\0\6\0\1\x51\x7f\0\0\0\5"},
	{"ditg", ICMP, 64, 24, 6, 2, true, 86399000005,
	 "\x08\0\0\0\0\0\0\0\0\0\0\2\0\0\0\6\0\1\x51\x7f\0\0\0\5"},
	{"ditg", ICMPV6, 64, 20, 6, 2, true, 86399000005,
	 "\x80\0\0\0\0\0\0\2\0\0\0\6\0\1\x51\x7f\0\0\0\5"},
	{"rtp", UDP, 172, 12, 0xfffe, 0xdeadbeef, false, 0,
	 "\x80\x60\xff\xfe\0\0\0\1\xde\xad\xbe\xef"},
	{"rtp:flow=0xdeadbeef", UDP, 172, 12, 2, 0xdeadbeef, false, 0,
	 "\x80\xe0\0\2\0\0\0\1\xde\xad\xbe\xef"},
	{"ping", ICMP, 64, 8, 3, 0x4491, true, 1700000000123456,
	 "\x08\0\0\0\x44\x91\0\3\0\xf1\x53\x65\0\0\0\0\x40\xe2\1"},
	{"icmp", ICMP, 8, 8, 3, 0x4491, false, 0, "\0\0\0\0\x44\x91\0\3"},
	{"ping:flow=17553", ICMPV6, 64, 8, 3, 0x4491, true, 1700000000123456,
	 "\x81\0\0\0\x44\x91\0\3\0\xf1\x53\x65\0\0\0\0\x40\xe2\1"},
	{"field:at=udp+3,width=3", UDP, 8, 6, 0x030405, 0, false, 0,
	 "\0\1\2\3\4\5\6\7"},
};

#define EXAMPLES (sizeof(examples) / sizeof(examples[0]))

Test(stamp, every_format_is_read)
{
	for (size_t i = 0; i < EXAMPLES; i++) {
		const struct example *e = &examples[i];
		struct cd_stamp s;

		cr_assert_eq(find(e->spec, e->protocol, e->payload, e->n, &s),
			     CD_STAMP_YES, "%s (%zu)", e->spec, i);
		cr_assert_eq(s.seq, e->seq, "%s (%zu)", e->spec, i);
		cr_assert_eq(s.flow, e->flow, "%s (%zu)", e->spec, i);
		cr_assert_eq((s.flags & CD_STAMP_HAS_TX) != 0, e->has_tx);
		cr_assert(!e->has_tx || s.tx == e->tx, "%s (%zu)", e->spec, i);
	}
}

/* Sliced anywhere: the number, or the plain statement that it was cut. */
Test(stamp, cut_at_every_length)
{
	for (size_t i = 0; i < EXAMPLES; i++) {
		const struct example *e = &examples[i];
		struct cd_stamp_spec spec = spec_of(e->spec);
		/* without any header byte the frame itself is cut */
		uint32_t least = e->protocol == UDP ? 0 : 2;

		for (uint32_t n = least; n <= e->n; n++) {
			struct packet p = pack(e->protocol, 5001, e->payload,
					       e->n, e->n - n);
			struct cd_stamp s = {0};
			enum cd_stamp_found found =
			    cd_stamp_parse(&spec, &p.frame, &s);

			cr_assert_eq(p.status, CD_FRAME_OK);
			cr_assert_eq(found, n < e->need ? CD_STAMP_CUT
							: CD_STAMP_YES,
				     "%s (%zu): %u bytes", e->spec, i, n);
			cr_assert(n < e->need || s.seq == e->seq);
			free(p.bytes);
		}
	}
}

/* Packets too short to hold the stamp are other traffic, whole or cut. */
Test(stamp, short_packets_are_not_it)
{
	for (size_t i = 0; i < EXAMPLES; i++) {
		const struct example *e = &examples[i];
		struct cd_stamp_spec spec = spec_of(e->spec);
		/* from 12 bytes on it may be the shorter variant */
		uint32_t shortest = strcmp(e->spec, "iperf3") ? e->need : 12;

		for (uint32_t n = 0; n < shortest; n++)
			for (uint32_t cut = 0; cut <= n; cut++) {
				struct packet p = pack(e->protocol, 5001,
						       e->payload, n, cut);
				struct cd_stamp s;

				cr_assert_eq(cd_stamp_parse(&spec, &p.frame, &s),
					     CD_STAMP_NO, "%s (%zu): %u bytes",
					     e->spec, i, n);
				free(p.bytes);
			}
	}
}

/* The place that where() names holds the number. */
Test(stamp, where_is_where)
{
	for (size_t i = 0; i < EXAMPLES; i++) {
		const struct example *e = &examples[i];
		struct cd_stamp_spec spec = spec_of(e->spec);
		struct cd_str at = {0}, text = {0};
		unsigned bytes = cd_stamp_bits(&spec) / 8;
		struct cd_stamp s;

		if (strcmp(e->spec, "iperf2") == 0)
			bytes = 4; /* the other half is elsewhere */
		if (strcmp(e->spec, "iperf3") == 0 && e->need == 16)
			bytes = 8;
		if (strcmp(e->spec, "ditg") == 0 && e->protocol != UDP)
			continue;
		spec.format->where(&spec, &at);
		cd_str_addf(&text, "field:at=%s,width=%u", cd_str_text(&at),
			    bytes);
		cr_assert_eq(find(cd_str_text(&text), e->protocol, e->payload,
				  e->n, &s),
			     CD_STAMP_YES);
		cr_assert_eq(s.seq, bytes == 8 ? e->seq
					       : e->seq & ((UINT64_C(1) << 8 * bytes) - 1),
			     "%s", cd_str_text(&text));
		cd_str_release(&at);
		cd_str_release(&text);
	}
}

/* One example with bytes changed. */
static enum cd_stamp_found change(size_t example, size_t at, const char *bytes,
				  size_t n, struct cd_stamp *s)
{
	struct example e = examples[example];

	memcpy(e.payload + at, bytes, n);
	return find(e.spec, e.protocol, e.payload, e.n, s);
}

Test(stamp, pktgen_without_time)
{
	struct cd_stamp s;

	cr_assert_eq(change(0, 8, "\0\0\0\0\0\0\0\0", 8, &s), CD_STAMP_YES);
	cr_assert_eq(s.flags, 0);
	/* nanoseconds of some patch */
	cr_assert_eq(change(0, 12, "\x3b\x9a\xc9\xff", 4, &s), CD_STAMP_YES);
	cr_assert_eq(s.flags, 0);
	cr_assert_eq(s.seq, 0x01020304);
	cr_assert_eq(change(0, 3, "\x54", 1, &s), CD_STAMP_NO);
	cr_assert_eq(change(0, 4, "\0\0\0\0", 4, &s), CD_STAMP_YES);
	cr_assert_eq(s.seq, 0);
}

Test(stamp, iperf2_last_datagrams_are_no_data)
{
	struct cd_stamp s;

	/* 64 bits: no sign in the lower half, one in the upper (2.0.13) */
	cr_assert_eq(change(1, 0, "\xff\xff\xff\xfb", 4, &s), CD_STAMP_YES);
	cr_assert_eq(s.seq, 0xfffffffb);
	cr_assert_eq(change(1, 12, "\0\0\0\7", 4, &s), CD_STAMP_YES);
	cr_assert_eq(s.seq, UINT64_C(0x740000001));
	cr_assert_eq(change(1, 12, "\xff\xff\xff\xff", 4, &s),
		     CD_STAMP_CONTROL);
	cr_assert_eq(change(1, 12, "\x80\0\0\7", 4, &s), CD_STAMP_CONTROL);
	/* 32 bits */
	cr_assert_eq(change(2, 0, "\xff\xff\xff\xfb", 4, &s), CD_STAMP_CONTROL);
	cr_assert_eq(change(2, 0, "\x80\0\0\5", 4, &s), CD_STAMP_CONTROL);
	/* times that none is */
	cr_assert_eq(change(2, 8, "\0\x0f\x42\x40", 4, &s), CD_STAMP_NO);
	cr_assert_eq(change(2, 4, "\x20\0\0\0", 4, &s), CD_STAMP_NO);
}

Test(stamp, iperf3_handshake_is_no_data)
{
	static const char *const hello[] = {"6789", "9876", "\x15\xcd\x5b\x07",
					    "\x3a\xde\x68\xb1"};
	struct cd_stamp s;

	for (size_t i = 0; i < 4; i++)
		cr_assert_eq(find("iperf3", UDP, (const uint8_t *)hello[i], 4,
				  &s),
			     CD_STAMP_CONTROL);
	cr_assert_eq(find("iperf3", UDP, (const uint8_t *)"6788", 4, &s),
		     CD_STAMP_NO);
	/* zeros are no packet of it, the wrap to 0 is one */
	cr_assert_eq(change(3, 0, "\0\0\0\0\0\0\0\0\0\0\0\0\0", 13, &s),
		     CD_STAMP_NO);
	cr_assert_eq(find("iperf3:width=4", UDP,
			  (const uint8_t *)"\0\0\0\x08\0\0\0\1\0\0\0\0", 12, &s),
		     CD_STAMP_YES);
	cr_assert_eq(s.seq, 0);
}

Test(stamp, mgen_is_told_by_its_header)
{
	struct cd_stamp s;

	cr_assert_eq(change(6, 1, "\x63", 1, &s), CD_STAMP_NO);
	cr_assert_eq(change(6, 2, "\3", 1, &s), CD_STAMP_NO);
	cr_assert_eq(change(6, 22, "\1\x10", 2, &s), CD_STAMP_NO);
	cr_assert_eq(change(7, 7, "\4", 1, &s), CD_STAMP_NO); /* other flow */
}

Test(stamp, sockperf_answers_and_warm_up)
{
	struct cd_stamp s;

	cr_assert_eq(change(8, 9, "\2", 1, &s), CD_STAMP_YES);
	cr_assert_eq(s.flow, 0);
	cr_assert_eq(change(8, 9, "\5", 1, &s), CD_STAMP_CONTROL);
	cr_assert_eq(change(8, 9, "\x09", 1, &s), CD_STAMP_NO);
	cr_assert_eq(change(8, 13, "\x65", 1, &s), CD_STAMP_NO);
}

Test(stamp, rtp_is_not_rtcp)
{
	struct cd_stamp s;

	cr_assert_eq(change(12, 1, "\xc8", 1, &s), CD_STAMP_NO);
	cr_assert_eq(change(12, 1, "\xbf", 1, &s), CD_STAMP_YES);
	cr_assert_eq(change(12, 0, "\x40", 1, &s), CD_STAMP_NO);
	/* 15 sources fit, an extension longer than the packet does not */
	cr_assert_eq(change(12, 0, "\x8f", 1, &s), CD_STAMP_YES);
	cr_assert_eq(change(12, 0, "\x90", 1, &s), CD_STAMP_YES);
	cr_assert_eq(find("rtp", UDP,
			  (const uint8_t *)"\x90\x60\0\1\0\0\0\1\0\0\0\1\xbe\xde"
					   "\0\2\0\0\0\0",
			  20, &s),
		     CD_STAMP_NO);
	cr_assert_eq(change(13, 11, "\xee", 1, &s), CD_STAMP_NO);
}

Test(stamp, ping_times_are_checked)
{
	struct cd_stamp s;

	cr_assert_eq(change(14, 16, "\x40\x42\x0f\0", 4, &s), CD_STAMP_YES);
	cr_assert_eq(s.flags, 0); /* a second of microseconds */
	cr_assert_eq(change(14, 11, "\x20", 1, &s), CD_STAMP_YES);
	cr_assert_eq(s.flags, 0); /* before 2000 */
	cr_assert_eq(change(14, 12, "\1", 1, &s), CD_STAMP_YES);
	cr_assert_eq(s.flags, 0); /* after 2106 */
	cr_assert_eq(change(14, 0, "\3\3", 2, &s), CD_STAMP_NO);
	/* ICMPv6 types mean something else in ICMP */
	cr_assert_eq(change(14, 0, "\x80\0", 2, &s), CD_STAMP_NO);
}

Test(stamp, services_carry_no_weak_stamp)
{
	static const char *const weak[] = {"iperf2", "iperf3", "sockperf",
					   "ditg", "rtp"};

	for (size_t i = 0; i < EXAMPLES; i++)
		for (size_t j = 0; j < 5; j++) {
			const struct example *e = &examples[i];
			struct cd_stamp_spec spec = spec_of(weak[j]);
			struct packet p = pack(UDP, 53, e->payload, e->n, 0);
			struct cd_stamp s;

			cr_assert_eq(cd_stamp_parse(&spec, &p.frame, &s),
				     CD_STAMP_NO);
			free(p.bytes);
		}
}

/* No stamp is read from a header that was not there, or not all of it. */
Test(stamp, frames_of_any_status)
{
	for (size_t i = 0; i < EXAMPLES; i++) {
		const struct example *e = &examples[i];
		struct cd_stamp_spec spec = spec_of(e->spec);
		struct packet p = pack(e->protocol, 5001, e->payload, e->n, 0);
		struct cd_frame f;
		struct cd_stamp s;

		for (uint32_t n = 0; n < 28; n++) {
			enum cd_frame_status status =
			    cd_frame_parse(101, p.bytes, n, p.n, 0, &f);
			enum cd_stamp_found found =
			    cd_stamp_parse(&spec, &f, &s);

			cr_assert(status == CD_FRAME_OK ||
				  found == CD_STAMP_NO);
			cr_assert_neq(found, CD_STAMP_YES);
		}
		if (e->protocol != ICMPV6) { /* a later fragment */
			p.bytes[7] = 1;
			cd_frame_parse(101, p.bytes, p.n, p.n, 0, &f);
			cr_assert_eq(cd_stamp_parse(&spec, &f, &s),
				     CD_STAMP_NO);
		}
		free(p.bytes);
	}
}

/* The length that MGEN and sockperf state is that of the whole datagram. */
Test(stamp, first_fragments)
{
	static const size_t stated[] = {6, 8};

	for (size_t i = 0; i < 2; i++) {
		struct example e = examples[stated[i]];
		struct cd_stamp_spec spec = spec_of(e.spec);
		struct packet p = pack(UDP, 5001, e.payload, e.n, 0);
		struct cd_stamp s;

		store16(p.bytes + 2, p.n - 20);
		p.bytes[6] = 0x20;
		p.status = cd_frame_parse(101, p.bytes, p.n - 20, p.n - 20, 0,
					  &p.frame);
		cr_assert_eq(p.status, CD_FRAME_OK);
		cr_assert_eq(p.frame.payload_bytes, e.n - 20);
		cr_assert_eq(cd_stamp_parse(&spec, &p.frame, &s), CD_STAMP_YES);
		free(p.bytes);
	}
}

/* ---- field -------------------------------------------------------------- */

Test(field, every_base_width_and_byte_order)
{
	static const struct {
		const char *name;
		int start, limit; /* offsets in the packet below */
	} bases[] = {{"frame", 0, 70}, {"l3", 14, 64}, {"l4", 34, 64},
		     {"udp", 42, 64}};
	uint8_t bytes[70];
	struct cd_frame f;

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(i * 37 + 11);
	store16(bytes + 12, 0x0800);
	store16(bytes + 14, 0x4500);
	store16(bytes + 16, 50);
	store16(bytes + 20, 0);
	bytes[23] = UDP;
	store16(bytes + 38, 30);
	cr_assert_eq(cd_frame_parse(1, bytes, 70, 70, 0, &f), CD_FRAME_OK);
	for (size_t b = 0; b < 4; b++)
		for (int at = 0; at < 72; at++)
			for (int width = 1; width <= 8; width++)
				for (int little = 0; little < 2; little++) {
					char text[80];
					struct cd_stamp_spec spec;
					struct cd_stamp s;
					uint64_t want = 0;
					int from = bases[b].start + at;

					snprintf(text, sizeof(text),
						 "field:at=%s+%d,width=%d,"
						 "endian=%s",
						 bases[b].name, at, width,
						 little ? "little" : "big");
					spec = spec_of(text);
					cr_assert_eq(cd_stamp_bits(&spec),
						     (unsigned)width * 8);
					if (from + width > bases[b].limit) {
						cr_assert_eq(
						    cd_stamp_parse(&spec, &f,
								   &s),
						    CD_STAMP_NO, "%s", text);
						continue;
					}
					for (int i = 0; i < width; i++)
						want = want << 8 |
						       bytes[from +
							     (little
								  ? width - 1 - i
								  : i)];
					cr_assert_eq(
					    cd_stamp_parse(&spec, &f, &s),
					    CD_STAMP_YES, "%s", text);
					cr_assert_eq(s.seq, want, "%s", text);
				}
}

Test(field, only_its_packets)
{
	static const uint8_t payload[] = {1, 2, 3, 4};
	uint8_t no_ip[60] = {[12] = 0x88, [13] = 0xb5, [14] = 7};
	struct cd_stamp_spec spec = spec_of("field:at=l3,width=1,type=0x88b5");
	struct cd_stamp s;
	struct cd_frame f;

	/* find() sends from port 40000 */
	cr_assert_eq(find("field:at=l4,proto=99", 99, payload, 4, &s),
		     CD_STAMP_YES);
	cr_assert_eq(find("field:at=l4,proto=99", 98, payload, 4, &s),
		     CD_STAMP_NO);
	cr_assert_eq(find("field:at=udp,proto=tcp", UDP, payload, 4, &s),
		     CD_STAMP_NO);
	cr_assert_eq(find("field:at=udp,port=40000", UDP, payload, 4, &s),
		     CD_STAMP_YES);
	cr_assert_eq(find("field:at=udp,port=39000-40001", UDP, payload, 4, &s),
		     CD_STAMP_YES);
	cr_assert_eq(find("field:at=udp,port=5000-6000", UDP, payload, 4, &s),
		     CD_STAMP_YES);
	cr_assert_eq(find("field:at=udp,port=5002-39999", UDP, payload, 4, &s),
		     CD_STAMP_NO);
	cr_assert_eq(find("field:at=l3,type=0x0800", UDP, payload, 4, &s),
		     CD_STAMP_NO);
	cr_assert_eq(cd_frame_parse(1, no_ip, 60, 60, 0, &f),
		     CD_FRAME_NOT_IP);
	cr_assert_eq(cd_stamp_parse(&spec, &f, &s), CD_STAMP_YES);
	cr_assert_eq(s.seq, 7);
	spec.ethertype = 0x88b6;
	cr_assert_eq(cd_stamp_parse(&spec, &f, &s), CD_STAMP_NO);
	spec.ethertype = 0;
	spec.protocol = 99;
	cr_assert_eq(cd_stamp_parse(&spec, &f, &s), CD_STAMP_NO);
}

Test(field, counted_from_the_end_of_the_ip_packet)
{
	static const uint8_t payload[] = "0123456789\1\2\3\4";
	struct cd_stamp s;
	struct cd_frame f;
	struct packet p;
	struct cd_stamp_spec spec = spec_of("field:at=end-4");

	cr_assert_eq(find("field:at=end-4", UDP, payload, 14, &s), CD_STAMP_YES);
	cr_assert_eq(s.seq, 0x01020304);
	cr_assert_eq(find("field:at=end+40", UDP, payload, 14, &s), CD_STAMP_YES);
	cr_assert_eq(find("field:at=end+43", UDP, payload, 14, &s), CD_STAMP_NO);
	cr_assert_eq(find("field:at=end+5,width=1", 99, payload, 14, &s),
		     CD_STAMP_YES);
	cr_assert_eq(s.seq, '9');
	/* beyond the snaplen; the padding of Ethernet does not count */
	p = pack(UDP, 5001, payload, 14, 1);
	cr_assert_eq(cd_stamp_parse(&spec, &p.frame, &s), CD_STAMP_CUT);
	free(p.bytes);
	p = pack(99, 0, payload, 14, 0);
	p.bytes = realloc(p.bytes, 60);
	memset(p.bytes + p.n, 0, 60 - p.n);
	cd_frame_parse(101, p.bytes, 60, 60, 0, &f);
	cr_assert_eq(f.padding_bytes, 60 - p.n);
	cr_assert_eq(cd_stamp_parse(&spec, &f, &s), CD_STAMP_YES);
	cr_assert_eq(s.seq, 0x01020304);
	/* no IP: from the end of the frame */
	memset(p.bytes, 0, 60);
	p.bytes[59] = 5;
	cr_assert_eq(cd_frame_parse(1, p.bytes, 60, 60, 0xff, &f),
		     CD_FRAME_NOT_IP);
	cr_assert_eq(cd_stamp_parse(&spec, &f, &s), CD_STAMP_YES);
	cr_assert_eq(s.seq, 5);
	free(p.bytes);
}
