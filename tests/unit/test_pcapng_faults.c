/* pcapng files that are damaged, cut, or not quite right. */
#include "reading.h"

/* The second length is wrong, the first one leads to the next block. */
Test(pcapng, wrong_second_lengths_that_harm_nothing)
{
	for (int kind = 0; kind < 8; kind++) {
		struct build b = {.big = kind % 2};
		struct cd_capture *c;

		put_section(&b);
		put_iface(&b, 1, 0, 9);
		put_epb(&b, 0, 1, 9, 9);
		if (kind & 2)
			put_custom_block(&b, 0x1234, 20);
		else
			put_epb(&b, 0, 2, 9, 9);
		set32(&b, b.n - 4, 12345);
		if (kind & 4)
			put_epb(&b, 0, 3, 9, 9);
		c = open_build(&b);
		next_record(c, 1);
		if (!(kind & 2))
			next_record(c, 2);
		if (kind & 4)
			next_record(c, 3);
		struct cd_record r;
		cr_assert_eq(cd_capture_next(c, &r, NULL), 0);
		cr_assert_eq(c->faults, 1);
		cd_capture_close(c);
	}
}

Test(pcapng, wrong_lengths_that_harm)
{
	for (int kind = 0; kind < 2; kind++) {
		struct build b = {0};
		struct cd_capture *c;
		struct cd_error error;
		size_t at;

		put_section(&b);
		put_iface(&b, 1, 0, 9);
		put_epb(&b, 0, 1, 9, 9);
		at = b.n;
		if (kind == 0)
			put_epb(&b, 0, 2, 9, 9);
		else
			put_custom_block(&b, 0x1234, 20);
		put_fill(&b, 0xaa, 400);
		set32(&b, at + 4, 64);
		c = open_build(&b);
		next_record(c, 1);
		error = expect_end(c, CD_E_CORRUPT);
		cr_assert_eq(error.offset, at);
		cr_assert_eq(error.packets, 1);
	}
}

/* Some writers leave the padding out of the length, some out of the file. */
Test(pcapng, lengths_without_padding)
{
	for (int kind = 0; kind < 4; kind++) {
		struct build b = {.big = kind % 2};
		struct cd_capture *c;
		size_t at;

		put_section(&b);
		put_iface(&b, 1, 0, 9);
		for (unsigned i = 0; i < 3; i++) {
			at = begin_epb(&b, 0, i, 9, 9);
			if (kind & 2)
				b.n -= 3;
			put(&b, 41, 4);
			set32(&b, at + 4, 41);
		}
		c = open_build(&b);
		for (unsigned i = 0; i < 3; i++)
			next_record(c, i);
		cr_assert_eq(c->faults, 3);
		expect_end(c, CD_OK);
	}
}

Test(pcapng, block_lengths_that_cannot_be)
{
	static const struct {
		uint32_t type, length;
	} cases[] = {
		{6, 0}, {6, 11}, {6, 28}, {6, 0xffffffff}, {6, 0x10000000},
		{1, 16}, {2, 28}, {3, 12}, {5, 20}, {0x1234, 8},
		{0x1234, 0xfffffffc}, {0x0a0d0d0a, 24},
		{0x0a0d0d0a, 0xfffffff0},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct build b = {0};
		struct cd_capture *c;
		struct cd_error error;
		size_t at;

		put_section(&b);
		put_iface(&b, 1, 0, 9);
		put_epb(&b, 0, 1, 9, 9);
		at = b.n;
		put(&b, cases[i].type, 4);
		put(&b, cases[i].length, 4);
		put(&b, 0x1a2b3c4d, 4);
		put(&b, 1, 4);
		put_fill(&b, 0, 100);
		c = open_build(&b);
		next_record(c, 1);
		error = expect_end(c, CD_E_CORRUPT);
		cr_assert_eq(error.offset, at);
	}
}

