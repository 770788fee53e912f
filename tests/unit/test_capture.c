/* pcap and its relatives, and files that are no captures. */
#include <zlib.h>

#include "reading.h"

Test(pcap, both_units_and_byte_orders)
{
	for (int i = 0; i < 4; i++) {
		struct build b = {.big = i & 1};
		bool ns = i & 2;
		struct cd_capture *c;
		struct cd_record r;

		put_pcap(&b, ns ? PCAP_NS : PCAP_US, 1000, 1);
		put_record(&b, 1700000000, 999999, 60, 1514);
		put_record(&b, 0xffffffff, 0, 0, 60);
		c = open_build(&b);
		cr_assert_str_eq(c->format->name, "pcap");
		cr_assert_eq(c->n_ifaces, 1);
		cr_assert_eq(c->ifaces[0].snaplen, 1000);
		cr_assert_eq(c->ifaces[0].resolution.base, 10);
		cr_assert_eq(c->ifaces[0].resolution.exponent, ns ? 9 : 6);
		cr_assert_eq(c->ifaces[0].received, CD_COUNT_NONE);
		r = next_record(c, 999999);
		cr_assert_eq(r.number, 1);
		cr_assert_eq(r.time.s, 1700000000);
		cr_assert_eq(r.time.ps, ns ? 999999000 : 999999000000);
		cr_assert_eq(r.caplen, 60);
		cr_assert_eq(r.origlen, 1514);
		cr_assert_eq(r.linktype, 1);
		cr_assert_eq(r.fcs_bytes, CD_FCS_UNKNOWN);
		cr_assert_eq(r.flags, 0);
		r = next_record(c, 0);
		cr_assert_eq(r.time.s, 0xffffffff);
		cr_assert_eq(r.number, 2);
		cr_assert_eq(c->ifaces[0].packets, 2);
		cr_assert_eq(c->bytes, 60);
		expect_end(c, CD_OK);
	}
}

Test(pcap, header_only)
{
	struct build b = {0};

	put_pcap(&b, PCAP_US, 0, 1);
	expect_end(open_build(&b), CD_OK);
}

Test(pcap, fields_of_the_file_header)
{
	struct build b = {0};
	struct cd_capture *c;

	put_pcap(&b, PCAP_US, 96, 0x24000001);
	set32(&b, 8, (uint32_t)-3600);
	put_record(&b, 1, 2, 64, 64);
	c = open_build(&b);
	cr_assert_eq(c->thiszone, -3600);
	cr_assert_eq(c->ifaces[0].linktype, 1);
	cr_assert_eq(c->ifaces[0].fcs_bytes, 4);
	struct cd_record r = next_record(c, 2);
	cr_assert_eq(r.time.s, 1); /* no time zone is ever applied */
	cr_assert_eq(r.fcs_bytes, 4);
	expect_end(c, CD_OK);
}

Test(pcap, lengths_as_they_are)
{
	struct build b = {0};
	struct cd_capture *c;
	struct cd_record r;

	put_pcap(&b, PCAP_NS, 64, 1);
	put_record(&b, 1, 1, 76, 60); /* expcap's footer behind the frame */
	put_record(&b, 1, 2, 40, 0);  /* its padding records */
	put_record(&b, 1, 3, 1514, 1514); /* longer than the snapshot length */
	c = open_build(&b);
	r = next_record(c, 1);
	cr_assert(r.caplen == 76 && r.origlen == 60);
	r = next_record(c, 2);
	cr_assert(r.caplen == 40 && r.origlen == 0);
	cr_assert_eq(next_record(c, 3).caplen, 1514);
	expect_end(c, CD_OK);
}

Test(pcap, fractions_of_a_second_or_more)
{
	for (int ns = 0; ns < 2; ns++) {
		struct build b = {0};
		uint32_t second = ns ? 1000000000 : 1000000;
		struct cd_capture *c;
		struct cd_record r;

		put_pcap(&b, ns ? PCAP_NS : PCAP_US, 64, 1);
		put_record(&b, 7, second, 60, 60);
		put_record(&b, 7, UINT32_MAX, 60, 60);
		put_record(&b, 7, second - 1, 60, 60);
		c = open_build(&b);
		r = next_record(c, second);
		cr_assert_eq(r.flags, CD_RECORD_BAD_FRACTION);
		cr_assert_eq(r.fraction, second);
		cr_assert_eq(r.time.s, 7);
		cr_assert_eq(r.time.ps, CD_PS_PER_S - 1);
		r = next_record(c, UINT32_MAX);
		cr_assert_eq(r.flags, CD_RECORD_BAD_FRACTION);
		cr_assert_eq(r.fraction, UINT32_MAX);
		r = next_record(c, second - 1);
		cr_assert_eq(r.flags, 0);
		cr_assert_eq(r.time.ps, CD_PS_PER_S - (ns ? 1000 : 1000000));
		expect_end(c, CD_OK);
	}
}

