#include "reading.h"

Test(pcapng, both_byte_orders)
{
	for (int big = 0; big < 2; big++) {
		struct build b = {.big = big};
		struct cd_capture *c;
		struct cd_record r;

		put_section(&b);
		put_iface(&b, 1, 262144, 9);
		put_epb(&b, 0, 1700000000123456789, 61, 1514);
		put_epb(&b, 0, 1700000000123456790, 0, 60);
		c = open_build(&b);
		cr_assert_str_eq(c->format->name, "pcapng");
		r = next_record(c, (unsigned)1700000000123456789);
		cr_assert_eq(r.number, 1);
		cr_assert_eq(r.time.s, 1700000000);
		cr_assert_eq(r.time.ps, 123456789000);
		cr_assert_eq(r.caplen, 61);
		cr_assert_eq(r.origlen, 1514);
		cr_assert_eq(r.flags, 0);
		r = next_record(c, 0);
		cr_assert_eq(r.number, 2);
		cr_assert_eq(r.time.ps, 123456790000);
		cr_assert_eq(c->sections, 1);
		cr_assert_eq(c->ifaces[0].packets, 2);
		cr_assert_eq(c->bytes, 61);
		expect_end(c, CD_OK);
	}
}

/* Interface numbers restart, resolutions and link types differ. */
Test(pcapng, sections_of_different_byte_orders)
{
	struct build b = {0};
	struct cd_capture *c;
	struct cd_record r;

	for (unsigned section = 0; section < 4; section++) {
		b.big = section % 2;
		put_section(&b);
		put_iface(&b, 1, 100 + section, 6);
		put_iface(&b, 101, 200 + section, 9);
		put_epb(&b, 1, 5000000007, 20, 20);
		put_epb(&b, 0, 5000007, 20, 20);
	}
	c = open_build(&b);
	for (unsigned section = 0; section < 4; section++) {
		r = next_record(c, (unsigned)5000000007);
		cr_assert_eq(r.iface, 2 * section + 1);
		cr_assert_eq(r.linktype, 101);
		cr_assert(r.time.s == 5 && r.time.ps == 7000);
		r = next_record(c, 5000007);
		cr_assert_eq(r.iface, 2 * section);
		cr_assert_eq(r.linktype, 1);
		cr_assert(r.time.s == 5 && r.time.ps == 7000000);
		cr_assert_eq(c->ifaces[r.iface].section, section);
		cr_assert_eq(c->ifaces[r.iface].id, 0);
		cr_assert_eq(c->ifaces[r.iface + 1].id, 1);
		cr_assert_eq(c->ifaces[r.iface].snaplen, 100 + section);
	}
	cr_assert_eq(c->sections, 4);
	expect_end(c, CD_OK);
}

/* An interface belongs to its section. */
Test(pcapng, interfaces_of_another_section_are_unknown)
{
	struct build b = {0};
	struct cd_capture *c;
	struct cd_error error;

	put_section(&b);
	put_iface(&b, 1, 0, 6);
	put_epb(&b, 0, 1, 20, 20);
	put_section(&b);
	put_epb(&b, 0, 2, 20, 20);
	c = open_build(&b);
	next_record(c, 1);
	error = expect_end(c, CD_E_CORRUPT);
	cr_assert_not_null(strstr(error.what, "interface 0"));
}

static struct cd_instant read_tick(uint8_t tsresol, int64_t offset,
				   uint64_t ticks, uint8_t *flags)
{
	struct build b = {0};
	struct cd_capture *c;
	struct cd_record r;
	size_t at;

	put_section(&b);
	at = begin_iface(&b, 1, 0);
	put_option(&b, 9, &tsresol, 1);
	if (offset != 0)
		put_int_option(&b, 14, (uint64_t)offset, 8);
	end_block(&b, at);
	put_epb(&b, 0, 0, 4, 4);
	put_epb(&b, 0, ticks, 4, 4);
	c = open_build(&b);
	next_record(c, 0);
	r = next_record(c, (unsigned)ticks);
	expect_end(c, CD_OK);
	*flags = r.flags;
	return r.time;
}

