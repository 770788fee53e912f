# Sourced: the capture programs at both ends. A capture point is
#   NAME END PROGRAM BUFFER
# with END a (sender) or b (receiver), and for tcpdump the buffer in KiB, for
# dumpcap in MiB, as their -B has it. The first one is the reference.
capture_points='sent a tcpdump 65536
sent2 a dumpcap 64
tcpdump_large b tcpdump 65536
tcpdump_small b tcpdump 128
dumpcap_large b dumpcap 64
dumpcap_small b dumpcap 1'
capture_filter="src host 10.9.0.1 and (udp or icmp)"

# capture_start NAME END PROGRAM BUFFER: adds to $capture_pids, at the receiver
# also to $reader_pids.
capture_start() {
	file=$lab_dir/$1
	space=$net_a
	[ "$2" = a ] || space=$net_b
	rm -f "$file".*
	case $3 in
	tcpdump)
		set -- tcpdump -Z root -n -p -i eth0 -B "$4" -s 512 \
			--time-stamp-precision=nano -w "$file.pcap" "$capture_filter"
		;;
	dumpcap)
		set -- dumpcap -q -p -i eth0 -B "$4" -s 512 \
			-f "$capture_filter" -w "$file.pcapng"
		;;
	esac
	ip netns exec "$space" "$@" >/dev/null 2>"$file.log" </dev/null &
	capture_pids="$capture_pids $!"
	[ "$space" = "$net_a" ] || reader_pids="$reader_pids $!"
}

captures_start() {
	capture_pids='' reader_pids=''
	while read -r point; do
		set -f
		capture_start $point
	done <<-EOF
	$capture_points
	EOF
	sleep 1
}

# The readers at the receiver do not get to read for a while, again and again,
# as on a host that is busy or whose disk is: what does not fit into the buffer
# until then is lost.
stalls_start() {
	(
		trap 'kill -CONT $reader_pids 2>/dev/null; exit' TERM
		while sleep 0.15; do
			kill -STOP $reader_pids
			sleep 0.15
			kill -CONT $reader_pids
		done
	) &
	stall_pid=$!
}

stalls_stop() {
	kill -TERM $stall_pid 2>/dev/null
	wait $stall_pid 2>/dev/null
	kill -CONT $reader_pids 2>/dev/null
}

# tcpdump reads what came last up to a second later.
captures_stop() {
	sleep 1.3
	kill -INT $capture_pids 2>/dev/null
	wait $capture_pids 2>/dev/null
}

capture_file() { # NAME
	[ ! -f "$lab_dir/$1.pcapng" ] || echo "$lab_dir/$1.pcapng"
	[ ! -f "$lab_dir/$1.pcap" ] || echo "$lab_dir/$1.pcap"
}

# What the program itself says was dropped.
capture_dropped() { # NAME
	sed -n -e 's/^\([0-9]*\) packets* dropped by kernel.*/\1/p' \
		-e "s|^Packets received/dropped on interface.*: [0-9]*/\([0-9]*\) .*|\1|p" \
		"$lab_dir/$1.log" | tail -1
}
