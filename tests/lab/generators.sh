# Sourced: one generator each. For generator G
#   G_tool     what must be installed
#   G_stream   filter of its numbered packets, for count
#   G_stamp    what capdiff has to be told, if anything
#   G_filter   the same: other packets have that number as well
#   G_least    smallest frame, with check sequence
#   G_run BYTES PPS PACKETS LOG   sends; receiver, if it has one, included
#   G_says LOG                    prints "SENT RECEIVED" by its own account,
#                                 - where it does not say
# UDP payload of a frame: 14 + 20 + 8 before and 4 behind it.
payload() { echo $(($1 - 46)); }
seconds() { echo $((($2 + $1 - 1) / $1)); } # PPS PACKETS

# A receiver in the background: server NAME COMMAND...; server_pid
server() {
	log=$1
	shift
	in_b timeout 60 "$@" >"$log.server" 2>&1 </dev/null &
	server_pid=$!
	sleep 0.4
}
server_stop() {
	kill "$server_pid" 2>/dev/null
	wait "$server_pid" 2>/dev/null
}

generators='pktgen mgen iperf2 iperf3 sockperf ditg ping trafgen'

pktgen_tool='' pktgen_stream='udp dst port 9' pktgen_least=64
pktgen_run() {
	in_a "$lab_bin/send" pktgen eth0 $mac_a,$ip_a $mac_b,$ip_b \
		"$1" "$2" "$3" >"$4" 2>&1
}
pktgen_says() { sed -n 's/^\([0-9]*\) packets sent/\1 -/p' "$1"; }

mgen_tool=mgen mgen_stream='udp dst port 5000' mgen_least=74
mgen_run() {
	server "$4" mgen flush event 'listen udp 5000' output "$4.received"
	in_a timeout 60 mgen flush txlog output "$4" \
		event "0.1 on 1 udp dst $ip_b/5000 periodic [$2 $(payload "$1")] count $3" \
		event "$(($(seconds "$2" "$3") + 1)).0 off 1" >/dev/null 2>&1
	sleep 0.3
	server_stop
}
mgen_says() {
	echo "$(grep -c ' SEND ' "$1")" "$(grep -c ' RECV ' "$1.received")"
}

# The closing datagram has a number too, so that the server counts one more.
iperf2_tool=iperf iperf2_least=64
iperf2_stream='udp dst port 5001 and udp[8] & 0x80 = 0'
iperf2_run() {
	server "$4" iperf -s -u -e
	in_a timeout 60 iperf -c $ip_b -u -b "$2pps" -l "$(payload "$1")" \
		-t "$(seconds "$2" "$3")" >"$4" 2>&1
	server_stop
}
iperf2_says() {
	sed -n 's|.* ms *\([0-9]*\)/ *\([0-9]*\) (.*|\1 \2|p' "$1" | tail -1 |
		awk '{ print $2 - 1, $2 - 1 - $1 }'
}

iperf3_tool=iperf3 iperf3_stream='udp dst port 5201 and udp[4:2] > 12'
iperf3_least=64
iperf3_run() {
	server "$4" iperf3 -s -1
	in_a timeout 60 iperf3 -c $ip_b -u -b $(($2 * $(payload "$1") * 8)) \
		-l "$(payload "$1")" -k "$3" >"$4" 2>&1
	server_stop
}
iperf3_says() {
	sed -nE 's#.* ms *([0-9]+)/([0-9]+) \(.*(sender|receiver).*#\3 \1 \2#p' \
		"$1" | awk '$1 == "sender" { sent = $3 }
			$1 == "receiver" { print sent, $3 - $2 }'
}

# Warm-up messages come before, with a flag of their own.
sockperf_tool=sockperf sockperf_least=64
sockperf_stream='udp dst port 11111 and udp[16:2] & 4 = 0'
sockperf_run() {
	server "$4" sockperf sr -i $ip_b
	in_a timeout 60 sockperf tp -i $ip_b --mps "$2" -m "$(payload "$1")" \
		-t "$(seconds "$2" "$3")" >"$4" 2>&1
	server_stop
}
sockperf_says() {
	sed -n 's/.*Total of \([0-9]*\) messages sent.*/\1/p' "$1" |
		sed "s/$/ -/"
}

ditg_tool=ITGSend ditg_stream='udp dst port 8999' ditg_least=64
ditg_run() {
	server "$4" ITGRecv
	in_a timeout 60 ITGSend -a $ip_b -rp 8999 -C "$2" \
		-c "$(payload "$1")" -z "$3" -l "$4.send" -x "$4.recv" \
		>"$4" 2>&1
	sleep 0.3
	server_stop
}
ditg_packets() {
	timeout 60 ITGDec "$1" 2>/dev/null |
		sed -n 's/^Total packets *= *\([0-9]*\).*/\1/p' | tail -1
}
ditg_says() { echo "$(ditg_packets "$1.send")" "$(ditg_packets "$1.recv")"; }

# Slower than a packet a millisecond by the clock, faster by the flood.
ping_tool=ping ping_stream='icmp[icmptype] = icmp-echo' ping_least=64
ping_run() {
	pace="-i $(awk "BEGIN { print 1 / $2 }")"
	[ "$2" -le 1000 ] || pace=-f
	in_a timeout 60 ping -q $pace -W 1 -c "$3" -s "$(payload "$1")" $ip_b \
		>"$4" 2>&1
}
ping_says() {
	sed -n 's/^\([0-9]*\) packets transmitted, \([0-9]*\) received.*/\1 \2/p' "$1"
}

# The identification of the IPv4 header counts: one process, one counter.
trafgen_tool=trafgen trafgen_stream='udp dst port 4321' trafgen_least=64
trafgen_filter='udp dst port 4321'
trafgen_stamp='field:at=l3+4,width=2,endian=big,step=1'
trafgen_run() {
	in_a timeout 60 trafgen --dev eth0 -P 1 -q -C -n "$3" \
		-t "$((1000000 / $2))us" \
		"{ eth(da=$mac_b, sa=$mac_a), ipv4(id=dinc(0, 65535, 1), sa=$ip_a, da=$ip_b),
		udp(sp=4321, dp=4321), fill(0x5a, $(payload "$1")) }" >"$4" 2>&1
}
trafgen_says() {
	sed -n 's/^[^0-9]*\([0-9]*\) packets outgoing.*/\1 -/p' "$1"
}
