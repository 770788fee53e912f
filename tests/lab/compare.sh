# Sourced: what capdiff says about a run against everything else that knows.

# Columns of the CSV report by name, one line for each capture.
csv_columns() { # FILE NAME...
	file=$1
	shift
	awk -F, -v names="$*" '
	{
		n = split($0, part, "\"")
		$0 = part[1]
		for (i = 2; i <= n; i++) {
			if (i % 2 == 0)
				gsub(",", ";", part[i])
			$0 = $0 part[i]
		}
	}
	NR == 1 {
		wanted = split(names, name, " ")
		for (i = 1; i <= NF; i++)
			column[$i] = i
		next
	}
	{
		for (i = 1; i <= wanted; i++)
			printf "%s%s", $column[name[i]] == "" ? 0 \
				: $column[name[i]], i < wanted ? " " : "\n"
	}' "$file"
}

lab_note() { echo "# $*"; }

lab_ok() { # STATUS NAME
	lab_count=$((lab_count + 1))
	if [ "$1" = 0 ]; then
		echo "ok $lab_count - $2"
	else
		lab_failed=$((lab_failed + 1))
		echo "not ok $lab_count - $2"
	fi
}

lab_skip() {
	lab_count=$((lab_count + 1))
	echo "ok $lab_count - # SKIP $1"
}

analyse() { # GENERATOR
	eval "set -- --stamp=\"\${${1}_stamp-auto}\" -f \"\${${1}_filter-}\""
	for name in $capture_names; do
		set -- "$@" "$name=$(capture_file "$name")"
	done
	timeout 120 "$CAPDIFF" -o "$lab_dir/report.csv" "$@" \
		>"$lab_dir/report.txt" 2>"$lab_dir/report.err"
	[ $? -lt 2 ]
}

# One capture: sets the words of runs.md; status 0 if everything agrees.
#   NAME EXPECTED MISSING HEAD TAIL REF_MISS HEAD_SURPLUS TAIL_SURPLUS COPIES
compare_capture() {
	eval "$("$lab_bin/count" "$stream and src host $ip_a" \
		"$(capture_file sent)" "$(capture_file "$1")")"
	excluded=$(($4 + $5))
	dropped=$(capture_dropped "$1")
	on_the_way=0
	case $1,$lab_path in
	sent2,*) ;;
	*,copy) on_the_way=$((-path_count)) ;;
	*) on_the_way=$path_count ;;
	esac
	gone=$((sent_records - received_records))
	line="| $generator | $bytes | $pps | $lab_path | $1 | $sent"
	line="$line | $3 | $missing | $on_the_way | ${dropped:--} |"
	same=0 explained=0
	[ $(($3 + excluded)) = "$missing" ] && [ "$9" = "$copies" ] &&
		[ $(($6 + $7 + $8)) = "$extra" ] || same=1
	[ "$gone" = $((on_the_way + ${dropped:-0})) ] || explained=1
	[ $same = 0 ] || lab_note "$1: capdiff missing $3, excluded $4+$5," \
		"copies $9, ref_miss $6+$7+$8; counted $missing missing," \
		"$copies copies, $extra extra"
	[ $explained = 0 ] || lab_note "$1: $gone records fewer, but" \
		"$on_the_way on the way and ${dropped:--} dropped by it"
	echo "$line" >>"$lab_out/runs.md"
	echo "$generator $1 $sent $3 $missing $on_the_way $same $explained" \
		>>"$lab_dir/all"
	[ $same = 0 ] || all_same=1
	[ $explained = 0 ] || all_explained=1
}

# Datagrams that found the generator's own receiving socket full, so far.
socket_full() {
	in_b awk '$1 == "Udp:" && n++ == 0 {
			for (i = 1; i <= NF; i++)
				if ($i == "RcvbufErrors")
					column = i
			next
		}
		$1 == "Udp:" { print $column }' /proc/net/snmp
}

# What arrived at the receiver, by the capture at the sender and the bridge's
# counter: some generators count copies, others do not.
compare_tool() {
	set -- $("${generator}_says" "$lab_dir/tool" 2>/dev/null) - -
	full=$(($(socket_full) - socket_full_before))
	reached=$((sent - path_count)) all=$((sent - path_count)) shown=$reached
	if [ "$lab_path" = copy ]; then
		reached=$sent all=$((sent + path_count))
		shown="$sent + $path_count"
	fi
	echo "| $generator | $bytes | $pps | $lab_path | $sent | $1 | $shown | $full | $2 |" \
		>>"$lab_out/tools.md"
	agrees=$([ "$1" = - ] || { [ "$1" = "$sent" ] && echo 1 || echo 0; })
	heard=
	if [ "$2" != - ]; then
		heard=0
		[ $(($2 + full)) != $reached ] && [ $(($2 + full)) != $all ] ||
			heard=1
	fi
	echo "$generator ${agrees:--} ${heard:--}" >>"$lab_dir/tools"
}

compare_run() { # GENERATOR BYTES PPS PATH
	generator=$1 bytes=$2 pps=$3 lab_path=$4
	eval "stream=\$${1}_stream"
	all_same=0 all_explained=0
	what="$1, $2 bytes, $3 pps, $4"
	if ! analyse "$1"; then
		sed 's/^/# /' "$lab_dir/report.err"
		lab_ok 1 "$what: capdiff reads it"
		return
	fi
	csv_columns "$lab_dir/report.csv" capture loss.expected loss.missing \
		loss.head_excluded loss.tail_excluded loss.ref_miss \
		loss.head_surplus loss.tail_surplus duplicate.copies |
		sed 1d >"$lab_dir/columns"
	while read -r columns; do
		compare_capture $columns
	done <"$lab_dir/columns"
	compare_tool
	lab_ok $all_same "$what: missing as counted by their bytes"
	lab_ok $all_explained "$what: as the programs' own counters say"
}
