#!/bin/sh
# Simulated captures that are unpleasant: what must not crash, and must not
# pass.
. "${srcdir:-.}/tests/cli/tap.sh"
: "${CAPSIM:=./capsim}"
t_begin
cd "$t_dir" || exit 1

simulate() { # FOLDER; the scenario on standard input
	"$CAPSIM" -o "$1" - >/dev/null 2>err || { cat err; exit 1; }
}

json_value() { # KEY: its value in the report in out
	tr -d '\n' <"$t_dir/out" | sed 's/"values":/\n/' | sed -n 2p |
		sed -n "s/.*\"$1\": *{ *\"value\": *\([^,}]*\).*/\1/p"
}

# Out of order at the very start: the common interval of a capture alone leaves
# packets out.
simulate alone <<EOF
[stream]
rate = 20kpps
packets = 3000
stamp = sockperf
[point dut]
swap = at 1 by 60
EOF
t_run alone/dut.pcapng
[ $t_status = 1 ] && grep -q '^Error against cadence' out
t_ok $? 'alone, out of order at the start'
t_run --guard 20ms alone/dut.pcapng
[ $t_status = 1 ] && grep -q '^Error against cadence' out
t_ok $? 'alone, with a guard'

# A clock that jumps by 100 days, on in the middle: half of the times are out of
# range.
simulate jump <<EOF
[stream]
rate = 20kpps
packets = 4000
[point ref]
[point dut]
step = 20d at 100ms
step = 20d at 100ms
step = 20d at 100ms
step = 20d at 100ms
step = 20d at 100ms
EOF
t_run jump/ref.pcapng jump/dut.pcapng
[ $t_status = 1 ] && grep -q 'complete but NOT ACCURATE' out &&
	grep -q '2,000 packets have no usable time stamp' out
t_ok $? 'half of the time stamps out of range'

# Receive queues written in blocks, copies in either: nothing is missing.
simulate queues <<EOF
[stream]
rate = 20kpps
packets = 4220
arrivals = bursts
[point ref]
[point dut]
duplicate = 5%
swap = 1% by 5
queues = 2 block 64
EOF
t_run -T json queues/ref.pcapng queues/dut.pcapng
[ "$(json_value dut.loss.missing)" = 0 ] &&
	[ "$(json_value dut.stream.epochs)" = 1 ]
t_ok $? 'copies in two queues are neither losses nor a restart'
t_end
