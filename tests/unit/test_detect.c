#include "detect_capture.h"

/* ---- samples ------------------------------------------------------------ */

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

/* One raw IPv4 packet of `protocol`, `caplen` bytes of it captured (0: all),
 * at `us` microseconds after 2023-11-14. */
static void add(struct capture *c, unsigned protocol, unsigned sport,
		unsigned dport, const uint8_t *payload, uint32_t n,
		uint32_t caplen, uint64_t us)
{
	uint8_t b[1600] = {0};
	uint32_t l4 = protocol == UDP ? 8 : 0, total = 20 + l4 + n;

	store16(b, 0x4500);
	store16(b + 2, total);
	b[9] = (uint8_t)protocol;
	store32(b + 12, 0x0a000001);
	store32(b + 16, 0x0a000002);
	if (protocol == UDP) {
		store16(b + 20, sport);
		store16(b + 22, dport);
		store16(b + 24, 8 + n);
	}
	memcpy(b + 20 + l4, payload, n);
	add_frame(c, 101, b, caplen == 0 ? total : caplen, total, 0,
		  (struct cd_instant){(int64_t)(1700000000 + us / 1000000),
				      (int64_t)(us % 1000000) * 1000000});
}

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Expect `name` (NULL: nothing) in `c` alone, with and without times. */
static void expect(struct capture *c, const char *name, double share)
{
	for (int i = 0; i < 2; i++) {
		struct cd_detection d = detect(&c, 1, i == 1);

		cr_assert_not(d.ambiguous, "%s", cd_str_text(&d.tried));
		if (name == NULL) {
			cr_assert_null(d.spec.format, "%s",
				       d.spec.format->name);
		} else {
			cr_assert_not_null(d.spec.format, "%s", name);
			cr_assert_str_eq(d.spec.format->name, name);
			cr_assert_eq(d.spec.step, 1);
			cr_assert_float_eq(d.share[0], share, 1e-9);
		}
		cd_detection_release(&d);
	}
}

/* ---- streams ------------------------------------------------------------ */

enum kind {
	PKTGEN, IPERF2, IPERF2_64, IPERF3, IPERF3_64, MGEN, SOCKPERF, DITG, RTP,
	PING, KINDS
};

static const char *const names[KINDS] = {
	"pktgen", "iperf2", "iperf2", "iperf3", "iperf3", "mgen", "sockperf",
	"ditg", "rtp", "ping"};

/* Packet number `seq` of a stream of the kind, sent at `us`. */
static void add_kind(struct capture *c, enum kind kind, uint32_t seq,
		     uint64_t us)
{
	uint32_t s = (uint32_t)(1700000000 + us / 1000000);
	uint32_t u = (uint32_t)(us % 1000000);
	uint8_t p[100];
	uint64_t state = 42;

	for (size_t i = 0; i < sizeof(p); i++)
		p[i] = (uint8_t)next_random(&state);
	switch (kind) {
	case PKTGEN:
		store32(p, 0xbe9be955);
		store32(p + 4, seq);
		store32(p + 8, s);
		store32(p + 12, u);
		break;
	case IPERF2:
	case IPERF2_64:
		store32(p, seq);
		store32(p + 4, s);
		store32(p + 8, u);
		store32(p + 12, kind == IPERF2 ? 0x32333435 : 0);
		store32(p + 16, kind == IPERF2 ? 0x36373839 : 0x48010098);
		break;
	case IPERF3:
	case IPERF3_64:
		store32(p, 2000 + s % 1000);
		store32(p + 4, u);
		store32(p + 8, seq);
		if (kind == IPERF3_64) {
			store32(p + 8, 0);
			store32(p + 12, seq);
		}
		break;
	case MGEN:
		store16(p, 100);
		store16(p + 2, 0x0208);
		store32(p + 4, 1);
		store32(p + 8, seq);
		store32(p + 12, s);
		store32(p + 16, u);
		store16(p + 20, 5001);
		store16(p + 22, 0x0104);
		break;
	case SOCKPERF:
		memset(p, 0, 4);
		store32(p + 4, seq);
		store16(p + 8, 1);
		store32(p + 10, 100);
		break;
	case DITG:
		store32(p, 7);
		store32(p + 4, seq);
		store32(p + 8, s % 86400);
		store32(p + 12, u);
		break;
	case RTP:
		store16(p, 0x8060);
		store16(p + 2, seq & 0xffff);
		store32(p + 4, seq / 8 * 3600);
		store32(p + 8, 0xdeadbeef);
		break;
	default:
		store32(p, 0x08000000);
		store16(p + 4, 0x4491);
		store16(p + 6, seq & 0xffff);
		add(c, ICMP, 0, 0, p, 64, 0, us);
		return;
	}
	add(c, UDP, 40000, 5001, p, 100, 0, us);
}

