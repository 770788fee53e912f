/* Detection on the real captures that may be found beside the sources. */
#include "config.h"

#include <ftw.h>
#include <jansson.h>
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

/* Packets of the whole file, and those of them that carry the stamp. */
static void count_stamps(const char *path, const struct cd_stamp_spec *spec,
			 json_int_t *all, json_int_t *found)
{
	struct cd_input *input = cd_input_open(path, NULL);
	struct cd_capture *file;
	struct cd_record r;
	struct cd_frame f;
	struct cd_stamp s;

	cr_assert_not_null(input, "%s", path);
	file = cd_capture_open(input, NULL);
	cr_assert_not_null(file, "%s", path);
	for (*all = *found = 0; cd_capture_next(file, &r, NULL) == 1; (*all)++) {
		cd_frame_parse(r.linktype, r.data, r.caplen, r.origlen,
			       r.fcs_bytes, &f);
		*found += cd_stamp_parse(spec, &f, &s) == CD_STAMP_YES;
	}
	cd_capture_close(file);
}

/* Against what an independent program counted, over all streams. */
static void check_counts(const json_t *truth, const char *point,
			 const char *path, const struct cd_stamp_spec *spec)
{
	json_int_t all, found, records = 0;
	char key[32];
	size_t i;
	json_t *stream;

	count_stamps(path, spec, &all, &found);
	snprintf(key, sizeof(key), "%s_records", point);
	json_array_foreach(json_object_get(truth, "streams"), i, stream)
		records += json_integer_value(json_object_get(stream, key));
	cr_assert_eq(found, records, "%s: %lld of %lld", path,
		     (long long)found, (long long)records);
	snprintf(key, sizeof(key), "%s_other", point);
	cr_assert_eq(all - found,
		     json_integer_value(json_object_get(truth, key)), "%s",
		     path);
}

static void check_pair(const char *folder)
{
	static const char *const points[] = {"ref", "dut"};
	struct capture *c[2];
	struct cd_detection d;
	char path[2][1300], text[1300];
	const char *name;
	struct stat st;
	json_t *truth;

	snprintf(text, sizeof(text), "%s/truth.json", folder);
	truth = json_load_file(text, 0, NULL);
	cr_assert_not_null(truth, "%s", text);
	for (size_t i = 0; i < 2; i++) {
		snprintf(path[i], sizeof(path[i]), "%s/%s.pcap.gz", folder,
			 points[i]);
		if (stat(path[i], &st) != 0)
			snprintf(path[i], sizeof(path[i]), "%s/%s.pcapng.gz",
				 folder, points[i]);
		c[i] = read_capture(path[i]);
	}
	d = detect(c, 2, true);
	name = json_string_value(json_object_get(truth, "stamp"));
	cr_assert_not_null(d.spec.format, "%s: no %s", folder, name);
	cr_assert_str_eq(d.spec.format->name, name, "%s", folder);
	cr_assert_str_eq(cd_str_text(&d.others), "");
	cr_assert_not(d.cut);
	for (size_t i = 0; i < 2; i++) {
		cr_assert_gt(d.share[i], 0.95, "%s", path[i]);
		check_counts(truth, points[i], path[i], &d.spec);
		free_capture(c[i]);
	}
	cd_detection_release(&d);
	json_decref(truth);
}

Test(detect_real, lab, .timeout = 300)
{
	static const char *const folders[] = {
		"derived_clock",     "derived_messy",	  "derived_step",
		"iperf2",	     "iperf3",		  "mgen_drop",
		"pingflood",	     "pktgen_1514_20000", "pktgen_1514_80000",
		"pktgen_512_100000", "pktgen_512_20000",  "pktgen_64_20000",
		"pktgen_64_200000",  "rtp",		  "sockperf",
	};
	const char *shared = shared_path();
	char folder[1200];

	if (shared == NULL)
		cr_skip("no shared captures");
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		snprintf(folder, sizeof(folder), "%s/lab/%s", shared,
			 folders[i]);
		check_pair(folder);
	}
}

/* What the corpus holds besides these, by the sight of it, is no stamp, and no
 * counter of its own: those there are belong to protocols (NFS transaction
 * numbers, TFTP blocks, Babel and DTLS sequence numbers). */
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
	{"libtrace_traces/test/traces/vxlan.pcap", "ping"},
	{"libtrace_traces/test/vxlan.pcap", "ping"},
	{"libpcap_tests/tests/filter/vxlan.pcap", "ping"},
	{"ndpi_selected/i3d.pcap", "rtp"},
	{"ndpi_selected/nfsv2.pcap", "field"},
	{"ndpi_selected/nfsv3.pcap", "field"},
	{"ndpi_selected/skinny.pcap", "rtp"},
	{"ndpi_selected/tftp.pcap", "field"},
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
	{"tcpdump_tests/tests/HDLC.pcap", "ping"},
	{"tcpdump_tests/tests/babel_rfc6126bis.pcap", "field"},
	{"wireshark_captures/dns+icmp.pcapng.gz", "ping"},
	{"wireshark_captures/udt-dtls.pcapng.gz", "field"},
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