Test(pcapng, captured_lengths_that_cannot_be)
{
	static const uint32_t lengths[] = {13, 0x7fffffff, 0xffffffff};

	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		struct build b = {0};
		size_t at;

		put_section(&b);
		put_iface(&b, 1, 0, 9);
		at = begin_epb(&b, 0, 1, 12, 12);
		end_block(&b, at);
		set32(&b, at + 20, lengths[i]);
		expect_end(open_build(&b), CD_E_CORRUPT);
	}
}

Test(pcapng, versions)
{
	static const struct {
		uint16_t major, minor;
		bool known;
	} cases[] = {{1, 0, true}, {1, 2, true}, {1, 1, false},
		     {0, 1, false}, {2, 0, false}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct build b = {0};
		struct cd_capture *c;
		size_t at;

		put_section(&b);
		set32(&b, 12, cases[i].major | (uint32_t)cases[i].minor << 16);
		if (cases[i].known)
			expect_end(open_build(&b), CD_OK);
		else
			cr_assert_eq(refuse_build(&b).fault, CD_E_FORMAT);
		put_section(&b); /* the same in the second section */
		at = b.n;
		put_section(&b);
		set32(&b, at + 12,
		      cases[i].major | (uint32_t)cases[i].minor << 16);
		c = open_build(&b);
		expect_end(c, cases[i].known ? CD_OK : CD_E_CORRUPT);
	}
}

Test(pcapng, byte_order_magic_that_is_none)
{
	struct build b = {0};

	put_section(&b);
	set32(&b, 8, 0x11223344);
	cr_assert_eq(refuse_build(&b).fault, CD_E_CORRUPT);
}

/* Every kind of block, and where each ends. */
static struct build build_zoo(bool big, size_t *ends, size_t *n)
{
	struct build b = {.big = big};
	size_t at = begin_section(&b);

	*n = 0;
	put_text_option(&b, 4, "zoo");
	end_block(&b, at);
	ends[(*n)++] = b.n;
	put_iface(&b, 1, 0, 9);
	ends[(*n)++] = b.n;
	put_epb(&b, 0, 1, 9, 9);
	ends[(*n)++] = b.n;
	put_custom_block(&b, 0xbad, 10);
	ends[(*n)++] = b.n;
	at = begin_epb(&b, 0, 2, 9, 9);
	put_text_option(&b, 1, "a comment");
	put_int_option(&b, 4, 3, 8);
	end_block(&b, at);
	ends[(*n)++] = b.n;
	at = begin_block(&b, 3);
	put(&b, 7, 4);
	put_packet(&b, 3, 7);
	end_block(&b, at);
	ends[(*n)++] = b.n;
	put_counters(&b, 0, 4, 5);
	ends[(*n)++] = b.n;
	return b;
}

Test(pcapng, cut_anywhere)
{
	/* packets complete after each block of the zoo */
	static const unsigned packets[] = {0, 0, 1, 1, 2, 3, 3};

	for (int big = 0; big < 2; big++) {
		size_t ends[16], n;
		struct build b = build_zoo(big, ends, &n);

		for (size_t cut = ends[0]; cut < b.n; cut++) {
			struct cd_capture *c = open_bytes(b.bytes, cut, NULL);
			struct cd_error error;
			size_t whole = 0;

			while (ends[whole + 1] <= cut)
				whole++;
			cr_assert_not_null(c);
			for (unsigned i = 1; i <= packets[whole]; i++)
				next_record(c, i);
			if (cut == ends[whole]) {
				expect_end(c, CD_OK);
				continue;
			}
			error = expect_end(c, CD_E_TRUNCATED);
			cr_assert_eq(error.offset, ends[whole]);
		}
		for (size_t cut = 4; cut < ends[0]; cut++) {
			struct cd_error error = {0};

			cr_assert_null(open_bytes(b.bytes, cut, &error));
			cr_assert_eq(error.fault, CD_E_TRUNCATED);
		}
		free(b.bytes);
	}
}
