/* Scenario files: what they may say, what is wrong with them. */
#include <criterion/criterion.h>

#include "sim/scenario.h"

#define HEAD "[stream]\nrate = 1kpps\n[point a]\n"

static void expect_error(const char *text, const char *what, const char *hint)
{
	struct cd_error error = {0};
	struct cd_scenario s;
	int status = cd_scenario_parse(&s, "test", text, "x.sim", &error);

	if (status == 0)
		status = cd_scenario_check(&s, &error);
	cr_assert_eq(status, -1, "%s", text);
	cr_assert_eq(error.fault, CD_E_USAGE);
	cr_assert_str_eq(error.what, what);
	cr_assert_str_eq(error.hint, hint);
	cd_scenario_release(&s);
}

Test(scenario, errors_name_the_line_and_the_nearest_key)
{
	expect_error("seed = 1\n\n[stream]\nspasing = 5\n",
		     "line 4: unknown key 'spasing' in [stream]",
		     "nearest is 'spacing'; capsim --keys lists all");
	expect_error("sede = 1\n",
		     "line 1: unknown key 'sede' in the first lines",
		     "nearest is 'seed'; capsim --keys lists all");
	expect_error(HEAD "buffers = 1\n",
		     "line 4: unknown key 'buffers' in [point]",
		     "nearest is 'buffer'; capsim --keys lists all");
	expect_error("[stream]\nrate = 5\n",
		     "line 2: rate: '5' is not a packet rate such as 100kpps",
		     "");
	expect_error("[stream]\nrate 5\n",
		     "line 2: neither a section nor key = value: 'rate 5'",
		     "");
	expect_error("[streams]\n",
		     "line 1: sections are [stream], [stream NAME] and [point "
		     "NAME], not [streams]", "");
	expect_error("[point]\n",
		     "line 1: sections are [stream], [stream NAME] and [point "
		     "NAME], not [point]", "");
	expect_error(HEAD "[point a]\n",
		     "line 4: there are two sections called 'a'", "");
	expect_error("[point ../a]\n",
		     "line 1: '../a' cannot be a name: use letters, digits, - "
		     "and _", "");
	expect_error("[stream]\nstamp = pktgn\n",
		     "line 2: stamp: no stamp called 'pktgn'",
		     "capsim --keys lists the stamps");
	expect_error(HEAD "loss = 1% bursts 3\n",
		     "line 4: loss: '1% bursts 3' is not SHARE [burst N] or "
		     "at N[-N],...", "");
	expect_error(HEAD "loss = at 5,5\n",
		     "line 4: loss: packet positions must rise", "");
	expect_error(HEAD "step = 5 at 3s\n",
		     "line 4: step: '5' is not a duration such as 125us", "");
	expect_error(HEAD "coalesce = timer\n",
		     "line 4: coalesce: 'timer' is not none or timer DURATION "
		     "[phase DURATION] or oneshot DURATION", "");
}

Test(scenario, what_cannot_be)
{
	expect_error("", "a scenario needs a [stream] and a [point NAME]", "");
	expect_error("[stream]\n[point a]\n",
		     "stream: rate, spacing or load is missing", "");
	expect_error("[stream]\nrate = 2Mpps\n[point a]\n",
		     "stream: more than the link carries (a packet every "
		     "500000 ps, 672000 on the wire)", "");
	expect_error("[stream]\nrate = 1kpps\nstamp = mgen\n[point a]\n",
		     "stream: mgen needs frames of 74 bytes at least, not 64",
		     "");
	expect_error("[stream]\nrate = 1pps\npackets = 10M\n[point a]\n",
		     "stream: lasts more than 40 days", "");
	expect_error("[stream]\nrate = 1kpps\nstamp = rtp\nfirst = 65536\n"
		     "[point a]\n", "stream: first does not fit 16 bits", "");
	expect_error("[stream]\nrate = 1kpps\nstamp = field\nat = udp+15\n"
		     "[point a]\n",
		     "stream: the field lies outside frames of 64 bytes", "");
	expect_error(HEAD "format = pcap\nresolution = ps\n",
		     "a: pcap has resolutions us and ns only", "");
	expect_error(HEAD "stall = 0s for 1s every 2s\n"
			  "stall = 1s for 1s every 2s\n",
		     "a: stall or pause leaves less than a tenth of the time",
		     "");
	expect_error(HEAD "cost = 10s\n",
		     "a: cost and drain make it work for more than 2 days",
		     "");
	expect_error(HEAD "offset = 30d\n",
		     "line 4: offset: '30d' is more than 1728000 s", "");
	expect_error("[stream a]\nload = 60%\n[stream b]\nload = 60%\n"
		     "[point c]\n",
		     "the streams together are more than the link carries",
		     "");
	expect_error(HEAD "drain = 1kpps\n",
		     "a: drain and pause need a buffer", "");
	expect_error(HEAD "ignore = b\n", "a: no stream is called 'b'", "");
}

Test(scenario, assignments_replace)
{
	struct cd_error error = {0};
	struct cd_scenario s;

	cr_assert_eq(cd_scenario_parse(&s, "test",
				       HEAD "noise = gauss 1us # two\n"
					    "noise = uniform 2us\n[point b]\n",
				       "x", &error), 0);
	cr_assert_eq(s.points[0].noise.n, 2);
	cr_assert_eq(cd_scenario_set(&s, "a.noise=gauss 5us", &error), 0);
	cr_assert_eq(s.points[0].noise.n, 1);
	cr_assert_eq(s.points[0].noise.items[0].scale_ps, 5000000);
	cr_assert_eq(cd_scenario_set(&s, "spacing = 10us", &error), 0);
	cr_assert_eq(s.streams[0].rate_mpps, 0);
	cr_assert_eq(s.streams[0].spacing_ps, 10000000);
	cr_assert_eq(cd_scenario_set(&s, "point.gzip=yes", &error), 0);
	cr_assert(s.points[0].gzip && s.points[1].gzip);
	cr_assert_eq(cd_scenario_set(&s, "seed=9", &error), 0);
	cr_assert_eq(s.seed, 9);
	cr_assert_eq(cd_scenario_set(&s, "c.gzip=yes", &error), -1);
	cr_assert_str_eq(error.what, "no stream or point is called 'c'");
	cr_assert_eq(cd_scenario_set(&s, "gzip", NULL), -1);
	cd_scenario_release(&s);
}
