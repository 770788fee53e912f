# Sourced: three network namespaces, sender, bridge and receiver.
#   eth0 of $net_a --- a (bridge) b --- eth0 of $net_b
# What is lost, copied or held up on the way happens at the bridge, between the
# two capture points, and the kernel counts it there.
net_a=cdlab$$-a net_m=cdlab$$-m net_b=cdlab$$-b
ip_a=10.9.0.1 ip_b=10.9.0.2
mac_a=02:00:00:00:09:01 mac_b=02:00:00:00:09:02

in_a() { ip netns exec "$net_a" "$@"; }
in_m() { ip netns exec "$net_m" "$@"; }
in_b() { ip netns exec "$net_b" "$@"; }

# net_end NAMESPACE BRIDGE_PORT OWN_IP OWN_MAC OTHER_IP OTHER_MAC
net_end() {
	ip -n "$1" link add eth0 address "$4" type veth peer name "$2" \
		netns "$net_m"
	ip -n "$net_m" link set dev "$2" master br0 up
	ip netns exec "$1" sysctl -qw net.ipv6.conf.all.disable_ipv6=1 \
		net.core.rmem_max=67108864 net.core.rmem_default=8388608 \
		2>/dev/null
	ip -n "$1" link set dev lo up
	ip -n "$1" link set dev eth0 up
	ip -n "$1" addr add "$3/24" dev eth0
	ip -n "$1" neigh add "$5" lladdr "$6" dev eth0
	# One frame is one packet, as on a wire.
	! command -v ethtool >/dev/null || ip netns exec "$1" ethtool -K eth0 \
		gso off tso off gro off >/dev/null 2>&1 || true
}

net_up() {
	for space in "$net_a" "$net_m" "$net_b"; do
		ip netns add "$space" || return 1
	done
	ip -n "$net_m" link add name br0 type bridge || return 1
	in_m sysctl -qw net.ipv6.conf.all.disable_ipv6=1 2>/dev/null
	net_end "$net_a" a $ip_a $mac_a $ip_b $mac_b || return 1
	net_end "$net_b" b $ip_b $mac_b $ip_a $mac_a || return 1
	ip -n "$net_m" link set dev br0 up
}

net_down() {
	for space in "$net_a" "$net_m" "$net_b"; do
		pids=$(ip netns pids "$space" 2>/dev/null)
		[ -z "$pids" ] || kill $pids 2>/dev/null
		ip netns del "$space" 2>/dev/null
	done
}

# path_set KIND: what the bridge does to what the sender sends.
#   clean
#   drop    1 % at random
#   copy    1 % twice, at random
#   narrow  a queue that overflows, of a slow line
path_set() { # KIND BITS_PER_SECOND
	path_clear
	case $1 in
	clean) return 0 ;;
	drop) path_rule 'numgen random mod 100 < 1 counter name n drop' ;;
	copy) path_rule 'numgen random mod 100 < 1 counter name n dup to "b"' ;;
	narrow)
		path_queue "$2"
		;;
	esac
}

# Only what is numbered has to wait; the generators' control connections do not.
path_queue() {
	in_m tc qdisc add dev b root handle 1: htb default 1 2>/dev/null &&
		in_m tc class add dev b parent 1: classid 1:1 htb \
			rate 10gbit quantum 1514 &&
		in_m tc class add dev b parent 1: classid 1:2 htb rate "$1" \
			burst 16kb cburst 16kb quantum 1514 &&
		in_m tc qdisc add dev b parent 1:2 handle 2: bfifo limit 16kb &&
		in_m tc filter add dev b parent 1: protocol ip u32 \
			match ip protocol 17 0xff flowid 1:2 &&
		in_m tc filter add dev b parent 1: protocol ip u32 \
			match ip protocol 1 0xff flowid 1:2
}

path_rule() {
	command -v nft >/dev/null || return 1
	in_m nft -f - 2>/dev/null <<-EOF
	table netdev lab {
		counter n { }
		chain c {
			type filter hook ingress device a priority 0;
			udp dport 7 accept
			ip saddr $ip_a ip protocol { udp, icmp } $1
		}
	}
	EOF
}

path_clear() {
	in_m nft delete table netdev lab 2>/dev/null
	in_m tc qdisc del dev b root 2>/dev/null
	return 0
}

# path_counter KIND: how many packets that were.
path_counter() {
	case $1 in
	clean) echo 0 ;;
	narrow)
		in_m tc -s qdisc show dev b | sed -n '/bfifo/,$ {
			s/.*(dropped \([0-9]*\),.*/\1/p
		}'
		;;
	*) in_m nft list counter netdev lab n | sed -n 's/.*packets \([0-9]*\) .*/\1/p' ;;
	esac
}