static void add_stream(struct capture *c, enum kind kind, uint32_t first,
		       size_t n)
{
	for (size_t i = 0; i < n; i++)
		add_kind(c, kind, first + (uint32_t)i, i * 137);
}

Test(detect, ten_packets_of_any_format)
{
	for (int k = 0; k < KINDS; k++) {
		struct capture *c = new_capture();

		add_stream(c, (enum kind)k, 1, 10);
		expect(c, names[k], 1);
		free_capture(c);
	}
}

Test(detect, numbers_from_anywhere_and_across_a_wrap)
{
	for (int k = 0; k < KINDS; k++) {
		struct capture *c = new_capture();
		bool bits32 = k == PKTGEN || k == IPERF3 || k == MGEN ||
			      k == DITG;

		add_stream(c, (enum kind)k, bits32 ? 0xfffffff0 : 65500, 100);
		expect(c, names[k], 1);
		free_capture(c);
	}
}

Test(detect, widths_of_iperf3)
{
	for (int k = IPERF3; k <= IPERF3_64; k++) {
		struct capture *c = new_capture();
		struct cd_detection d;

		add_stream(c, (enum kind)k, 1, 100);
		d = detect(&c, 1, false);
		cr_assert_eq(d.spec.width, k == IPERF3 ? 4 : 8);
		cr_assert_eq(cd_stamp_bits(&d.spec), k == IPERF3 ? 32 : 64);
		cd_detection_release(&d);
		free_capture(c);
	}
}

Test(detect, small_captures_with_good_evidence)
{
	struct capture *c = new_capture();

	for (uint32_t i = 1; i <= 3; i++)
		add_kind(c, PING, i, i * 1000000);
	expect(c, "ping", 1);
	free_capture(c);
	c = new_capture();
	add_kind(c, PKTGEN, 7, 0);
	expect(c, "pktgen", 1);
	free_capture(c);
	/* nine packets of a format without a magic prove nothing */
	c = new_capture();
	add_stream(c, RTP, 1, 9);
	expect(c, NULL, 0);
	free_capture(c);
}

/* A lossy, reordered, doubled stream is still one. */
Test(detect, losses_copies_and_disorder)
{
	for (int k = 0; k < KINDS; k++) {
		struct capture *c = new_capture();
		uint64_t state = 7 + (uint64_t)k;
		uint32_t seq = 100;

		while (c->n + 4 < 2000) {
			uint64_t r = next_random(&state);

			seq++;
			if (r % 100 == 0)
				seq += r >> 32 & 0xfff; /* a run lost */
			if (r % 10 < 6)
				continue; /* lost */
			for (uint64_t copy = 0; copy <= (r >> 8 & 1); copy++)
				add_kind(c, (enum kind)k, seq, seq * 137);
			if (r % 17 == 0)
				add_kind(c, (enum kind)k, seq - 20,
					 (seq - 20) * 137);
		}
		expect(c, names[k], 1);
		free_capture(c);
	}
}

Test(detect, parallel_streams)
{
	struct capture *c = new_capture();
	uint8_t p[100] = {0};

	for (uint32_t i = 0; i < 400; i++) {
		store32(p, i / 4);
		store32(p + 4, 1700000000);
		store32(p + 8, i * 10);
		add(c, UDP, 40000 + i % 4, 5001, p, 100, 0, i * 10);
	}
	expect(c, "iperf2", 1);
	free_capture(c);
}

/* ---- what must not be taken for a stamp --------------------------------- */

Test(detect, random_payloads)
{
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct capture *c = new_capture();
		uint64_t state = seed * 0x9e3779b97f4a7c15u;
		uint8_t p[104];

		for (int i = 0; i < 2000; i++) {
			for (size_t j = 0; j < sizeof(p); j += 8) {
				uint64_t r = next_random(&state);

				memcpy(p + j, &r, 8);
			}
			if (seed % 2)
				p[0] = 0x80; /* RTP's version */
			add(c, UDP, 40000, 5001, p, 100, 0, (uint64_t)i * 50);
		}
		expect(c, NULL, 0);
		free_capture(c);
	}
}

