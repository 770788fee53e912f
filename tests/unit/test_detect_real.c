/* Detection on the real captures that may be found beside the sources. */
#include "config.h"

#include <ftw.h>
#include <stdio.h>
#include <sys/stat.h>

#include "capture/capture.h"
#include "detect_capture.h"
#include "input/input.h"

static const char *shared_path(void)
{
	static char path[1024];
	const char *shared = getenv("CAPDIFF_SHARED");
	const char *srcdir = getenv("srcdir");
	struct stat st;

	if (shared == NULL)
		snprintf(path, sizeof(path), "%s/../shared",
			 srcdir == NULL ? "." : srcdir);
	else
		snprintf(path, sizeof(path), "%s", shared);
	return stat(path, &st) == 0 ? path : NULL;
}

/* Up to SAMPLE packets from the start; none if it is not a capture. */
static struct capture *read_capture(const char *path)
{
	struct capture *c = new_capture();
	struct cd_input *input = cd_input_open(path, NULL);
	struct cd_capture *file;
	struct cd_record r;

	if (input == NULL)
		return c;
	file = cd_capture_open(input, NULL);
	if (file == NULL)
		return c;
	while (c->n < SAMPLE && cd_capture_next(file, &r, NULL) == 1)
		add_frame(c, r.linktype, r.data, r.caplen, r.origlen,
			  r.fcs_bytes, r.time);
	cd_capture_close(file);
	return c;
}

static size_t count_udp(const struct capture *c, unsigned port)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++)
		n += c->status[i] == CD_FRAME_OK &&
		     (c->frames[i].ip_protocol == UDP
			  ? c->frames[i].dst_port == port
			  : port == 0 && c->frames[i].ip_protocol == ICMP);
	return n;
}

/* Stream packets are all UDP (or ICMP) to one port, with a few others
 * (handshakes, RTCP). */
static void check_pair(const char *shared, const char *folder, const char *dut,
		       const char *name, unsigned port, size_t others)
{
	struct capture *c[2];
	struct cd_detection d;
	char path[2048];

	snprintf(path, sizeof(path), "%s/lab/%s/ref.pcap.gz", shared, folder);
	c[0] = read_capture(path);
	snprintf(path, sizeof(path), "%s/lab/%s/%s", shared, folder, dut);
	c[1] = read_capture(path);
	d = detect(c, 2, true);
	cr_assert_not_null(d.spec.format, "%s", folder);
	cr_assert_str_eq(d.spec.format->name, name, "%s", folder);
	cr_assert_str_eq(cd_str_text(&d.others), "");
	cr_assert_not(d.cut);
	for (size_t i = 0; i < 2; i++) {
		double n = (double)c[i]->n;
		double most = (double)count_udp(c[i], port) / n;

		cr_assert_gt(n, 300);
		cr_assert_leq(d.share[i], most, "%s", folder);
		cr_assert_geq(d.share[i], most - (double)others / n, "%s",
			      folder);
		free_capture(c[i]);
	}
	cd_detection_release(&d);
}

Test(detect_real, lab, .timeout = 120)
{
	static const struct {
		const char *folder, *dut, *name;
		unsigned port;
		size_t others;
	} pairs[] = {
		{"derived_clock", "dut.pcap.gz", "pktgen", 9, 0},
		{"derived_messy", "dut.pcap.gz", "pktgen", 9, 0},
		{"derived_step", "dut.pcap.gz", "pktgen", 9, 0},
		{"iperf2", "dut.pcapng.gz", "iperf2", 5001, 0},
		{"iperf3", "dut.pcap.gz", "iperf3", 5201, 1},
		{"mgen_drop", "dut.pcap.gz", "mgen", 5000, 0},
		{"pingflood", "dut.pcap.gz", "ping", 0, 0},
		{"pktgen_1514_20000", "dut.pcap.gz", "pktgen", 9, 0},
		{"pktgen_1514_80000", "dut.pcap.gz", "pktgen", 9, 0},
		{"pktgen_512_100000", "dut.pcap.gz", "pktgen", 9, 0},
		{"pktgen_512_20000", "dut.pcap.gz", "pktgen", 9, 0},
		{"pktgen_64_20000", "dut.pcap.gz", "pktgen", 9, 0},
		{"pktgen_64_200000", "dut.pcap.gz", "pktgen", 9, 0},
		{"rtp", "dut.pcapng.gz", "rtp", 6000, 0},
		{"sockperf", "dut.pcap.gz", "sockperf", 7777, 0},
	};
	const char *shared = shared_path();

	if (shared == NULL)
		cr_skip("no shared captures");
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		check_pair(shared, pairs[i].folder, pairs[i].dut, pairs[i].name,
			   pairs[i].port, pairs[i].others);
}

