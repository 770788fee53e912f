#!/bin/sh
# make bench: ratios to a bare pcap_next_ex loop over the same files, and the
# share of each pass.
# BENCH_PACKETS (10,000,000), BENCH_ROUNDS (3), BENCH_DIR (a temporary folder).
set -eu
: "${BENCH_PACKETS:=10000000}" "${BENCH_ROUNDS:=3}"
here=${top_builddir:-.}
dir=${BENCH_DIR:-$(mktemp -d)}
trap 'rm -f "$dir"/ref.pcap "$dir"/dut.pcap; rmdir "$dir" 2>/dev/null' EXIT
for bytes in 60 1514; do
	packets=$BENCH_PACKETS
	[ "$bytes" = 60 ] || packets=$((BENCH_PACKETS / 10))
	truth=$("$here/tests/bench/generate" "$dir" "$packets" "$bytes")
	"$here/tests/bench/bench" \
		"2 x $packets packets of $bytes bytes (truth: $truth)" \
		"$BENCH_ROUNDS" \
		"$here/tests/bench/next" "$dir/ref.pcap" "$dir/dut.pcap" -- \
		"$here/capdiff" "$dir/ref.pcap" "$dir/dut.pcap"
	"$here/capdiff" "$dir/ref.pcap" "$dir/dut.pcap" -q || true
	"$here/tests/bench/passes" "$dir/ref.pcap" "$dir/dut.pcap"
	echo
done