Test(pcapng, every_resolution_is_exact)
{
	static const uint64_t ticks[] = {
		1, 999, 1000000, 1700000000123456, 1700000000123456789,
		INT64_MAX, UINT64_MAX,
	};

	for (unsigned tsresol = 0; tsresol < 256; tsresol++)
		for (size_t i = 0; i < sizeof(ticks) / sizeof(ticks[0]); i++) {
			struct cd_resolution resolution = {
				(tsresol & 0x80) != 0 ? 2 : 10, tsresol & 0x7f};
			struct cd_instant t, is;
			uint8_t flags;
			bool good = cd_instant_from_ticks(ticks[i], resolution,
							  0, &t);

			is = read_tick((uint8_t)tsresol, 0, ticks[i], &flags);
			cr_assert_eq(is.s, t.s, "%u %zu", tsresol, i);
			cr_assert_eq(is.ps, t.ps, "%u %zu", tsresol, i);
			cr_assert_eq(flags, good ? 0 : CD_RECORD_OUT_OF_RANGE);
		}
}

Test(pcapng, offsets_and_seconds_out_of_range)
{
	struct cd_instant t;
	uint8_t flags;

	t = read_tick(9, -37, 1000000001, &flags);
	cr_assert(t.s == -36 && t.ps == 1000 && flags == 0);
	t = read_tick(6, 1700000000, 5, &flags);
	cr_assert(t.s == 1700000000 && t.ps == 5000000 && flags == 0);
	read_tick(0, INT64_MAX, 1, &flags);
	cr_assert_eq(flags, CD_RECORD_OUT_OF_RANGE);
	t = read_tick(0, INT64_MIN, 1, &flags);
	cr_assert(t.s == INT64_MIN + 1 && flags == 0);
}

/* Times that jump between seconds, back and forth, on two interfaces. */
Test(pcapng, times_that_jump)
{
	struct build b = {0};
	struct cd_capture *c;
	uint64_t x = 1;

	put_section(&b);
	put_iface(&b, 1, 0, 6);
	put_iface(&b, 1, 0, 0x80 | 20);
	for (uint32_t i = 0; i < 1000; i++) {
		x = x * 6364136223846793005u + 1442695040888963407u;
		put_epb(&b, i % 2, x >> (x & 63), 4, 4);
	}
	c = open_build(&b);
	x = 1;
	for (int i = 0; i < 1000; i++) {
		static const struct cd_resolution r[] = {{10, 6}, {2, 20}};
		struct cd_instant t, is;

		x = x * 6364136223846793005u + 1442695040888963407u;
		cd_instant_from_ticks(x >> (x & 63), r[i % 2], 0, &t);
		is = next_record(c, (unsigned)(x >> (x & 63))).time;
		cr_assert_eq(cd_instant_compare(is, t), 0);
	}
	expect_end(c, CD_OK);
}

Test(pcapng, simple_packets)
{
	static const struct {
		uint32_t snaplen, origlen, caplen;
	} cases[] = {{0, 1000, 1000}, {64, 1000, 64}, {64, 61, 61}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct build b = {.big = i % 2};
		struct cd_capture *c;
		struct cd_record r;
		size_t at;

		put_section(&b);
		put_iface(&b, 1, cases[i].snaplen, 9);
		put_iface(&b, 101, 0, 9);
		at = begin_block(&b, 3);
		put(&b, cases[i].origlen, 4);
		put_packet(&b, 7, cases[i].caplen);
		end_block(&b, at);
		c = open_build(&b);
		r = next_record(c, 7);
		cr_assert_eq(r.caplen, cases[i].caplen);
		cr_assert_eq(r.origlen, cases[i].origlen);
		cr_assert_eq(r.flags, CD_RECORD_NO_TIME);
		cr_assert(r.time.s == 0 && r.time.ps == 0);
		cr_assert_eq(r.iface, 0);
		expect_end(c, CD_OK);
	}
}

Test(pcapng, simple_packets_that_cannot_be)
{
	struct build b = {0};
	size_t at;

	put_section(&b);
	at = begin_block(&b, 3);
	put(&b, 4, 4);
	put_packet(&b, 7, 4);
	end_block(&b, at);
	expect_end(open_build(&b), CD_E_CORRUPT); /* no interface */
	put_section(&b);
	put_iface(&b, 1, 0, 9);
	at = begin_block(&b, 3);
	put(&b, 9, 4);
	put_packet(&b, 7, 8);
	end_block(&b, at);
	expect_end(open_build(&b), CD_E_CORRUPT); /* shorter than it says */
}