/* Record headers of `extra` more bytes, as their readers know them. */
static struct cd_capture *open_relative(uint32_t magic, bool big,
					size_t extra, unsigned packets)
{
	struct build b = {.big = big};

	put_pcap(&b, magic, 65535, 1);
	for (unsigned i = 0; i < packets; i++) {
		put_head(&b, 1700000000 + i, 1000 * i, 60 + i, 60 + i);
		put_fill(&b, 0, extra);
		put_packet(&b, i, 60 + i);
	}
	return open_build(&b);
}

Test(pcap, longer_record_headers_are_recognised)
{
	static const struct {
		uint32_t magic;
		size_t extra;
	} relatives[] = {
		{PCAP_US, 0}, {PCAP_US, 4}, {PCAP_US, 8},
		{PCAP_MODIFIED, 8}, {PCAP_MODIFIED, 12},
	};

	for (size_t i = 0; i < 2 * sizeof(relatives) / sizeof(relatives[0]);
	     i++)
		for (unsigned packets = 2; packets < 20; packets++) {
			struct cd_capture *c = open_relative(
			    relatives[i / 2].magic, i % 2,
			    relatives[i / 2].extra, packets);

			for (unsigned k = 0; k < packets; k++)
				cr_assert_eq(next_record(c, k).time.s,
					     1700000000 + k);
			expect_end(c, CD_OK);
		}
}

Test(pcap, direction_of_the_modified_format)
{
	for (int big = 0; big < 2; big++) {
		struct build b = {.big = big};
		struct cd_capture *c;

		put_pcap(&b, PCAP_MODIFIED, 65535, 1);
		for (unsigned type = 0; type <= 4; type++) {
			put_head(&b, 1700000000, type, 60, 60);
			put(&b, 2, 4); /* interface */
			put(&b, 0x0800, 2);
			put(&b, type, 1);
			put(&b, 0, 1);
			put_packet(&b, type, 60);
		}
		c = open_build(&b);
		for (unsigned type = 0; type < 4; type++)
			cr_assert_eq(next_record(c, type).direction, 1);
		cr_assert_eq(next_record(c, 4).direction, 2);
		expect_end(c, CD_OK);
	}
}

Test(pcap, ixia_files_have_their_length_in_the_header)
{
	struct build b = {0};
	struct cd_capture *c;

	put_pcap(&b, 0x1c0001ac, 65535, 1);
	put(&b, 76, 4);
	put_record(&b, 1700000000, 1, 60, 60);
	c = open_build(&b);
	cr_assert_eq(next_record(c, 1).time.ps, CD_PS_PER_US);
	expect_end(c, CD_OK);
}

/* Old versions: the length on the wire came first, and around 2.3 either. */
Test(pcap, lengths_of_old_versions)
{
	static const struct {
		uint16_t major, minor;
		uint32_t first, second, caplen, origlen;
	} cases[] = {
		{2, 4, 60, 70, 60, 70}, {2, 2, 70, 60, 60, 70},
		{2, 3, 70, 60, 60, 70}, {2, 3, 60, 70, 60, 70},
		{543, 0, 70, 60, 60, 70},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct build b = {0};
		struct cd_capture *c;
		struct cd_record r;

		put_pcap(&b, PCAP_US, 65535, 1);
		set32(&b, 4, cases[i].major | (uint32_t)cases[i].minor << 16);
		put_head(&b, 1, 5, cases[i].first, cases[i].second);
		put_packet(&b, 5, 60);
		c = open_build(&b);
		r = next_record(c, 5);
		cr_assert_eq(r.caplen, cases[i].caplen);
		cr_assert_eq(r.origlen, cases[i].origlen);
		expect_end(c, CD_OK);
	}
}

Test(pcap, unknown_versions)
{
	struct build b = {0};

	put_pcap(&b, PCAP_US, 65535, 1);
	set32(&b, 4, 1 | 4 << 16);
	cr_assert_eq(refuse_build(&b).fault, CD_E_FORMAT);
}

