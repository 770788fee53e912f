/* Which of several counters it is. */
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
