#!/bin/sh
# seeds.sh FOLDER: small inputs to start fuzzing from, FOLDER/PROGRAM/…, made
# from data/ and from what capsim and capdiff write. Takes $srcdir, $CAPSIM and
# $CAPDIFF.
set -eu
: "${srcdir:=.}" "${CAPSIM:=./capsim}" "${CAPDIFF:=./capdiff}"
to=$1
mkdir -p "$to/capture" "$to/input" "$to/frame" "$to/json" "$to/run" \
	"$to/stamp" "$to/words"

simulate() { # NAME POINT-LINES...; the stream's lines on standard input
	name=$1
	shift
	{
		echo '[stream]'
		echo 'packets = 40'
		echo 'rate = 20kpps'
		echo 'size = 128'
		cat
		echo "[point $name]"
		printf '%s\n' "$@"
	} >"$to/$name.sim"
	"$CAPSIM" -o "$to/made" "$to/$name.sim" >/dev/null
}

keep() { # FILE: a capture, for those that read one
	name=$(basename "$1")
	head -c 6000 "$1" >"$to/capture/$name"
	cp "$to/capture/$name" "$to/input/$name"
	gzip -c "$1" >"$to/input/$name.gz"
	for tool in zstd lz4; do
		! command -v $tool >/dev/null ||
			$tool -qc "$1" >"$to/input/$name.$tool"
	done
}

for file in hw laptop; do
	gzip -dc "$srcdir/data/$file.pcapng.gz" | head -c 3000 >"$to/$file"
	keep "$to/$file"
done
# Two members, and one inside another.
cat "$to/input/hw.gz" "$to/input/laptop.gz" >"$to/input/two.gz"
gzip -c "$to/input/hw.gz" >"$to/input/twice.gz"

for stamp in pktgen iperf2 iperf3 mgen sockperf ditg rtp ping; do
	echo "stamp = $stamp" | simulate "$stamp" 'format = pcap'
	keep "$to/made/$stamp.pcap"
	{
		echo "$stamp"
		head -c 6000 "$to/made/$stamp.pcap"
	} >"$to/stamp/$stamp"
	# Its first frame as Ethernet, no FCS, all of it captured.
	{
		printf '\000\001\377\000\000\000'
		tail -c +41 "$to/made/$stamp.pcap" | head -c 124
	} >"$to/frame/$stamp"
done
printf '%s\n' 'stamp = field' 'at = udp+8' |
	simulate field 'format = pcap' 'fcs = present'
keep "$to/made/field.pcap"
for spec in field field:at=udp+8 field:at=end-4,width=4,endian=little \
	field:at=l3+20,step=-2,proto=99,flows=one field:at=frame+14,type=0x88b5
do
	{
		echo "$spec"
		head -c 6000 "$to/made/field.pcap"
	} >"$to/stamp/$(printf %s "$spec" | tr -c 'a-z0-9\n' _)"
	printf 's%s' "$spec" >"$to/words/$(printf %s "$spec" | tr -c 'a-z0-9' _)"
done

# Reports: one capture, two, two that have nothing in common.
report() { # NAME CAPTURE...
	name=$1
	shift
	"$CAPDIFF" -T json "$@" >"$to/json/$name" 2>/dev/null ||
		test -s "$to/json/$name"
}
report alone "$to/made/pktgen.pcap"
report pair "$to/made/pktgen.pcap" "$to/made/field.pcap"
report apart "$to/made/rtp.pcap" "$to/made/pktgen.pcap"
report other "$to/made/ping.pcap"
printf '{"values": {}}' >"$to/json/little"
printf '{"values": tru' >"$to/json/cut"