Test(pcap, impossible_lengths_are_damage)
{
	static const uint32_t lengths[] = {262145, 0x7fffffff, 0xffffffff};

	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		struct build b = {0};
		struct cd_capture *c;
		struct cd_error error;
		char number[16];

		put_pcap(&b, PCAP_US, 65535, 1);
		put_record(&b, 1, 1, 60, 60);
		put_head(&b, 1, 2, lengths[i], 60);
		put_fill(&b, 0, 1000);
		c = open_build(&b);
		next_record(c, 1);
		error = expect_end(c, CD_E_CORRUPT);
		cr_assert_eq(error.offset, 24 + 76);
		cr_assert_eq(error.packets, 1);
		snprintf(number, sizeof(number), "%lu",
			 (unsigned long)lengths[i]);
		cr_assert_not_null(strstr(error.what, number));
	}
}

/* USB transfers exceed the usual limit; a snapshot length beyond it is no
 * licence for absurd ones. */
Test(pcap, limits_of_link_types)
{
	struct build b = {0};
	struct cd_capture *c;

	put_pcap(&b, PCAP_US, 65535, 220);
	put_record(&b, 1, 1, 1000000, 1000000);
	c = open_build(&b);
	cr_assert_eq(next_record(c, 1).caplen, 1000000);
	expect_end(c, CD_OK);
	put_pcap(&b, PCAP_US, 0xffffffff, 1);
	put_head(&b, 1, 1, 0x10000000, 0x10000000);
	expect_end(open_build(&b), CD_E_CORRUPT);
}

Test(pcap, joined_files_are_named)
{
	struct build b = {0};
	struct cd_capture *c;
	struct cd_error error;

	for (int i = 0; i < 2; i++) {
		put_pcap(&b, PCAP_NS, 65535, 1);
		put_record(&b, 1, 1, 60, 60);
	}
	c = open_build(&b);
	next_record(c, 1);
	error = expect_end(c, CD_E_CORRUPT);
	cr_assert_not_null(strstr(error.what, "another pcap file"));
	cr_assert_not_null(strstr(error.hint, "mergecap"));
}

/* Every reader takes what was never written for packets; but that the file ends
 * in it is said. A record without bytes amid others is one. */
Test(pcap, zeros_at_the_end_are_damage)
{
	static const size_t zeros[] = {16, 17, 64, 4800};

	for (size_t i = 0; i < sizeof(zeros) / sizeof(zeros[0]); i++) {
		struct build b = {0};
		struct cd_capture *c;
		struct cd_error error;

		put_pcap(&b, PCAP_US, 65535, 1);
		put_record(&b, 1, 1, 60, 60);
		put_head(&b, 0, 0, 0, 0);
		put_record(&b, 1, 2, 60, 60);
		put_fill(&b, 0, zeros[i]);
		c = open_build(&b);
		next_record(c, 1);
		next_record(c, 0);
		next_record(c, 2);
		for (size_t n = 0; n < zeros[i] / 16; n++)
			next_record(c, 0);
		error = expect_end(c, CD_E_CORRUPT);
		cr_assert_eq(error.offset, 24 + 76 + 16 + 76);
		cr_assert_eq(error.packets, 3 + zeros[i] / 16);
		cr_assert_not_null(strstr(error.what, "only zeros"));
	}
}

/* Cut at every byte: all complete packets, then an error that says where, or
 * a clean end exactly between records. */
Test(pcap, cut_anywhere)
{
	for (int big = 0; big < 2; big++) {
		struct build b = {.big = big};

		put_pcap(&b, PCAP_US, 65535, 1);
		for (unsigned i = 0; i < 4; i++)
			put_record(&b, 1700000000, i, 10, 60);
		for (size_t n = 24; n < b.n; n++) {
			struct cd_capture *c = open_bytes(b.bytes, n, NULL);
			size_t whole = (n - 24) / 26;
			struct cd_error error;

			cr_assert_not_null(c);
			for (unsigned i = 0; i < whole; i++)
				next_record(c, i);
			if ((n - 24) % 26 == 0) {
				expect_end(c, CD_OK);
				continue;
			}
			error = expect_end(c, CD_E_TRUNCATED);
			cr_assert_eq(error.packets, whole);
			cr_assert_eq(error.offset, 24 + 26 * whole);
		}
		free(b.bytes);
	}
}

