#!/bin/sh
# Every frame of the corpus and of the lab, and what is before the packets in
# files that are known for it: counted with tshark's dissection of each.
: "${srcdir:=.}" "${top_builddir:=.}"
shared=${CAPDIFF_SHARED:-$srcdir/../shared}
corpus=$shared/corpus
checker=$top_builddir/tests/corpus/check_frames
if ! test -f "$corpus/INDEX.tsv"; then
	echo "1..0 # SKIP no corpus beside the sources"
	exit 0
fi
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

# report NUMBER NAME: failures are in $dir/bad
report() {
	if test -s "$dir/bad"; then
		sed 's/^/# /' "$dir/bad"
		echo "not ok $1 - $2"
	else
		echo "ok $1 - $2"
	fi
}

echo 1..3
(cd "$corpus" && tail -n +2 INDEX.tsv | cut -f1 | tr '\n' '\0' |
	xargs -0 "$checker") \
	>"$dir/got" 2>"$dir/bad" || echo "exit status $?" >>"$dir/bad"
test -s "$dir/got" || echo "nothing was parsed" >>"$dir/bad"
report 1 "frames of the corpus are inside their records"

# File, what is before the packets, tunnels, packets; - is left out below.
cat >"$dir/known" <<'END'
dpkt/examples/data/nb6-http.pcap	PPPoE header	0	46
large_pcap_analyzer/test-pcaps/ipv4_tcp_flags.pcap	VLAN tag + GTP header	1	16
libpcap_tests/tests/filter/AH-IPcomp-IPv6.pcap	IP in IP header	1	8
libpcap_tests/tests/filter/geneve.pcap	GENEVE header	1	10
libpcap_tests/tests/filter/vxlan.pcap	VXLAN header	1	8
libtrace_traces/test/traces/ip-in-mpls.pcap.gz	MPLS labels	0	10503
libtrace_traces/test/traces/mpls.pcap	MPLS labels	0	5
ndpi_selected/dtls.pcap	VLAN tag + GTP header	1	4
ndpi_selected/gre.pcapng	VLAN tag + GRE header	1	1
ndpi_selected/syslog.pcap	IP in IP header	1	6
ndpi_selected/syslog.pcap	PPPoE header	0	6
ndpi_selected/syslog.pcap	VLAN tag	0	24
pcapplusplus/Tests/Pcap++Test/PcapExamples/GrePackets.cap	GRE header	1	2
pcapplusplus/Tests/Pcap++Test/PcapExamples/one_http_stream_rst.pcap	VLAN tag + PPPoE header	0	10
tcpdump_tests/tests/arista_ether.pcap	Arista time stamp header	0	4
tcpdump_tests/tests/arista_ether.pcap	MPLS labels + Arista time stamp header	0	4
tcpdump_tests/tests/arista_ether.pcap	VLAN tag + Arista time stamp header	0	4
tcpdump_tests/tests/arista_ether.pcap	VLAN tag + MPLS labels + Arista time stamp header	0	4
wireshark_captures/ipoipoip.pcap	IP in IP header	4	1
zeek_selected/doc/advanced/devel/plugins/connkey-vxlan-fivetuple-plugin-src/Traces/vxlan-overlapping-http-get.pcap	VXLAN header	1	28
zeek_selected/pppoe-over-qinq.pcap	VLAN tag + PPPoE header	0	86
END
awk -F '\t' '
	FILENAME == ARGV[1] { known[$0]; file[$1]; next }
	!($1 in file) || $2 == "-" { next }
	$0 in known { delete known[$0]; next }
	{ print "not expected: " $0 }
	END { for (line in known) print "not found: " line }
	' "$dir/known" "$dir/got" >"$dir/bad"
report 2 "tunnels and tags of known files"

# A stream on a laptop has nothing around it.
find "$shared/lab" -name '*.gz' -exec "$checker" {} + >"$dir/got" 2>"$dir/bad" ||
	echo "exit status $?" >>"$dir/bad"
test -s "$dir/got" || echo "no captures in $shared/lab" >>"$dir/bad"
awk -F '\t' '$2 != "-" || $3 != 0' "$dir/got" >>"$dir/bad"
report 3 "no tunnels in the captures of the lab"
