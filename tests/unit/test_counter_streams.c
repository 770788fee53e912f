/* Counters among several captures and streams. */
#include <stdio.h>
#include "counter_capture.h"

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
