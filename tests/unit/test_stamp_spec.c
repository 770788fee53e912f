/* The arguments of --stamp, and the table behind them. */
#include <criterion/criterion.h>
#include <string.h>

#include "stamp/stamp.h"

static struct cd_stamp_spec spec_of(const char *text)
{
	struct cd_stamp_spec spec;
	struct cd_error error = {.fault = CD_OK};

	cr_assert_eq(cd_stamp_spec_parse(text, &spec, &error), 0, "%s: %s",
		     text, error.what);
	return spec;
}

Test(spec, options)
{
	struct cd_stamp_spec s = spec_of("field:at=end+8,step=-4,endian=little,"
					 "width=6");

	cr_assert_str_eq(s.format->name, "field");
	cr_assert_eq(s.base, CD_AT_END);
	cr_assert_eq(s.at, -8);
	cr_assert_eq(s.width, 6);
	cr_assert(s.little);
	cr_assert_eq(s.step, -4);
	s = spec_of("field:at=udp");
	cr_assert_eq(s.at, 0);
	cr_assert_eq(s.width, 4);
	cr_assert_eq(s.step, 1);
	cr_assert_not(s.little);
	s = spec_of("field:at=frame+0x30");
	cr_assert_eq(s.at, 48);
	s = spec_of("field:at=l4+2,proto=99,flows=one");
	cr_assert_eq(s.protocol, 99);
	cr_assert(s.shared);
	cr_assert_eq(s.port_to, 0);
	s = spec_of("field:at=udp+2,port=5001,step=-7,proto=udp,flows=own");
	cr_assert_eq(s.port_from, 5001);
	cr_assert_eq(s.port_to, 5001);
	cr_assert_eq(s.step, -7);
	cr_assert_eq(s.protocol, 17);
	cr_assert_not(s.shared);
	s = spec_of("field:at=udp+2,proto=tcp,port=1-65535");
	cr_assert_eq(s.protocol, 6);
	cr_assert_eq(s.port_from, 1);
	cr_assert_eq(s.port_to, 65535);
	s = spec_of("field:at=l3+2,type=0x88b5");
	cr_assert_eq(s.ethertype, 0x88b5);
	s = spec_of("iperf3");
	cr_assert_eq(cd_stamp_bits(&s), 32);
	s = spec_of("iperf3:width=8");
	cr_assert_eq(cd_stamp_bits(&s), 64);
	s = spec_of("icmp:flow=4294967295");
	cr_assert_str_eq(s.format->name, "ping");
	cr_assert(s.has_flow);
	cr_assert_eq(s.flow, UINT32_MAX);
	s = spec_of("pktgen");
	cr_assert_eq(s.step, 1);
	cr_assert_not(s.has_flow);
}

