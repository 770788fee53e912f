/* Which of several counters is meant, how wide it is, and in which packets. */
#include <stdio.h>

#include "counter_capture.h"

/* ---- which of several ------------------------------------------------------ */

/* The time of transmission grows too. */
Test(counter_choice, not_the_time_beside_it)
{
	for (unsigned way = 0; way < 6; way++) {
		bool constant = way % 2 == 0;
		int64_t step = way < 2 ? 1 : way < 4 ? 100 : -1;
		struct noise r = noise_seed(way);
		struct capture *c = new_capture();
		char want[80];
		uint8_t p[64] = {0};

		for (uint32_t i = 0; i < 1000; i++) {
			uint64_t us = i * UINT64_C(100) +
				      (constant ? 0 : noise_below(&r, 9));
			uint64_t ns = UINT64_C(1700000000000000000) + us * 1000;

			store_be(p, 1700000000 + us / 1000000, 4);
			store_be(p + 4, us % 1000000, 4);
			store_le(p + 16, ns, 8);
			store_le(p + 24, 987654321 + us * 3, 8); /* cycles */
			store_be(p + 40, (uint64_t)(4000 + i * step), 4);
			add(c, &udp, p, 64, us);
		}
		snprintf(want, sizeof(want),
			 "field:at=udp+40,width=4,endian=big,step=%d,port=5001",
			 (int)step);
		expect_one(c, want);
	}
}

/* The time of day is no counter, at however constant a rate. */
Test(counter_choice, not_the_time_alone)
{
	for (unsigned way = 0; way < 8; way++) {
		struct capture *c = new_capture();
		uint8_t p[64] = {0};

		for (uint32_t i = 0; i < 1000; i++) {
			uint64_t us = i * UINT64_C(110);
			uint64_t now = 1700000000 + us / 1000000;
			bool little = way & 1;

			if (way < 2) {
				store(p + 8, now * 1000000 + us % 1000000, 8,
				      little);
			} else if (way < 4) {
				store(p + 8, now, 4, little);
				store(p + 12, us % 1000000, 4, little);
			} else if (way < 6) {
				store(p + 8, now, 8, little);
				store(p + 16, us % 1000000 * 1000, 8, little);
			} else {
				us = i * UINT64_C(1000000);
				now = 1700000000 + i + 37;
				store(p + 8, now, 4, little);
			}
			add(c, &udp, p, 64, us);
		}
		expect_one(c, NULL);
	}
}

/* Seconds in front of a counter do not make it a fraction of them. */
Test(counter_choice, a_counter_behind_seconds)
{
	struct capture *c = new_capture();
	uint8_t p[64] = {0};

	for (uint32_t i = 0; i < 1000; i++) {
		store_be(p + 8, 1700000000, 4);
		store_be(p + 12, 50000 + i, 4);
		add(c, &udp, p, 64, i * 110);
	}
	expect_one(c, "field:at=udp+12,width=4,endian=big,step=1,port=5001");
}

static uint16_t check_sum(const uint8_t *p, size_t n)
{
	uint32_t sum = 0;

	for (size_t i = 0; i < n; i += 2)
		sum += (uint32_t)(p[i] << 8 | p[i + 1]);
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)~sum;
}

/* Where nothing else changes, a check sum counts down; the counter may be
 * there twice. */
Test(counter_choice, not_a_check_sum_nor_a_copy)
{
	struct capture *c = new_capture();
	uint8_t p[40] = {0};

	for (uint32_t i = 0; i < 2000; i++) {
		store_be(p, 0, 2);
		store_be(p + 8, 60000 + i, 4);
		store_be(p + 30, i / 2, 2); /* half as fast */
		store_be(p + 20, 0, 2);
		store_be(p + 20, check_sum(p, 40), 2);
		add(c, &udp, p, 40, i * 100);
	}
	expect_one(c, "field:at=udp+8,width=4,endian=big,step=1,port=5001");
	c = new_capture();
	for (uint32_t i = 0; i < 2000; i++) {
		store_le(p + 4, 7000 + i, 4);
		store_be(p + 21, i, 4);
		add(c, &udp, p, 40, i * 100);
	}
	expect_one(c, "field:at=udp+4,width=4,endian=little,step=1,port=5001");
}