Test(pcapng, obsolete_packets)
{
	static const uint16_t drops[] = {0, 3, 0xffff};

	for (size_t i = 0; i < 6; i++) {
		struct build b = {.big = i % 2};
		struct cd_capture *c;
		struct cd_record r;
		size_t at;

		put_section(&b);
		put_iface(&b, 1, 0, 6);
		put_iface(&b, 1, 0, 6);
		at = begin_block(&b, 2);
		put(&b, 1, 2);
		put(&b, drops[i / 2], 2);
		put(&b, 0, 4);
		put(&b, 1500000, 4);
		put(&b, 5, 4);
		put(&b, 60, 4);
		put_packet(&b, 9, 5);
		put_padding(&b, at);
		put_int_option(&b, 2, 2, 4);
		end_block(&b, at);
		c = open_build(&b);
		r = next_record(c, 9);
		cr_assert_eq(r.iface, 1);
		cr_assert(r.time.s == 1 && r.time.ps == 500000000000);
		cr_assert(r.caplen == 5 && r.origlen == 60);
		cr_assert_eq(r.direction, 2);
		cr_assert_eq(r.flags, i < 4 ? CD_RECORD_HAS_DROPS : 0);
		cr_assert_eq(r.drops, i < 4 ? drops[i / 2] : 0);
		expect_end(c, CD_OK);
	}
}

Test(pcapng, options_of_packets)
{
	for (int big = 0; big < 2; big++) {
		struct build b = {.big = big};
		struct cd_capture *c;
		struct cd_record r;
		size_t at;

		put_section(&b);
		put_iface(&b, 1, 0, 9);
		at = begin_epb(&b, 0, 1, 5, 5);
		put_text_option(&b, 1, "one");
		put_text_option(&b, 1, "two");
		put_int_option(&b, 2, 4 << 5 | 1, 4);
		put_option(&b, 3, "\2abcd", 5); /* hash */
		put_int_option(&b, 4, 70000000000, 8);
		put_end_of_options(&b);
		put_fill(&b, 0xee, 8); /* behind the end */
		end_block(&b, at);
		put_epb(&b, 0, 2, 5, 5);
		c = open_build(&b);
		r = next_record(c, 1);
		cr_assert_eq(r.direction, 1);
		cr_assert_eq(r.fcs_bytes, 4);
		cr_assert_eq(r.flags, CD_RECORD_HAS_DROPS);
		cr_assert_eq(r.drops, 70000000000);
		cr_assert_eq(c->comments, 2);
		cr_assert_str_eq(c->comment, "one");
		r = next_record(c, 2);
		cr_assert_eq(r.direction, 0);
		cr_assert_eq(r.fcs_bytes, CD_FCS_UNKNOWN);
		cr_assert(r.flags == 0 && r.drops == 0);
		cr_assert_eq(c->faults, 0);
		expect_end(c, CD_OK);
	}
}

Test(pcapng, options_that_do_not_fit_cost_no_packet)
{
	static const struct {
		uint16_t code, length;
		size_t there;
		uint64_t faults;
	} cases[] = {
		{1, 60, 8, 1}, {4, 0xffff, 8, 1}, {2, 3, 4, 1}, {4, 4, 4, 1},
		{99, 4, 4, 0}, {0, 8, 8, 0},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct build b = {0};
		struct cd_capture *c;
		struct cd_record r;
		size_t at;

		put_section(&b);
		put_iface(&b, 1, 0, 9);
		at = begin_epb(&b, 0, 1, 8, 8);
		put(&b, cases[i].code, 2);
		put(&b, cases[i].length, 2);
		put_fill(&b, 1, cases[i].there);
		end_block(&b, at);
		put_epb(&b, 0, 2, 8, 8);
		c = open_build(&b);
		r = next_record(c, 1);
		cr_assert_eq(r.flags, 0);
		cr_assert_eq(c->faults, cases[i].faults, "case %zu", i);
		next_record(c, 2);
		expect_end(c, CD_OK);
	}
}