Test(detect, constant_payloads)
{
	for (unsigned byte = 0; byte < 256; byte++) {
		struct capture *c = new_capture();
		uint8_t p[100];

		memset(p, (int)byte, sizeof(p));
		for (int i = 0; i < 50; i++) {
			add(c, UDP, 40000, 5001, p, 100, 0, (uint64_t)i * 50);
			add(c, ICMP, 0, 0, p, 64, 0, (uint64_t)i * 50);
		}
		expect(c, NULL, 0);
		free_capture(c);
	}
}

/* A counter anywhere else is none of these. */
Test(detect, bare_counters)
{
	for (uint32_t at = 0; at < 24; at++)
		for (uint32_t fill = 0; fill < 256; fill += 51) {
			struct capture *c = new_capture();
			uint8_t p[100];

			memset(p, (int)fill, sizeof(p));
			for (uint32_t i = 1; i <= 300; i++) {
				store32(p + at, i);
				add(c, UDP, 40000, 5001, p, 100, 0, i * 50);
			}
			expect(c, "field", 1);
			free_capture(c);
		}
}

Test(detect, everyday_traffic)
{
	struct capture *c = new_capture();
	uint64_t state = 99;
	uint8_t p[100];

	for (uint32_t i = 0; i < 1000; i++) {
		uint64_t r = next_random(&state);
		uint32_t port = 40000 + (r & 3);

		memset(p, 0, sizeof(p));
		store16(p, r >> 16 & 0xffff); /* DNS with EDNS */
		memcpy(p + 2, "\1\0\0\1\0\0\0\0\0\1", 10);
		add(c, UDP, port, 53, p, 60, 0, i * 1000);
		add(c, UDP, 53, port, p, 90, 0, i * 1000 + 200);
		memset(p, 0, sizeof(p)); /* NTP: delay, dispersion, counter-like */
		store32(p, 0x230206e8);
		store32(p + 4, 1000 + i);
		store32(p + 8, 2000 + i);
		add(c, UDP, 123, 123, p, 48, 0, i * 1000);
		if (i % 4 == 0) { /* QUIC, short header */
			for (size_t j = 0; j + 8 <= sizeof(p); j += 8) {
				r = next_random(&state);
				memcpy(p + j, &r, 8);
			}
			p[0] = 0x40 | (p[0] & 0x3f);
			store32(p + 1, 0x01020304);
			add(c, UDP, 50000, 443, p, 100, 0, i * 1000);
		}
	}
	expect(c, NULL, 0);
	free_capture(c);
}

/* Old Windows counts its echoes in the upper byte; others do not count. */
Test(detect, echoes_that_do_not_count)
{
	struct capture *c = new_capture();

	for (uint32_t i = 1; i < 100; i++)
		add_kind(c, PING, i << 8, i * 1000000);
	expect(c, NULL, 0);
	free_capture(c);
	c = new_capture();
	for (uint32_t i = 1; i < 100; i++)
		add_kind(c, PING, 1, i * 1000000);
	expect(c, NULL, 0);
	free_capture(c);
}

/* ---- several formats, several captures ---------------------------------- */

Test(detect, the_larger_part_wins_and_the_other_is_named)
{
	struct capture *c = new_capture();
	struct cd_detection d;

	add_stream(c, IPERF2, 1, 300);
	add_stream(c, PING, 1, 100);
	d = detect(&c, 1, true);
	cr_assert_str_eq(d.spec.format->name, "iperf2");
	cr_assert_float_eq(d.share[0], 0.75, 1e-9);
	cr_assert_str_eq(cd_str_text(&d.others), "ping (25 %)");
	cr_assert_str_eq(cd_str_text(&d.tried),
			 "pktgen, iperf2, iperf3, mgen, sockperf, ditg, rtp, "
			 "ping");
	cr_assert_not(d.cut);
	cd_detection_release(&d);
	free_capture(c);
}

