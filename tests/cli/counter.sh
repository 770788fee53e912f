#!/bin/sh
# A counter that no known stamp has is found without a word about it, wherever
# it is, and none is found where there is none.
. "${srcdir:-.}/tests/cli/tap.sh"
: "${CAPSIM:=./capsim}"
t_begin
cd "$t_dir" || exit 1

simulate() { # FOLDER; the scenario on standard input
	"$CAPSIM" -o "$1" - >out 2>err
}

stamp_spec() { # from the JSON report
	sed -n 's/^ *"spec": "\(field:[^"]*\)".*/\1/p' "$1"
}

missing() {
	sed -n 's/.*"dut\.loss\.missing": {"value": \([^,}]*\).*/\1/p' "$1"
}

# Forty of them, the same on every machine: NUMBER PLACE WIDTH ENDIAN STEP FIRST
# PROTOCOL SIZE FILL, by a generator of Park and Miller.
choices() {
	awk 'function draw(n) {
		seed = (seed * 16807) % 2147483647
		return int(seed / 2147483647 * n)
	}
	BEGIN {
		seed = 20260101
		split("1 1 1 2 3 7 100 -1 -1 -5", steps)
		split("17 17 17 99 50 253 17 99", protocols)
		split("256 256 1500 imix", sizes)
		split("zero random pattern", fills)
		for (i = 1; i <= 40; i++) {
			width = 2 + draw(7)
			step = steps[1 + draw(10)]
			protocol = protocols[1 + draw(8)]
			size = sizes[1 + draw(4)]
			room = size == "imix" ? 18 : 200
			header = protocol == 17 ? "udp" : "l4"
			if (draw(3) == 0)
				place = "end-" (width + draw(room - width))
			else
				place = header "+" draw(room - width)
			first = draw(2) * draw(200) * step
			first = step < 0 ? 10000 * -step : first
			print i, place, width, draw(2) ? "big" : "little",
				step, first, protocol, size, fills[1 + draw(3)]
		}
	}'
}

scenario() {
	cat <<END
about = a counter at $place
seed = $number
[stream]
stamp = field
at = $place
width = $width
endian = $endian
step = $step
first = $first
protocol = $protocol
packets = 2500
rate = 50kpps
size = $size
fill = $fill
jitter = uniform 3us
[point ref]
[point dut]
loss = at 500-520,700,1333
duplicate = at 800,801
late = at 900,1100 by 3
END
}

choices >list
[ "$(wc -l <list)" -eq 40 ] && [ "$(cut -d' ' -f2-7 list | sort -u |
	wc -l)" -eq 40 ]
t_ok $? 'forty different choices'
# place and so on are what the scenario is made of
# shellcheck disable=SC2034
while read -r number place width endian step first protocol size fill; do
	scenario | simulate run
	"$CAPDIFF" -T json run/ref.pcapng run/dut.pcapng >json 2>err
	spec=$(stamp_spec json)
	n=$(missing json)
	[ -n "$spec" ] && [ "$n" = 23 ]
	status=$?
	if [ $status = 0 ]; then # what was printed can be pasted
		"$CAPDIFF" -T json --stamp "$spec" run/ref.pcapng \
			run/dut.pcapng >pasted 2>>err
		[ "$(missing pasted)" = 23 ]
		status=$?
	fi
	t_ok $status "$place, $width bytes $endian endian, step $step: ${spec#*:}"
done <list

# Nothing to be found: other contents each time.
bad=0
for seed in 1 2 3 4 5 6 7 8 9 10 11 12; do
	for fill in zero random pattern; do
		"$CAPSIM" -s $seed -o none - >out 2>err <<END
about = packets without a number
[stream]
stamp = none
packets = 1500
protocol = $((seed % 3 == 0 ? 17 : 90 + seed))
rate = 50kpps
size = $((seed % 2 == 0 ? 200 : 800))
fill = $fill
[point ref]
[point dut]
loss = 1%
END
		t_run none/ref.pcapng none/dut.pcapng
		[ $t_status = 2 ] &&
			grep -q 'no sequence number found; tried.*a counter' err
		bad=$((bad + $?))
	done
done
t_ok $bad 'none in packets without numbers'

# The published study: IP protocol 99, with and without a counter.
"$CAPSIM" -o with "$srcdir/tests/scenarios/protocol-99.sim" >/dev/null
t_run with/ref.pcapng with/dut.pcapng
grep -q 'sequence numbers at l4+6, 4 bytes little endian, step 3' out &&
	grep -q 'field:at=l4+6,width=4,endian=little,step=3,proto=99' out
t_ok $? 'protocol 99: the place of the counter, and how to say it'
"$CAPSIM" -o without "$srcdir/tests/scenarios/protocol-99.sim" \
	stream.stamp=none >/dev/null
t_run without/ref.pcapng without/dut.pcapng
t_says 2 'no sequence number found; tried pktgen.*a counter anywhere' \
	'protocol 99 without a counter: what was tried'
grep -q -e '--stamp none shows what needs no numbers: counts, rates' err
t_ok $? 'and what remains'
t_run --stamp none without/ref.pcapng without/dut.pcapng
grep -q '20,000' out && grep -q 'inconclusive' out
t_ok $? 'what remains is measured'
t_run -v without/ref.pcapng
grep -q 'no sequence number found, so missing packets' out
t_ok $? 'one capture alone is measured, with a note'
t_end
