#include "build.h"
#include "capture/capture.h"

static struct cd_capture *open_build(const struct build *b,
				     struct cd_error *error)
{
	char *path = save(b->bytes, b->n);
	struct cd_input *input = cd_input_open(path, error);

	cr_assert_not_null(input);
	discard(path);
	return cd_capture_open(input, error);
}

/* The next packet must be there and hold put_packet(seed). */
static struct cd_record next_record(struct cd_capture *capture, unsigned seed)
{
	struct cd_error error = {0};
	struct cd_record r;

	cr_assert_eq(cd_capture_next(capture, &r, &error), 1, "%s",
		     error.what);
	for (size_t i = 0; i < r.caplen; i++)
		cr_assert_eq(r.data[i], (uint8_t)(seed + i));
	return r;
}

static void expect_end(struct cd_capture *capture, enum cd_fault fault)
{
	struct cd_error error = {0};
	struct cd_record r;

	cr_assert_eq(cd_capture_next(capture, &r, &error),
		     fault == CD_OK ? 0 : -1);
	cr_assert_eq(error.fault, fault, "%s", error.what);
	cr_assert_eq(error.packets, fault == CD_OK ? 0 : capture->packets);
	cd_capture_close(capture);
}

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
		c = open_build(&b, NULL);
		cr_assert_not_null(c);
		cr_assert_str_eq(c->format->name, "pcap");
		cr_assert_eq(c->n_ifaces, 1);
		cr_assert_eq(c->ifaces[0].snaplen, 1000);
		cr_assert_eq(c->ifaces[0].resolution.exponent, ns ? 9 : 6);
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
		free(b.bytes);
	}
}

Test(pcapng, both_byte_orders)
{
	for (int big = 0; big < 2; big++) {
		struct build b = {.big = big};
		struct cd_capture *c;
		struct cd_record r;

		put_section(&b);
		put_iface(&b, 1, 262144, 9);
		put_epb(&b, 0, 1700000000123456789, 61, 1514);
		c = open_build(&b, NULL);
		cr_assert_not_null(c);
		cr_assert_str_eq(c->format->name, "pcapng");
		r = next_record(c, (unsigned)1700000000123456789);
		cr_assert_eq(r.number, 1);
		cr_assert_eq(r.time.s, 1700000000);
		cr_assert_eq(r.time.ps, 123456789000);
		cr_assert_eq(r.caplen, 61);
		cr_assert_eq(r.origlen, 1514);
		cr_assert_eq(c->sections, 1);
		expect_end(c, CD_OK);
		free(b.bytes);
	}
}