Test(detect, what_all_captures_share)
{
	struct capture *c[3] = {new_capture(), new_capture(), new_capture()};
	struct cd_detection d;

	add_stream(c[0], MGEN, 1, 900);
	add_stream(c[0], PING, 1, 100);
	add_stream(c[1], PING, 1, 50);
	add_stream(c[1], MGEN, 1, 1);
	add_stream(c[2], PING, 1, 70);
	d = detect(c, 3, true);
	cr_assert_str_eq(d.spec.format->name, "ping");
	cr_assert_float_eq(d.share[0], 0.1, 1e-9);
	cr_assert_float_eq(d.share[2], 1, 1e-9);
	cr_assert_str_eq(cd_str_text(&d.others), "mgen (90 %)");
	cd_detection_release(&d);
	/* carried by one alone: it is still what the other lacks */
	d = detect((struct capture *const[]){c[0], c[2]}, 1, true);
	cr_assert_str_eq(d.spec.format->name, "mgen");
	cd_detection_release(&d);
	for (size_t i = 0; i < 3; i++)
		free_capture(c[i]);
}

Test(detect, a_poor_capture_does_not_decide)
{
	struct capture *c[2] = {new_capture(), new_capture()};
	struct cd_detection d;

	add_stream(c[0], RTP, 1, 500);
	for (uint32_t i = 0; i < 6; i++) /* nearly all lost */
		add_kind(c[1], RTP, 1 + i * 80, i * 80 * 137);
	d = detect(c, 2, true);
	cr_assert_str_eq(d.spec.format->name, "rtp");
	cr_assert_float_eq(d.share[1], 1, 1e-9);
	cd_detection_release(&d);
	c[1]->n = 0;
	d = detect(c, 2, true);
	cr_assert_str_eq(d.spec.format->name, "rtp");
	cr_assert_float_eq(d.share[1], 0, 1e-9);
	cd_detection_release(&d);
	free_capture(c[0]);
	free_capture(c[1]);
}

/* At one packet a second D-ITG's seconds count like iperf3's numbers. */
Test(detect, ambiguity_is_said_and_capture_times_resolve_it)
{
	struct capture *c = new_capture();
	struct cd_detection d;

	for (uint32_t i = 1; i <= 60; i++)
		add_kind(c, DITG, i, i * UINT64_C(1000000) + 5);
	d = detect(&c, 1, false);
	cr_assert(d.ambiguous);
	cr_assert_null(d.spec.format);
	cr_assert_str_eq(cd_str_text(&d.tried), "iperf3, ditg");
	cd_detection_release(&d);
	d = detect(&c, 1, true);
	cr_assert_not(d.ambiguous);
	cr_assert_str_eq(d.spec.format->name, "ditg");
	cd_detection_release(&d);
	free_capture(c);
}

Test(detect, too_short_a_snaplen_is_said)
{
	static const uint8_t p[100] = {0xbe, 0x9b, 0xe9, 0x55};
	struct capture *c[2] = {new_capture(), new_capture()};
	struct cd_detection d;

	for (uint32_t i = 0; i < 50; i++)
		add(c[0], UDP, 9, 9, p, 100, 28, i);
	d = detect(c, 1, true);
	cr_assert_null(d.spec.format);
	cr_assert(d.cut);
	cd_detection_release(&d);
	for (uint32_t i = 0; i < 50; i++)
		add(c[1], UDP, 9, 9, p, 100, 20, i); /* not even UDP */
	d = detect(c + 1, 1, true);
	cr_assert(d.cut);
	cd_detection_release(&d);
	/* one of two is whole */
	c[1]->n = 0;
	add_stream(c[1], PKTGEN, 0, 50);
	d = detect(c, 2, true);
	cr_assert_str_eq(d.spec.format->name, "pktgen");
	cr_assert(d.cut);
	cr_assert_float_eq(d.share[0], 0, 1e-9);
	cd_detection_release(&d);
	d = detect(c + 1, 1, true);
	cr_assert_not(d.cut);
	cd_detection_release(&d);
	free_capture(c[0]);
	free_capture(c[1]);
}

Test(detect, nothing_at_all)
{
	struct capture *c = new_capture();
	struct cd_detection d = detect(&c, 1, true);

	cr_assert_null(d.spec.format);
	cr_assert_not(d.cut);
	cr_assert_not_null(strstr(cd_str_text(&d.tried), "pktgen"));
	cd_detection_release(&d);
	d = detect(NULL, 0, false);
	cr_assert_null(d.spec.format);
	cd_detection_release(&d);
	free_capture(c);
}
