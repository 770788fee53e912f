#!/bin/sh
# Every capture of the corpus: packet counts against those of two independent
# readers (INDEX.tsv), records against libpcap. And the captures of the lab.
: "${srcdir:=.}" "${top_builddir:=.}"
shared=${CAPDIFF_SHARED:-$srcdir/../shared}
corpus=$shared/corpus
checker=$top_builddir/tests/corpus/check_capture
if ! test -f "$corpus/INDEX.tsv"; then
	echo "1..0 # SKIP no corpus beside the sources"
	exit 0
fi
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
tail -n +2 "$corpus/INDEX.tsv" >"$dir/index"

# Where we differ, and why: file, tab, which check, tab, reason.
cat >"$dir/known" <<'END'
derived_formats/ST2022_path1_2000.nokiapcap	records	libpcap does not know Nokia's record headers
derived_formats/ST2022_path1_2000.rh6_1pcap	records	libpcap does not know the record headers of Red Hat 6.1
derived_formats/ST2022_path1_2000.suse6_3pcap	records	libpcap does not know the record headers of SuSE 6.3
derived_containers/cat_two_pcaps.pcap	records	others read the second file's header as a packet
pcapplusplus_fuzz/Tests/Fuzzers/RegressionTests/regression_samples/clusterfuzz-testcase-minimized-FuzzTarget-5766899836387328	count	version 2.3 has its lengths the other way round, as libpcap knows
tcpdump_tests/tests/bgp_vpn_rt-oobr.pcap	end	it ends in zeros that were never written
END

# report NUMBER NAME: failures are in $dir/bad
report() {
	if test -s "$dir/bad"; then
		sed 's/^/# /' "$dir/bad"
		echo "not ok $1 - $2"
	else
		echo "ok $1 - $2"
	fi
}

echo 1..6
(cd "$corpus" && cut -f1 "$dir/index" | tr '\n' '\0' |
	xargs -0 "$checker") \
	>"$dir/got" 2>"$dir/bad" || echo "exit status $?" >>"$dir/bad"
report 1 "every file is read to some end"

# check NAME PROGRAM: an awk function bad(), which returns what is wrong with
# a file, over the index (in i[]) and what we got (packets, end, libpcap).
check() {
	awk -F '\t' -v name="$1" "$2"'
		FILENAME == ARGV[1] { if ($2 == name) known[$1]; next }
		FILENAME == ARGV[2] { packets[$1] = $2; end[$1] = $3
			libpcap[$1] = $4; next }
		{ what = bad($1, packets[$1], end[$1], libpcap[$1])
		  if (what != "" && !($1 in known)) print $1 ": " what
		  if (what == "" && ($1 in known)) print $1 ": is known no more"
		}' "$dir/known" "$dir/got" "$dir/index" >"$dir/bad"
}

check unread '
	function bad(file, packets, end, libpcap) {
		if (end == "compression" && $4 !~ /^(xz|zstd|lz4) /)
			return "compression"
		if (end == "format" && $4 !~ /^(gz\(1 members\) )?(erf|snoop|format)/ && $8 ~ /^[0-9]/)
			return "format: " libpcap
		return ""
	}'
report 2 "only foreign formats and compressions are refused"

check count '
	function bad(file, packets, end, libpcap) {
		if (end == "compression" || end == "format" || $6 != $7)
			return ""
		return packets == $6 ? "" : packets " packets, not " $6
	}'
report 3 "packets as two other readers count them"

check records '
	function bad(file, packets, end, libpcap) {
		return libpcap ~ /^differs/ ? libpcap : ""
	}'
report 4 "the records of libpcap"

check end '
	function bad(file, packets, end, libpcap) {
		if ($9 != "yes" || $10 != "yes" || end == "end")
			return ""
		return end
	}'
report 5 "no complaint where libpcap and Wireshark have none"

find "$shared/lab" -name '*.gz' -exec "$checker" {} + >"$dir/got" 2>"$dir/bad" ||
	echo "exit status $?" >>"$dir/bad"
test -s "$dir/got" || echo "no captures in $shared/lab" >>"$dir/bad"
awk -F '\t' '$2 == 0 || $3 != "end" || $4 != "same"' "$dir/got" >>"$dir/bad"
report 6 "the captures of the lab, as libpcap reads them"