# Link types and tunnels: type, FCS, extra; then headers.
ipv4='\105\000\000\040\000\001\000\000\100\021\000\000\012\000\000\001\012\000\000\002'
udp='\023\211\023\212\000\014\000\000\000\000\000\001'
mac='\002\000\000\000\000\001\002\000\000\000\000\002'
ipv6='\140\000\000\000\000\014\021\100\040\001\015\270\000\000\000\000\000\000\000\000\000\000\000\001\040\001\015\270\000\000\000\000\000\000\000\000\000\000\000\002'
frame() { # NAME LINK-TYPE(octal, two bytes) HEADERS
	printf "$2"'\377\000\000\000'"$3" >"$to/frame/$1"
}
frame null '\000\000' '\002\000\000\000'"$ipv4$udp"
frame loop '\000\154' '\000\000\000\002'"$ipv4$udp"
frame raw4 '\000\145' "$ipv4$udp"
frame raw6 '\000\145' "$ipv6$udp"
frame ipv4 '\000\344' "$ipv4$udp"
frame ipv6 '\000\345' "$ipv6$udp"
frame ppp '\000\011' '\377\003\000\041'"$ipv4$udp"
frame hdlc '\000\150' '\017\000\010\000'"$ipv4$udp"
frame pppoe '\000\063' '\021\000\000\001\000\042\000\041'"$ipv4$udp"
frame sll '\000\161' '\000\000\000\001\000\006\002\000\000\000\000\001\000\000\010\000'"$ipv4$udp"
frame sll2 '\001\024' '\010\000\000\000\000\000\000\001\000\001\000\006\002\000\000\000\000\001\000\000'"$ipv4$udp"
frame vlan '\000\001' "$mac"'\201\000\000\144\010\000'"$ipv4$udp"
frame qinq '\000\001' "$mac"'\210\250\000\144\201\000\000\144\010\000'"$ipv4$udp"
frame mpls '\000\001' "$mac"'\210\107\000\001\001\100'"$ipv4$udp"
frame vxlan '\000\001' "$mac"'\010\000\105\000\000\122\000\001\000\000\100\021\000\000\012\000\000\001\012\000\000\002\023\211\022\265\000\076\000\000\010\000\000\000\000\000\001\000'"$mac"'\010\000'"$ipv4$udp"
frame gre '\000\001' "$mac"'\010\000\105\000\000\070\000\001\000\000\100\057\000\000\012\000\000\001\012\000\000\002\000\000\010\000'"$ipv4$udp"
frame ipip '\000\001' "$mac"'\010\000\105\000\000\064\000\001\000\000\100\004\000\000\012\000\000\001\012\000\000\002'"$ipv4$udp"
frame erspan '\000\001' "$mac"'\010\000\105\000\000\122\000\001\000\000\100\057\000\000\012\000\000\001\012\000\000\002\020\000\210\276\000\000\000\001\020\001\000\001\000\000\000\000'"$mac"'\010\000'"$ipv4$udp"

# Two captures of one stream every 10 us; lost, doubled and swapped packets, a
# step of the clock, a restart, silence.
run() { # NAME OPTIONS RUNS-OF-PACKETS
	printf "$2$3" >"$to/run/$1"
}
steady='\003\001\047\020\001\000'
second='\013\001\047\020\001\000'
run equal '\001' "$steady$steady$steady$steady$steady"
run alone '\000' "$steady$steady$steady$steady$steady"
run lost '\001' "$steady"'\001\001\047\020\000\003'"$steady"
run doubled '\001' "$steady"'\002\000\000\144\000\003'"$steady"
run swapped '\001' "$steady"'\002\002\047\020\000\001\002\377\047\020\000\001'"$steady"
run step '\001' "$steady"'\242\001\177\377\000\001'"$steady"
run restart '\001' "$steady"'\003\200\047\020\000\002'"$steady"
run silent '\001' "$steady"'\363\001\177\377\100\001'"$steady"
run far '\001' "$steady"'\362\001\177\377\100\001'"$steady"
run three '\002' '\007\001\047\020\003\377\007\001\047\020\000\377'
run streams '\001' "$steady$second$steady$second"
run wrap '\001' "$steady"'\003\177\047\020\200\002'"$steady"

word() { # NAME WORDS
	printf "$2" >"$to/words/$1"
}
word mgen 'smgen:flow=3'
word iperf3 'siperf3:width=8'
word missing 'lloss.missing<=0'
word span 'ldut.time.error.span_ns<=5us'
word ppm 'lclock.rate_ppm<1e-3%%'
word duration 'u1.5ms'
word rate 'u2.5Gb/s'
word ratio 'u50ppm'
word count 'u1_000,000'
word pair 'oa.pcap\nb.pcap\n-v\n--limit\nloss.missing<=0'
word set 'o-r\nhw=a.pcap#1\nb.pcap\n--set\nx=c.pcap\n--ts-unit\nhw=ns'
word more 'o-c\n10\n-T\njson\n--guard\n1ms\n--expect=7\n-j2\n--fcs\n4\nx'
rm -rf "$to/made" "$to"/*.sim "$to/hw" "$to/laptop"