Test(spec, errors_say_what_and_what_to_do)
{
	static const struct {
		const char *text, *what, *hint;
	} bad[] = {
		{"pktgn", "\"pktgn\"", "did you mean \"pktgen\"?"},
		{"", "\"\"", "All: auto none pktgen"},
		{"iperf", "\"iperf\"", "did you mean \"iperf"},
		{"nune", "\"nune\"", "did you mean \"none\"?"},
		{"mgen:", "no option \"\"", "it has flow"},
		{"mgen:flw=3", "no option \"flw\"", "it has flow"},
		{"mgen:flow=3,", "no option \"\"", "it has flow"},
		{"mgen:flow=-3", "\"-3\" is not a flow number", ""},
		{"mgen:flow=4294967296", "is not a flow number", ""},
		{"mgen:flow", "\"\" is not a flow number", ""},
		{"mgen:flow=0x", "\"0x\" is not a flow number", ""},
		{"mgen:flow=99999999999999999999999999", "not a flow", ""},
		{"pktgen:flow=3", "no option \"flow\"", "it has none"},
		{"iperf3:width=2", "not a width it has", ""},
		{"field", "needs the place", "at=udp+8"},
		{"field:width=4", "needs the place", "at=udp+8"},
		{"field:at=l5+3", "\"l5+3\" is not a place", ""},
		{"field:at=udp+", "not a place", ""},
		{"field:at=udp-3", "only end counts back", ""},
		{"field:at=end", "4 bytes do not fit 0 before the end", ""},
		{"field:at=end-3", "4 bytes do not fit 3 before the end", ""},
		{"field:at=udp+99999999", "not a place", ""},
		{"field:at=udp,width=9", "not a width", ""},
		{"field:at=udp,width=0", "not a width", ""},
		{"field:at=udp,step=0", "not a step", ""},
		{"field:at=udp,step=", "not a step", ""},
		{"field:at=udp,endian=middle", "not big or little", ""},
		{"field:at=udp,proto=ipx", "\"ipx\" is not udp, tcp", ""},
		{"field:at=udp,proto=0", "\"0\" is not udp, tcp", ""},
		{"field:at=udp,proto=256", "\"256\" is not udp, tcp", ""},
		{"field:at=udp,port=0", "\"0\" is not a port", ""},
		{"field:at=udp,port=9-8", "\"9-8\" is not a port", ""},
		{"field:at=udp,port=9-", "\"9-\" is not a port", ""},
		{"field:at=udp,port=-9", "\"-9\" is not a port", ""},
		{"field:at=udp,port=65536", "\"65536\" is not a port", ""},
		{"field:at=l3,type=ip", "\"ip\" is not an ethertype", ""},
		{"field:at=udp,flows=all", "\"all\" is not one", ""},
		{"mgen:port=5000", "no option \"port\"", "it has flow"},
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct cd_error error = {.fault = CD_OK};
		struct cd_stamp_spec spec;

		cr_assert_eq(cd_stamp_spec_parse(bad[i].text, &spec, &error),
			     -1, "%s", bad[i].text);
		cr_assert_eq(error.fault, CD_E_USAGE);
		cr_assert_not_null(strstr(error.what, bad[i].what), "%s: %s",
				   bad[i].text, error.what);
		cr_assert_not_null(strstr(error.hint, bad[i].hint), "%s: %s",
				   bad[i].text, error.hint);
	}
}

/* What is spelled can be pasted, and says all of it. */
Test(spec, spelling)
{
	static const char *const specs[] = {
		"field:at=udp+12,width=4,endian=big,step=1",
		"field:at=end-9,width=8,endian=little,step=-100",
		"field:at=l4+0,width=2,endian=big,step=1,proto=99",
		"field:at=frame+48,width=3,endian=big,step=1,proto=tcp",
		"field:at=l3+7,width=4,endian=big,step=1,type=0x88b5",
		"field:at=udp+0,width=4,endian=big,step=2,port=5001",
		("field:at=udp+0,width=4,endian=big,step=9223372036854775807,"
		 "proto=udp,port=5001-5008,flows=one"),
	};

	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		struct cd_stamp_spec s = spec_of(specs[i]);
		struct cd_str text = {0};

		s.format->spell(&s, &text);
		cr_assert_str_eq(cd_str_text(&text), specs[i]);
		cd_str_release(&text);
	}
}

Test(spec, titles)
{
	static const struct {
		const char *spec, *title;
	} titles[] = {
		{"iperf2", "iperf2 sequence numbers"},
		{"field:at=udp+12", "sequence numbers at udp+12, 4 bytes big "
				    "endian, step 1"},
		{"field:at=end-1,width=1,endian=little,step=-2,flows=one",
		 "sequence numbers at end-1, 1 byte little endian, step -2, "
		 "one counter over all flows"},
	};

	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++) {
		struct cd_stamp_spec s = spec_of(titles[i].spec);
		struct cd_str text = {0};

		cd_stamp_title(&s, &text);
		cr_assert_str_eq(cd_str_text(&text), titles[i].title);
		cd_str_release(&text);
	}
}

Test(spec, table_is_sound)
{
	size_t n = 0;

	for (; cd_stamp_formats[n] != NULL; n++) {
		const struct cd_stamp_format *f = cd_stamp_formats[n];

		for (size_t i = 0; i < n; i++)
			cr_assert_str_neq(f->name, cd_stamp_formats[i]->name);
		cr_assert_not_null(f->parse);
		cr_assert_not_null(f->where);
		cr_assert_leq(f->bits, 64);
		cr_assert_eq(f->clock == CD_TX_NONE, f->tx_unit_ps == 0);
	}
	cr_assert_eq(n, 9);
}