Test(pcapng, texts_of_sections_and_interfaces)
{
	struct build b = {.big = true};
	struct cd_capture *c;
	size_t at = begin_section(&b);

	put_text_option(&b, 2, "ProfiShark 1G+");
	put_text_option(&b, 3, "");
	put_text_option(&b, 4, "Dumpcap\t4\001\xff \xc3\xa9 \xed\xa0\x80");
	put_text_option(&b, 4, "second");
	put_text_option(&b, 1, "a comment");
	end_block(&b, at);
	at = begin_iface(&b, 1, 262144);
	put_text_option(&b, 2, "eth0");
	put_text_option(&b, 3, "an interface");
	put_option(&b, 11, "\0udp port 9", 11);
	put_text_option(&b, 12, "Linux\0behind it");
	put_text_option(&b, 15, "i210");
	put_int_option(&b, 13, 4, 1);
	put_int_option(&b, 1, 0x41414141, 4);
	end_block(&b, at);
	put_epb(&b, 0, 1, 4, 4);
	c = open_build(&b);
	cr_assert_str_eq(c->hardware, "ProfiShark 1G+");
	cr_assert_str_eq(c->os, "");
	cr_assert_str_eq(c->application, "Dumpcap 4 ? \xc3\xa9 ???");
	cr_assert_str_eq(c->comment, "a comment");
	cr_assert_eq(next_record(c, 1).fcs_bytes, 4);
	cr_assert_str_eq(c->ifaces[0].name, "eth0");
	cr_assert_str_eq(c->ifaces[0].description, "an interface");
	cr_assert_str_eq(c->ifaces[0].filter, "udp port 9");
	cr_assert_str_eq(c->ifaces[0].os, "Linux");
	cr_assert_str_eq(c->ifaces[0].hardware, "i210");
	cr_assert_eq(c->comments, 2);
	expect_end(c, CD_OK);
}

/* What could change the meaning of time must not be guessed. */
Test(pcapng, interfaces_of_unknown_resolution)
{
	for (int i = 0; i < 3; i++) {
		struct build b = {0};
		size_t at;

		put_section(&b);
		at = begin_iface(&b, 1, 0);
		if (i == 0)
			put_int_option(&b, 9, 9, 2);
		else if (i == 1)
			put_int_option(&b, 14, 9, 4);
		else
			put(&b, 2 | 100 << 16, 4);
		end_block(&b, at);
		put_epb(&b, 0, 1, 4, 4);
		expect_end(open_build(&b), CD_E_CORRUPT);
	}
}

Test(pcapng, the_last_statistics_count)
{
	for (int big = 0; big < 2; big++) {
		struct build b = {.big = big};
		struct cd_capture *c;
		size_t at;

		put_section(&b);
		put_iface(&b, 1, 0, 9);
		put_iface(&b, 1, 0, 6);
		put_counters(&b, 0, 10, 1);
		put_epb(&b, 0, 1, 4, 4);
		put_counters(&b, 5, 77, 77); /* an interface that is not */
		at = begin_block(&b, 5);
		put(&b, 0, 4);
		put(&b, 0, 8);
		put(&b, 2, 2);
		put(&b, 8, 2);
		put(&b, 0, 4);
		put(&b, 1500000000, 4);
		put_int_option(&b, 4, 20, 8);
		put_int_option(&b, 7, 3, 8);
		put_int_option(&b, 8, 4, 4); /* wrong length */
		end_block(&b, at);
		c = open_build(&b);
		next_record(c, 1);
		cr_assert_eq(c->ifaces[0].received, 10);
		cr_assert_eq(c->ifaces[0].dropped, 1);
		cr_assert_not(c->ifaces[0].has_start);
		struct cd_record r;
		cr_assert_eq(cd_capture_next(c, &r, NULL), 0);
		cr_assert_eq(c->ifaces[0].received, 20);
		cr_assert_eq(c->ifaces[0].dropped, CD_COUNT_NONE);
		cr_assert_eq(c->ifaces[0].os_dropped, 3);
		cr_assert_eq(c->ifaces[0].delivered, CD_COUNT_NONE);
		cr_assert(c->ifaces[0].has_start && !c->ifaces[0].has_end);
		cr_assert_eq(c->ifaces[0].start.s, 1);
		cr_assert_eq(c->ifaces[0].start.ps, 500000000000);
		cr_assert_eq(c->ifaces[1].received, CD_COUNT_NONE);
		cr_assert_eq(c->faults, 2);
		cd_capture_close(c);
	}
}

Test(pcapng, other_blocks_are_passed_over)
{
	static const uint32_t types[] = {4, 7, 9, 10, 0xbad, 0x40000bad,
					 0x80000001, 0x12345678};

	for (int big = 0; big < 2; big++) {
		struct build b = {.big = big};
		struct cd_capture *c;

		put_section(&b);
		put_iface(&b, 1, 0, 9);
		for (size_t i = 0; i < 8; i++) {
			put_custom_block(&b, types[i], 13 * i);
			put_epb(&b, 0, i, 9, 9);
		}
		put_custom_block(&b, 0xbad, 1000000);
		put_epb(&b, 0, 8, 9, 9);
		c = open_build(&b);
		for (unsigned i = 0; i < 9; i++)
			next_record(c, i);
		cr_assert_eq(c->faults, 0);
		expect_end(c, CD_OK);
	}
}