/* The upper byte of a counter counts too, nearly always by one. */
Test(counter_choice, not_a_part_of_it)
{
	static const int steps[] = {257, 1000, 300};
	uint8_t p[40] = {0};

	for (size_t k = 0; k < 3; k++) {
		struct capture *c = new_capture();
		char want[80];

		for (uint32_t i = 0; i < 2000; i++) {
			store_be(p + 12, (uint64_t)i * (unsigned)steps[k], 4);
			add(c, &udp, p, 40, i * 100);
		}
		snprintf(want, sizeof(want),
			 "field:at=udp+12,width=4,endian=big,step=%d,port=5001",
			 steps[k]);
		expect_one(c, want);
	}
}

/* Nor does a byte belong to it that has a rhythm of its own. */
Test(counter_choice, the_width_ends_at_another_rhythm)
{
	struct capture *c = new_capture();
	uint8_t p[40] = {0};

	for (uint32_t i = 0; i < 2000; i++) {
		p[11] = (uint8_t)(i * 100);
		store_be(p + 12, 5000 + i, 2);
		add(c, &udp, p, 40, i * 100);
	}
	expect_one(c, "field:at=udp+12,width=2,endian=big,step=1,port=5001");
}

/* A payload that is full of them: the first, and no time lost. */
Test(counter_choice, copies_everywhere)
{
	struct noise r = noise_seed(2);
	struct capture *c = new_capture();
	struct header h = udp;
	uint8_t p[600] = {0};

	for (uint32_t i = 0; i < 1000; i++) {
		uint32_t n = 600 - 3 * (uint32_t)noise_below(&r, 40);

		memset(p, 0x55, sizeof(p));
		for (uint32_t at = 1; at < n - 2; at += 3)
			store_be(p + at, i, 2);
		h.src_port = (uint16_t)(40000 + noise_below(&r, 2));
		add(c, &h, p, n, i * 100);
	}
	expect_one(c, "field:at=udp+1,width=2,endian=big,step=1,port=5001,"
		      "flows=one");
}

/* Of counters that go on differently the one that goes by one. */
Test(counter_choice, a_step_of_one_before_others)
{
	struct capture *c = new_capture();
	uint32_t a = 5, b = 7000;
	uint8_t p[40] = {0};

	for (uint32_t i = 0; i < 2000; i++) {
		a += i % 25 == 3 ? 14 : 7;
		b += i % 25 == 14 ? 2 : 1;
		store_be(p + 8, a, 4);
		store_le(p + 20, b, 4);
		add(c, &udp, p, 40, i * 100);
	}
	expect_one(c, "field:at=udp+20,width=4,endian=little,step=1,port=5001");
}

/* Five that go on differently: the message stays readable. */
Test(counter_choice, some_candidates_stand_for_all)
{
	struct capture *c = new_capture();
	struct cd_detection d;
	uint32_t v[5] = {0};
	uint8_t p[40];

	memset(p, 0x55, sizeof(p));

	for (uint32_t i = 0; i < 2000; i++) {
		for (uint32_t k = 0; k < 5; k++) {
			v[k] += i % 25 == 4 * k ? 2 : 1;
			store_be(p + 8 * k + 3, v[k], 4);
		}
		add(c, &udp, p, 40, i * 100);
	}
	d = detect(&c, 1, true);
	cr_assert(d.ambiguous);
	cr_assert_not_null(strstr(cd_str_text(&d.tried), " or 2 more"), "%s",
			   cd_str_text(&d.tried));
	cd_detection_release(&d);
	free_capture(c);
}

