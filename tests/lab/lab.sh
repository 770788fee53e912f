#!/bin/sh
# make lab: capdiff on captures of real generators, taken by real programs, with
# losses that really happened.
#
# For each generator, frame size and rate: two programs capture at the sender,
# four at the receiver, of which some lose packets because their buffers are
# small and they do not get to read now and then; between the ends the bridge
# may drop or copy packets. Then, for every capture, the numbers of capdiff are
# compared with a count of the packets by their bytes (count.c), with what the
# capture program and the bridge say they dropped, and with the generator's own
# account. TAP on standard output; runs.md, summary.md and tools.md in lab/.
#   LAB_GENERATORS, LAB_SIZES, LAB_RATES (packets/s), LAB_SECONDS (2)
# As root; skipped where network namespaces are not allowed.
: "${srcdir:=.}" "${top_builddir:=.}" "${CAPDIFF:=$top_builddir/capdiff}"
: "${LAB_SIZES:=64 512 1518}" "${LAB_RATES:=1000 5000 20000}"
: "${LAB_SECONDS:=2}"
export LC_ALL=C
lab_bin=$top_builddir/tests/lab
lab_out=$top_builddir/lab
. "$srcdir/tests/lab/net.sh"
. "$srcdir/tests/lab/generators.sh"
. "$srcdir/tests/lab/captures.sh"
. "$srcdir/tests/lab/compare.sh"
: "${LAB_GENERATORS:=$generators}"
paths='clean drop copy narrow'

skip_all() {
	echo "1..0 # SKIP $1"
	exit 0
}

check_tools() {
	[ "$(id -u)" = 0 ] || skip_all 'not root'
	for tool in ip tc tcpdump dumpcap; do
		command -v $tool >/dev/null || skip_all "no $tool"
	done
	net_up >/dev/null 2>&1 || {
		net_down
		skip_all 'network namespaces are not allowed here'
	}
}

# lab_run GENERATOR BYTES PPS PATH
lab_run() {
	packets=$(($3 * LAB_SECONDS))
	[ "$1" != ping ] || [ "$3" -gt 1000 ] || packets=$((packets / 2))
	# Half of what is offered, frame and overhead.
	path_set "$4" $(($3 * $2 * 4)) || {
		lab_skip "$*: this kernel or host has no way to do it"
		return
	}
	socket_full_before=$(socket_full)
	captures_start
	stalls_start
	"${1}_run" "$2" "$3" "$packets" "$lab_dir/tool"
	stalls_stop
	in_a "$lab_bin/send" mark eth0 $mac_a,$ip_a $mac_b,$ip_b
	captures_stop
	path_count=$(path_counter "$4")
	path_clear
	compare_run "$@"
}

# The paths take turns, so that each generator meets each of them.
lab_generator() {
	eval "tool=\$${1}_tool least=\$${1}_least"
	if [ -n "$tool" ] && ! command -v "$tool" >/dev/null; then
		lab_skip "$1: $tool is not installed"
		return
	fi
	turn=0
	for bytes in $LAB_SIZES; do
		[ "$bytes" -ge "$least" ] || bytes=$least
		for pps in $LAB_RATES; do
			turn=$((turn % 4 + 1))
			path=$(echo "$paths" | cut -d' ' -f$turn)
			lab_run "$1" "$bytes" "$pps" "$path"
		done
	done
}

tables_start() {
	: >"$lab_dir/all"
	: >"$lab_dir/tools"
	cat >"$lab_out/runs.md" <<-EOF
	| generator | bytes | packets/s | path | capture | sent | missing | counted | on the way | dropped, it says |
	| --- | ---: | ---: | --- | --- | ---: | ---: | ---: | ---: | ---: |
	EOF
	cat >"$lab_out/tools.md" <<-EOF
	| generator | bytes | packets/s | path | sent | it says | reached the receiver | its socket full | it says |
	| --- | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: |
	EOF
}

# A line for each generator: its runs together.
tables_finish() {
	awk -v points="$(echo $capture_names)" '
	function share(yes, of) { return of == 0 ? "-" : yes + 0 " of " of }
	FILENAME ~ /tools$/ {
		n[$1]++
		says[$1] += $2 != "-"; said[$1] += $2 == 1
		hears[$1] += $3 != "-"; heard[$1] += $3 == 1
		next
	}
	!($1 in seen) { order[++generators] = $1; seen[$1] = 1 }
	{
		missing[$1, $2] += $4; captures[$1]++
		equal[$1] += $7 == 0; told[$1] += $8 == 0
	}
	$2 == "sent2" { sent[$1] += $3 }
	$2 == "tcpdump_large" && $6 > 0 { way[$1] += $6 }
	END {
		point_count = split(points, point, " ")
		printf "| generator | runs | packets | lost on the way"
		for (i = 2; i <= point_count; i++)
			printf " | %s", point[i]
		print " | = counted | = counters | sender | receiver |"
		printf "| --- | ---: | ---: | ---:"
		for (i = 2; i <= point_count + 4; i++)
			printf " | ---:"
		print " |"
		for (g = 1; g <= generators; g++) {
			name = order[g]
			printf "| %s | %d | %d | %d", name, n[name], sent[name],
				way[name]
			for (i = 2; i <= point_count; i++)
				printf " | %d", missing[name, point[i]]
			printf " | %s | %s | %s | %s |\n",
				share(equal[name], captures[name]),
				share(told[name], captures[name]),
				share(said[name], says[name]),
				share(heard[name], hears[name])
		}
	}' "$lab_dir/tools" "$lab_dir/all" >"$lab_out/summary.md"
	sed 's/^/# /' "$lab_out/summary.md"
}

check_tools
mkdir -p "$lab_out"
lab_dir=$(mktemp -d)
lab_count=0 lab_failed=0
capture_names=$(echo "$capture_points" | sed 's/ .*//')
trap 'stalls_stop; net_down; rm -rf "$lab_dir"' EXIT
trap 'exit 2' INT TERM
tables_start
for generator in $LAB_GENERATORS; do
	lab_generator "$generator"
done
tables_finish
echo "1..$lab_count"
[ $lab_failed = 0 ]