Test(pcap, cut_inside_the_file_header)
{
	struct build b = {0};

	put_pcap(&b, PCAP_US, 65535, 1);
	for (size_t n = 0; n < 24; n++) {
		struct cd_error error = {0};

		cr_assert_null(open_bytes(b.bytes, n, &error));
		cr_assert_eq(error.fault, n == 0   ? CD_E_EMPTY
					  : n < 4 ? CD_E_FORMAT
						  : CD_E_TRUNCATED);
	}
	free(b.bytes);
}

/* gzip in memory, as few bytes as zlib likes. */
static size_t compress_bytes(const struct build *b, uint8_t *out, size_t size)
{
	z_stream z = {0};

	cr_assert_eq(deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8,
				  Z_DEFAULT_STRATEGY), Z_OK);
	z.next_in = b->bytes;
	z.avail_in = (uInt)b->n;
	z.next_out = out;
	z.avail_out = (uInt)size;
	cr_assert_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
	deflateEnd(&z);
	return z.total_out;
}

Test(pcap, gzip_cut_anywhere)
{
	struct build b = {0};
	uint8_t gz[4096];
	size_t size, most = 0;

	put_pcap(&b, PCAP_US, 65535, 1);
	for (unsigned i = 0; i < 50; i++)
		put_record(&b, 1700000000 + i * i * i, i, 40, 60);
	size = compress_bytes(&b, gz, sizeof(gz));
	for (size_t n = 2; n <= size; n++) {
		struct cd_error error = {0};
		struct cd_capture *c = open_bytes(gz, n, &error);
		struct cd_record r;
		int got;

		if (c == NULL) {
			cr_assert_eq(error.fault, CD_E_TRUNCATED);
			continue;
		}
		while ((got = cd_capture_next(c, &r, &error)) == 1)
			cr_assert_eq((uint64_t)r.time.s,
				     1700000000 + (r.number - 1) *
				     (r.number - 1) * (r.number - 1));
		cr_assert_eq(got, n == size ? 0 : -1);
		cr_assert_eq(error.fault, n == size ? CD_OK : CD_E_TRUNCATED);
		cr_assert_geq(c->packets, most);
		most = c->packets;
		cr_assert_eq(error.packets, n == size ? 0 : most);
		cr_assert_eq(strstr(error.what, "after packet") != NULL,
			     n != size);
		cd_capture_close(c);
	}
	cr_assert_eq(most, 50);
	free(b.bytes);
}

Test(foreign, what_files_seem_to_be)
{
	static const struct {
		const char *bytes;
		size_t n;
		const char *says;
	} files[] = {
		{"snoop\0\0\0\0\0\0\2", 12, "snoop"},
		{"PK\3\4xxxxxxxx", 12, "ZIP"},
		{"\177ELFxxxxxxxx", 12, "program"},
		{"frame.number,frame.time\n", 24, "\"frame.number,fra\""},
		{"No.\tTime\n1\t0.0\n", 14, "\"No.\""},
		{"\1\2\3\4\5\6\7\10\11\12", 10, "01 02 03 04 05 06 07 08"},
		{"\xd4", 1, "bytes d4"},
		{"<?xml version", 13, "XML"},
	};

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct build b = {0};
		struct cd_error error;

		put_bytes(&b, files[i].bytes, files[i].n);
		error = refuse_build(&b);
		cr_assert_eq(error.fault, CD_E_FORMAT);
		cr_assert_not_null(strstr(error.what, files[i].says), "%s",
				   error.what);
	}
}

Test(foreign, empty_files)
{
	struct build b = {0};

	put_bytes(&b, "", 0);
	cr_assert_eq(refuse_build(&b).fault, CD_E_EMPTY);
}

Test(linktype, names)
{
	static const struct {
		uint32_t linktype;
		const char *name;
	} names[] = {
		{0, "NULL"}, {1, "EN10MB"}, {50, "PPP_SERIAL"},
		{101, "RAW"}, {104, "C_HDLC"}, {113, "LINUX_SLL"},
		{228, "IPV4"}, {276, "LINUX_SLL2"},
		{99999, "linktype-99999"}, {4294967295u, "linktype-4294967295"},
	};
	char text[20];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		cr_assert_str_eq(cd_linktype_name(names[i].linktype, text,
						  sizeof(text)),
				 names[i].name);
}