/* Two counters that go on differently, and nothing says which is meant. */
Test(counter_choice, ambiguity_is_said)
{
	static const char *const want[] = {
		"field:at=udp+8,width=4,endian=big,step=1,port=5001",
		"field:at=udp+20,width=4,endian=little,step=1,port=5001"};
	struct capture *c = new_capture();
	struct cd_detection d;
	uint32_t a = 5, b = 7000;
	uint8_t p[40] = {0};

	for (uint32_t i = 0; i < 2000; i++) {
		a += i % 25 == 3 ? 2 : 1;
		b += i % 25 == 14 ? 2 : 1;
		store_be(p + 8, a, 4);
		store_le(p + 20, b, 4);
		add(c, &udp, p, 40, i * 100);
	}
	d = detect(&c, 1, true);
	cr_assert(d.ambiguous);
	cr_assert_null(d.spec.format);
	for (size_t i = 0; i < 2; i++)
		cr_assert_not_null(strstr(cd_str_text(&d.tried), want[i]), "%s",
				   cd_str_text(&d.tried));
	cr_assert_not_null(strstr(cd_str_text(&d.tried), " or "));
	cd_detection_release(&d);
	free_capture(c);
}

/* ---- width and byte order --------------------------------------------------- */

/* 16 bits that go round in the sample, between other bytes. */
Test(counter_choice, the_width_ends_where_no_carry_goes)
{
	for (int v = 0; v < 2; v++) {
		struct capture *c = new_capture();
		uint8_t p[40] = {0};

		memset(p, v == 0 ? 0 : 0x5a, sizeof(p));
		for (uint32_t i = 0; i < 2000; i++) {
			store_be(p + 12, 65000 + i, 2);
			add(c, &udp, p, 40, i * 100);
		}
		expect_one(c, "field:at=udp+12,width=2,endian=big,step=1,"
			      "port=5001");
	}
}

/* Zeros above belong to it, other bytes may be anything; a second capture that
 * begins later shows that they do not. */
Test(counter_choice, the_width_takes_leading_zeros)
{
	struct capture *c[2] = {new_capture(), new_capture()};
	uint8_t p[40] = {1, 2, 3};

	for (uint32_t i = 0; i < 1000; i++) {
		store_be(p + 8, 0x12345678 + i, 4);
		add(c[0], &udp, p, 40, i * 100);
		store_be(p + 8, 0x12365678 + i, 4);
		add(c[1], &udp, p, 40, i * 100);
	}
	expect(c, 1, "field:at=udp+10,width=2,endian=big,step=1,port=5001");
	expect(c, 2, "field:at=udp+9,width=3,endian=big,step=1,port=5001");
	free_capture(c[0]);
	free_capture(c[1]);
	c[0] = new_capture();
	for (uint32_t i = 0; i < 1000; i++) {
		store_be(p + 6, 1000 - i, 8); /* down, through 0 */
		add(c[0], &udp, p, 40, i * 100);
	}
	expect_one(c[0],
		   "field:at=udp+10,width=4,endian=big,step=-1,port=5001");
	c[0] = new_capture();
	for (uint32_t i = 0; i < 1000; i++) {
		store_le(p + 6, i * UINT64_C(70000000), 8);
		add(c[0], &udp, p, 40, i * 100);
	}
	/* the lowest byte of 70,000,000 is 0x80 */
	expect_one(c[0], "field:at=udp+6,width=8,endian=little,step=70000000,"
			 "port=5001");
}

