#!/bin/sh
# Real pairs with the second capture repacked as another tap, broker or tool
# would have written it: same counts, same times, differences named.
. "${srcdir:-.}/tests/cli/tap.sh"
: "${top_builddir:=.}"
lab=$(cd "$CAPDIFF_SHARED/lab" 2>/dev/null && pwd)
if [ -z "$lab" ]; then
	echo '1..0 # SKIP no captures in ../shared/lab'
	exit 0
fi
repack=$top_builddir/tests/cli/repack
t_begin
cd "$t_dir" || exit 1

# "KEY VALUE" of what a container or a header must not change.
values() { # REF DUT OPTION...
	ref=$1
	dut=$2
	shift 2
	"$CAPDIFF" -T json "$@" "ref=$ref" "dut=$dut" >json 2>err
	tr -d '\n' <json | sed 's/"values":/\n/; s/"verdicts":/\n/' |
		sed -n 2p | sed 's/"dut\./\n/g' |
		sed -n 's/^\([a-z0-9_.]*\)": *{ *"value": *\([^,}]*\).*/\1 \2/p' |
		grep -E '^(loss|match|duplicate|order|time|delta|delta_error|clock)\.' |
		grep -vE 'reported|impossible|per_byte|physics|tick_how' | sort
}

same() { # NAME
	[ -s plain ] && cmp -s plain other
	status=$?
	[ $status = 0 ] || diff plain other | sed 's/^/# /' | head -20
	t_ok $status "$1"
}

named() { # PATTERN NAME
	"$CAPDIFF" -v "ref=$ref" "dut=$dut" >out 2>err
	grep -qiE -e "$1" out
	t_ok $? "$2"
}

each_pair() { # LAB DUT-FILE RESOLUTION-WORD
	ref=$lab/$1/ref.pcap.gz
	from=$lab/$1/$2
	values "$ref" "$from" >plain
	for out in x.pcap x.pcapng x.pcap.gz x.pcapng.gz; do
		"$repack" $3 "$from" $out || exit 1
		values "$ref" $out >other
		same "$1 as $out"
	done
	gzip -dc "$from" >whole
	size=$(wc -c <whole)
	head -c $((size / 3)) whole | gzip >two.gz
	tail -c +$((size / 3 + 1)) whole | gzip >>two.gz
	values "$ref" two.gz >other
	same "$1 as gz of two members"
	for tool in zstd lz4; do
		command -v $tool >/dev/null || continue
		"$CAPDIFF" -V | grep -q "$tool" || continue
		$tool -qc whole >x.$tool
		values "$ref" x.$tool >other
		same "$1 as $tool"
	done
	for modes in vlan mpls vxlan erspan 'mpls vlan vxlan erspan'; do
		# shellcheck disable=SC2086
		"$repack" $3 $modes "$from" x.pcapng || exit 1
		values "$ref" x.pcapng >other
		same "$1 behind $modes"
	done
	for modes in fcs pad 'pad fcs'; do
		# shellcheck disable=SC2086
		"$repack" $3 $modes "$from" x.pcap || exit 1
		values "$ref" x.pcap >other
		same "$1 with $modes"
	done
	"$repack" $3 slice=80 "$from" x.pcap || exit 1
	values "$ref" x.pcap >other
	same "$1 sliced to 80 bytes"
	"$repack" $3 nat "$from" x.pcap || exit 1
	values "$ref" x.pcap --ignore-addresses >other
	same "$1 behind NAT"
}

each_pair pktgen_64_20000 dut.pcap.gz us
each_pair sockperf dut.pcap.gz us
each_pair mgen_drop dut.pcap.gz us

# and the differences have names
ref=$lab/pktgen_64_20000/ref.pcap.gz
from=$lab/pktgen_64_20000/dut.pcap.gz
dut=x.pcap
"$repack" us vlan "$from" x.pcap
named 'VLAN' 'a VLAN tag at one point is named'
"$repack" us vxlan "$from" x.pcap
named 'VXLAN' 'VXLAN at one point is named'
"$repack" us erspan "$from" x.pcap
named 'ERSPAN' 'ERSPAN at one point is named'
"$repack" us mpls "$from" x.pcap
named 'MPLS' 'MPLS at one point is named'
"$repack" us fcs "$from" x.pcap
named 'FCS|frame check' 'FCS at one point is named'
"$repack" us nat "$from" x.pcap
named 'addresses differ|NAT' 'other addresses are named'
"$repack" us slice=44 "$from" x.pcap
t_run "ref=$ref" dut=x.pcap
t_says 2 'cut' 'sliced before the number: refused'
t_end