/* What the corpus holds besides these, by the sight of it, is no stamp. */
static const struct {
	const char *file, *name;
} stamped[] = {
	{"derived_containers/cat_two_pcaps.pcap", "rtp"},
	{"derived_containers/one.pcap.", "rtp"},
	{"derived_containers/trunc_mid", "rtp"},
	{"derived_formats/ST2022_path", "rtp"},
	{"derived_formats/base_nsec.pcap", "rtp"},
	{"dpkt/examples/data/dns_icmp.pcap", "ping"},
	{"libtrace_traces/test/traces/8021x.pcap", "ping"},
	{"libtrace_traces/test/traces/mpls.pcap", "ping"},
	{"ndpi_selected/i3d.pcap", "rtp"},
	{"ndpi_selected/skinny.pcap", "rtp"},
	{"pairs_bmv2_4point/s1-eth1_in.pcap", "ping"},
	{"pairs_bmv2_4point/s1-eth1_out.pcap", "iperf2"},
	{"pairs_bmv2_4point/s1-eth2_in.pcap", "iperf2"},
	{"pairs_bmv2_4point/s1-eth2_out.pcap", "ping"},
	{"pairs_bmv2_4point/s2-eth1_in.pcap", "iperf2"},
	{"pairs_bmv2_4point/s2-eth1_out.pcap", "ping"},
	{"pairs_bmv2_timestamp/pcaps/s1-eth1", "ping"},
	{"pairs_bmv2_timestamp/pcaps/s1-eth2", "ping"},
	{"pairs_proxy_4point/pcaps/client.pcap", "ping"},
	{"pairs_proxy_4point/pcaps/proxy_eth1.pcap", "ping"},
	{"pairs_proxy_4point/pcaps/server.pcap", "ping"},
	{"PcapExamples/ICMPv6_echos.cap", "ping"},
	{"PcapExamples/VlanPackets.pcap", "ping"},
	{"wireshark_captures/dns+icmp.pcapng.gz", "ping"},
};

static int check_file(const char *path, const struct stat *st, int type,
		      struct FTW *ftw)
{
	struct capture *c;
	struct cd_detection d;
	const char *name = NULL;

	(void)st;
	(void)ftw;
	if (type != FTW_F)
		return 0;
	c = read_capture(path);
	d = detect(&c, 1, true);
	for (size_t i = 0; i < sizeof(stamped) / sizeof(stamped[0]); i++)
		if (strstr(path, stamped[i].file) != NULL)
			name = stamped[i].name;
	cr_expect_not(d.ambiguous, "%s: %s", path, cd_str_text(&d.tried));
	if (c->n == 0 || d.spec.format == NULL)
		cr_expect(c->n == 0 || name == NULL, "%s: not %s", path, name);
	else
		cr_expect(name != NULL && !strcmp(name, d.spec.format->name),
			  "%s: %s", path, d.spec.format->name);
	cd_detection_release(&d);
	free_capture(c);
	return 0;
}

Test(detect_real, corpus, .timeout = 300)
{
	const char *shared = shared_path();
	char path[1100];

	if (shared == NULL)
		cr_skip("no shared captures");
	snprintf(path, sizeof(path), "%s/corpus", shared);
	cr_assert_eq(nftw(path, check_file, 16, FTW_PHYS), 0);
}