static void check_short(bool whole, const uint8_t *frame, unsigned at,
			const char *want)
{
	struct capture *c = new_capture();
	struct cd_sample sample = {.frames = c->frames, .status = c->status,
				   .whole = whole};
	struct cd_detection d;
	uint8_t p[40];

	memcpy(p, frame, 40);
	for (uint32_t i = 0; i < 200; i++) {
		p[at] = (uint8_t)(i + 5);
		add(c, &udp, p, 40, i * 100);
	}
	sample.n = c->n;
	cr_assert_eq(cd_stamp_detect(&sample, 1, &d, NULL), 0);
	if (want != NULL && strstr(want, " or ") != NULL) {
		cr_assert(d.ambiguous);
		cr_assert_str_eq(cd_str_text(&d.tried), want);
	} else {
		check_spec(&d, want);
	}
	cd_detection_release(&d);
	free_capture(c);
}

/* Of fewer than 256 numbers no carry need be seen. */
Test(counter_choice, byte_order_without_a_carry)
{
	static const uint8_t zeros[40];
	uint8_t left[40], right[40], none[40];

	memset(left, 7, 40);
	memset(right, 7, 40);
	memset(none, 7, 40);
	memset(left + 3, 0, 3);	  /* 3, 4, 5, and the number is at 6 */
	memset(right + 7, 0, 3);
	check_short(true, left, 6,
		    "field:at=udp+3,width=4,endian=big,step=1,port=5001");
	check_short(false, left, 6,
		    "field:at=udp+3,width=4,endian=big,step=1,port=5001");
	check_short(false, right, 6,
		    "field:at=udp+6,width=4,endian=little,step=1,port=5001");
	/* either gives the same numbers: an even address is more likely */
	check_short(true, zeros, 7,
		    "field:at=udp+4,width=4,endian=big,step=1,port=5001");
	check_short(true, zeros, 8,
		    "field:at=udp+8,width=4,endian=little,step=1,port=5001");
	check_short(true, none, 8,
		    "field:at=udp+8,width=2,endian=little,step=1,port=5001");
	/* what the rest of the file will do cannot be known */
	check_short(false, zeros, 8,
		    "field:at=udp+5,width=4,endian=big,step=1,port=5001 or "
		    "field:at=udp+8,width=4,endian=little,step=1,port=5001");
	check_short(false, none, 8, NULL);
}

/* ---- several captures ------------------------------------------------------- */

static void add_counted(struct capture *c, const struct header *h, uint32_t from,
			uint32_t to, unsigned at)
{
	struct noise r = noise_seed(at);
	uint8_t p[60];

	for (uint32_t i = from; i < to; i++) {
		fill(&r, p, sizeof(p));
		store_be(p + at, i, 4);
		add(c, h, p, 60, i * 100);
	}
}

#define AT_9 "field:at=udp+9,width=4,endian=big,step=1,port=5001"

Test(counter_choice, the_same_place_in_all_captures)
{
	struct capture *c[4] = {new_capture(), new_capture(), new_capture(),
				new_capture()};
	struct cd_detection d;
	uint8_t p[60] = {0};

	add_counted(c[0], &udp, 0, 1000, 9);
	add_counted(c[1], &udp, 500, 700, 20);
	expect(c, 1, AT_9);
	expect(c, 2, NULL);
	/* a capture with no packet, or with few, does not matter */
	empty(c[1]);
	expect(c, 2, AT_9);
	add_counted(c[2], &udp, 700, 703, 9);
	expect(c, 3, AT_9);
	d = detect(c, 3, true);
	cr_assert_float_eq(d.share[0], 1, 1e-9);
	cr_assert_float_eq(d.share[1], 0, 1e-9);
	cr_assert_float_eq(d.share[2], 1, 1e-9);
	cd_detection_release(&d);
	/* nor one of which the number was cut off */
	for (uint32_t i = 0; i < 500; i++)
		add_cut(c[3], &udp, p, 60, 10, i * 100);
	expect(c, 4, AT_9);
	free_capture(c[0]);
	for (size_t i = 1; i < 4; i++)
		free_capture(c[i]);
}

/* Receive queues that take turns block by block: no neighbours of the second
 * capture are one step apart, most are eight. */
Test(counter_choice, disorder_does_not_give_another_step)
{
	struct capture *c[2] = {new_capture(), new_capture()};

	for (uint32_t block = 0; block < 1024; block += 128)
		for (uint32_t queue = 0; queue < 8; queue++)
			for (uint32_t i = 0; i < 128; i += 8)
				add_counted(c[1], &udp, block + i + queue,
					    block + i + queue + 1, 9);
	expect(&c[1], 1, NULL);
	add_counted(c[0], &udp, 300, 1000, 9); /* fewer than go by eight */
	expect(c, 2, AT_9);
	free_capture(c[0]);
	free_capture(c[1]);
}

/* ---- other traffic ------------------------------------------------------------ */

/* The ports of what counts, so that nothing else is read. */
Test(counter_choice, other_packets_are_left_out)
{
	static const struct {
		struct header own[3], other;
		const char *want;
	} cases[] = {
		{{{UDP, 7000, 5001, 1, 0}, {UDP, 7001, 5001, 2, 0}},
		 {UDP, 9000, 9001, 3, 0}, ",port=5001"},
		/* requests and answers */
		{{{UDP, 7000, 5001, 1, 0}, {UDP, 5001, 7000, 2, 0}},
		 {UDP, 9000, 9001, 3, 0}, ",port=5001"},
		/* many destinations, one source */
		{{{UDP, 7000, 5001, 1, 0}, {UDP, 7000, 5002, 1, 0}},
		 {UDP, 9000, 5001, 3, 0}, ",port=7000"},
		{{{UDP, 7000, 5001, 1, 0}, {UDP, 7001, 5002, 1, 0},
		  {UDP, 7002, 5003, 1, 0}},
		 {UDP, 9000, 9001, 3, 0}, ",port=5001-5003"},
		/* the destination is shared with something else */
		{{{UDP, 7000, 5001, 1, 0}, {UDP, 7000, 5001, 2, 0}},
		 {UDP, 9000, 5001, 3, 0}, ",port=7000"},
		/* the source is nearer than the destination */
		{{{UDP, 7000, 501, 1, 0}, {UDP, 7001, 5001, 1, 0}},
		 {UDP, 9000, 9001, 3, 0}, ",port=7000-7001"},
		/* another protocol */
		{{{UDP, 7000, 501, 1, 0}, {UDP, 8500, 5001, 1, 0}},
		 {99, 0, 0, 3, 0}, ",proto=udp"},
		/* nothing says which they are */
		{{{UDP, 7000, 501, 1, 0}, {UDP, 8500, 5001, 1, 0}},
		 {UDP, 9000, 9001, 3, 0}, NULL},
	};

	for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
		struct noise r = noise_seed(k);
		struct capture *c = new_capture();
		struct cd_detection d;
		char want[100];
		uint8_t p[60];

		for (uint32_t i = 0; i < 600; i++) {
			for (size_t f = 0; f < 3; f++)
				if (cases[k].own[f].protocol != 0)
					add_counted(c, &cases[k].own[f], i,
						    i + 1, 9);
			fill(&r, p, 60);
			if (i % 3 == 0)
				add(c, &cases[k].other, p, 60, i);
		}
		snprintf(want, sizeof(want),
			 "field:at=udp+9,width=4,endian=big,step=1%s",
			 cases[k].want == NULL ? "" : cases[k].want);
		d = detect(&c, 1, true);
		check_spec(&d, cases[k].want == NULL ? NULL : want);
		if (cases[k].want != NULL) {
			cr_assert_lt(d.share[0], 0.91);
			cr_assert_gt(d.share[0], 0.85);
		}
		cd_detection_release(&d);
		free_capture(c);
	}
}

Test(counter_choice, the_larger_of_two_protocols_and_the_other_is_named)
{
	static const struct header raw = {99, 0, 0, 1, 0};
	struct capture *c = new_capture();
	struct cd_detection d;

	add_counted(c, &raw, 0, 100, 3);
	add_counted(c, &udp, 0, 300, 9);
	d = detect(&c, 1, true);
	check_spec(&d, AT_9);
	cr_assert_str_eq(cd_str_text(&d.others),
			 "field:at=l4+3,width=4,endian=big,step=1,proto=99 "
			 "(25 %)");
	cr_assert_not_null(strstr(cd_str_text(&d.tried), "ping, a counter"));
	cd_detection_release(&d);
	free_capture(c);
}

static void add_pings(struct capture *c, uint32_t n)
{
	static const struct header icmp = {ICMP, 0, 0, 1, 0};
	uint8_t p[40] = {8};

	for (uint32_t i = 0; i < n; i++) {
		store_be(p + 4, 77, 2);
		store_be(p + 6, i, 2);
		add(c, &icmp, p, 40, i * 1000);
	}
}

/* A few pings are not what the capture is about, unless nothing else is. */
Test(counter_choice, a_stream_beside_a_few_pings)
{
	struct capture *c = new_capture();
	struct noise r = noise_seed(3);
	struct cd_detection d;
	uint8_t p[60];

	add_pings(c, 40);
	add_counted(c, &udp, 0, 1000, 9);
	d = detect(&c, 1, true);
	check_spec(&d, AT_9);
	cr_assert_str_eq(cd_str_text(&d.others), "ping (4 %)");
	cd_detection_release(&d);
	empty(c);
	add_pings(c, 40);
	for (uint32_t i = 0; i < 1000; i++) {
		fill(&r, p, 60);
		add(c, &udp, p, 60, i * 100);
	}
	d = detect(&c, 1, true);
	cr_assert_str_eq(d.spec.format->name, "ping");
	cd_detection_release(&d);
	free_capture(c);
}

/* One packet in ten, at least. */
Test(counter_choice, a_counter_in_a_few_packets_is_not_the_stream)
{
	struct noise r = noise_seed(4);
	struct header h = udp;
	uint8_t p[60];

	for (uint32_t most = 5; most <= 20; most += 15) {
		struct capture *c = new_capture();

		add_counted(c, &udp, 0, 40 * most, 9);
		h.dst_port = 7;
		for (uint32_t i = 0; i < 40 * (100 - most) && c->n < SAMPLE;
		     i++) {
			fill(&r, p, 60);
			add(c, &h, p, 60, i * 100);
		}
		expect_one(c, most == 5 ? NULL : AT_9);
	}
}

/* Messages that count are cut by TCP as it likes: one packet in 25 that does not
 * begin with one is too much. */
Test(counter_choice, tcp_must_begin_packets_with_it)
{
	static const unsigned protocols[] = {UDP, TCP, TCP};
	static const uint32_t every[] = {25, 25, 250};

	for (size_t k = 0; k < 3; k++) {
		struct header h = {protocols[k], 7000, 5001, 1, 0};
		struct noise r = noise_seed(k);
		struct capture *c = new_capture();
		uint8_t p[60];

		for (uint32_t i = 0; i < 900; i++) {
			fill(&r, p, 60);
			if (i % every[k] != 0)
				store_be(p + 9, i, 4);
			add(c, &h, p, 60, i * 100);
		}
		expect_one(c, k == 1 ? NULL : AT_9);
	}
}

/* The answers have the same ports and, one byte further on, the same counter:
 * at one place half of the packets give other numbers. */
Test(counter_choice, what_would_misread_answers_is_refused)
{
	static const struct header answer = {UDP, 5001, 40000, 2, 0};
	struct capture *c = new_capture();
	uint8_t p[60] = {0};

	for (uint32_t i = 0; i < 700; i++) {
		memset(p, 0, sizeof(p));
		store_be(p + 9, i, 2);
		add(c, &udp, p, 60, i * 100);
		memset(p, 0, sizeof(p));
		store_be(p + 8, i, 2);
		add(c, &answer, p, 60, i * 100 + 50);
	}
	expect_one(c, NULL);
}
